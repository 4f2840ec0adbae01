import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ChainRpc } from '../../lib/chain/rpc.ts';
import { type Claim, readClaims } from '../../lib/contracts/claim-node-op.ts';
import { type Allowance, type Claims, searchClaims } from '../../lib/protocol/claims.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { startTables } from '../support/tables.ts';

/** The claims of the devnet, found with allowances so small that many refreshes are needed. */

let database: Awaited<ReturnType<typeof startTables>>;
let rpc: ChainRpc;
let claimNodeOp: string;
let head: number;
let all: Claim[];

beforeAll(async () => {
  database = await startTables();
  const { chain } = startOnDevnet().opened;
  rpc = chain.rpc;
  const view = await chain.latest();
  claimNodeOp = view.addresses.ClaimNodeOp;
  head = (await view.block()).number;
  all = (await readClaims(rpc, claimNodeOp, 0, head)).reverse();
});
afterAll(() => database.stop());

const allowance = (change: Partial<Allowance> = {}): Allowance => ({
  windowBlocks: 50,
  windows: 4,
  milliseconds: 60_000,
  ...change,
});

/** Reads windows of the devnet, and notes which. */
function reader() {
  const windows: [number, number][] = [];
  const read = (from: number, to: number) => {
    windows.push([from, to]);
    return readClaims(rpc, claimNodeOp, from, to);
  };
  return { windows, read };
}

const between = (from: number, to: number) => all.filter(({ block }) => block >= from && block <= to);

describe('a search', () => {
  test('begins at the head and goes back as far as it may', async () => {
    const { read, windows } = reader();
    const found = await searchClaims(read, head, undefined, allowance());
    expect(found).toEqual({ from: head - 199, to: head, claims: between(head - 199, head) });
    expect(windows).toHaveLength(4);
    expect(windows.every(([from, to]) => to - from === 49)).toBe(true);
  });

  test('refresh by refresh comes to the first block, and then has nothing left to do', async () => {
    let found: Claims | undefined;
    const froms = [];
    while (found?.from !== 0) {
      found = await searchClaims(reader().read, head, found, allowance());
      froms.push(found.from);
    }
    expect(found.claims).toEqual(all);
    expect(all.length).toBe(11);
    expect(froms).toEqual(froms.toSorted((a, b) => b - a));
    expect(froms.length).toBe(Math.ceil((head + 1) / 200));
    const { read, windows } = reader();
    expect(await searchClaims(read, head, found, allowance())).toEqual(found);
    expect(windows).toEqual([]);
  });

  test('joins what is new to what was found, whatever the size of windows and steps', async () => {
    const sizes = fc.record({
      windowBlocks: fc.integer({ min: 20, max: 400 }),
      windows: fc.integer({ min: 8, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 8 }), async (size, steps) => {
        let found: Claims | undefined;
        let at = 400;
        for (const step of [0, ...steps]) {
          at = Math.min(at + step, head);
          found = await searchClaims(reader().read, at, found, allowance(size));
          expect(found.to).toBe(at);
          expect(found.claims).toEqual(between(found.from, at));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('searches the last hundred blocks again, for an endpoint that did not have them yet', async () => {
    const behind = async (from: number, to: number) => readClaims(rpc, claimNodeOp, from, Math.min(to, head - 60));
    const first = await searchClaims(behind, head - 20, undefined, allowance({ windows: 40 }));
    expect(first.claims).toEqual(between(0, head - 60));
    const second = await searchClaims(reader().read, head, first, allowance({ windows: 40 }));
    expect(second).toEqual({ from: 0, to: head, claims: all });
  });

  test('with a head that is behind keeps what it knows', async () => {
    const known = await searchClaims(reader().read, head, undefined, allowance({ windows: 40 }));
    for (const late of [head - 1, head - 300]) {
      expect(await searchClaims(reader().read, late, known, allowance())).toEqual(known);
    }
  });

  test('starts over at the head when more is new than it may search', async () => {
    const old = await searchClaims(reader().read, 400, undefined, allowance());
    const found = await searchClaims(reader().read, head, old, allowance());
    expect(found).toEqual({ from: head - 199, to: head, claims: between(head - 199, head) });
  });

  test('ends where an endpoint has no older logs, and keeps what it found', async () => {
    const pruned = async (from: number, to: number) => {
      if (from < head - 120) throw new Error('pruned');
      return readClaims(rpc, claimNodeOp, from, to);
    };
    const first = await searchClaims(pruned, head, undefined, allowance());
    expect(first).toEqual({ from: head - 49, to: head, claims: between(head - 49, head) });
    expect(await searchClaims(pruned, head, first, allowance())).toEqual(first);
  });

  test('that fails at the head fails', async () => {
    const dead = () => Promise.reject(new Error('no logs'));
    await expect(searchClaims(dead, head, undefined, allowance())).rejects.toThrow('no logs');
    const known = { from: 0, to: head - 10, claims: [] };
    await expect(searchClaims(dead, head, known, allowance())).rejects.toThrow('no logs');
  });

  test('does not begin another window when its time is over', async () => {
    const { read, windows } = reader();
    await searchClaims(read, head, undefined, allowance({ windows: 40, milliseconds: 0 }));
    expect(windows).toHaveLength(1);
  });
});
