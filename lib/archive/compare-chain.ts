/**
 * Compares a sample of an archive with the chain. Hashes prove that files are unchanged; this comparison shows that their
 * events are on this chain.
 */

import { toQuantity } from 'ethers';
import type { Services } from '../api/services.ts';
import { inParallel } from '../runtime/parallel.ts';
import type { Column, Row } from './column.ts';
import { EVENTS } from './kinds/events.ts';
import { ArchiveError } from './manifest.ts';
import { type Archive, parquetFiles, readTable } from './read-table.ts';

/** Number of events that are compared, spread over all. */
const EVENTS_COMPARED = 20;
const PARALLEL = 10;

const PLACE = ['block', 'logIndex', 'timestamp', 'txHash'];
const PLACE_COLUMNS: readonly Column[] = EVENTS.columns.filter(({ name }) => PLACE.includes(name));

/** The compared fields of a log. */
interface Log {
  logIndex: string;
  transactionHash: string;
}

/**
 * Compares events with the logs and the times of their blocks. Returns the number of compared events. Throws an
 * {@link ArchiveError} for the first event that is not on the chain, and UPSTREAM_UNAVAILABLE if no provider answers.
 */
export async function compareEvents(context: Services, archive: Archive): Promise<number> {
  const total = parquetFiles(archive.manifest.files, EVENTS.name).reduce((sum, { rows = 0 }) => sum + rows, 0);
  const sample: Row[] = [];
  let place = 0;
  const step = Math.max(1, Math.floor(total / EVENTS_COMPARED));
  for await (const rows of readTable(archive, { ...EVENTS, columns: PLACE_COLUMNS })) {
    for (const row of rows) if (place++ % step === 0) sample.push(row);
  }
  const { rpc } = context.chain;
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
        `events: block ${block}, log ${logIndex}, of transaction ${txHash}, differs from the chain; do not use this archive`,
      );
  });
  return sample.length;
}
