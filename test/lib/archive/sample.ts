import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { PointValues } from '../../../lib/history/point-values.ts';
import { INTERVAL_SECONDS, type Interval } from '../../../lib/history/series.ts';
import { declarationOf, TYPES } from '../../../lib/ledger/events/entry-types.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import { dynamoDB } from '../../../lib/tables/dynamodb.ts';
import { type LedgerUnit, UNITS } from '../../../lib/values/units.ts';
import { GUARD_MS } from '../../support/guard.ts';
import { type Given, startContainer, type TestRuntime } from '../../support/runtime.ts';

/** Tables with an entry of every type, points with every value, and what is rare in both. */

/** 2024-12-30, so that the entries are in two years. */
export const START = 1_735_516_800;
export const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg';

/** A container of no network that is reached. */
export function startArchivist(env: Record<string, string> = {}, given?: Given): TestRuntime {
  return startContainer({ NETWORK: 'devnet', RPC_URLS: 'http://127.0.0.1:1', ...env }, undefined, given);
}

const hex = (bytes: number, seed: number) => `0x${seed.toString(16).padStart(2, '0').repeat(bytes)}`;

/** Wei that no double holds, the largest one among them. */
const AMOUNTS = [1n, 123_456_789_012_345_678_901n, 10n ** 38n - 1n, 2n ** 256n - 1n, 0n];

/** A value of each unit, different for each entry. */
function sampleValue(unit: LedgerUnit, seed: number): string | number | bigint {
  const samples = {
    wei: AMOUNTS[seed % AMOUNTS.length] as bigint,
    // The third one is what contracts write for "without end".
    number: [seed, START + seed, 2 ** 48 - 1][seed % 3] as number,
    address: hex(20, (seed % 250) + 1),
    bytes32: hex(32, (seed % 250) + 1),
    text: ['staking', 'a "b", c', 'ä\r\n=1+1'][seed % 3] as string,
  };
  return samples[UNITS[unit].ledger];
}

/** Entries of every type: the first of each has all its fields, the second only those that none lacks. */
export function entriesFrom(block: number, seed = 0): Entry[] {
  return TYPES.flatMap((type, place) =>
    [true, false].map((isWhole, index) => {
      const fields = Object.entries(declarationOf(type).fields).filter(([, { isOptional }]) => isWhole || !isOptional);
      const at = seed + place * 2 + index;
      return {
        block: block + place,
        logIndex: index,
        timestamp: START + (block + place) * 3_600,
        txHash: hex(32, (at % 250) + 1),
        type,
        ...Object.fromEntries(fields.map(([name, { unit }], field) => [name, sampleValue(unit, at + field)])),
      } as Entry;
    }),
  );
}

const WHOLE: PointValues = {
  avaxInUSD: 17_123_456_789_012_345_678n,
  ggpInAVAX: 20_000_000_000_000_001n,
  ggAvaxInAVAX: 1_196_439_817_864_062_440n,
  'tj.ggpInAVAX': 20_000_000_000_000_002n,
  'pharaoh.avaxInUSD': 1n,
  avaxPerGgAvax: 1_196_439_817_864_062_440n,
  totalAssets: 395_844_636_186_841_582_735_523n,
  totalSupply: 330_852_108_293_688_375_779_301n,
  stakingTotalAssets: 0n,
  valueLocked: 2n ** 200n,
  totalGGPStaked: 5n,
  ggpOraclePriceInAVAX: 20_000_000_000_000_003n,
  minipoolsStaking: 12n,
};

/** Fills the tables: entries in blocks 10 to 99 of two years, points with holes, two nodes. */
export async function fillTables({ opened }: TestRuntime): Promise<void> {
  const ledger = opened.ledger;
  await ledger.write([...entriesFrom(10), ...entriesFrom(60, 7)]);
  await ledger.progress.update(() => ({ first: 10, contracts: ['Staking#0xb0', 'MinipoolManager#0xa0'] }));
  await ledger.progress.extend(10, 99, START + 99 * 3_600, { sources: 1 });
  const history = opened.history;
  const write = async (store: typeof history, interval: Interval, count: number, values: PointValues[]) => {
    for (let index = 0; index < count; index += 1) {
      // Every fifth one was not recorded.
      if (index % 5 === 3) continue;
      const timestamp = START + index * INTERVAL_SECONDS[interval];
      const block = { number: 10 + index, timestamp: timestamp - 1 };
      await store.write(interval, { timestamp, block, values: values[index % values.length] as PointValues });
    }
  };
  const { totalAssets, ...some } = WHOLE;
  await write(history, '1d', 20, [WHOLE, {}, some]);
  await write(history, '1h', 60, [WHOLE, some]);
  // The first cycle paid nobody.
  for (const [cycle, paid] of [[], [7n, AMOUNTS[1] as bigint]].entries()) {
    const timestamp = START + cycle * 30 * 86_400;
    const block = { number: 40 + cycle, timestamp };
    const pointOf = (ggp: bigint) => ({ timestamp, block, values: { cycle: BigInt(cycle), ggp } });
    const stakers = paid.map((ggp, place) =>
      history.of(`distributions#${hex(20, place + 1)}`).write('1d', pointOf(ggp)),
    );
    await Promise.all(stakers);
    await history.of('distributions').write('1d', pointOf(paid.reduce((sum, ggp) => sum + ggp, 0n)));
  }
}

/** All items of a table, however they are ordered. */
export async function itemsOf(table: string): Promise<string[]> {
  const client = dynamoDB(GUARD_MS);
  const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
  client.destroy();
  return Items.map((item) => JSON.stringify(item, sorted)).sort();
}

/** Neither the attributes of an item nor the members of a set have an order. */
function sorted(name: string, value: unknown): unknown {
  if (name === 'SS') return (value as string[]).toSorted();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
