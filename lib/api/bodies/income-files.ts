/**
 * Income as files that tax tools import. Sources: Koinly's universal template (https://support.koinly.io, article
 * 9489976), and rotki's importer of generic events (rotkehlchen/data_import/importers/rotki_events.py), which values
 * entries itself.
 */

import * as z from 'zod/mini';
import { INCOME_SOURCES, type IncomeSource } from '../../history/income.ts';
import type { Coverage } from '../../ledger/coverage.ts';
import { isoTime } from '../../values/iso-time.ts';
import { CSV_TYPE, type Format, JSON_FORMAT } from '../definition.ts';
import { cellText, toCSV } from '../http/csv.ts';
import { unixTime } from '../units.ts';
import { type INCOME_BODY, INCOME_ENTRY, type IncomeQuery } from './income-entries.ts';

type Body = z.output<ReturnType<typeof INCOME_BODY.schema>>;

type Row = ReturnType<typeof toRows>[number];
type Columns = Record<string, (row: Row) => unknown>;

const MEANINGS: Record<IncomeSource, string> = {
  ggAvax: 'Growth of ggAVAX in AVAX',
  minipools: "Operator's reward of a minipool cycle",
  ggp: 'GGP rewards of a cycle',
};
/** Assets in rotki's terms: AVAX has a name of rotki's own, tokens are identified by chain and address. */
const ROTKI_ASSETS: Record<string, string> = {
  AVAX: 'AVAX',
  GGP: 'eip155:43114/erc20:0x69260B9483F9871ca57f81A90D91E2F96c2Cd11d',
};

const isLoss = ({ amount }: Row) => amount.startsWith('-');
const size = ({ amount }: Row) => amount.replace('-', '');
const describe = ({ source, nodeID, isPriced, knownUntil, unlisted }: Row) =>
  [
    MEANINGS[source] + (nodeID ? ` of ${nodeID}` : ''),
    !isPriced && 'the price of this day is not recorded',
    knownUntil !== undefined && `later ones are not in this file (known up to ${isoTime(knownUntil)})`,
    ...unlisted,
  ]
    .filter(Boolean)
    .join('; ');

const KOINLY: Columns = {
  Date: ({ timestamp }) => isoTime(timestamp).replace('T', ' ').replace('Z', ' UTC'),
  'Sent Amount': (row) => isLoss(row) && size(row),
  'Sent Currency': (row) => isLoss(row) && row.token,
  'Received Amount': (row) => !isLoss(row) && size(row),
  'Received Currency': (row) => !isLoss(row) && row.token,
  'Fee Amount': () => '',
  'Fee Currency': () => '',
  'Net Worth Amount': ({ value }) => value,
  'Net Worth Currency': ({ value, currency }) => value !== undefined && currency,
  Label: (row) => (isLoss(row) ? 'lost' : 'reward'),
  Description: describe,
  TxHash: ({ txHash }) => txHash,
};

const ROTKI: Columns = {
  Type: (row) => (isLoss(row) ? 'Loss' : 'Staking'),
  Location: () => 'external',
  Currency: ({ token }) => ROTKI_ASSETS[token],
  Amount: size,
  Fee: () => '',
  'Fee Currency': () => '',
  Description: (row) =>
    row.value === undefined ? describe(row) : `${describe(row)}; worth ${row.value} ${row.currency}`,
  // Milliseconds.
  Timestamp: ({ timestamp }) => timestamp * 1_000,
};

export const INCOME_FORMATS = {
  json: JSON_FORMAT,
  csv: { contentType: CSV_TYPE, rows: 'entries', write: writeCSV },
  koinly: toolFile('koinly', KOINLY),
  rotki: toolFile('rotki', ROTKI),
} as const;

/** The last column is empty if all of the range is known, so that its file never changes. */
function writeCSV({ entries, coverage }: Body, { to }: IncomeQuery): string {
  const rows = entries.map((entry) => ({ ...entry, knownUntil: knownUntil(coverage[entry.source], to) }));
  const known = z.optional(unixTime.schema('Time up to which the source is known.'));
  return toCSV(z.array(z.object({ ...INCOME_ENTRY.schema().shape, knownUntil: known })), rows);
}

/** The time up to which a source is known, if that is before the end of the range. */
function knownUntil({ toTimestamp = 0 }: Partial<Coverage> = {}, to = Number.POSITIVE_INFINITY): number | undefined {
  return toTimestamp < to ? toTimestamp : undefined;
}

/** An import file for a tax tool, in one currency. */
function toolFile(tool: string, columns: Columns): Format<IncomeQuery, Body> {
  return {
    contentType: CSV_TYPE,
    rows: 'entries',
    suffix: ({ currency = 'usd' }) => `${currency}-${tool}`,
    write(body, query) {
      const rows = toRows(body, query).map((row) => Object.values(columns).map((cell) => cellText(cell(row) || '')));
      return [Object.keys(columns), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
    },
  };
}

function toRows({ entries, coverage }: Body, { currency = 'usd', to }: IncomeQuery) {
  const last = new Map(entries.map(({ source }, index) => [source, index]));
  const known = INCOME_SOURCES.flatMap((source) => coverage[source]?.toTimestamp ?? []);
  const end = Math.min(to ?? Number.POSITIVE_INFINITY, Math.max(...known));
  /** Sources without a row that are known up to an earlier time than others. */
  const unlisted = INCOME_SOURCES.filter((source) => coverage[source] && !last.has(source)).flatMap((source) => {
    const until = knownUntil(coverage[source], end);
    return until === undefined ? [] : `${MEANINGS[source]}: not in this file after ${isoTime(until)}`;
  });
  return entries.map((entry, index) => {
    const value = currency === 'eur' ? entry.valueEUR : entry.valueUSD;
    const isLast = last.get(entry.source) === index;
    return {
      ...entry,
      currency: currency.toUpperCase(),
      /** Without an exponent, rounded to 10 places. Undefined if it is not known for any day. */
      value: value === undefined ? undefined : Math.abs(value).toFixed(10),
      isPriced: (currency === 'eur' ? entry.unpricedEUR : entry.unpricedUSD) === 0,
      knownUntil: isLast ? knownUntil(coverage[entry.source], to) : undefined,
      unlisted: index === entries.length - 1 ? unlisted : [],
    };
  });
}
