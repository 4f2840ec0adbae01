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
  ['JoeFactory', 'UniswapV2Factory'],
  ['PangolinFactory', 'UniswapV2Factory'],
  ['LBFactory', 'LBFactory'],
  ['UniswapV3Factory', 'UniswapV3Factory'],
  ['PharaohFactory', 'RamsesV3Factory'],
  ['AvaxUsdFeed', 'PriceFeed'],
  ['Trader', 'Trader'],
  ['TwapGGP', 'TwapGGP'],
  ['MinipoolManager', 'MinipoolManager'],
  ['WithdrawQueue', 'WithdrawQueue'],
  // Before TokenggAVAX, as on mainnet: it is token0 of their pool.
  ['SAVAX', 'StakedAvax'],
  ['Timelock', 'Timelock'],
  ['TokenpstAVAX', 'TokenpstAVAX'],
  ['XGGP', 'XGGP'],
  ['AssetLocker', 'AssetLocker'],
  ['XAVAX', 'XAVAX'],
  ['BlackholeEntryPoint', 'AlgebraEntryPoint'],
] as const satisfies readonly (readonly [name: string, artifact: string])[];

export type ContractName = (typeof CREATION_ORDER)[number][0];

/** Contracts that Blackhole's entry point creates, in this order. */
const CREATED_BY_ENTRY_POINT = [
  ['BlackholeFactory', 'AlgebraFactory'],
  ['BlackholePoolDeployer', 'AlgebraPoolDeployer'],
] as const;

/** Contracts that are not created but etched, so that they are where other networks have them. */
export const ETCHED = { Multicall3: 'Multicall3', EurUsdFeed: 'PriceFeed' } as const;

export type Protocol = Record<
  ContractName | (typeof CREATED_BY_ENTRY_POINT)[number][0] | keyof typeof ETCHED,
  Contract
>;

export function describeProtocol(artifacts: Artifacts): Protocol {
  const createdBy = (from: string, order: readonly (readonly [string, string])[], firstNonce: number) =>
    order.map(([name, artifact], place): [string, Contract] => {
      const address = getCreateAddress({ from, nonce: firstNonce + place });
      return [name, { address, abi: abiOf(artifacts, artifact) }];
    });
  const contracts = createdBy(DEPLOYER, CREATION_ORDER, 0);
  const entryPoint = Object.fromEntries(contracts).BlackholeEntryPoint as Contract;
  // A contract's nonces start at 1.
  const ofEntryPoint = createdBy(entryPoint.address, CREATED_BY_ENTRY_POINT, 1);
  const etched = Object.entries(ETCHED).map(([name, artifact]) => {
    return [name, { address: DEVNET_ADDRESSES[name as keyof typeof ETCHED], abi: abiOf(artifacts, artifact) }];
  });
  return Object.fromEntries([...contracts, ...ofEntryPoint, ...etched]) as Protocol;
}

export function abiOf(artifacts: Artifacts, name: string): Interface {
  return new Interface(artifacts[name]?.abi as InterfaceAbi);
}

export function creationCode(artifacts: Artifacts, name: string, args: readonly unknown[]): string {
  return artifacts[name]?.bytecode + abiOf(artifacts, name).encodeDeploy(args).slice(2);
}

/** A transaction that creates a contract; `artifact` is the name of its code. */
export function create(artifacts: Artifacts, from: string, artifact: string, args: readonly unknown[]): Transaction {
  return { from, data: creationCode(artifacts, artifact, args), value: 0n, label: `creation of ${artifact}` };
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
