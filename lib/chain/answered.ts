import { isRefusal } from '../runtime/errors.ts';

/** Values that may each be missing. */
export type Answers<Values> = { [Name in keyof Values]?: Values[Name] };

/**
 * The answers of several calls, without those that the chain refused. Missing is not zero: such a field is left out. An
 * unreachable source still throws.
 */
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
