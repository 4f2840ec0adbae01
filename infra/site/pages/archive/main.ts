/** Lists the files of the newest archive or, while there is none, how much of the past is indexed and recorded. */

import '../shared/style.css';
import '../shared/nav.css';
import '../shared/text.css';
import type { Bodies } from '../../../../functions/index.ts';
import { bundleName } from '../../../../lib/archive/bundle-name.ts';
import type { Activity } from '../dashboard/bodies.ts';
import { day, fileSize, firstSentence, moment } from '../dashboard/format.ts';
import { completeExamples } from '../shared/examples.ts';

type Made = Bodies['/archive']['archives'][number];

/** The parts of an archive's manifest and data package that are shown. */
interface Manifest {
  files: { name: string; bytes: number; rows?: number }[];
}
interface DataPackage {
  resources: { path: string; description: string }[];
}

const ROOT = '../';

function element(
  name: string,
  content: string | readonly (Node | string)[] = '',
  attributes: Record<string, string> = {},
) {
  const made = document.createElement(name);
  made.append(...(typeof content === 'string' ? [content] : content));
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

async function read<Body>(path: string): Promise<Body> {
  const response = await fetch(ROOT + path, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  return response.json();
}

async function newestArchive({ day: name, block, manifest }: Made): Promise<Node[]> {
  const folder = manifest.slice(1).replace(/[^/]*$/, '');
  const [{ files }, { resources }] = await Promise.all([
    read<Manifest>(`${folder}manifest.json`),
    read<DataPackage>(`${folder}datapackage.json`),
  ]);
  const url = new URL(`${ROOT}${folder}`, location.href).href;
  const bundle = bundleName(name);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const wordsOf = new Map(
    resources.map(({ path, description }) => [path.replace('.csv', ''), firstSentence(description)]),
  );
  const rows = files.map(({ name, bytes, rows }) =>
    element('tr', [
      element('td', [element('a', name, { href: url + name, download: '' })]),
      element('td', wordsOf.get(name.replace(/\.\w+$/, '')) ?? ''),
      element('td', [...(rows === undefined ? [] : [`${rows.toLocaleString('en')} rows`]), fileSize(bytes)].join(', ')),
    ]),
  );
  const header = ['File', 'What it holds', 'Size'].map((text) => element('th', text, { scope: 'col' }));
  return [
    element('h2', `Archive of ${day(block.timestamp)}`),
    element('p', `Up to block ${block.number}, ${moment(block.timestamp)}. ${files.length} files, ${fileSize(bytes)}.`),
    element('p', [
      element('a', 'Download all files in one', { href: url + bundle, download: '' }),
      ' Or in a terminal:',
    ]),
    element('pre', [element('code', `curl -O ${url}${bundle}`, { 'data-language': 'sh' })]),
    element('table', [element('thead', [element('tr', header)]), element('tbody', rows)]),
  ];
}

/** The first archive is made once all of the past is known. */
async function firstArchive(): Promise<Node[]> {
  const [{ coverage }, { recordedFrom }] = await Promise.all([
    read<Activity>('activity?limit=0'),
    read<Bodies['/metrics/history']>('metrics/history?interval=1d&limit=0'),
  ]);
  const { fromBlock, toBlock, complete } = coverage;
  return [
    element('h2', 'The first archive is being prepared'),
    element('p', 'It is created the day after history is complete.'),
    element('ul', [
      element('li', complete ? 'Events: all are indexed.' : `Events: blocks ${fromBlock} to ${toBlock} are indexed.`),
      element(
        'li',
        recordedFrom === undefined ? 'Days: none are recorded.' : `Days: recorded back to ${day(recordedFrom)}.`,
      ),
    ]),
  ];
}

async function show(): Promise<Node[]> {
  const { archives } = await read<Bodies['/archive']>('archive?limit=1');
  const [newest] = archives;
  return newest ? newestArchive(newest) : firstArchive();
}

const place = document.getElementById('newest') as HTMLElement;
const shown = await show().catch(() => [
  element('p', 'The list of archives is not available. Reload the page in a minute.'),
]);
place.replaceChildren(...shown);
place.removeAttribute('aria-busy');
completeExamples();
