import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeError } from 'ethers';
import { compareEvents, compareState } from '../../../lib/archive/compare-chain.ts';
import { exportArchive } from '../../../lib/archive/export.ts';
import { STATE, stateRows } from '../../../lib/archive/kinds/state.ts';
import type { Archive } from '../../../lib/archive/read-kind.ts';
import { type Chain, chainOf } from '../../../lib/chain/chain.ts';
import { type Entry, type Place, subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import { ledgerOf } from '../../../lib/ledger/ledger-store.ts';
import type { CallOutcome } from '../../../lib/runtime/frozen.ts';
import { startTables } from '../../support/tables.ts';
import { fillTables, startArchivist } from './sample.ts';

/** What a comparison of an archive with the chain notices. `test/integration/archive.test.ts` compares with a real one. */

const CALLS = new Map<string, CallOutcome>([
  ...Array.from({ length: 250 }, (_, n): [string, CallOutcome] => [
    `call 0xa 0x${n}`,
    { data: '0x01', reverted: false },
  ]),
  ['call 0xb 0xffffffff00 0xc', { data: '0x02', reverted: false }],
  ['call 0xd 0xff', { data: '0x03', reverted: true }],
  ['call 0xe 0xff', { data: '0x', reverted: true }],
  ['storage 0xa 0x0', { data: '0x04', reverted: false }],
  ['storage 0xa 0x1', { data: '0x04', reverted: false }],
]);

let folder: string;
let archive: Archive;
let entries: Entry[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'compared-'));
  const tables = await startTables();
  const archivist = startArchivist();
  await fillTables(archivist);
  ({ entries } = await ledgerOf(archivist.opened).all(subjectOf.protocol));
  const state = {
    ...{ name: 'state', kinds: [STATE], total: 1 },
    async *read() {
      yield { rows: stateRows({ calls: CALLS, datasets: new Map() }), done: 1 };
    },
  };
  const manifest = await exportArchive(archivist.opened, folder, 'c0ffee', { moreParts: () => [state] });
  archive = { folder, manifest };
  await tables.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface LogsCall {
  method: string;
  params: [{ fromBlock: string; toBlock: string }];
}

/** A service whose chain has the archive's events and state, but for what `otherwise` changes of each. */
function serviceOn(otherwise: { entry?: Partial<Place>; outcome?: (key: string) => string | Error | undefined } = {}) {
  const asked: string[] = [];
  const of = (tag: string | number) => entries.filter(({ block }) => block === Number(tag));
  const callPast = async ({ method, params }: LogsCall, parse: (logs: unknown) => unknown) => {
    const [{ fromBlock, toBlock }] = params;
    expect([method, toBlock]).toEqual(['eth_getLogs', fromBlock]);
    const logs = of(fromBlock).map((entry) => ({ ...entry, ...otherwise.entry }));
    return parse(
      logs.map(({ logIndex, txHash }) => ({ logIndex: `0x${logIndex.toString(16)}`, transactionHash: txHash })),
    );
  };
  const header = async (number: number) => ({ timestamp: otherwise.entry?.timestamp ?? of(number)[0]?.timestamp });
  const call = async ({ to, data, from }: { to: string; data: string; from?: string }) => {
    const key = ['call', to, data, ...(from ? [from] : [])].join(' ');
    asked.push(key);
    const known = CALLS.get(key) as CallOutcome;
    const outcome = otherwise.outcome?.(key);
    if (outcome instanceof Error) throw outcome;
    if (outcome !== undefined) return outcome;
    if (!known.reverted) return known.data;
    throw makeError('reverted', 'CALL_EXCEPTION', { data: known.data === '0x' ? null : known.data } as never);
  };
  const at = async (block: number) => {
    expect(block).toBe(archive.manifest.block.number);
    return { runner: { call } };
  };
  const { opened } = startArchivist();
  chainOf.replace(opened, { rpc: { callPast, header }, at } as unknown as Chain);
  return { opened, asked };
}

describe('events', () => {
  test('are as the archive says, spread over all of them', async () => {
    const compared = await compareEvents(serviceOn().opened, archive);
    expect(compared).toBe(Math.ceil(entries.length / Math.floor(entries.length / 20)));
  });

  test.each<[string, Partial<Place>]>([
    ['another log', { logIndex: 99 }],
    ['another transaction', { txHash: `0x${'0'.repeat(64)}` }],
    ['another time', { timestamp: 1 }],
  ])('of %s are noticed', async (_, entry) => {
    await expect(compareEvents(serviceOn({ entry }).opened, archive)).rejects.toThrow(
      /^events: block 10, log 0, of transaction 0x\w{64}, is not on the chain as the archive says/,
    );
  });
});

describe('calls', () => {
  test('are answered as the archive says, and every second one of so many is asked', async () => {
    const { opened, asked } = serviceOn();
    expect(await compareState(opened, archive)).toBe(127);
    expect([asked.length, new Set(asked).size]).toEqual([127, 127]);
    expect(asked).toContain('call 0xb 0xffffffff00 0xc');
  });

  test.each<[string, string | undefined]>([
    ['otherwise', '0x05'],
    ['where they reverted', '0x'],
  ])('that are answered %s are noticed', async (_, data) => {
    const [other, what] =
      data === '0x' ? ['call 0xe 0xff', '0xe answers 0xff'] : ['call 0xb 0xffffffff00 0xc', '0xb answers 0xffffffff'];
    const outcome = (call: string) => (call === other ? data : undefined);
    const compared = compareState(serviceOn({ outcome }).opened, archive);
    await expect(compared).rejects.toThrow(`state: the contract ${what} at block`);
  });

  test('that get no answer are neither right nor wrong', async () => {
    const outcome = () => new Error('no provider answers');
    await expect(compareState(serviceOn({ outcome }).opened, archive)).rejects.toThrow('no provider answers');
  });

  test('of an archive without a state are none', async () => {
    const files = archive.manifest.files.filter(({ kind }) => kind !== STATE.name);
    expect(await compareState(serviceOn().opened, { folder, manifest: { ...archive.manifest, files } })).toBe(0);
  });
});
