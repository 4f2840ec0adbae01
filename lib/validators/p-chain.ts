import * as z from 'zod/mini';
import { EndpointFailure, Failover, type FailoverOptions } from '../upstream/failover.ts';
import { type RpcCall, sendRpc } from '../upstream/json-rpc.ts';
import { countText, detail, nAVAX, nodeID, pChainAddresses, percentText, someText, understood } from './answers.ts';
import type { Validator } from './validator.ts';

/** The P-Chain's own API (avalanchego, `platform.*`). It writes integers and floats as decimal text. */

const CurrentSupply = z.object({ supply: nAVAX });

const CurrentValidator = z.object({
  nodeID,
  txID: someText,
  startTime: countText,
  endTime: countText,
  weight: nAVAX,
  delegatorWeight: nAVAX,
  delegatorCount: detail(countText),
  delegationFee: detail(percentText),
  uptime: detail(percentText),
  potentialReward: detail(nAVAX),
  validationRewardOwner: detail(z.object({ addresses: pChainAddresses })),
  signer: detail(z.object({ publicKey: someText })),
});

/** The primary network cannot be without validators, so a node that knows none is not in sync. */
const CurrentValidators = z.object({ validators: z.array(CurrentValidator).check(z.minLength(1)) });

/** P-Chain JSON-RPC with failover. Every method throws UPSTREAM_UNAVAILABLE when no endpoint answered. */
export class PChain {
  readonly failover: Failover;

  constructor(urls: readonly string[], options: FailoverOptions) {
    this.failover = new Failover('p-chain', urls, options);
  }

  /**
   * AVAX in existence, nAVAX: what the reward formula takes as `supply` for the next validator. It counts the potential rewards
   * of all running validations and does not know of burned fees.
   */
  async currentSupply(): Promise<bigint> {
    const { supply } = await this.#call({ method: 'platform.getCurrentSupply', params: {} }, CurrentSupply);
    return supply;
  }

  /** All validators of the primary network, in no particular order. The answer is about 1 MB. */
  async currentValidators(): Promise<Validator[]> {
    const call = { method: 'platform.getCurrentValidators', params: {} };
    const { validators } = await this.#call(call, CurrentValidators);
    return validators.map(toValidator);
  }

  #call<T extends z.ZodMiniType>(call: RpcCall, schema: T): Promise<z.output<T>> {
    return this.failover.request(async (endpoint, timeoutMs) => {
      const [result] = await sendRpc(endpoint, [call], timeoutMs);
      if (result instanceof EndpointFailure) throw result;
      // Reverts and size limits are the C-Chain's: whatever was taken for one is this endpoint's failure.
      if (result instanceof Error) throw new EndpointFailure('refused', { cause: result });
      return understood(schema, result);
    });
  }
}

function toValidator(current: z.output<typeof CurrentValidator>): Validator {
  return {
    nodeID: current.nodeID,
    txID: current.txID,
    startTime: current.startTime,
    endTime: current.endTime,
    amountStaked: current.weight,
    amountDelegated: current.delegatorWeight,
    delegatorCount: current.delegatorCount,
    delegationFeePercent: current.delegationFee,
    uptimePercent: current.uptime,
    validationReward: current.potentialReward,
    rewardAddresses: current.validationRewardOwner?.addresses,
    blsPublicKey: current.signer?.publicKey,
  };
}
