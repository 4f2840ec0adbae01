/** Descriptions with which strangers can read, cite and check an export. */

import { readFileSync } from 'node:fs';
import { isoDay, isoTime } from '../values/iso-time.ts';
import type { Edition } from './edition.ts';
import type { ExportedFile } from './export-folder.ts';
import { type Table, tableFields, tablePath } from './table.ts';

const TITLE = 'GoGoPool / Hypha on Avalanche';
const ABOUT =
  'Events, histories and the last state of GoGoPool, later Hypha, a liquid staking protocol on Avalanche (tokens GGP and ggAVAX, also called stAVAX).';
/** Facts of a public chain are nobody's. https://spdx.org/licenses/CC0-1.0.html */
const LICENCE = { name: 'CC0-1.0', path: 'https://creativecommons.org/publicdomain/zero/1.0/' };
const KEYWORDS = ['Avalanche', 'liquid staking', 'GoGoPool', 'Hypha', 'ggAVAX', 'stAVAX', 'GGP'];

/** Where the data is from. */
function sourcesOf({ chainId, block, sources }: Edition): string[] {
  return [
    `Avalanche C-Chain (chain ID ${chainId}): the contracts' events up to block ${block.number}, on which ${sources} RPC provider(s) agreed, and their views.`,
    'Prices: pools of exchanges on the chain, and the Chainlink feeds AVAX/USD and EUR/USD.',
    'Validators: Avalanche Data API or P-Chain, when the export was made.',
  ];
}

export function filesOf(table: Table, files: readonly ExportedFile[]): ExportedFile[] {
  const [whole, ofYear] = [tablePath(table), new RegExp(`^data/${table.name}-\\d{4}\\.csv$`)];
  return files.filter(({ path }) => path === whole || (table.byYear && ofYear.test(path)));
}

/** `datapackage.json` (https://datapackage.org/standard/data-package/): each table with types, units and meanings. */
export function toDataPackage(edition: Edition, tables: readonly Table[], files: readonly ExportedFile[]): string {
  const { network, chainId, block, repository, commit, madeOn } = edition;
  const resources = tables.flatMap((table) =>
    filesOf(table, files).map(({ path, bytes, sha256, rows }) => ({
      name: path.replace(/^data\/|\.csv$/g, ''),
      description: table.meaning,
      ...{ path, format: 'csv', mediatype: 'text/csv', encoding: 'utf-8', bytes, rows },
      hash: `sha256:${sha256}`,
      schema: { missingValues: [''], fields: tableFields(table) },
    })),
  );
  const content = {
    name: `gogopool-${network}`,
    ...{ title: TITLE, description: ABOUT, version: isoDay(block.timestamp), created: madeOn },
    ...{ licenses: [LICENCE], sources: sourcesOf(edition).map((title) => ({ title })), keywords: KEYWORDS },
    ...{ network, chainId, block, repository, commit, missing: edition.missing.map(({ text }) => text), resources },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** `CITATION.cff` (https://citation-file-format.github.io), which Zenodo reads. JSON is YAML. */
export function toCitation({ network, block, repository, commit, madeOn }: Edition): string {
  const fields = {
    ...{ 'cff-version': '1.2.0', message: 'If you use this data, please cite it.', type: 'dataset', title: TITLE },
    abstract: `${ABOUT} Network ${network}, up to block ${block.number}.`,
    ...{ authors: [{ name: 'Contributors of the staking data service' }], version: isoDay(block.timestamp) },
    ...{ 'date-released': madeOn, license: LICENCE.name, 'repository-code': repository, commit, keywords: KEYWORDS },
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return known.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`).join('');
}

/** `README.md`, for a reader who has nothing but the folder of these files, years from now. */
export function toReadme(edition: Edition, tables: readonly Table[], files: readonly ExportedFile[]): string {
  const { block, repository, missing } = edition;
  const rows = tables.map((table) => {
    const own = filesOf(table, files);
    const count = own.reduce((sum, { rows: of = 0 }) => sum + of, 0);
    return own.length === 0 ? '' : `| \`${table.name}\` | ${count} | ${table.meaning.replaceAll('|', '\\|')} |\n`;
  });
  const list = (texts: readonly string[]) => texts.map((text) => `- ${text}\n`).join('');
  const gaps = missing.length > 0 && `**This copy is incomplete:**\n\n${list(missing.map(({ text }) => text))}`;
  const values: Record<string, unknown> = {
    ...{ ...edition, title: TITLE, block: block.number, time: isoTime(block.timestamp), missing: gaps || WHOLE },
    // The hashes and this file are among its files.
    ...{ repository: repository ? ` of <${repository}>` : '', count: files.length + 2 },
    ...{ tables: TABLE_HEAD + rows.join(''), sources: list(sourcesOf(edition)) },
    ...{ licence: LICENCE.name, licencePath: LICENCE.path },
  };
  const template = readFileSync(new URL('readme.md', import.meta.url), 'utf8');
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

const WHOLE = 'It has all events of the protocol, and a point of every day since the first one.\n';
const TABLE_HEAD = '| Table | Rows | What a row is |\n| --- | --: | --- |\n';
