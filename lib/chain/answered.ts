import { contractUnavailable, isRefusal } from '../runtime/errors.ts';

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
