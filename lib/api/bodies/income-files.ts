/**
 * Income as files that tax tools import. Sources: Koinly's universal template (https://support.koinly.io, article
 * 9489976), and rotki's importer of generic events (rotkehlchen/data_import/importers/rotki_events.py), which values
 * entries itself.
 */

import * as z from 'zod/mini';
import { type IncomeSource, selectSources } from '../../history/income.ts';
import { startOfPeriod } from '../../history/periods.ts';
import { notKnownYet } from '../../runtime/errors.ts';
import { isoDay, isoTime } from '../../values/iso-time.ts';
import { CSV_TYPE, type Format, JSON_FORMAT } from '../definition.ts';
import { cellText, toCSV } from '../http/csv.ts';
import { unixTime } from '../units.ts';
import { type INCOME_BODY, INCOME_ENTRY, type IncomeQuery } from './income-entries.ts';

type Body = z.output<ReturnType<typeof INCOME_BODY.schema>>;

type Entry = ReturnType<typeof entriesIn>[number];
type Columns = Record<string, (entry: Entry) => unknown>;

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

const isLoss = ({ amount }: Entry) => amount.startsWith('-');
const size = ({ amount }: Entry) => amount.replace('-', '');
const describe = ({ source, nodeID, isPriced, knownUntil }: Entry) =>
  [
    MEANINGS[source] + (nodeID ? ` of ${nodeID}` : ''),
    !isPriced && 'the price of this day is not recorded',
    knownUntil !== undefined && `later ones are not in this file (known up to ${isoTime(knownUntil)})`,
  ]
    .filter(Boolean)
    .join('; ');

const KOINLY: Columns = {
  Date: ({ timestamp }) => isoTime(timestamp).replace('T', ' ').replace('Z', ' UTC'),
  'Sent Amount': (entry) => isLoss(entry) && size(entry),
  'Sent Currency': (entry) => isLoss(entry) && entry.token,
  'Received Amount': (entry) => !isLoss(entry) && size(entry),
  'Received Currency': (entry) => !isLoss(entry) && entry.token,
  'Fee Amount': () => '',
  'Fee Currency': () => '',
  'Net Worth Amount': ({ value }) => value,
  'Net Worth Currency': ({ value, currency }) => value !== undefined && currency,
  Label: (entry) => (isLoss(entry) ? 'lost' : 'reward'),
  Description: describe,
  TxHash: ({ txHash }) => txHash,
};

const ROTKI: Columns = {
  Type: (entry) => (isLoss(entry) ? 'Loss' : 'Staking'),
  Location: () => 'external',
  Currency: ({ token }) => ROTKI_ASSETS[token],
  Amount: size,
  Fee: () => '',
  'Fee Currency': () => '',
  Description: (entry) =>
    entry.value === undefined ? describe(entry) : `${describe(entry)}; worth ${entry.value} ${entry.currency}`,
  // Milliseconds.
  Timestamp: ({ timestamp }) => timestamp * 1_000,
};

export const INCOME_FORMATS = {
  json: JSON_FORMAT,
  csv: { ...file(writeCSV), rows: 'entries' },
  koinly: file(createWriter(KOINLY)),
  rotki: file(createWriter(ROTKI)),
} as const;

function file(write: (body: Body, query: IncomeQuery) => string): Format<IncomeQuery, Body> {
  return {
    contentType: CSV_TYPE,
    write(body, query) {
      requireKnown(body, query);
      return write(body, query);
    },
  };
}

/** Throws NOT_KNOWN_YET if income of a range that is over may be missing. */
function requireKnown({ coverage }: Body, query: IncomeQuery): void {
  const { to } = query;
  if (to === undefined) return;
  for (const source of selectSources(query)) {
    const { toTimestamp: known = 0, complete = false } = coverage[source] ?? {};
    // The growth of a day is known at its end.
    if (complete && known >= (source === 'ggAvax' ? startOfPeriod(to, '1d', 1) : to)) continue;
    const until = complete && known > 0 ? `known up to ${isoDay(known)} only` : 'not known yet';
    const detail = `${MEANINGS[source]}: ${until}, which a file could not show. Ask for another source, an earlier end, or JSON: see \`coverage\`.`;
    throw notKnownYet(detail, complete ? known : undefined);
  }
}

/** The last column is empty for a range that is over, so that its file never changes. */
function writeCSV({ entries, coverage }: Body, { to }: IncomeQuery): string {
  const rows = entries.map((entry) => ({
    ...entry,
    knownUntil: to === undefined ? coverage[entry.source]?.toTimestamp : undefined,
  }));
  const known = z.optional(unixTime.schema('Time up to which the source is known.'));
  return toCSV(z.array(z.object({ ...INCOME_ENTRY.schema().shape, knownUntil: known })), rows);
}

function createWriter(columns: Columns) {
  return (body: Body, query: IncomeQuery): string => {
    const rows = entriesIn(body, query).map((entry) =>
      Object.values(columns).map((cell) => cellText(cell(entry) || '')),
    );
    return [Object.keys(columns), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
  };
}

function entriesIn({ entries, coverage }: Body, { currency = 'usd', to }: IncomeQuery) {
  const last = new Map(entries.map(({ source }, index) => [source, index]));
  return entries.map((entry, index) => {
    const value = currency === 'eur' ? entry.valueEUR : entry.valueUSD;
    const isOpen = to === undefined && last.get(entry.source) === index;
    return {
      ...entry,
      currency: currency.toUpperCase(),
      /** Without an exponent, rounded to 10 places. Undefined if it is not known for any day. */
      value: value === undefined ? undefined : Math.abs(value).toFixed(10),
      isPriced: (currency === 'eur' ? entry.unpricedEUR : entry.unpricedUSD) === 0,
      /** Time up to which the source is known, in the last entry of a source whose later income is not in the file. */
      knownUntil: isOpen ? coverage[entry.source]?.toTimestamp : undefined,
    };
  });
}
