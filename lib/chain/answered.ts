import { isError } from 'ethers';

/** Values that may each be missing. */
export type Answers<Values> = { [Name in keyof Values]?: Values[Name] };

/**
 * The answers of several calls, without those that the chain refused (a revert, a view the implementation does not have, no
 * contract at the address at that block). Missing is not zero: such a field is left out. A source that cannot be reached is
 * an error all the same.
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

/** Whether a call has failed because the chain refused it, and not because it could not be asked. */
export function isRefusal(error: unknown): boolean {
  return isError(error, 'CALL_EXCEPTION') || isError(error, 'BAD_DATA') || isDeferred(error);
}

/** Data of the right length that is no address or no text: ethers says so when the value is looked at, without a code. */
function isDeferred(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('deferred error during ABI decoding');
}
