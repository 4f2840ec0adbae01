import { SUPPLY_CAP_NAVAX } from '../../rewards/validation-reward.ts';
import type { Context } from '../../runtime/context.ts';
import { ClientFailover, type FailoverOptions } from './failover.ts';
import { parsedOrFailure, RpcTooLarge, reportAttempt, UpstreamFailure } from './failures.ts';
import { requireResult } from './json-rpc.ts';

/** The P-Chain's own API (avalanchego, `platform.*`), with failover. Numbers in its answers are decimal strings. */
export class PChain {
  readonly failover: ClientFailover;

  constructor(urls: readonly string[], options: FailoverOptions) {
    this.failover = new ClientFailover('p-chain', urls, options);
  }

  /** The AVAX supply in nAVAX, with the potential rewards of all running validations and without burned fees. */
  currentSupply(): Promise<bigint> {
    return this.call('platform.getCurrentSupply', (result) => {
      const { supply } = result as { supply: string };
      // BigInt('') is 0.
      if (!/^[1-9]\d*$/.test(supply) || BigInt(supply) > SUPPLY_CAP_NAVAX) throw new RangeError('no supply');
      return BigInt(supply);
    });
  }

  /** The parsed result of a method. If `parse` throws, the provider has failed. */
  call<T>(method: string, parse: (result: unknown) => T): Promise<T> {
    return this.failover.request(async (provider, timeoutMs) => {
      const [result] = await provider.send([{ method, params: {} }], timeoutMs);
      // Only the C-Chain has size limits: what looks like one here is a failure of the provider.
      if (result instanceof RpcTooLarge) throw new UpstreamFailure('refused', { cause: result });
      return parsedOrFailure(requireResult(result), parse);
    });
  }
}

export interface PChainContext extends Context {
  pChain: PChain;
}

export function openPChain({ config, telemetry, clock }: Context): PChain {
  const onAttempt = reportAttempt(telemetry, clock);
  return new PChain(config.pChainUrls, { attemptMs: 2_000, budgetMs: 4_000, onAttempt, clock });
}
