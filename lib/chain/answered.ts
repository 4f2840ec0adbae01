import { isError } from 'ethers';

/** Values that may each be missing. */
export type Answers<Values> = { [Name in keyof Values]?: Values[Name] };

/**
 * The answers of several calls, without those that the chain refused (a revert, a view the implementation does not
 * have, no contract at the address at that block). Missing is not zero: such a field is left out. An unreachable source
 * still throws.
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

/** Whether a call failed because the chain refused it, rather than because it could not be asked. */
export function isRefusal(error: unknown): boolean {
  return isError(error, 'CALL_EXCEPTION') || isError(error, 'BAD_DATA') || isDeferred(error);
}

/**
 * Data of the right length that is no valid address or string: ethers throws when the value is read, without a code.
 */
function isDeferred(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('deferred error during ABI decoding');
}
