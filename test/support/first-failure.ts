import type { JestEnvironment } from '@jest/environment';
import type { Circus } from '@jest/types';
import { mixinJestEnvironment } from '@stryker-mutator/jest-runner';
import PlainEnvironment from './environment.ts';

const StrykerEnvironment = mixinJestEnvironment<typeof JestEnvironment>(PlainEnvironment);

/** The last fault that a test has detected. */
let detected: string | undefined;

/** The environment for `npm run test:mutation`. Once a test has failed, it skips all others with the same fault. */
export default class FirstFailure extends StrykerEnvironment {
  constructor(...args: ConstructorParameters<typeof StrykerEnvironment>) {
    super(...args);
    const { handleTestEvent } = this;
    this.handleTestEvent = async (event: Circus.Event, state: Circus.State) => {
      await handleTestEvent?.(event as Circus.SyncEvent, state);
      skipIfDetected(event);
    };
  }
}

function skipIfDetected(event: Circus.Event): void {
  const fault = process.env.__STRYKER_ACTIVE_MUTANT__;
  if (fault === undefined) return;
  if (event.name === 'test_done' && event.test.errors.length > 0) detected = fault;
  if (detected !== fault) return;
  if (event.name === 'test_start') event.test.mode = 'skip';
  if (event.name === 'run_describe_start') event.describeBlock.mode = 'skip';
}
