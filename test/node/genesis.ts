import { gunzipSync } from 'node:zlib';
import { bech32 } from '@scure/base';
import { getBytes } from 'ethers';
import { DEVNET_CHAIN_ID } from '../../infra/devnet/devnet.ts';
import { connect } from '../../infra/devnet/rpc.ts';
import { DAY } from '../../lib/values/durations.ts';

/** The genesis of a network whose first block contains the devnet's contracts and their state. */

interface GenesisOptions {
  networkID: number;
  /** URL of the devnet, which must stand still. */
  devnetUrl: string;
  /** An account with a million AVAX on the C-Chain. */
  owner: string;
  /** The validators on the P-Chain. */
  nodeIDs: readonly string[];
  /** The stake of each validator, nAVAX. */
  stake: bigint;
}

interface Account {
  balance: string;
  nonce: number;
  code: string;
  storage: Record<string, string>;
}

/** The human-readable part of Bech32 addresses on networks other than Avalanche's own. */
const ADDRESS_PREFIX = 'custom';
const ZERO_ADDRESS = `0x${'00'.repeat(20)}`;

/** The content of avalanchego's genesis file. */
export async function genesisOf({ networkID, devnetUrl, owner, nodeIDs, stake }: GenesisOptions): Promise<string> {
  const address = `X-${bech32.encode(ADDRESS_PREFIX, bech32.toWords(getBytes(owner)))}`;
  const cChain = await cChainGenesis(devnetUrl, owner);
  // Built as text, because its numbers may exceed JavaScript's safe integers.
  return `{
    "networkID": ${networkID},
    "allocations": [{
      "ethAddr": "${ZERO_ADDRESS}", "avaxAddr": "${address}", "initialAmount": 0,
      "unlockSchedule": [{ "amount": ${stake * BigInt(nodeIDs.length)}, "locktime": 0 }]
    }],
    "startTime": ${Math.floor(Date.now() / 1_000) - DAY},
    "initialStakeDuration": ${30 * DAY},
    "initialStakeDurationOffset": 60,
    "initialStakedFunds": ["${address}"],
    "initialStakers": ${JSON.stringify(nodeIDs.map((nodeID) => ({ nodeID, rewardAddress: address, delegationFee: 20_000 })))},
    "cChainGenesis": ${JSON.stringify(JSON.stringify(cChain))},
    "message": ""
  }`;
}

/** The genesis block has the devnet's timestamp, so that values that depend on time are the same as well. */
async function cChainGenesis(devnetUrl: string, owner: string) {
  const devnet = connect(devnetUrl);
  const dump = (await devnet.send('anvil_dumpState')) as string;
  const { timestamp } = (await devnet.send('eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
  devnet.close();
  const { accounts } = JSON.parse(gunzipSync(getBytes(dump)).toString()) as { accounts: Record<string, Account> };
  const alloc = Object.entries(accounts).map(([address, { balance, nonce, code, storage }]) => [
    address,
    {
      balance,
      nonce: `0x${nonce.toString(16)}`,
      code,
      storage: Object.fromEntries(Object.entries(storage).filter(isSet)),
    },
  ]);
  return {
    config: { chainId: DEVNET_CHAIN_ID },
    timestamp,
    gasLimit: '0x5f5e100',
    difficulty: '0x0',
    alloc: { ...Object.fromEntries(alloc), [owner]: { balance: `0x${(10n ** 24n).toString(16)}` } },
  };
}

/** Anvil's dump contains cleared slots, which a state trie does not. */
function isSet([, value]: [string, string]): boolean {
  return BigInt(value) !== 0n;
}
