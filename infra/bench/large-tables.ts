/**
 * Tables of any size for `npm run bench:archive`, in a process of their own: they answer DynamoDB's protocol from
 * formulas, a page of 1 MB at a time, and forget what is written. So what is measured is the export's and the import's
 * own work, the SDK's included.
 */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { INTERVAL_SECONDS, type Interval } from '../../lib/history/series.ts';
import type { Entry } from '../../lib/ledger/ledger-entry.ts';
import { keyOf, nextTo, positionOf, toRow } from '../../lib/ledger/rows.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { marshall } from '../../lib/tables/attributes.ts';
import { listen } from '../local/listen.ts';

const [EVENTS = '1000000', YEARS = '5', NODES = '4'] = process.argv.slice(2);
const NETWORK = 'avalanche';
const START = 1_686_700_800;
const BLOCKS_PER_EVENT = 70;
/** Rows of a page: about 1 MB, where DynamoDB's end. */
const ROWS = 2_000;
const ADDRESSES = 5_000;

/** Digits that look random, always the same for a seed. */
function digits(seed: string, count: number): string {
  return createHash('sha256').update(seed).digest('hex').slice(0, count);
}

/** A few addresses have most of the events. */
function address(seed: number): string {
  const draw = Number.parseInt(digits(`draw ${seed}`, 8), 16) / 2 ** 32;
  return `0x${digits(`address ${Math.floor(draw ** 3 * ADDRESSES)}`, 40)}`;
}

const wei = (seed: string) => BigInt(`0x${digits(seed, 18)}`);

/** Two events of a transaction. About half of all events are of minipools, whose cycles take two weeks. */
function entryAt(place: number): Entry {
  const transaction = Math.floor(place / 2);
  const block = 28_400_000 + transaction * BLOCKS_PER_EVENT * 2;
  const common = {
    block,
    logIndex: (place % 2) * 3 + (transaction % 40),
    timestamp: START + transaction * 100,
    txHash: `0x${digits(`tx ${transaction}`, 64)}`,
  };
  const [shares, assets] = [wei(`shares ${place}`), wei(`assets ${place}`)];
  const owner = address(place);
  switch (place % 16) {
    case 0: {
      // Most people deposit round amounts.
      const round = (assets / 10n ** 18n) * 10n ** 18n;
      return { ...common, type: 'ggAvaxDeposited', caller: owner, owner, assets: place % 5 ? round : assets, shares };
    }
    case 1:
    case 4: {
      const to = address(place + 1);
      return {
        ...common,
        type: 'ggAvaxTransferred',
        from: owner,
        to,
        shares,
        rate: wei(`rate ${transaction}`),
        assets,
      };
    }
    case 3:
      return { ...common, type: 'ggpStaked', staker: owner, amount: assets };
    case 5:
      return { ...common, type: 'priceUpdated', price: wei(`price ${place}`), updatedAt: common.timestamp };
    case 6:
      return { ...common, type: 'ggpRewardsClaimed', staker: owner, amount: assets, restaked: 0n };
    case 7:
      return { ...common, type: 'ggAvaxWithdrawn', caller: owner, receiver: owner, owner, assets, shares };
    default:
      return { ...common, type: 'minipoolStatusChanged', nodeID: owner, owner: address(place + 2), status: place % 7 };
  }
}

const VALUES = [
  ...['avaxInUSD', 'ggpInAVAX', 'ggAvaxInAVAX', 'avaxPerGgAvax', 'totalAssets', 'totalSupply', 'stakingTotalAssets'],
  ...['valueLocked', 'totalGGPStaked', 'ggpOraclePriceInAVAX'],
  ...EXCHANGES.flatMap(({ code }) => [`${code}.avaxInUSD`, `${code}.ggpInAVAX`]),
];
const VALIDATOR_VALUES = ['uptime', 'amountStaked', 'amountDelegated', 'delegatorCount'];
const NODE_IDS = Array.from({ length: Number(NODES) }, (_, place) => `NodeID-${place}`);
const SERIES = [undefined, ...NODE_IDS].flatMap((name) =>
  ['1h', '1d'].map((interval) => [NETWORK, ...(name ? [name] : []), interval].join('#')),
);

function pointAt(series: string, timestamp: number) {
  const names = series.split('#').length > 2 ? VALIDATOR_VALUES : VALUES;
  // Price feeds have eight decimals.
  const unit = (name: string) => (name.endsWith('avaxInUSD') ? '0000000000' : '');
  const textOf = (name: string) => Number.parseInt(digits(`${series} ${name} ${timestamp}`, 12), 16) + unit(name);
  return {
    series: { S: series },
    timestamp: { N: String(timestamp) },
    block: { N: String(Math.floor(timestamp / 2)) },
    blockTimestamp: { N: String(timestamp - 1) },
    values: { M: Object.fromEntries(names.map((name) => [name, { S: textOf(name) }])) },
  };
}

interface Query {
  ExpressionAttributeValues: Record<string, { S?: string; N?: string }>;
  ExclusiveStartKey?: { series?: { S: string } };
  Limit?: number;
  ScanIndexForward?: boolean;
}

/** The entries of the protocol, from the first one or from behind a page's last one on. */
function queryLedger({ ExpressionAttributeValues: values }: Query) {
  const subject = keyOf({ network: NETWORK }, 'protocol');
  const first = places.get(values[':from']?.S as string) ?? 0;
  const count = Math.min(ROWS, Number(EVENTS) - first);
  const entries = Array.from({ length: count }, (_, index) => entryAt(first + index));
  const Items = entries.map((entry) => marshall({ subject, ...toRow(entry) }));
  const last = entries.at(-1);
  if (!last) return { Items };
  const position = positionOf(last);
  places.set(nextTo(position, true), first + count);
  return { Items, ...(first + count < Number(EVENTS) && { LastEvaluatedKey: marshall({ subject, position }) }) };
}

/** The place behind a page's last entry, by where the next page begins. */
const places = new Map<string, number>();

function queryHistory({ ExpressionAttributeValues: values, Limit, ScanIndexForward = true }: Query) {
  const series = values[':series']?.S as string;
  const seconds = INTERVAL_SECONDS[series.split('#').at(-1) as Interval];
  const [oldest, newest] = [START, START + Number(YEARS) * 31_536_000];
  const from = Math.max(Math.ceil(Number(values[':from']?.N) / seconds) * seconds, oldest);
  const to = Math.min(Math.floor(Number(values[':to']?.N) / seconds) * seconds, newest);
  const all = Math.max(0, (to - from) / seconds + 1);
  const count = Math.min(Limit ?? all, all);
  const timeOf = (index: number) => (ScanIndexForward ? from + index * seconds : to - index * seconds);
  return { Items: Array.from({ length: count }, (_, index) => pointAt(series, timeOf(index))) };
}

/** All that is remembered of what is written: which archive is being imported. */
let importing: { S?: string } | undefined;

function answer(operation: string, body: Query & { TableName?: string }) {
  switch (operation) {
    case 'Query':
      return body.TableName === 'ledger' ? queryLedger(body) : queryHistory(body);
    case 'Scan': {
      const place = SERIES.indexOf(body.ExclusiveStartKey?.series?.S ?? '') + 1;
      return { Items: SERIES.slice(place, place + 1).map((series) => ({ series: { S: series } })) };
    }
    case 'GetItem': {
      const end = entryAt(Number(EVENTS) - 1);
      const numbers = {
        from: 28_400_000,
        to: end.block,
        timedBlock: end.block,
        timedAt: end.timestamp,
        first: 28_400_000,
      };
      const Item = Object.entries(numbers).map(([name, value]) => [name, { N: String(value) }]);
      return process.env.EMPTY
        ? { Item: importing && { importing } }
        : { Item: { ...Object.fromEntries(Item), contracts: { SS: ['Staking#0xb0'] } } };
    }
    case 'UpdateItem':
      importing = body.ExpressionAttributeValues[':importing'];
      return {};
    default:
      return {};
  }
}

const server = createServer(async (request, response) => {
  const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
  const body = (await json(request)) as Query;
  const answered = process.env.EMPTY && operation === 'Query' ? { Items: [] } : answer(operation, body);
  response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answered));
});
const { url } = await listen(server);
process.send?.(url);
