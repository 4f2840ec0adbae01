/** Descriptions with which strangers can read, cite and check an export. */

import { isoTime } from '../values/iso-time.ts';
import type { Edition } from './edition.ts';
import { type ExportedFile, SUMS } from './export-folder.ts';
import { type Table, tableFields, tablePath } from './table.ts';

const TITLE = 'GoGoPool / Hypha on Avalanche';
const ABOUT =
  'Events, histories and the last state of GoGoPool, later Hypha, a liquid staking protocol on Avalanche (tokens GGP and ggAVAX, also called stAVAX).';
/** Facts of a public chain are nobody's. https://spdx.org/licenses/CC0-1.0.html */
const LICENCE = { name: 'CC0-1.0', path: 'https://creativecommons.org/publicdomain/zero/1.0/' };
const KEYWORDS = ['Avalanche', 'liquid staking', 'GoGoPool', 'Hypha', 'ggAVAX', 'stAVAX', 'GGP'];

/** Where the data is from, for people and for `sources` of a data package. */
function sourcesOf({ chainId, block, sources }: Edition): string[] {
  const providers = sources === 1 ? 'one RPC provider' : `${sources} RPC providers that agree`;
  return [
    `Avalanche C-Chain (chain ID ${chainId}): events of the contracts in contracts.csv up to block ${block.number}, from ${providers}`,
    `Avalanche C-Chain: views of these contracts at block ${block.number} and at the end of each recorded hour and day`,
    'Prices: pools of exchanges on the chain, and the Chainlink feeds AVAX/USD and EUR/USD, at the end of each recorded hour and day',
    'Validators: Avalanche Data API or P-Chain, when the export was made',
  ];
}

export function filesOf(table: Table, files: readonly ExportedFile[]): ExportedFile[] {
  const [whole, ofYear] = [tablePath(table), new RegExp(`^data/${table.name}-\\d{4}\\.csv$`)];
  return files.filter(({ path }) => path === whole || (table.byYear && ofYear.test(path)));
}

/** `datapackage.json` (https://datapackage.org/standard/data-package/): each table with types, units and meanings. */
export function toDataPackage(edition: Edition, tables: readonly Table[], files: readonly ExportedFile[]): string {
  const { network, chainId, block, repository, commit, madeOn } = edition;
  const missing = edition.missing.map(({ text }) => text);
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
    ...{ title: TITLE, description: ABOUT, version: isoTime(block.timestamp).slice(0, 10), created: madeOn },
    ...{ licenses: [LICENCE], sources: sourcesOf(edition).map((title) => ({ title })), keywords: KEYWORDS },
    ...{ network, chainId, block, repository, commit, missing, resources },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** `CITATION.cff` (https://citation-file-format.github.io), which Zenodo reads. JSON is YAML. */
export function toCitation({ network, block, repository, commit, madeOn }: Edition): string {
  const day = JSON.stringify(isoTime(block.timestamp).slice(0, 10));
  return `cff-version: 1.2.0
message: If you use this data, please cite it.
type: dataset
title: ${JSON.stringify(TITLE)}
abstract: ${JSON.stringify(`${ABOUT} Network ${network}, up to block ${block.number}.`)}
authors:
  - name: Contributors of the staking data service
version: ${day}
date-released: ${JSON.stringify(madeOn)}
license: ${LICENCE.name}
${repository ? `repository-code: ${JSON.stringify(repository)}\n` : ''}commit: ${JSON.stringify(commit)}
keywords: ${JSON.stringify(KEYWORDS)}
`;
}

/** `README.md`, for a reader who has nothing but the folder, years from now. */
export function toReadme(
  edition: Edition,
  tables: readonly Table[],
  files: readonly ExportedFile[],
  count: number,
): string {
  const { network, chainId, block, repository, commit, madeOn, missing } = edition;
  const rows = tables.map((table) => {
    const own = filesOf(table, files);
    const count = own.reduce((sum, { rows: of = 0 }) => sum + of, 0);
    return own.length === 0 ? '' : `| \`${table.name}\` | ${count} | ${table.meaning.replaceAll('|', '\\|')} |\n`;
  });
  return `# ${TITLE}: a copy of its data

GoGoPool, later Hypha, was a liquid staking protocol on Avalanche. Holders of AVAX deposited it and got ggAVAX (also called stAVAX), a
share in a pool that grew with staking rewards. Node operators ran validators, called minipools, half with their own AVAX and half with
the pool's, and staked the protocol's token GGP as collateral. This folder is what a data service recorded of it: network \`${network}\`
(chain ID ${chainId}), up to block ${block.number} of ${isoTime(block.timestamp)}. It was made on ${madeOn}, by
\`npm run export\` of commit \`${commit}\`${repository ? ` of <${repository}>` : ''}, and has ${count} files.

${missing.length > 0 ? `**This copy is incomplete:**\n\n${missing.map(({ text }) => `- ${text}\n`).join('')}` : 'It has all events of the protocol, and a point of every day since the first one.\n'}
- Open \`index.html\` in a browser, and look up an address. No server is needed.
- \`data/\`: tables, below. \`datapackage.json\` has type, unit and meaning of each column.
- \`api/\`: answers of the service as JSON; what was at \`/metrics\` is \`api/metrics.json\`. \`openapi.json\` explains every field.
- \`tax/\`: income of each address as CSV, and for Koinly (USD) and rotki.
- \`sha256sum --check --quiet ${SUMS}\` shows that a copy has every file unchanged.

| Table | Rows | What a row is |
| --- | --- | --- |
${rows.join('')}
CSV is UTF-8 as in RFC 4180. An empty cell means unknown, or that the row has no such value; it never means zero. Amounts are exact decimals
of whole tokens: read them as text or as decimals with 18 places, not as floating point numbers. A time is in Unix seconds, and in ISO 8601
in the column whose name ends with \`.iso\`. Addresses are spelt as in EIP-55.

## Sources and licence

${sourcesOf(edition)
  .map((source) => `- ${source}.\n`)
  .join('')}
Events can be checked on the chain, and sums of them were compared with the contracts at the last block. To the extent possible under
law, the makers have waived all rights to this data ([${LICENCE.name}](${LICENCE.path})).
`;
}
