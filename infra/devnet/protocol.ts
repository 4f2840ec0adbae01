import { Interface, type InterfaceAbi } from 'ethers';
import { type ContractName, DEVNET_ADDRESSES } from './addresses.ts';
import type { Contract, Transaction } from './chain.ts';
import type { Artifacts } from './compile.ts';

/** Codes of contracts with other names. */
const CODES: Record<string, readonly ContractName[]> = {
  MinipoolManager: ['FirstMinipoolManager'],
  StakingVault: ['XGGP', 'XAVAX'],
  StakedAvax: ['SAVAX'],
  PriceFeed: ['AvaxUsdFeed', 'EurUsdFeed'],
  FullRangeFactory: ['JoeFactory', 'PangolinFactory', 'UniswapV3Factory', 'PharaohFactory', 'BlackholeFactory'],
};

/** The name of a contract's code. */
export function codeOf(name: ContractName): string {
  return Object.keys(CODES).find((code) => CODES[code]?.includes(name)) ?? name;
}

export type Protocol = Record<ContractName, Contract>;

export function describeProtocol(artifacts: Artifacts): Protocol {
  const contracts = Object.entries(DEVNET_ADDRESSES).map(([name, address]) => {
    return [name, { address, abi: abiOf(artifacts, codeOf(name as ContractName)) }] as const;
  });
  return Object.fromEntries(contracts) as Protocol;
}

export const abiOf = (artifacts: Artifacts, name: string) => new Interface(artifacts[name]?.abi as InterfaceAbi);

/** A transaction that creates a contract. `artifact` is the name of its code. */
export function create(artifacts: Artifacts, from: string, artifact: string, args: readonly unknown[]): Transaction {
  const data = artifacts[artifact]?.bytecode + abiOf(artifacts, artifact).encodeDeploy(args).slice(2);
  return { from, data, value: 0n, label: `creation of ${artifact}` };
}
