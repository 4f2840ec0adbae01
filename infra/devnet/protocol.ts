import { getCreateAddress, Interface, type InterfaceAbi } from 'ethers';
import { DEVNET_ADDRESSES } from './addresses.ts';
import { type Contract, call, type Transaction } from './chain.ts';
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
  ['MinipoolManagerV4', 'MinipoolManagerV4'],
  ['RewardsPool', 'RewardsPool'],
  ['ClaimNodeOp', 'ClaimNodeOp'],
  ['ClaimProtocolDAO', 'ClaimProtocolDAO'],
  ['Ocyticus', 'Ocyticus'],
  ['JoeFactory', 'V2Factory'],
  ['PangolinFactory', 'V2Factory'],
  ['LBFactory', 'LBFactory'],
  ['UniswapV3Factory', 'UniswapV3Factory'],
  ['PharaohFactory', 'RamsesV3Factory'],
  ['AvaxUsdFeed', 'PriceFeed'],
  ['Trader', 'Trader'],
  ['TwapGGP', 'TwapGGP'],
  ['MinipoolManager', 'MinipoolManager'],
  ['WithdrawQueue', 'WithdrawQueue'],
  ['UniswapQuoter', 'UniswapQuoterV2'],
  ['PharaohQuoter', 'RamsesQuoterV2'],
  ['TokenpstAVAX', 'TokenpstAVAX'],
  ['XGGP', 'XGGP'],
  ['AssetLocker', 'AssetLocker'],
  ['XAVAX', 'XAVAX'],
  ['BlackholeFactory', 'AlgebraFactory'],
  // Before TokenggAVAX, as on mainnet: it is token0 of their pool.
  ['SAVAX', 'StakedAvax'],
  ['BlackholeQuoter', 'AlgebraQuoterV2'],
  ['Timelock', 'Timelock'],
] as const satisfies readonly (readonly [name: string, artifact: string])[];

export type ContractName = (typeof CREATION_ORDER)[number][0];

/** Contracts that are not created but etched, so that they are where other networks have them. */
export const ETCHED = { Multicall3: 'Multicall3', EurUsdFeed: 'PriceFeed' } as const;

/** Every contract of the devnet with its ABI. */
export type Protocol = Record<ContractName | keyof typeof ETCHED, Contract>;

export function describeProtocol(artifacts: Artifacts): Protocol {
  const contracts = CREATION_ORDER.map(([name, artifact], nonce) => {
    return [name, { address: getCreateAddress({ from: DEPLOYER, nonce }), abi: abiOf(artifacts, artifact) }];
  });
  const etched = Object.entries(ETCHED).map(([name, artifact]) => {
    return [name, { address: DEVNET_ADDRESSES[name as keyof typeof ETCHED], abi: abiOf(artifacts, artifact) }];
  });
  return Object.fromEntries([...contracts, ...etched]) as Protocol;
}

export function abiOf(artifacts: Artifacts, name: string): Interface {
  return new Interface(artifacts[name]?.abi as InterfaceAbi);
}

/** A call made by the Trader contract, which holds the market's inventory. */
export function executeAs(
  { Trader }: Protocol,
  keeper: string,
  contract: Contract,
  method: string,
  args: readonly unknown[] = [],
  value = 0n,
): Transaction {
  const { data } = call(Trader.address, contract, method, args);
  return { ...call(keeper, Trader, 'execute', [contract.address, data], value), label: method };
}
