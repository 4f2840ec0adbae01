/**
 * Records of minipools and stakers in the registry's key-value store: the structs have gained fields over the years, the
 * keys have never changed. Calldata is encoded once, because ethers' `Contract` takes 1.1 s for 5,000 records (2026-11).
 */

import { id } from 'ethers';
import { type ProtocolState, readStoredAddress, recordKey, STORAGE_ABI } from '../chain/chain.ts';
import { parseInterface } from '../chain/contract.ts';
import { range } from '../values/arrays.ts';
import { sum } from '../values/wad.ts';
import { type MinipoolStatus, statusName } from './minipool-statuses.ts';

/** The lists of records, and the field with the address that a record is about. */
const ADDRESS = { minipool: 'nodeID', staker: 'stakerAddr' } as const;

type List = keyof typeof ADDRESS;

const calldata = new Map<string, string>();

function getUint(key: string): string {
  return parseInterface(STORAGE_ABI).encodeFunctionData('getUint', [key]);
}

function fieldCall(list: List, index: number, field: string): string {
  const name = `${list} ${index} ${field}`;
  const data = calldata.get(name) ?? getUint(recordKey(list, index, field));
  calldata.set(name, data);
  return data;
}

/** The number of records; undefined before the registry existed. */
async function readCount({ runner, network }: ProtocolState, list: List): Promise<number | undefined> {
  const count = await runner.call({ to: network.storage, data: getUint(id(`${list}.count`)) });
  return count === '0x' ? undefined : Number(count);
}

function readField({ runner, network }: ProtocolState, list: List, indexes: readonly number[], field: string) {
  const calls = indexes.map((index) => ({ to: network.storage, data: fieldCall(list, index, field) }));
  return Promise.all(calls.map(async (call) => BigInt(await runner.call(call))));
}

/** The unclaimed GGP (wei) of the staker at an index. */
export async function readStakerRewards(state: ProtocolState, index: number): Promise<bigint | undefined> {
  return (await readField(state, 'staker', [index], 'ggpRewards'))[0];
}

/**
 * Totals over all records at the state's block: AVAX wei of operators, and their rewards that they have not withdrawn.
 * Undefined before the registry existed.
 */
export async function readRecordTotals(state: ProtocolState) {
  const [minipools, stakers] = await Promise.all([readCount(state, 'minipool'), readCount(state, 'staker')]);
  if (minipools === undefined || stakers === undefined) return undefined;
  const [statuses, stakes] = await Promise.all([
    readField(state, 'minipool', range(0, minipools), 'status'),
    readField(state, 'staker', range(0, stakers), 'avaxStaked'),
  ]);
  const inStatus = (name: MinipoolStatus) =>
    range(0, minipools).filter((index) => statusName(Number(statuses[index])) === name);
  const rewards = await readField(state, 'minipool', inStatus('withdrawable'), 'avaxNodeOpRewardAmt');
  return { minipoolsStaking: inStatus('staking').length, avaxStaked: sum(stakes), avaxNodeOpRewards: sum(rewards) };
}

/**
 * A figure of each record in a list at the state's block, by its address (lower case; a node's 20 bytes). `figure` gets the
 * fields; records for which it is undefined are left out. Undefined before the registry existed.
 */
export async function readRecords(
  state: ProtocolState,
  list: List,
  fields: readonly string[],
  figure: (...values: bigint[]) => bigint | undefined = (value) => value,
): Promise<ReadonlyMap<string, bigint> | undefined> {
  const count = await readCount(state, list);
  if (count === undefined) return undefined;
  const { runner, network } = state;
  const indexes = range(0, count);
  const [addresses, ...columns] = await Promise.all([
    Promise.all(
      indexes.map((index) => readStoredAddress(runner, network.storage, recordKey(list, index, ADDRESS[list]))),
    ),
    ...fields.map((field) => readField(state, list, indexes, field)),
  ]);
  const figures = addresses.flatMap((address, index) => {
    const value = figure(...columns.map((column) => column[index] ?? 0n));
    return value === undefined ? [] : [[address.toLowerCase(), value] as const];
  });
  return new Map(figures);
}
