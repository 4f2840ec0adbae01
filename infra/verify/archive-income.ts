/** The income of every address in an archive, added up again from its tables. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DISTRIBUTIONS } from '../../lib/archive/kinds/distributions.ts';
import { EVENTS } from '../../lib/archive/kinds/events.ts';
import { HOLDERS_DAILY } from '../../lib/archive/kinds/holders.ts';
import { type Archive, readPoints, readTable } from '../../lib/archive/read-table.ts';
import type { TableSpec } from '../../lib/archive/table-spec.ts';
import type { Point } from '../../lib/history/point.ts';
import { INTERVALS } from '../../lib/history/series.ts';
import { parseWei } from '../site/pages/dashboard/format.ts';

/** In wei, by address. */
type Sums = Map<string, bigint>;

/** Growth ends at the last recorded hour, and flows at the archive's block: this part of the value may differ. */
const ROUNDING = 1_000_000n;

/** Descriptions of the sums that differ from the tables, and the number of addresses. */
export async function incomeFaults(archive: Archive): Promise<{ checked: number; faults: string[] }> {
  const growth = await readGrowth(archive);
  const [minipools, ggp] = [
    await sumBy(archive, EVENTS, 'owner', 'rewardAVAX'),
    await sumBy(archive, DISTRIBUTIONS, 'staker', 'ggp'),
  ];
  const expected: Record<string, Sums> = { minipools, ggp, ggAvax: growth.sums };
  const accounts = join(archive.folder, 'api/accounts');
  const addresses = readdirSync(accounts).filter((name) => existsSync(join(accounts, name, 'income.json')));
  const faults = addresses.flatMap((address) => {
    const file = `api/accounts/${address}/income.json`;
    const { entries } = JSON.parse(readFileSync(join(archive.folder, file), 'utf8'));
    const told: Record<string, bigint> = {};
    for (const { source, amount } of entries) told[source] = (told[source] ?? 0n) + parseWei(amount);
    return Object.entries(expected).flatMap(([source, sums]) => {
      const [sum, byTables] = [told[source] ?? 0n, sums.get(address) ?? 0n];
      const tolerance = source === 'ggAvax' ? (growth.values.get(address) ?? 0n) / ROUNDING : 0n;
      const difference = sum > byTables ? sum - byTables : byTables - sum;
      return difference <= tolerance ? [] : `${file}: ${source} adds up to ${sum} wei, by the tables to ${byTables}`;
    });
  });
  return { checked: addresses.length, faults };
}

async function sumBy(archive: Archive, kind: TableSpec, key: string, amount: string): Promise<Sums> {
  const sums: Sums = new Map();
  for await (const rows of readTable(archive, kind))
    for (const row of rows) add(sums, row[key] as string, (row[amount] as bigint | undefined) ?? 0n);
  return sums;
}

function add(sums: Sums, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

/** Growth is the value at the end, plus what went out, less what came in. `values` are the largest that each address had. */
async function readGrowth(archive: Archive): Promise<{ sums: Sums; values: Sums }> {
  const { totalAssets = 0n, totalSupply = 1n } = await readNewestPool(archive);
  const [flows, held, values]: [Sums, Sums, Sums] = [new Map(), new Map(), new Map()];
  for await (const rows of readTable(archive, HOLDERS_DAILY)) {
    for (const row of rows) {
      const address = row.address as string;
      const sum = (...names: string[]) => names.reduce((total, name) => total + (row[name] as bigint), 0n);
      add(flows, address, sum('withdrawn', 'transferredOut') - sum('deposited', 'transferredIn', 'returned'));
      const value = (sum('ggAvax') * totalAssets) / totalSupply;
      held.set(address, value);
      if (value > (values.get(address) ?? 0n)) values.set(address, value);
    }
  }
  return { sums: new Map([...held].map(([address, value]) => [address, value + (flows.get(address) ?? 0n)])), values };
}

async function readNewestPool(archive: Archive): Promise<Record<string, bigint | undefined>> {
  let newest: Point | undefined;
  for (const interval of INTERVALS) {
    for await (const points of readPoints(archive, interval)) {
      const last = points.findLast(({ values }) => values.totalAssets !== undefined);
      if (last && last.timestamp >= (newest?.timestamp ?? 0)) newest = last;
    }
  }
  return newest?.values ?? {};
}
