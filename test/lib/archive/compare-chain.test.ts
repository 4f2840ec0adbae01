import { beforeAll, describe, expect, test } from '@jest/globals';
import { compareEvents } from '../../../lib/archive/compare-chain.ts';
import { exportArchive } from '../../../lib/archive/export.ts';
import type { Archive } from '../../../lib/archive/read-table.ts';
import type { Chain } from '../../../lib/chain/chain.ts';
import { type Entry, type Place, subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import { startTables } from '../../support/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { fillTables, startArchivist } from './sample.ts';

/**
 * Differences that a comparison of an archive with the chain detects. `test/integration/archive.test.ts` compares
 * with a real chain.
 */

let folder: string;
let archive: Archive;
let entries: Entry[];

beforeAll(async () => {
  folder = temporaryFolder('compared');
  const tables = await startTables();
  const archivist = startArchivist();
  await fillTables(archivist);
  ({ entries } = await archivist.opened.ledger.all(subjectOf.protocol));
  const manifest = await exportArchive(archivist.opened, folder, 'c0ffee');
  archive = { folder, manifest };
  await tables.stop();
});

interface LogsCall {
  method: string;
  params: [{ fromBlock: string; toBlock: string }];
}

/** A service whose chain has the archive's events, each with the changes of `otherwise`. */
function serviceOn(otherwise: { entry?: Partial<Place> } = {}) {
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
  const { opened } = startArchivist();
  return { opened: { ...opened, chain: { rpc: { callPast, header } } as unknown as Chain } };
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
      /^events: block 10, log 0, of transaction 0x\w{64}, differs from the chain; do not use this archive$/,
    );
  });
});
