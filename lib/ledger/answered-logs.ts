import { parseQuantity } from '../chain/block-calls.ts';
import { type BlockRef, placeOf } from '../values/block.ts';
import type { Log } from './contract-events.ts';
import { topicsOfEvents } from './event-abis.ts';
import type { Emitters } from './registry.ts';
import type { Blocks } from './search.ts';

/** What a provider was asked for. */
interface LogRequest extends Blocks {
  emitters: Emitters;
  /** Its head: what it says of later blocks does not count yet. */
  head: BlockRef;
}

/**
 * The logs of an answer, each of them once. Throws if the answer cannot be true: a log that was not asked for, that was
 * removed, or that is later than the head, two different ones in one place, or times that are not in the blocks' order.
 */
export function requireLogs(answer: unknown, { from, to, emitters, head }: LogRequest): Log[] {
  const topics = new Set(topicsOfEvents());
  const byPlace = new Map<string, { log: Log; content: string }>();
  for (const log of answer as (Log & { removed?: boolean })[]) {
    const [block, logIndex] = [parseQuantity(log.blockNumber), parseQuantity(log.logIndex)];
    const wasAsked = from <= block && block <= to && emitters.has(log.address.toLowerCase());
    if (!wasAsked || !topics.has(String(log.topics[0]).toLowerCase()))
      throw new RangeError('no log that was asked for');
    if (log.removed === true) throw new RangeError('a log that was removed');
    if (!/^0x[\da-f]{64}$/i.test(log.transactionHash)) throw new RangeError('a log without a transaction');
    if (block > head.number) continue;
    if (!(Number(log.blockTimestamp ?? 0) <= head.timestamp)) throw new RangeError('a log of the future');
    const content = JSON.stringify([log.address, log.topics, log.data, log.transactionHash]).toLowerCase();
    const place = placeOf({ block, logIndex });
    if ((byPlace.get(place)?.content ?? content) !== content) throw new RangeError(`two logs at ${place}`);
    byPlace.set(place, { log, content });
  }
  const logs = [...byPlace.values()].map(({ log }) => log);
  requireOrder(logs);
  return logs;
}

/** An entry's key begins with its time: a second, wrong one would make another entry of it. */
function requireOrder(logs: readonly Log[]): void {
  const timed = logs
    .map(({ blockNumber, blockTimestamp }) => ({ block: Number(blockNumber), time: Number(blockTimestamp ?? 0) }))
    .filter(({ time }) => time > 0)
    .sort((a, b) => a.block - b.block);
  const isWrong = timed.some(({ block, time }, place) => {
    const before = timed[place - 1] ?? { block, time };
    return block === before.block ? time !== before.time : time < before.time;
  });
  if (isWrong) throw new RangeError('logs whose times are not in the order of their blocks');
}
