import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SECURITY_HEADERS } from '../lib/http/response.ts';

/**
 * The static site: pages, and the scripts and styles they load. The local gateway serves these files and the stack uploads them;
 * both from this list. All links are relative, because API Gateway's own URLs begin with the name of a stage.
 */

export interface SiteFile {
  /** As requested, without the leading slash: `dashboard`, `assets/dashboard-X3BZ4Q2M.js`. */
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

interface Page {
  /** Where it is served, without the leading slash. */
  path: string;
  /** Its folder below `web/`, with `index.html`, and `main.ts` which imports the styles. */
  folder: string;
  /** What it may load, on top of nothing. */
  policy: string;
}

/** Nothing from another host, nothing inline. */
const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

const PAGES: readonly Page[] = [{ path: 'dashboard', folder: 'dashboard', policy: STRICT_POLICY }];

const WEB = fileURLToPath(new URL('../web/', import.meta.url));
const ASSETS = 'assets';
const PAGE_CACHE = 'public, max-age=300';
/** The name of an asset changes with its content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';
const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Builds all files. Takes about a second. */
export async function buildSite(): Promise<SiteFile[]> {
  const files = await Promise.all(PAGES.map(buildPage));
  return files.flat();
}

async function buildPage({ path, folder, policy }: Page): Promise<SiteFile[]> {
  const [html, assets] = await Promise.all([readFile(`${WEB}${folder}/index.html`, 'utf8'), bundle(folder)]);
  const nameOf = (suffix: string) => assets.find((asset) => asset.path.endsWith(suffix))?.path ?? '';
  // Relative to the page: `docs/guide` is one level down.
  const up = '../'.repeat(path.split('/').length - 1);
  const linked = html
    .replace('href="main.css"', `href="${up}${nameOf('.css')}"`)
    .replace('src="main.ts"', `src="${up}${nameOf('.js')}"`)
    // In the page: the quotes of a policy cannot be part of a header that API Gateway adds.
    .replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'X-Frame-Options': 'DENY',
    'Cache-Control': PAGE_CACHE,
  };
  return [{ path, headers, body: Buffer.from(linked) }, ...assets];
}

async function bundle(folder: string): Promise<SiteFile[]> {
  const { outputFiles } = await build({
    entryPoints: { [folder]: `${WEB}${folder}/main.ts` },
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    outdir: ASSETS,
    write: false,
  });
  return outputFiles.map(({ path, contents }) => ({
    path: `${ASSETS}/${basename(path)}`,
    headers: {
      ...SECURITY_HEADERS,
      'Content-Type': CONTENT_TYPES[path.slice(path.lastIndexOf('.'))] as string,
      'Cache-Control': ASSET_CACHE,
    },
    body: Buffer.from(contents),
  }));
}
