/**
 * Compares a sample of an archive with the chain: hashes say that files are as they were written, and this that they were
 * written of this chain.
 */

import { Interface, isError, toQuantity } from 'ethers';
import { chainOf, type ProtocolState } from '../chain/chain.ts';
import { V3_ABIS } from '../prices/v3-dialects.ts';
import type { Context } from '../runtime/context.ts';
import type { CallOutcome } from '../runtime/frozen.ts';
import { inParallel } from '../runtime/parallel.ts';
import type { Column, Row } from './column.ts';
import { readFrozen } from './freeze.ts';
import { EVENTS } from './kinds/events.ts';
import { STATE } from './kinds/state.ts';
import { ArchiveError } from './manifest.ts';
import { type Archive, parquetFiles, readKind } from './read-kind.ts';

/** How many of each are compared, spread over all. */
const EVENTS_COMPARED = 20;
const CALLS_COMPARED = 100;
const PARALLEL = 10;

const PLACE = ['block', 'logIndex', 'timestamp', 'txHash'];
const PLACE_COLUMNS: readonly Column[] = EVENTS.columns.filter(({ name }) => PLACE.includes(name));

/** Quoters answer how much gas they have used, too: more for the first to touch a pool in its transaction. So their answers vary. */
const VARYING = Object.values(V3_ABIS).map(
  ({ quoter }) => new Interface(quoter).getFunction('quoteExactInputSingle')?.selector,
);

/** A log, as far as it is compared. */
interface Log {
  logIndex: string;
  transactionHash: string;
}

/**
 * Compares events with the logs and the times of their blocks. Returns how many. Throws an {@link ArchiveError} for the first
 * that is not on the chain, and UPSTREAM_UNAVAILABLE if no provider answers.
 */
export async function compareEvents(context: Context, archive: Archive): Promise<number> {
  const total = parquetFiles(archive.manifest.files, EVENTS.name).reduce((sum, { rows = 0 }) => sum + rows, 0);
  const sample: Row[] = [];
  let place = 0;
  const step = Math.max(1, Math.floor(total / EVENTS_COMPARED));
  for await (const rows of readKind(archive, { ...EVENTS, columns: PLACE_COLUMNS })) {
    for (const row of rows) if (place++ % step === 0) sample.push(row);
  }
  const { rpc } = chainOf(context);
  await inParallel(sample, PARALLEL, async ({ block, logIndex, timestamp, txHash }) => {
    const tag = toQuantity(block as number);
    const call = { method: 'eth_getLogs', params: [{ fromBlock: tag, toBlock: tag }] };
    const [logs, header] = await Promise.all([
      rpc.callPast(call, (result) => result as Log[], 0),
      rpc.header(block as number),
    ]);
    const isThere = logs.some((log) => Number(log.logIndex) === logIndex && log.transactionHash === txHash);
    if (!isThere || header.timestamp !== timestamp)
      throw new ArchiveError(
        `events: block ${block}, log ${logIndex}, of transaction ${txHash}, is not on the chain as the archive says; do not use this archive`,
      );
  });
  return sample.length;
}

/**
 * Makes calls of the last state again at its block. Returns how many; 0 if the archive has no state. Throws like
 * {@link compareEvents}; a provider has to keep a state that old.
 */
export async function compareState(context: Context, archive: Archive): Promise<number> {
  if (parquetFiles(archive.manifest.files, STATE.name).length === 0) return 0;
  const { calls, block } = await readFrozen(archive);
  const all = [...calls].filter(([key]) => {
    const [method, , data = ''] = key.split(' ');
    return method === 'call' && !VARYING.includes(data.slice(0, 10));
  });
  const step = Math.max(1, Math.floor(all.length / CALLS_COMPARED));
  const sample = all.filter((_, place) => place % step === 0);
  const state = await chainOf(context).at(block.number);
  await inParallel(sample, sample.length, async ([key, recorded]) => {
    const [, to = '', data = '', from] = key.split(' ');
    const outcome = await readOutcome(state, { to, data, ...(from && { from }) });
    if (outcome.reverted !== recorded.reverted || outcome.data !== recorded.data)
      throw new ArchiveError(
        `state: the contract ${to} answers ${data.slice(0, 10)} at block ${block.number} otherwise than the archive says; do not use this archive`,
      );
  });
  return sample.length;
}

async function readOutcome(state: ProtocolState, call: { to: string; data: string }): Promise<CallOutcome> {
  try {
    return { data: await state.runner.call(call), reverted: false };
  } catch (error) {
    if (isError(error, 'CALL_EXCEPTION')) return { data: error.data ?? '0x', reverted: true };
    throw error;
  }
}
