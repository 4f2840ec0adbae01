import type { Dataset } from '../cache/dataset.ts';
import type { ChainContext } from '../chain/chain.ts';
import type { PChainContext } from '../chain/upstream/p-chain.ts';
import { ApiError } from '../runtime/errors.ts';
import type { DataApiContext } from './data-api.ts';
import { readCurrentValidators } from './p-chain-validators.ts';
import { type Validator, weightOf } from './validator.ts';

/** The active validators of the primary network, all read from one source. */
export interface ValidatorIndex {
  /** Sorted by node ID, an order that is stable and independent of the source. */
  validators: Validator[];
  /** Total stake of the validators, including delegations, nAVAX. */
  totalStake: bigint;
  source: 'data-api' | 'p-chain';
  /** Time at which the read began, unix seconds. */
  asOf: number;
}

export type ValidatorsContext = ChainContext & PChainContext & DataApiContext;

export const validatorsDataset: Dataset<ValidatorIndex, ValidatorsContext> = {
  name: 'validators',
  freshSeconds: 300,
  shared: true,
  // The index gets 5 s, then the P-Chain 4 s.
  leaseMs: 9_500,
  async read(context) {
    // Not the time of a pinned block: the source is read now.
    const asOf = Math.floor(context.clock.now() / 1_000);
    const { validators, source } = await readAll(context);
    // A source may list validations that begin later.
    const active = validators.filter(({ startTime }) => startTime <= asOf);
    return {
      validators: active.toSorted((a, b) => (a.nodeID < b.nodeID ? -1 : 1)),
      totalStake: active.reduce((total, validator) => total + weightOf(validator), 0n),
      source,
      asOf,
    };
  },
};

/** Reads the index, or the P-Chain if the index fails or is not configured. Throws UPSTREAM_UNAVAILABLE if both fail. */
async function readAll(context: ValidatorsContext): Promise<Pick<ValidatorIndex, 'validators' | 'source'>> {
  try {
    return { validators: await context.dataApi.activeValidators(), source: 'data-api' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { validators: await readCurrentValidators(context.pChain), source: 'p-chain' };
  }
}
