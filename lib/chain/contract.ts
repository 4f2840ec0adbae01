/** Calls of contracts: ethers' `Contract`, with methods typed by its human-readable ABI, and answers that may be missing. */

import type {
  Abi,
  AbiParametersToPrimitiveTypes,
  ExtractAbiFunction,
  ExtractAbiFunctionNames,
  ParseAbi,
} from 'abitype';
import { BaseContract, type ContractRunner, Interface, type TransactionRequest } from 'ethers';
import { contractUnavailable, isRefusal } from '../runtime/errors.ts';

/** ethers' types of ABI values: integers of every width are bigints. */
declare module 'abitype' {
  interface Register {
    addressType: string;
    bytesType: { inputs: string; outputs: string };
    intType: bigint;
  }
}

export type Runner = ContractRunner & Required<Pick<ContractRunner, 'call'>>;

/** Integers may be passed as numbers, too. */
type Arguments<Types extends readonly unknown[]> = {
  [Index in keyof Types]: Types[Index] extends bigint ? bigint | number : Types[Index];
};

/** The result of a method: ethers returns several results as a tuple, but a single one as it is. */
type Answer<Types> = Types extends readonly [infer Only] ? Only : Types;

/** A method of a contract; `staticCall` simulates it, even if it is not a view. */
interface Method<Args extends readonly unknown[], Result> {
  (...args: Args): Promise<Result>;
  staticCall(...args: [...Args, overrides?: Pick<TransactionRequest, 'from' | 'gasLimit'>]): Promise<Result>;
}

type Methods<Parsed extends Abi> = {
  [Name in ExtractAbiFunctionNames<Parsed>]: Method<
    Arguments<AbiParametersToPrimitiveTypes<ExtractAbiFunction<Parsed, Name>['inputs'], 'inputs'>>,
    Answer<AbiParametersToPrimitiveTypes<ExtractAbiFunction<Parsed, Name>['outputs'], 'outputs'>>
  >;
};

/** The results of views without parameters, named like the views without `get`. */
type Views<Parsed extends Abi> = {
  [Name in ExtractAbiFunctionNames<Parsed> as Name extends `get${infer View}` ? Uncapitalize<View> : Name]: Answer<
    AbiParametersToPrimitiveTypes<ExtractAbiFunction<Parsed, Name>['outputs'], 'outputs'>
  >;
};

const interfaces = new WeakMap<readonly string[], Interface>();

/** Parsed once per process, when first needed: parsing takes a cold start 0.2 ms per line. */
export function parseInterface(abi: readonly string[]): Interface {
  const parsed = interfaces.get(abi) ?? new Interface(abi);
  interfaces.set(abi, parsed);
  return parsed;
}

/** Methods reject with ethers' CALL_EXCEPTION if the chain reverts a call, or BAD_DATA if there is no such contract or view. */
export function contractAt<ABI extends readonly string[]>(address: string, abi: ABI, runner: Runner) {
  return BaseContract.from<Methods<ParseAbi<ABI>>>(address, parseInterface(abi), runner);
}

/** Reads all views of an ABI. No view may have parameters. Views that the chain refuses are missing in the result. */
export function readViews<ABI extends readonly string[]>(
  address: string,
  abi: ABI,
  runner: Runner,
): Promise<Answers<Views<ParseAbi<ABI>>>> {
  const contract = new BaseContract(address, parseInterface(abi), runner);
  const reads: Record<string, Promise<unknown>> = {};
  contract.interface.forEachFunction(({ name }) => {
    const field = name.replace(/^get(.)/, (_, first: string) => first.toLowerCase());
    reads[field] = contract.getFunction(name)();
  });
  return answered(reads as { [Name in keyof Views<ParseAbi<ABI>>]: Promise<Views<ParseAbi<ABI>>[Name]> });
}

export type Answers<Values> = { [Name in keyof Values]?: Values[Name] };

/** The results of several reads that begin at the same time, so that their calls are batched. Throws if one does. */
export async function allRead<Values>(reads: { [Name in keyof Values]: Promise<Values[Name]> }): Promise<Values> {
  const entries = Object.entries<Promise<unknown>>(reads).map(async ([name, read]) => [name, await read] as const);
  return Object.fromEntries(await Promise.all(entries)) as Values;
}

/** The answers of several calls, without those that the chain refused: they are not zero. Throws if the source is down. */
export async function answered<Values>(
  reads: { [Name in keyof Values]: Promise<Values[Name]> },
): Promise<Answers<Values>> {
  const names = Object.keys(reads) as (keyof Values)[];
  const entries = await Promise.all(names.map(async (name) => [name, await ifAnswered(reads[name])] as const));
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Answers<Values>;
}

/** The answer of one call, or undefined if the chain refused it. */
export async function ifAnswered<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** An answer that is needed. Throws UPSTREAM_UNAVAILABLE if it is missing. */
export function required<T>(answer: T | undefined): T {
  if (answer === undefined) throw contractUnavailable();
  return answer;
}
