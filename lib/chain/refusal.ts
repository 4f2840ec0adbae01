import { ApiError } from '../runtime/errors.ts';

const NO_CONTRACT = 'A protocol contract is missing or does not answer as expected. Please try again later.';

/**
 * The chain refused a call: a revert, a view the implementation does not have, no contract at the address at that
 * block. To clients it is a source that does not answer: a contract may be replaced, or no longer be registered, at any
 * time. `reason` is for the log.
 */
export class Refusal extends ApiError {
  /** What the contract reverted with, 0x-prefixed hex, if it did. */
  readonly data: string | undefined;

  constructor(reason: string, data?: string) {
    super('UPSTREAM_UNAVAILABLE', NO_CONTRACT, { cause: new Error(reason) });
    this.data = data;
  }
}
