import { type Contract, call, type Read, type Transaction } from '../chain.ts';

/** Something that happens: in the first block at or after its day. Steps of one block keep their order. */
export interface Step {
  day: number;
  /** Asked for when the day has come, so it may read the chain as it is after the block before. */
  transactions(read: Read): Transaction[] | Promise<Transaction[]>;
}

/** One transaction on a day. Its arguments may depend on the chain as it is then. */
export function act(
  day: number,
  from: string,
  contract: Contract,
  method: string,
  args: readonly unknown[] | ((read: Read) => Promise<readonly unknown[]>) = [],
  value = 0n,
): Step {
  const given = async (read: Read) => (typeof args === 'function' ? args(read) : args);
  return { day, transactions: async (read) => [call(from, contract, method, await given(read), value)] };
}
