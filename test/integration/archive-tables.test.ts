import { openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { parquetMetadata } from 'hyparquet';
import { ggAvaxAddressRewards } from '../../functions/gg-avax/address-rewards.ts';
import { holders } from '../../functions/holders.ts';
import { metricsYieldHistory } from '../../functions/metrics/yield-history.ts';
import { rewardsAddressCycles } from '../../functions/rewards/address-cycles.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import type { Row } from '../../lib/archive/column.ts';
import { exportArchive } from '../../lib/archive/export.ts';
import { DISTRIBUTED_CYCLES, DISTRIBUTIONS } from '../../lib/archive/kinds/distributions.ts';
import { HOLDERS, HOLDERS_DAILY } from '../../lib/archive/kinds/holders.ts';
import { YIELD_DAILY } from '../../lib/archive/kinds/yield.ts';
import type { Manifest } from '../../lib/archive/manifest.ts';
import { readTable } from '../../lib/archive/read-table.ts';
import type { TableSpec } from '../../lib/archive/table-spec.ts';
import { formatAmount, toNumber } from '../../lib/values/amounts.ts';
import { type Body, bodyFrom, type sendTo } from '../support/events.ts';
import { recordAllDays, recordCycles, recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The derived tables of an archive equal the figures of the endpoints, to the wei, and need no chain. */

type Amounts = Record<string, bigint>;

let folder: string;
let manifest: Manifest;
let runtime: TestRuntime;
tablesForAllTests();

beforeAll(async () => {
  folder = temporaryFolder('tables');
  await recordLedger();
  await recordCycles();
  await recordAllDays();
  runtime = startOnDevnet();
  manifest = await exportArchive(runtime.opened, folder, 'c0ffee');
});

async function rowsOf(kind: TableSpec): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const some of readTable({ folder, manifest }, kind)) rows.push(...some);
  expect(rows.length).toBeGreaterThan(0);
  return rows;
}

const ask = (endpoint: Endpoint, request: Parameters<typeof sendTo>[2]): Promise<Body> =>
  bodyFrom(endpoint, runtime, request);

const sumOf = (rows: readonly Row[], name: string) =>
  rows.reduce((sum, row) => sum + ((row as unknown as Amounts)[name] ?? 0n), 0n);

test('holders are those of /holders', async () => {
  const { holders: listed } = await ask(holders as Endpoint, { query: { limit: '1000' } });
  const rows = await rowsOf(HOLDERS);
  expect(rows).toEqual(
    listed.map(({ address, ggAvax, since }: Body) => ({
      address: address.toLowerCase(),
      ggAvax: parseEther(ggAvax),
      since,
    })),
  );
});

describe('the days of holders', () => {
  test('add up to what they hold', async () => {
    const days = await rowsOf(HOLDERS_DAILY);
    const held = new Map((await rowsOf(HOLDERS)).map(({ address, ggAvax }) => [address, ggAvax]));
    for (const [address, own] of Map.groupBy(days, ({ address }) => address)) {
      expect(sumOf(own, 'change')).toBe(held.get(address) ?? 0n);
      expect(own.at(-1)?.ggAvax).toBe(held.get(address) ?? 0n);
    }
  });

  test('have the flows of /ggAvax/{address}/rewards', async () => {
    const days = await rowsOf(HOLDERS_DAILY);
    const addresses = [...new Set(days.map(({ address }) => address as string))].slice(0, 10);
    let compared = 0;
    for (const address of addresses) {
      const { days: told } = await ask(ggAvaxAddressRewards as Endpoint, {
        params: { address },
        query: { limit: '1000' },
      });
      const own = days.filter((row) => row.address === address) as unknown as Amounts[];
      for (const { closeTimestamp, inflowAVAX, outflowAVAX } of told) {
        const day = own.find(({ timestamp }) => (timestamp as unknown) === closeTimestamp) ?? {};
        const { deposited = 0n, transferredIn = 0n, returned = 0n, withdrawn = 0n, transferredOut = 0n } = day;
        if (closeTimestamp % 86_400 !== 0) continue;
        expect([address, closeTimestamp, formatAmount(deposited + transferredIn + returned)]).toEqual([
          address,
          closeTimestamp,
          inflowAVAX,
        ]);
        expect(formatAmount(withdrawn + transferredOut)).toBe(outflowAVAX);
        if (inflowAVAX !== '0' || outflowAVAX !== '0') compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(5);
  });
});

test('the yield of each day is that of /metrics/yield/history', async () => {
  const rows = await rowsOf(YIELD_DAILY);
  const { points } = await ask(metricsYieldHistory as Endpoint, {
    query: { from: String(rows[0]?.timestamp), limit: '1000' },
  });
  const figures = (rows as unknown as Amounts[]).map((row) => ({
    timestamp: row.timestamp,
    gross_yield_avax: toNumber(row.grossYield as bigint),
    fee_avax: toNumber(row.fee as bigint),
    net_yield_avax: toNumber(row.netYield as bigint),
    by_source: Object.fromEntries(
      ['minipools', 'delegation', 'mev', 'other'].map((name) => [name, toNumber(row[name] as bigint)]),
    ),
    ggp_minted: toNumber(row.ggpMinted as bigint),
    ggp_to_operators: toNumber(row.ggpToOperators as bigint),
    ggp_to_dao: toNumber(row.ggpToDao as bigint),
    ggp_to_multisigs: toNumber(row.ggpToMultisigs as bigint),
    ...(row.partial ? { incomplete: true } : {}),
  }));
  expect(figures).toEqual(points);
});

test('distributions are those of /rewards/{address}/cycles, and add up to those of the cycles', async () => {
  const rows = await rowsOf(DISTRIBUTIONS);
  const cycles = await rowsOf(DISTRIBUTED_CYCLES);
  for (const { cycle, ggp } of cycles)
    expect(
      sumOf(
        rows.filter((row) => row.cycle === cycle),
        'ggp',
      ),
    ).toBe(ggp);
  const [address] = rows.map(({ staker }) => staker as string) as [string];
  const { cycles: paid } = await ask(rewardsAddressCycles as Endpoint, { params: { address }, query: {} });
  const own = rows.filter(({ staker }) => staker === address);
  expect(own.map(({ ggp }) => formatAmount(ggp as bigint)).toSorted()).toEqual(
    paid.map(({ ggp }: Body) => ggp).toSorted(),
  );
});

test('amounts are DECIMAL(38,18), with the wei beside them in text', () => {
  for (const { name } of [HOLDERS, HOLDERS_DAILY, YIELD_DAILY, DISTRIBUTIONS, DISTRIBUTED_CYCLES]) {
    const path = join(folder, `${name}.parquet`);
    const bytes = new Uint8Array(statSync(path).size);
    readSync(openSync(path, 'r'), bytes);
    const { schema } = parquetMetadata(bytes.buffer);
    const amounts = schema.filter(({ converted_type }) => converted_type === 'DECIMAL');
    expect(amounts.length).toBeGreaterThan(0);
    for (const amount of amounts) {
      expect(amount).toMatchObject({ precision: 38, scale: 18 });
      const wei = schema.find((element) => element.name === `${amount.name}_wei`);
      expect(wei).toMatchObject({ converted_type: 'UTF8' });
    }
  }
});
