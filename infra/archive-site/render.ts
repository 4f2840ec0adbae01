import { hash } from 'node:crypto';
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

/** The guide's questions that need no service, by their first words. */
const QUESTIONS = ['Can I still withdraw', 'Can I lose ggAVAX', 'I run minipools', 'Which wallet', 'Is a site'];
/** Steps of the guide that follow the archive's own, by their first words. */
const STEPS = ['Choose _Write contract_', 'Connect your wallet', 'Open the function', 'Before you confirm'];

/** The archive's own steps, and what the guide says that is true without a service, as HTML. */
export function wayOutHtml(): string {
  const guide = readText('../site/pages/guide/guide.md');
  const pick = (pattern: RegExp, starts: readonly string[]) =>
    starts.map((start) => {
      const found = [...guide.matchAll(pattern)].find(([, text = '']) => text.startsWith(start));
      if (!found) throw new Error(`the guide has no "${start}"`);
      return found[1] ?? '';
    });
  const own = readText('way-out.md');
  const first = own.match(/^\d+\. /gm)?.length ?? 0;
  const steps = pick(/^\d+\. (.*)$/gm, STEPS).map((text, index) => `${first + index + 1}. ${text}\n`);
  const questions = pick(/^### (.*\n\n.*\n)/gm, QUESTIONS).map((text) => `\n### ${text}`);
  const text = [own, ...steps, '\n## Questions and answers\n', ...questions].join('');
  // Other links of the guide lead to the service.
  const linked = text.replace(/\[([^\]]+)\]\(([^)]+)\)/g, (all, words: string, target: string) =>
    target === '#contracts-on-mainnet' ? `[${words}](#contracts)` : /^(https:|#)/.test(target) ? all : words,
  );
  return sectionsHtml(linked);
}

/** The script in the page of missing files, and its hash as a policy names it. */
export function notFoundScript(): { text: string; hash: string } {
  const text = readText('not-found.js');
  return { text, hash: `sha256-${hash('sha256', text, 'base64')}` };
}

export function readText(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
