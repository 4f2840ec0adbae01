/**
 * The static site: pages, and the scripts and styles they load. The local gateway serves this list of files, and the
 * stack uploads it. All links are relative, because the paths of API Gateway's own URLs begin with the stage.
 */

import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { setIn } from '../../lib/runtime/config.ts';
import { llmsText } from './llms.ts';
import { htmlOf } from './markdown.ts';
import { openApiDocument } from './openapi.ts';
import { referenceFiles, referenceText, withoutAnchors } from './reference.ts';
import { FOR_ALL_ORIGINS, fileOf, type SiteFile } from './site-file.ts';
import { wellKnownFiles } from './well-known.ts';

interface Page {
  /** The path it is served at, without the leading slash. */
  path: string;
  /** Its folder in `infra/site/pages`, with its part of `page.html`, and `main.ts`, which imports the styles. */
  folder: string;
  /** Markdown that replaces its `<!-- content -->`, and is served as text, too: `docs/guide.md`. */
  text?: () => string | Promise<string>;
}

const PAGES: readonly Page[] = [
  { path: 'dashboard', folder: 'dashboard' },
  { path: 'docs/contracts', folder: 'contracts' },
  { path: 'docs', folder: 'reference', text: referenceText },
  { path: 'docs/guide', folder: 'guide', text: () => readFile(`${PAGE_SOURCES}guide/guide.md`, 'utf8') },
];

export const PAGE_PATHS = PAGES.map(({ path }) => path);

const PAGE_SOURCES = fileURLToPath(new URL('./pages/', import.meta.url));
const ASSETS = 'assets';
/** The name of an asset changes with its content. */
const ASSET_CACHE = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Builds all files. Takes less than a second. Without a `securityContact`, there is no security.txt. */
export async function buildSite(securityContact = setIn(process.env).SECURITY_CONTACT): Promise<SiteFile[]> {
  const files = await Promise.all(PAGES.map(buildPage));
  return [
    ...files.flat(),
    fileOf('openapi.json', 'application/json', JSON.stringify(openApiDocument()), FOR_ALL_ORIGINS),
    fileOf('llms.txt', 'text/plain; charset=utf-8', llmsText()),
    ...referenceFiles().map(({ path, text }) => fileOf(path, 'text/markdown; charset=utf-8', text)),
    ...wellKnownFiles(securityContact),
  ];
}

/**
 * The template has a policy: nothing from another host, nothing inline. It is in the page, because header values that API Gateway sets
 * cannot contain quotes.
 */
async function buildPage({ path, folder, text }: Page): Promise<SiteFile[]> {
  const [template, own, bundled, markdown = ''] = await Promise.all([
    readFile(`${PAGE_SOURCES}page.html`, 'utf8'),
    readFile(`${PAGE_SOURCES}${folder}/index.html`, 'utf8'),
    bundle(folder),
    text?.(),
  ]);
  const nameOf = (suffix: string) => bundled.find((file) => file.path.endsWith(suffix))?.path ?? '';
  const [head = '', body = ''] = own.split('<!-- body -->\n');
  // Relative to the page: `docs/guide` is one level deeper than the others.
  const up = '../'.repeat(path.split('/').length - 1);
  const html = template
    .replace('{css}', nameOf('.css'))
    .replace('{js}', nameOf('.js'))
    .replaceAll('{up}', up)
    .replace(`href="${up}${path}"`, '$& aria-current="page"')
    .replace('{head}', head.trim())
    .replace('{body}', () => body.replace('<!-- content -->', () => linked(htmlOf(markdown), up)));
  const page = fileOf(path, 'text/html; charset=utf-8', html, { 'X-Frame-Options': 'DENY' });
  const asText = fileOf(`${path}.md`, 'text/markdown; charset=utf-8', withoutAnchors(markdown));
  return [page, ...bundled, ...(text ? [asText] : [])];
}

/** Paths of the site are links on its pages. Elsewhere, such as on GitHub, the same text has no site to link to. */
function linked(html: string, up: string): string {
  return html.replace(/<code>\/([\w./]+)<\/code>/g, (code, path: string) =>
    [...PAGE_PATHS, 'openapi.json', 'llms.txt', 'docs/guide.md'].includes(path)
      ? `<a href="${up}${path}">${code}</a>`
      : code,
  );
}

async function bundle(folder: string): Promise<SiteFile[]> {
  const { outputFiles } = await build({
    entryPoints: { [folder]: `${PAGE_SOURCES}${folder}/main.ts` },
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // Licences of bundled packages require that their notices are kept.
    legalComments: 'eof',
    outdir: ASSETS,
    write: false,
  });
  return outputFiles.map(({ path, contents }) =>
    fileOf(`${ASSETS}/${basename(path)}`, CONTENT_TYPES[extname(path)] as string, contents, ASSET_CACHE),
  );
}
