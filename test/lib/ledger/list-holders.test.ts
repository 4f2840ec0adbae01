import { beforeEach, describe, expect, test } from '@jest/globals';
import { ZeroAddress } from 'ethers';
import fc from 'fast-check';
import { withDatasets } from '../../../lib/cache/dataset.ts';
import { holdersDataset, holdersOf } from '../../../lib/history/holders-dataset.ts';
import type { Entry } from '../../../lib/ledger/ledger-entry.ts';
import { type LedgerContext, LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import { listHolders } from '../../../lib/ledger/list-holders.ts';
import { MemoryTable, type SeriesRows } from '../../../lib/tables/memory-table.ts';
import { LEDGER } from '../../../lib/tables/table-schemas.ts';
import { DAY, wei } from '../rewards/units.ts';

/** Holders are listed: whatever happens to recorders, the list is what the entries add up to. */

const HOLDERS = ['a1', 'b2', 'd4', 'e5'].map((byte) => `0x${byte.repeat(20)}`);
const START = 20_000 * DAY;
/** 144 blocks a day, two of which have the same time. */
const timeOf = (block: number) => START + Math.floor(block / 2) * 1_200;
const LAST = 144 * 6;

/** A process's table, which may fail at any of its updates. */
class FailingTable extends MemoryTable {
  readonly #beforeWrite: () => void;

  constructor(rows: SeriesRows, beforeWrite: () => void) {
    super(LEDGER, rows);
    this.#beforeWrite = beforeWrite;
  }

  override async update(...change: Parameters<MemoryTable['update']>): Promise<boolean> {
    this.#beforeWrite();
    return super.update(...change);
  }
}

let rows: SeriesRows;
let ledger: LedgerStore;
beforeEach(renew);

/** An empty ledger. */
function renew(): void {
  rows = new Map();
  ledger = openLedger();
}

/** The ledger for another process. */
function openLedger(beforeWrite = () => {}): LedgerStore {
  return new LedgerStore(new FailingTable(rows, beforeWrite), 'devnet');
}

const list = (into = ledger) => listHolders({ ledger: into, mayGoOn: () => true });
const listedTo = async () => (await openLedger().progress.latest()).listedTo;

async function record(entries: readonly Entry[], [from, to] = [0, LAST] as [number, number]): Promise<void> {
  await ledger.write(entries);
  await ledger.progress.setFirst(0);
  await ledger.progress.extend(from, to, timeOf(to));
}

function moved(block: number, from: number, to: number, shares: bigint, logIndex = block) {
  const place = { block, logIndex, timestamp: timeOf(block), txHash: `0x${String(logIndex).padStart(64, '0')}` };
  const parts = { from: HOLDERS[from] as string, to: HOLDERS[to] as string, shares, rate: wei('1'), assets: shares };
  return { ...place, type: 'ggAvaxTransferred' as const, ...parts };
}

/** Any transfers, in block order, of people who each hold a hundred times as much. */
const anyEntries = fc
  .array(
    fc.record({
      block: fc.integer({ min: 1, max: LAST }),
      from: fc.nat({ max: 3 }),
      to: fc.nat({ max: 3 }),
      shares: fc.bigInt({ min: 0n, max: 9n }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((moves) => {
    const ordered = moves.toSorted((a, b) => a.block - b.block);
    return [
      ...HOLDERS.map((_, to) => ({ ...moved(0, 0, to, 1_000n, to), from: ZeroAddress })),
      ...ordered.map(({ block, from, to, shares }, index) => moved(block, from, to, shares, 4 + index)),
    ];
  });

/** Returns the holders with a balance, as `/holders` reads them. */
async function read() {
  return (await holdersDataset.read(withDatasets({ ledger: openLedger() } as LedgerContext, []))).holders;
}

test('any entries give the same holders with and without a list, also if recorders die, meet, or an entry is amended', async () => {
  await fc.assert(
    fc.asyncProperty(anyEntries, fc.nat({ max: 6 }), fc.nat({ max: 43 }), async (entries, writes, amended) => {
      renew();
      await record(entries);
      let left = writes;
      const dying = openLedger(() => {
        left -= 1;
        if (left < 0) throw new Error('the recorder died');
      });
      await list(dying).catch(() => {});
      expect(new Set(await read())).toEqual(new Set(holdersOf(entries)));
      await Promise.all([list(openLedger()), list(openLedger())]);
      expect(new Set(await read())).toEqual(new Set(holdersOf(entries)));

      // A recorder that has begun before the audit adds what it has read to a list that does not count any more.
      const { list: before } = await ledger.progress.read();
      const healed = entries.map((entry, index) => (index === amended ? { ...entry, shares: 12n } : entry));
      await ledger.replace({ from: 0, to: LAST, before: { number: 0, timestamp: 0 }, entries: healed });
      expect(new Set(await read())).toEqual(new Set(holdersOf(healed)));
      if (amended < entries.length) {
        await ledger.holders.add(before, [{ address: HOLDERS[0] as string, time: timeOf(LAST), shares: 5n }]);
        await ledger.progress.setListedTo(before, timeOf(LAST));
      }
      await list();
      expect(new Set(await read())).toEqual(new Set(holdersOf(healed)));
    }),
    { numRuns: 30 },
  );
});

describe('holders', () => {
  const deposits = [10, 150, LAST - 3, LAST - 2, LAST].map((block) => moved(block, 0, 1, 1n));
  const shares = async () => (await ledger.holders.read(0)).find(({ address }) => address === HOLDERS[1])?.shares;

  test('are listed as far as no more can be found, and again once that is a day later', async () => {
    await record(deposits);
    await list();
    // Another block of the last second may still have more.
    expect([await shares(), await listedTo()]).toEqual([4n, timeOf(LAST) - 1]);
    const later = async (block: number) => {
      await ledger.progress.extend(LAST, block, timeOf(block));
      await list();
      return shares();
    };
    expect(await later(LAST + 142)).toBe(4n);
    expect(await later(LAST + 144)).toBe(5n);
  });

  test('are not listed before the whole past is searched', async () => {
    await record(deposits, [1, LAST]);
    await list();
    expect([await shares(), await listedTo()]).toEqual([undefined, undefined]);
  });

  test('are not taken from the list if it is of blocks that are not confirmed', async () => {
    await record(deposits);
    await list();
    const agreedAt = { number: 150, timestamp: timeOf(150) };
    const mismatches = [
      { contract: 'TokenggAVAX', view: 'totalSupply', ledger: '1', chain: '2', block: LAST, agreedAt },
    ];
    await ledger.progress.setCheck({ block: agreedAt, at: 0, mismatches });
    expect((await read()).map(({ shares }) => shares)).toEqual([2n]);
  });

  test('are listed step by step, so that a recorder may end in between', async () => {
    const many = Array.from({ length: 700 }, (_, block) => ({
      ...moved(block, 0, 1, 1n),
      to: `0x${String(block + 1).padStart(40, '0')}`,
    }));
    await record(many);
    const ends: unknown[] = [];
    const mayGoOn = async () => ends.push(await listedTo()) > 5;
    await listHolders({ ledger, mayGoOn });
    // Two changes each; blocks of the same second are not divided.
    expect(ends).toEqual([timeOf(499)]);
    await list();
    expect(await ledger.holders.read(0)).toHaveLength(701);
  });
});
