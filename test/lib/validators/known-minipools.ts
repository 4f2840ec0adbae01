import type { Services } from '../../../lib/api/services.ts';
import type { Minipool } from '../../../lib/contracts/minipool-manager.ts';
import { MINIPOOL_STATUSES, type MinipoolStatus } from '../../../lib/contracts/minipool-statuses.ts';
import { protocolDataset } from '../../../lib/protocol/protocol.ts';
import type { BlockRef } from '../../../lib/values/block.ts';
import { nodeHex } from './network.ts';

const ZERO_HASH = `0x${'00'.repeat(32)}`;
const BLOCK: BlockRef = { number: 95_044_397, timestamp: Math.floor(Date.now() / 1_000) };

/** A minipool whose node is validator number `index`. */
export function minipoolOf(index: number, status: MinipoolStatus): Minipool {
  return {
    index,
    nodeID: nodeHex(index),
    status: MINIPOOL_STATUSES.indexOf(status),
    duration: 1_296_000,
    delegationFee: 20_000,
    owner: '0xf29bce5f34a74301eb0de716d5194e4a4aea5d7a',
    multisigAddr: '0x0000000000000000000000000000000000000001',
    avaxNodeOpAmt: 10n ** 21n,
    avaxNodeOpInitialAmt: 10n ** 21n,
    avaxLiquidStakerAmt: 10n ** 21n,
    blsPublicKey: undefined,
    txID: ZERO_HASH,
    creationTime: 1_790_000_000,
    initialStartTime: 1_790_100_000,
    startTime: 1_790_100_000,
    endTime: 0,
    avaxTotalRewardAmt: 0n,
    errorCode: ZERO_HASH,
    ggpSlashAmt: 0n,
    avaxNodeOpRewardAmt: 0n,
    avaxLiquidStakerRewardAmt: 0n,
    hardwareProvider: ZERO_HASH,
  };
}

/** Puts minipools into the cache, as if just read from the chain. */
export async function knowMinipools(context: Services, records: Minipool[]): Promise<void> {
  const minipools: Minipool[] = [];
  for (const minipool of records) minipools[minipool.index] = minipool;
  // Indexes in between get finished minipools.
  for (const index of minipools.keys()) minipools[index] ??= minipoolOf(index, 'finished');
  const { name, freshSeconds, shared } = protocolDataset;
  await context.cache.value(name, { freshSeconds, shared }, async () => ({
    block: BLOCK,
    minipools,
  }));
}
