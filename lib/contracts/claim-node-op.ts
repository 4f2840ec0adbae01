import { type ChainRpc, toQuantity } from '../chain/rpc.ts';
import { RpcTooLarge } from '../upstream/json-rpc.ts';

/** GGP rewards that were claimed: one `GGPRewardsClaimed(address indexed to, uint256 amount)` of ClaimNodeOp. */
export interface Claim {
  /** In lower case. */
  to: string;
  /** GGP wei paid out, without what was staked again. */
  amount: bigint;
  block: number;
  /** Unix seconds; missing if the endpoint's logs do not tell. */
  timestamp?: number;
  txHash: string;
}

/** keccak256 of the event's signature. */
const GGP_REWARDS_CLAIMED = '0xe6efee8958feb2079af9a7a1df26a6fae99525397bebfc3f64a4b7c3b41984d1';

/**
 * The claims of everybody from one block to another, both included, oldest first; read in halves if an endpoint finds that too
 * much. Throws if no endpoint gives logs.
 */
export async function readClaims(rpc: ChainRpc, claimNodeOp: string, from: number, to: number): Promise<Claim[]> {
  const filter = {
    address: claimNodeOp,
    topics: [GGP_REWARDS_CLAIMED],
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
  };
  const parse = (logs: unknown) => (logs as Log[]).map(toClaim);
  try {
    return await rpc.call({ method: 'eth_getLogs', params: [filter] }, { parse });
  } catch (error) {
    if (!(error instanceof RpcTooLarge) || from === to) throw error;
    const middle = Math.floor((from + to) / 2);
    const halves = [readClaims(rpc, claimNodeOp, from, middle), readClaims(rpc, claimNodeOp, middle + 1, to)];
    return (await Promise.all(halves)).flat();
  }
}

interface Log {
  topics: [event: string, to: string];
  data: string;
  blockNumber: string;
  transactionHash: string;
  /** Newer nodes only. */
  blockTimestamp?: string;
}

function toClaim({ topics, data, blockNumber, transactionHash, blockTimestamp }: Log): Claim {
  return {
    to: `0x${topics[1].slice(26)}`,
    amount: BigInt(data),
    block: Number(blockNumber),
    txHash: transactionHash,
    ...(blockTimestamp && { timestamp: Number(blockTimestamp) }),
  };
}
