import { getCreateAddress, Interface, type InterfaceAbi } from 'ethers';
import { DEVNET_ADDRESSES } from './addresses.ts';
import type { Contract, Transaction } from './chain.ts';
import type { Artifacts } from './compile.ts';

/** anvil's first account; it does nothing but create contracts, so its nonces are the positions below. */
const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/**
 * Every contract in the order of creation. The order decides the addresses, and was chosen so that
 * TokenGGP < TokenggAVAX < WAVAX < USDC, as on mainnet: GGP is token0 of its pairs.
 */
export const CREATION_ORDER = [
  ['Storage', 'Storage'],
  ['Vault', 'Vault'],
  ['ProtocolDAO', 'ProtocolDAO'],
  ['WAVAX', 'WAVAX'],
  ['USDC', 'USDC'],
  ['MultisigManager', 'MultisigManager'],
  ['TokenGGP', 'TokenGGP'],
  ['TokenggAVAX', 'TokenggAVAX'],
  ['Oracle', 'Oracle'],
  ['Staking', 'Staking'],
  ['FirstMinipoolManager', 'MinipoolManager'],
  ['RewardsPool', 'RewardsPool'],
  ['ClaimNodeOp', 'ClaimNodeOp'],
  ['ClaimProtocolDAO', 'ClaimProtocolDAO'],
  ['XAVAX', 'StakingVault'],
  ['JoeFactory', 'FullRangeFactory'],
  ['PangolinFactory', 'FullRangeFactory'],
  ['LBFactory', 'LBFactory'],
  ['UniswapV3Factory', 'FullRangeFactory'],
  ['PharaohFactory', 'FullRangeFactory'],
  ['AvaxUsdFeed', 'PriceFeed'],
  ['Trader', 'Trader'],
  ['BlackholeFactory', 'FullRangeFactory'],
  ['MinipoolManager', 'MinipoolManager'],
  ['WithdrawQueue', 'WithdrawQueue'],
  // Before TokenggAVAX, as on mainnet: it is token0 of their pool.
  ['SAVAX', 'StakedAvax'],
  ['Timelock', 'Timelock'],
  ['TokenpstAVAX', 'TokenpstAVAX'],
  ['XGGP', 'StakingVault'],
  ['AssetLocker', 'AssetLocker'],
] as const satisfies readonly (readonly [name: string, artifact: string])[];

export type ContractName = (typeof CREATION_ORDER)[number][0];

/** Contracts that are not created but etched, so that they are where other networks have them. */
export const ETCHED = { Multicall3: 'Multicall3', EurUsdFeed: 'PriceFeed' } as const;

export type Protocol = Record<ContractName | keyof typeof ETCHED, Contract>;

export function describeProtocol(artifacts: Artifacts): Protocol {
  const created = CREATION_ORDER.map(([name, artifact], nonce) => {
    return [name, { address: getCreateAddress({ from: DEPLOYER, nonce }), abi: abiOf(artifacts, artifact) }];
  });
  const etched = Object.entries(ETCHED).map(([name, artifact]) => {
    return [name, { address: DEVNET_ADDRESSES[name as keyof typeof ETCHED], abi: abiOf(artifacts, artifact) }];
  });
  return Object.fromEntries([...created, ...etched]) as Protocol;
}

export function abiOf(artifacts: Artifacts, name: string): Interface {
  return new Interface(artifacts[name]?.abi as InterfaceAbi);
}

/** A transaction that creates a contract; `artifact` is the name of its code. */
export function create(artifacts: Artifacts, from: string, artifact: string, args: readonly unknown[]): Transaction {
  const data = artifacts[artifact]?.bytecode + abiOf(artifacts, artifact).encodeDeploy(args).slice(2);
  return { from, data, value: 0n, label: `creation of ${artifact}` };
}
