import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Imprint } from '../../infra/archive-site/page-props.ts';
import { loadPages, notFoundScript, readText } from '../../infra/archive-site/render.ts';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { useBrowser } from '../support/browser.ts';
import { startServer } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The search of an archive: from a folder, and from the page of missing files of a host that serves the folder below a path. */

const [FIRST, SECOND] = ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', '0x1111111111111111111111111111111111111111'];
const [SMALL, NODE] = ['0x12aa34aaf54267db7d7c367839aaf71a00a2c6a6', 'NodeID-ACvymxvWpX1Mt95toBZGoij4aAgkfR53G'];
const NODE_HEX = `0x${'ab'.repeat(20)}`;
const visit = useBrowser();
let folder: string;
let host: LocalServer;

beforeAll(async () => {
  folder = temporaryFolder('archive');
  const edition = { network: 'avalanche', block: { number: 9, timestamp: 1_800_000_000 }, missing: [] };
  const imprint = { edition, copies: [], contracts: [], addresses: new Set() } as unknown as Imprint;
  const form = '<form id="search"><input name="subject"><button></button></form><p id="found"></p>';
  const files: Record<string, string> = {
    'index.html': `${form}<script src="search.js"></script>`,
    '404.html': (await loadPages()).notFound({ ...imprint, script: notFoundScript() }),
    'search.js': readText('search.js'),
    'site.css': 'h1 { color: rgb(1, 2, 3) }',
    'lists/1.js': `listed(${JSON.stringify([FIRST, SECOND])});`,
    'lists/a.js': 'listed([]);',
    'lists/nodes.js': `listed(${JSON.stringify([NODE])}, ${JSON.stringify([NODE_HEX])});`,
    'lists/small.js': `listed(${JSON.stringify([SMALL])});`,
    [`address/${FIRST.toLowerCase()}.html`]: 'the first',
    [`node/${NODE}.html`]: 'the node',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  host = await startServer(({ url = '' }, response) => {
    const path = url.replace('/project/', '');
    response.setHeader('content-type', path.endsWith('.css') ? 'text/css' : 'text/html');
    response.writeHead(path in files ? 200 : 404).end(readFileSync(join(folder, path in files ? path : '404.html')));
  });
});
afterAll(() => host.stop());

/** The pages' policy allows no scripts that wait in them. */
async function until(condition: string): Promise<void> {
  while (!(await visit.page.evaluate(condition))) await visit.page.waitForTimeout(50);
}

test.each<[typed: string, text: string]>([
  [FIRST, 'the first'],
  [FIRST.toLowerCase(), 'the first'],
  [FIRST.replace('AA', 'aA'), 'The capitals do not fit this address: look for a typing error.'],
  [NODE, 'the node'],
  [NODE_HEX, 'the node'],
  [SMALL, 'This address never had as much as 0.001 of a token'],
  [`${FIRST}, ${SECOND}`, `${FIRST}${SECOND}`],
  ['0x12', 'An address is 0x and 40 hexadecimal digits'],
  [`0xa${'1'.repeat(39)}`, 'This address appears in no event'],
])('the search for %s shows %s', async (typed, text) => {
  const starts = [pathToFileURL(join(folder, 'index.html')).href, `${host.url}/project/address/none/0x1.html`];
  for (const start of starts) {
    await visit.page.goto(start);
    await until('typeof archive === "string"');
    await visit.page.locator('input').fill(typed);
    await visit.page.locator('button').click();
    await visit.page.getByText(text.slice(0, 42)).waitFor();
    expect(await visit.page.locator('body').textContent()).toContain(text);
  }
});

test('the page of missing files has the styles and links of its archive', async () => {
  await visit.page.goto(`${host.url}/project/some/where/else`);
  await until('getComputedStyle(document.querySelector("h1")).color === "rgb(1, 2, 3)"');
  expect(await visit.page.evaluate('document.querySelector("nav a").href')).toBe(`${host.url}/project/index.html`);
});
