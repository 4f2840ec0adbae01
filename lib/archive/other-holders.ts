import { dataSlice } from 'ethers';
import { toTag } from '../chain/block-calls.ts';
import type { Chain } from '../chain/chain.ts';
import { RpcTooLarge } from '../chain/upstream/failures.ts';
import { LogRangeSize } from '../ledger/log-range-size.ts';
import type { Blocks } from '../ledger/vote.ts';

/** As many as the ledger's recorder asks for at once. The calls of one tick are one batch. */
const RANGES_AT_ONCE = 8;
/** Any hash or amount has other leading bytes, in practice. */
const ADDRESS_TOPIC = /^0x0{24}[0-9a-f]{40}$/i;
const NOBODY = /^0x0{40}$/;

/**
 * Addresses (lower case, sorted) in the logs of pstAVAX, xGGP, xAVAX and the AssetLocker, of which the ledger has no entries. Throws
 * UPSTREAM_UNAVAILABLE if no provider answers.
 */
export async function readOtherHolders(
  { network, rpc }: Chain,
  blocks: Blocks,
  onBlocks: (count: number) => void = () => {},
): Promise<string[]> {
  const { pstAvax, xGgp, xAvax, assetLocker } = network;
  const address = [pstAvax, xGgp, xAvax, assetLocker].filter((one) => one !== undefined);
  const found = new Set<string>();
  const size = new LogRangeSize();
  const read = ({ from, to }: Blocks) =>
    rpc.callPast(
      { method: 'eth_getLogs', params: [{ address, fromBlock: toTag(from), toBlock: toTag(to) }] },
      (result) => result as { topics: string[] }[],
      0,
    );
  for (let next = blocks.from; address.length > 0 && next <= blocks.to; ) {
    const ranges = divide({ from: next, to: blocks.to }, size.blocks);
    const answers = await Promise.allSettled(ranges.map(read));
    for (const [place, { from, to }] of ranges.entries()) {
      const answer = answers[place] as (typeof answers)[number];
      if (answer.status === 'rejected') {
        if (!refusalIn(answer.reason) || from === to) throw answer.reason;
        size.refused(to - from + 1);
        break;
      }
      for (const topic of answer.value.flatMap(({ topics }) => topics.slice(1)))
        if (ADDRESS_TOPIC.test(topic)) found.add(dataSlice(topic, 12).toLowerCase());
      size.answered(to - from + 1, answer.value.length);
      onBlocks(to - from + 1);
      next = to + 1;
    }
  }
  return [...found].filter((one) => !NOBODY.test(one)).sort();
}

function divide({ from, to }: Blocks, size: number): Blocks[] {
  const count = Math.min(RANGES_AT_ONCE, Math.ceil((to - from + 1) / size));
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * size,
    to: Math.min(to, from + (index + 1) * size - 1),
  }));
}

/** A provider's refusal of a range because of its size, which is a cause of the error. */
function refusalIn(error: unknown): Error | undefined {
  if (error instanceof RpcTooLarge) return (error.cause as Error | undefined) ?? error;
  if (error instanceof AggregateError) return error.errors.map(refusalIn).find((found) => found);
  return error instanceof Error && error.cause ? refusalIn(error.cause) : undefined;
}
