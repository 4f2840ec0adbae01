/** The pages of an export, and the few files that they load. */

import { getAddress } from 'ethers';
import type { Bodies } from '../../functions/index.ts';
import { filesOf } from '../../lib/archive/descriptions.ts';
import type { Gap } from '../../lib/archive/edition.ts';
import type { ExportFolder, StepFiles } from '../../lib/archive/export-folder.ts';
import type { Table } from '../../lib/archive/table.ts';
import { parseNodeID } from '../../lib/values/cb58.ts';
import type { Answers } from './answers.ts';
import { DIGITS, type Imprint, type Overview, type Pages } from './page-props.ts';
import { type Event, writePerson } from './people.ts';
import { notFoundScript, readText, wayOutHtml } from './render.ts';
import type { Subjects } from './subjects.ts';

/** The sources and the folder of pages. */
export interface Work extends Imprint {
  answers: Answers;
  folder: ExportFolder;
  pages: Pages;
}

/** What pages about these subjects state; by default, pages about all of them. */
function imprintOf({ edition, contracts, addresses }: Work, subjects?: readonly string[]): Imprint {
  const isSaid = ({ about }: Gap) => !subjects || !about || about.some((subject) => subjects.includes(subject));
  return { edition: { ...edition, missing: edition.missing.filter(isSaid) }, contracts, addresses };
}

export async function writePersonWithPage(
  work: Work,
  files: StepFiles,
  address: string,
  roles: Parameters<typeof writePerson>[3],
): Promise<void> {
  const person = await writePerson(work.answers, files, address, roles);
  const subjects = [address, ...(roles.isHolder ? ['holder'] : []), ...(roles.isStaker ? ['staker'] : [])];
  files.write(`address/${address}.html`, work.pages.address({ ...imprintOf(work, subjects), person }));
}

export async function writeNode(work: Work, files: StepFiles, nodeID: string): Promise<void> {
  const { answers, pages } = work;
  const minipool = await answers.body<Bodies['/minipools/{nodeID}']>(`/minipools/${nodeID}`);
  const events = await answers.all<Event>(`/minipools/${nodeID}/activity`, 'activity');
  const written = [
    ...(minipool ? [{ path: `api/minipools/${nodeID}.json`, title: 'Newest minipool', body: minipool as object }] : []),
    { path: `api/minipools/${nodeID}/activity.json`, title: 'Events, the newest first', body: { activity: events } },
  ];
  for (const { path, body } of written) files.write(path, JSON.stringify(body));
  files.write(
    `node/${nodeID}.html`,
    pages.node({ ...imprintOf(work, [parseNodeID(nodeID) ?? nodeID]), nodeID, minipool, events, files: written }),
  );
}

/** Lists for the search, and for who has no JavaScript. */
export async function writeLists(work: Work, { addresses, small, nodes }: Subjects): Promise<void> {
  await work.folder.run('lists', async (files) => {
    const write = (name: string, title: string, folder: 'address' | 'node', names: readonly string[]) =>
      files.write(`lists/${name}.html`, work.pages.list({ ...imprintOf(work, []), title, folder, names }));
    const writeScript = (name: string, ...lists: string[][]) =>
      files.write(`lists/${name}.js`, `listed(${lists.map((list) => JSON.stringify(list)).join(',\n')});\n`);
    for (const digit of DIGITS) {
      const names = addresses.filter((address) => address[2] === digit);
      write(digit, `Addresses that begin with 0x${digit}`, 'address', names);
      // With capitals, which show typing errors.
      writeScript(digit, names.map(getAddress));
    }
    write('nodes', 'Nodes', 'node', nodes);
    const hex = nodes.map((nodeID) => parseNodeID(nodeID) ?? '');
    writeScript('nodes', nodes, hex);
    writeScript('small', small);
  });
}

/** The first page, and what is at the old paths of the service's pages. */
export async function writeFront(work: Work, tables: readonly Table[], nodes: number): Promise<void> {
  const { answers, edition, folder, pages } = work;
  await folder.run('front', async (files) => {
    const url = `/metrics/history?interval=1d&from=${edition.since}`;
    const days = await answers.all<Overview['days'][number]>(url, 'points');
    const metrics = (await answers.body('/metrics')) as Bodies['/metrics'];
    const data = tables.flatMap((table) =>
      filesOf(table, folder.files).map((file) => ({ ...file, about: table.meaning.split(/(?<=\.) |: /)[0] ?? '' })),
    );
    const overview = { nodes, metrics, days, files: data, guide: wayOutHtml() };
    files.write('index.html', pages.index({ ...imprintOf(work), ...overview }));
    files.write('404.html', pages.notFound({ ...imprintOf(work, []), script: notFoundScript() }));
    files.write('site.css', `${readText('../site/pages/shared/style.css')}\n${readText('site.css')}`);
    files.write('search.js', readText('search.js'));
    // The service's pages, with the parameters of their links.
    for (const path of ['dashboard', 'docs', 'docs/guide', 'docs/contracts']) {
      const index = `${path.replace(/\w+/g, '..')}/index.html`;
      files.write(
        `${path}/index.html`,
        `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Moved</title>\n<script>location.replace('${index}' + location.search)</script>\n<p>This page is now in the <a href="${index}">archive</a>.</p>\n</html>\n`,
      );
    }
  });
}
