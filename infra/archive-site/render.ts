import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sectionsHtml } from '../site/markdown.ts';
import type { Pages } from './page-props.ts';

/** The pages as functions: bundled, because Node does not run the components' syntax. */
export async function loadPages(): Promise<Pages> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../site/pages/archive/pages.tsx', import.meta.url))],
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'node', target: 'node24' },
  });
  const [bundle] = outputFiles;
  const url = `data:text/javascript;base64,${Buffer.from(bundle?.contents ?? []).toString('base64')}`;
  return (await import(url)).pages;
}

const ON_THE_WAY_OUT = ['Get AVAX back', 'Questions and answers', 'Claim without a website'];
/** Targets of the guide's links in the export. Other links have no target there. */
const TARGETS: Record<string, string> = { '../dashboard': '#search', '../contracts': '#contracts' };

const NOTE =
  '**These steps were written for the running service, and this copy does not change.** After a transaction, read the new amounts in the explorer: your ggAVAX, for example, is `balanceOf` of the ggAVAX pool.';

/** The guide's own steps and table, as HTML. */
export function wayOutHtml(): string {
  const guide = readText('../site/pages/guide/guide.md');
  const sections = guide
    .split(/^(?=## )/m)
    .filter((section) => ON_THE_WAY_OUT.includes(section.slice(3).split('\n')[0] ?? ''));
  const linked = sections.join('').replace(/\[([^\]]+)\]\(([^)]+)\)/g, (all, text: string, target: string) => {
    if (target.startsWith('https:') || target === '#get-avax-back') return all;
    const here = TARGETS[target];
    return here ? `[${text}](${here})` : text;
  });
  return sectionsHtml(linked.replace(/\n/, () => `\n\n${NOTE}\n`));
}

export function readText(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
