import { expect, test } from '@jest/globals';
import { delegationCapacity, type Validator } from '../../../lib/validators/validator.ts';
import { nAVAX } from '../rewards/units.ts';

test.each([
  ['of a minipool', '2000', '0', '8000'],
  ['of a validator with some delegations', '2000', '125.5', '7874.5'],
  ['at a weight of five times the stake', '2000', '8000', '0'],
  ['with 3 M AVAX as the lower limit', '700000', '100000', '2200000'],
  ['with both limits the same', '600000', '0', '2400000'],
  ['at the maximum stake', '3000000', '0', '0'],
  // The minimum on Fuji is 1 AVAX.
  ['at the minimum stake', '1', '0', '4'],
  // Upgrades have changed the limits, and older validations keep theirs.
  ['above a limit', '3000000', '25', '0'],
])('the delegation capacity %s (%s AVAX of its own, %s delegated) is %s', (_name, stake, delegated, capacity) => {
  const validator = { amountStaked: nAVAX(stake), amountDelegated: nAVAX(delegated) } as Validator;
  expect(delegationCapacity(validator)).toBe(nAVAX(capacity));
});
