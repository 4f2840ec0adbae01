import type { Snapshot } from '../chain/snapshot.ts';
import { Abi } from './abi.ts';
import { type Answers, answered } from './answered.ts';
import { contractAt } from './contract.ts';

/** Views without arguments: their names and the types they return. */
type Getters = Record<string, 'string' | 'address' | 'bool' | `uint${number}`>;

type Value<Type> = Type extends 'bool' ? boolean : Type extends `uint${number}` ? bigint : string;

/** A reader of all these views at once. What a contract does not answer is left out. */
export function gettersOf<G extends Getters>(getters: G) {
  const names = Object.keys(getters);
  const abi = new Abi(names.map((name) => `function ${name}() view returns (${getters[name]})`));
  return (runner: Snapshot, address: string): Promise<Answers<{ [Name in keyof G]: Value<G[Name]> }>> => {
    const contract = contractAt(runner, address, abi);
    const reads = Object.fromEntries(names.map((name) => [name, contract(name)]));
    return answered(reads) as Promise<Answers<{ [Name in keyof G]: Value<G[Name]> }>>;
  };
}
