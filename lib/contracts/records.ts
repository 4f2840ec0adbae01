/**
 * Records of minipools and stakers in the registry's key-value store: the structs have gained fields over the years, the
 * keys have never changed. Calldata is encoded once, because ethers' `Contract` takes 1.1 s for 5,000 records (2026-11).
 */

import { id } from 'ethers';
import type { ProtocolState } from '../chain/chain.ts';
import { parseInterface } from '../chain/contract.ts';
import { readStoredAddress, recordKey, STORAGE_ABI } from '../chain/storage.ts';
import { range } from '../values/arrays.ts';
import { sum } from '../values/wad.ts';
import { MINIPOOL_STATUSES, type MinipoolStatus } from './minipool-statuses.ts';

function getUint(key: string): string {
  return parseInterface(STORAGE_ABI).encodeFunctionData('getUint', [key]);
}

function fieldReader(list: 'minipool' | 'staker', field: string): (index: number) => string {
  const made: string[] = [];
  return (index) => {
    made[index] ??= getUint(recordKey(list, index, field));
    return made[index];
  };
}

const minipoolStatus = fieldReader('minipool', 'status');
const avaxNodeOpRewardAmt = fieldReader('minipool', 'avaxNodeOpRewardAmt');
const avaxStaked = fieldReader('staker', 'avaxStaked');

/** Totals over all records; AVAX in wei. */
interface RecordTotals {
  minipoolsStaking: number;
  avaxStaked: bigint;
  /** Rewards of operators who have not withdrawn them yet. */
  avaxNodeOpRewards: bigint;
}

/** The totals at the state's block, or undefined before the registry existed. */
export async function readRecordTotals({ runner, network }: ProtocolState): Promise<RecordTotals | undefined> {
  const read = (data: string) => runner.call({ to: network.storage, data });
  const [minipools, stakers] = await Promise.all([
    read(getUint(id('minipool.count'))),
    read(getUint(id('staker.count'))),
  ]);
  if (minipools === '0x') return undefined;
  const readAll = (count: string, field: (index: number) => string) =>
    Promise.all(Array.from({ length: Number(count) }, (_, index) => read(field(index))));
  const [statuses, stakes] = await Promise.all([readAll(minipools, minipoolStatus), readAll(stakers, avaxStaked)]);
  const inStatus = (name: MinipoolStatus) => {
    const code = MINIPOOL_STATUSES.indexOf(name);
    return statuses.flatMap((status, index) => (Number(status) === code ? index : []));
  };
  const rewards = await Promise.all(inStatus('withdrawable').map((index) => read(avaxNodeOpRewardAmt(index))));
  return {
    minipoolsStaking: inStatus('staking').length,
    avaxStaked: sum(stakes.map(BigInt)),
    avaxNodeOpRewards: sum(rewards.map(BigInt)),
  };
}

const minipoolNode = (index: number) => recordKey('minipool', index, 'nodeID');
const stakerAddress = (index: number) => recordKey('staker', index, 'stakerAddr');
const ggpRewards = fieldReader('staker', 'ggpRewards');
const ggpStaked = fieldReader('staker', 'ggpStaked');

/** GGP wei that each staker (lower-case address) has staked at the state's block; undefined before the registry existed. */
export function readGGPStakes(state: ProtocolState): Promise<ReadonlyMap<string, bigint> | undefined> {
  return readByAddress(state, 'staker.count', stakerAddress, ggpStaked);
}

/**
 * GGP wei that each staker (lower-case address) has received from distributions and not claimed, at the state's block;
 * undefined before the registry existed.
 */
export function readGGPRewards(state: ProtocolState): Promise<ReadonlyMap<string, bigint> | undefined> {
  return readByAddress(state, 'staker.count', stakerAddress, ggpRewards);
}

/** The status of each node (20 bytes, hex) that has had a minipool; undefined before the registry existed. */
export function readMinipoolStatuses(state: ProtocolState): Promise<ReadonlyMap<string, bigint> | undefined> {
  return readByAddress(state, 'minipool.count', minipoolNode, minipoolStatus);
}

/**
 * AVAX wei that the owner of each node (20 bytes, hex) has earned since its minipool was created; undefined before the
 * registry existed. Records of old versions have no first amount, and are left out.
 */
export async function readMinipoolRewards(state: ProtocolState): Promise<ReadonlyMap<string, bigint> | undefined> {
  const fields = ['avaxNodeOpAmt', 'avaxNodeOpInitialAmt', 'avaxNodeOpRewardAmt'];
  const [amounts, initials, rewards] = await Promise.all(
    fields.map((field) => readByAddress(state, 'minipool.count', minipoolNode, fieldReader('minipool', field))),
  );
  if (!amounts) return undefined;
  const known = [...amounts].filter(([node]) => initials?.get(node));
  return new Map(
    known.map(([node, amount]) => [node, amount - (initials?.get(node) ?? 0n) + (rewards?.get(node) ?? 0n)]),
  );
}

/** A number of each record in a list, by the address (lower case) that the record is about. */
async function readByAddress(
  { runner, network }: ProtocolState,
  counter: string,
  addressKey: (index: number) => string,
  field: (index: number) => string,
): Promise<ReadonlyMap<string, bigint> | undefined> {
  const count = await runner.call({ to: network.storage, data: getUint(id(counter)) });
  if (count === '0x') return undefined;
  const records = await Promise.all(
    range(0, Number(count)).map(async (index) => {
      const [address, value] = await Promise.all([
        readStoredAddress(runner, network.storage, addressKey(index)),
        runner.call({ to: network.storage, data: field(index) }),
      ]);
      return [address.toLowerCase(), BigInt(value)] as const;
    }),
  );
  return new Map(records);
}
