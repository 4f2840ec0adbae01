import { isoTime } from '../values/iso-time.ts';
import { type Column, fileColumns } from './column.ts';
import type { Manifest } from './manifest.ts';
import { describeMissing } from './recorded-past.ts';
import type { TableSpec } from './table-spec.ts';

/** The README of an archive, for a reader who has nothing but the archive's folder, years from now. */
export function toReadme(
  { network, chainId, block, day, ledger, history, commit, files }: Manifest,
  all: readonly TableSpec[],
): string {
  const missing = describeMissing({ ledger, history });
  const time = (seconds: number) => isoTime(seconds).replace('T', ' ').replace('Z', ' UTC');
  const kinds = all.filter(({ name }) => files.some(({ kind }) => kind === name));
  return `# GoGoPool / Hypha on Avalanche: an archive of ${day}

GoGoPool, later Hypha, was a liquid staking protocol on Avalanche. Holders of AVAX deposited it and got ggAVAX (also called stAVAX), a
share in a pool that grew with staking rewards. Node operators ran validators, called minipools, half with their own AVAX and half with
the pool's, and staked the protocol's token GGP as collateral. This folder holds what a data service recorded of it:
network \`${network}\` (chain ID ${chainId}), up to block ${block.number} of ${time(block.timestamp)}.

Everything comes from the chain itself and can be checked there.

${missing ? `**Incomplete**: ${missing}.` : "It has every day of the protocol's history."}

## Files

Each table is in two files with the same rows and columns: Parquet, for programs, and CSV, for everything else. Tables with many rows have
a file for each year (UTC). \`manifest.json\` lists all files with their number of rows, size and SHA-256, so that you can verify that
your copy is complete. The files of a table have the same columns, in all years.

${table(
  ['Table', 'Rows', 'What a row is'],
  kinds.map((kind) => [`\`${kind.name}\``, String(countRows(kind, files)), kind.meaning]),
)}

Events were indexed from block ${ledger.from} to ${ledger.to}${ledger.first === undefined ? '' : `; the protocol's first block is ${ledger.first}`}. The archive was written by commit \`${commit}\` of the service, which can also
import it and answer its API from it.

## Conventions

- An empty cell means unknown, or that the row has no such value. It never means zero.
- **Amounts** are exact decimals in whole tokens with up to 18 places: DECIMAL(38,18) in Parquet, plain decimals in CSV. The column
  with the same name and \`_wei\` has the same amount as an integer, times 10^18, in text: use it if your program reads decimals as
  floating point numbers, or if the decimal is empty because it has more than 38 digits.
- **Times** are in UTC: timestamps in Parquet, ISO 8601 in CSV. The column with the same name and \`_unix\` has the same time in seconds
  since 1970. 0 there means never; the timestamp is then empty, as it is for times after the year 9999.
- **Addresses**, hashes and nodes are in lower-case hex with \`0x\`, unless a column says otherwise.
- CSV is UTF-8 as in RFC 4180: commas, a header row, lines end with CRLF, quotes are doubled.

## Read it

With [DuckDB](https://duckdb.org), in this folder, all deposits and withdrawals by day:

\`\`\`sql
SELECT date_trunc('day', timestamp) AS day, type, count(*), sum(assets) AS avax
FROM 'events-*.parquet' WHERE type IN ('ggAvaxDeposited', 'ggAvaxWithdrawn') GROUP BY ALL ORDER BY day;
\`\`\`

With Python and pandas, the exchange rate of every day:

\`\`\`python
import pandas
pandas.read_parquet('pool-daily.parquet').set_index('timestamp')['avaxPerGgAvax']
\`\`\`

Amounts in CSV are written without needless zeros (\`1000\`, then \`474.32\`), so programs that guess types from the first rows fail: read all rows
first, with polars \`read_csv(path, infer_schema_length=None)\`, or every column as text, with pandas \`read_csv(path, dtype=str)\`.

A spreadsheet opens the CSV files. Import columns of amounts as text if every digit matters: spreadsheets keep 15.

${kinds.map(formatSection).join('\n')}`;
}

function countRows({ name }: TableSpec, files: Manifest['files']): number {
  const ofKind = files.filter((file) => file.kind === name && file.name.endsWith('.csv'));
  return ofKind.reduce((sum, { rows = 0 }) => sum + rows, 0);
}

function formatSection({ name, meaning, columns }: TableSpec): string {
  return `## ${name}

${meaning}

${table(['Column', 'Type', 'Unit', 'Meaning'], columns.map(formatColumn))}
`;
}

const TYPES: Record<Column['type'], string> = {
  decimal: 'amount',
  time: 'time',
  integer: 'integer',
  number: 'number',
  text: 'text',
  flag: 'true or false',
};

function formatColumn(column: Column): string[] {
  const names = fileColumns([column]).map(({ name }) => `\`${name}\``);
  return [names.join(', '), TYPES[column.type], column.unit ?? '', column.meaning];
}

function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
