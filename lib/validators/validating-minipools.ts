/**
 * The minipools behind validators. A node keeps its record forever, so a validator counts as the protocol's only from launch
 * to the end of staking.
 */

import type { RequestContext } from '../cache/cache.ts';
import type { ChainContext } from '../chain/chain.ts';
import { required } from '../chain/contract.ts';
import type { Minipool } from '../contracts/minipool-manager.ts';
import { inStatus, VALIDATING_STATUSES } from '../protocol/operator-figures.ts';
import { protocolDataset } from '../protocol/protocol.ts';
import { formatNodeID } from '../values/cb58.ts';

/** Minipools by the `NodeID-…` of their validator. */
export type ValidatingMinipools = ReadonlyMap<string, Minipool>;

/** The minipools that validate now. Throws UPSTREAM_UNAVAILABLE if the chain cannot be read. */
export async function readValidatingMinipools(context: RequestContext<ChainContext>): Promise<ValidatingMinipools> {
  const { minipools } = await context.dataset(protocolDataset);
  const validating = inStatus(required(minipools), ...VALIDATING_STATUSES);
  return new Map(validating.map((minipool) => [formatNodeID(minipool.nodeID), minipool]));
}
