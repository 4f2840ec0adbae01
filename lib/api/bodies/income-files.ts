/**
 * Income as files that tax tools import. Sources: Koinly's universal template (https://support.koinly.io, article 9489976), and rotki's
 * importer of generic events (rotkehlchen/data_import/importers/rotki_events.py), which values entries itself.
 */

import { isoTime } from '../../values/iso-time.ts';
import { CSV_TYPE, csvFormat, type Format, JSON_FORMAT } from '../formats.ts';
import { cellText } from '../http/csv.ts';

interface Entry {
  timestamp: number;
  source: string;
  /** Negative for a loss. */
  amount: string;
  token: string;
  value?: number | undefined;
  missingPrices?: number | undefined;
  txHash?: string | undefined;
}

type Columns = Record<string, (entry: Entry, currency: string) => unknown>;

const MEANINGS: Record<string, string> = {
  ggAvax: 'Growth of ggAVAX in AVAX',
  minipools: "Operator's reward of a minipool cycle",
  ggp: 'GGP rewards of a cycle',
};
/** AVAX is a name of rotki's own; it knows tokens by chain and address. */
const ROTKI_ASSETS: Record<string, string> = {
  AVAX: 'AVAX',
  GGP: 'eip155:43114/erc20:0x69260B9483F9871ca57f81A90D91E2F96c2Cd11d',
};

const isLoss = ({ amount }: Entry) => amount.startsWith('-');
const size = ({ amount }: Entry) => amount.replace('-', '');
const describe = ({ source, missingPrices }: Entry) =>
  `${MEANINGS[source]}${missingPrices ? '; the price of this day is not recorded' : ''}`;
const empty = () => '';

const KOINLY: Columns = {
  Date: ({ timestamp }) => isoTime(timestamp).replace('T', ' ').replace('Z', ' UTC'),
  'Sent Amount': (entry) => isLoss(entry) && size(entry),
  'Sent Currency': (entry) => isLoss(entry) && entry.token,
  'Received Amount': (entry) => !isLoss(entry) && size(entry),
  'Received Currency': (entry) => !isLoss(entry) && entry.token,
  'Fee Amount': empty,
  'Fee Currency': empty,
  // Without an exponent, rounded to 10 places.
  'Net Worth Amount': ({ value }) => value !== undefined && Math.abs(value).toFixed(10),
  'Net Worth Currency': ({ value }, currency) => value !== undefined && currency.toUpperCase(),
  Label: (entry) => (isLoss(entry) ? 'lost' : 'reward'),
  Description: describe,
  TxHash: ({ txHash }) => txHash,
};

const ROTKI: Columns = {
  Type: (entry) => (isLoss(entry) ? 'Loss' : 'Staking'),
  Location: () => 'external',
  Currency: ({ token }) => ROTKI_ASSETS[token],
  Amount: size,
  Fee: empty,
  'Fee Currency': empty,
  Description: describe,
  // Milliseconds.
  Timestamp: ({ timestamp }) => timestamp * 1_000,
};

interface Income {
  currency: string;
  entries: readonly Entry[];
}

/** The formats of income: JSON, and files, which are confirmed up to `validUntil`. */
export function incomeFormats<Input>(validUntil: (input: Input) => number | undefined) {
  const file = (columns: Columns): Format<Input, Income> => ({
    contentType: CSV_TYPE,
    write: writer(columns),
    validUntil,
  });
  return {
    json: JSON_FORMAT,
    csv: { ...csvFormat('entries'), validUntil },
    koinly: file(KOINLY),
    rotki: file(ROTKI),
  };
}

function writer(columns: Columns) {
  return ({ currency, entries }: Income): string => {
    const rows = entries.map((entry) => Object.values(columns).map((cell) => cellText(cell(entry, currency) || '')));
    return [Object.keys(columns), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
  };
}
