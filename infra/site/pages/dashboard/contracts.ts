/** Names that tell what a contract is for, in place of its address. */

import { createContext } from 'preact';
import type { Contracts } from './bodies.ts';

/** By the API's names. Others, such as the factories of exchanges, keep the API's. */
const NAMES: Record<string, string> = {
  ClaimNodeOp: 'Operator rewards',
  MinipoolManager: 'Minipool manager',
  ProtocolDAO: 'Protocol DAO',
  RewardsPool: 'Rewards pool',
  Staking: 'GGP staking',
  TokenGGP: 'GGP token',
  TokenggAVAX: 'ggAVAX pool',
  WithdrawQueue: 'Withdrawal queue',
};

/** Known contracts: their names by their addresses. */
export function listNames(body: Contracts | undefined): ReadonlyMap<string, string> {
  return new Map(body?.contracts.map(({ name, address }) => [address, NAMES[name] ?? name]));
}

/** The names of contracts by their addresses, none until they are known. */
export const ContractNames = createContext<ReadonlyMap<string, string>>(new Map());
