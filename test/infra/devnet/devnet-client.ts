import { Interface, solidityPackedKeccak256 } from 'ethers';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/addresses.ts';
import { connect } from '../../../infra/devnet/rpc.ts';
import { abiOf, MINIPOOL, STAKER } from '../../../infra/verify/chain.ts';

/**
 * The views that only tests read. Like the verifier's, they are from the contracts' documentation and not from the devnet's own
 * sources, so that a stand-in with another signature fails.
 */
const VIEWS: Record<string, string> = {
  getMinipools: `(uint8, uint256, uint256) view returns (${MINIPOOL}[])`,
  getStakers: `(uint256, uint256) view returns (${STAKER}[])`,
  canStartRewardsCycle: '() view returns (bool)',
  getInflationAmt: '() view returns (uint256 currentTotalSupply, uint256 newTotalSupply)',
  isEligible: '(address) view returns (bool)',
  getAllFulfilledRequests: '() view returns (uint256[])',
  canClaimRequest: '(uint256) view returns (bool)',
};

type Block = number | 'latest';
const tagOf = (block: Block) => (block === 'latest' ? block : `0x${block.toString(16)}`);

/** Reads views of a chain at any block. */
export function createClient(url: string) {
  const rpc = connect(url);
  const readAt = async (address: string, view: string, args: readonly unknown[] = [], block: Block = 'latest') => {
    const abi = new Interface([view in VIEWS ? `function ${view}${VIEWS[view]}` : abiOf(view, args)]);
    const data = abi.encodeFunctionData(view, args);
    return abi.decodeFunctionResult(view, (await rpc.send('eth_call', { to: address, data }, tagOf(block))) as string);
  };

  /** The address of a registered contract, at a block. */
  const registered = async (name: string, block?: number): Promise<string> => {
    const key = solidityPackedKeccak256(['string', 'string'], ['contract.address', name]);
    return (await readAt(DEVNET_ADDRESSES.Storage, 'getAddress', [key], block))[0];
  };

  return {
    rpc,
    readAt,
    registered,
    /** The single value of a registered contract's view. */
    async read(name: string, view: string, args: readonly unknown[] = [], block?: number) {
      return (await readAt(await registered(name, block), view, args, block))[0];
    },
    async block(of: Block) {
      const block = await rpc.send('eth_getBlockByNumber', tagOf(of), false);
      const { number, timestamp, transactions } = block as Record<'number' | 'timestamp', string> & {
        transactions: string[];
      };
      return { number: Number(number), timestamp: Number(timestamp), transactions };
    },
  };
}

export type Client = ReturnType<typeof createClient>;
