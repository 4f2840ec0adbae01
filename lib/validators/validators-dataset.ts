import { type Dataset, readDataset } from '../cache/cache.ts';
import type { ChainContext } from '../chain/chain.ts';
import type { PChainContext } from '../chain/upstream/p-chain.ts';
import { protocolDataset } from '../protocol/protocol.ts';
import { ApiError } from '../runtime/errors.ts';
import { ifAvailable } from '../runtime/if-known.ts';
import { sum } from '../values/wad.ts';
import type { DataApiContext } from './data-api.ts';
import { readCurrentValidators } from './p-chain-validators.ts';
import { weightOf } from './validator.ts';

export type ValidatorsContext = ChainContext & PChainContext & DataApiContext;

export type ValidatorIndex = Awaited<ReturnType<typeof readActive>>;

export const validatorsDataset: Dataset<ValidatorIndex, ValidatorsContext> = {
  name: 'validators',
  freshSeconds: 300,
  shared: true,
  // The index gets 5 s, then the P-Chain 4 s.
  leaseMs: 9_500,
  read: readActive,
};

/** Reads the active validators of the primary network, all from one source. */
async function readActive(context: ValidatorsContext) {
  // Not the time of a pinned block: the source is read now.
  const now = Math.floor(context.clock.unix() / 1_000);
  const [{ validators, source }, protocol] = await Promise.all([
    readAll(context),
    ifAvailable(context, 'the time of the chain', () => readDataset(context, protocolDataset)),
  ]);
  // Unix seconds. This machine's clock may be late.
  const asOf = Math.max(now, protocol?.value.block.timestamp ?? 0);
  // A source may list validations that begin later.
  const active = validators.filter(({ startTime }) => startTime <= asOf);
  return {
    /** By node ID, an order that is stable and independent of the source. */
    validators: active.toSorted((a, b) => (a.nodeID < b.nodeID ? -1 : 1)),
    /** nAVAX, including delegations. */
    totalStake: sum(active.map(weightOf)),
    ...{ source, asOf },
  };
}

/** Reads the index, or the P-Chain if the index fails or is not configured. Throws UPSTREAM_UNAVAILABLE if both fail. */
async function readAll({ dataApi, pChain }: ValidatorsContext) {
  try {
    return { validators: await dataApi.activeValidators(), source: 'data-api' as const };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { validators: await readCurrentValidators(pChain), source: 'p-chain' as const };
  }
}
