import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { delegationCapacity, type Validator, weightOf } from '../../lib/validators/validator.ts';
import { nAVAX } from '../rewards/units.ts';

const validator = (amountStaked: bigint, amountDelegated: bigint): Validator => ({
  nodeID: 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
  txID: '11111111111111111111111111111111LpoYY',
  startTime: 1_790_100_000,
  endTime: 1_791_396_000,
  amountStaked,
  amountDelegated,
});

describe('delegation capacity', () => {
  test.each([
    ['a minipool', '2000', '0', '8000'],
    ['with some delegations', '2000', '125.5', '7874.5'],
    ['delegated up to five times its stake', '2000', '8000', '0'],
    ['where 3 M AVAX is the lesser limit', '700000', '100000', '2200000'],
    ['where both limits are the same', '600000', '0', '2400000'],
    ['that stakes the most itself', '3000000', '0', '0'],
    // Fuji lets validators start with 1 AVAX.
    ['that stakes the least', '1', '0', '4'],
    // Limits have been changed by upgrades; older validations keep what they have.
    ['above a limit', '3000000', '25', '0'],
  ])('%s', (_name, stake, delegated, capacity) => {
    expect(delegationCapacity(validator(nAVAX(stake), nAVAX(delegated)))).toBe(nAVAX(capacity));
  });

  test('is never negative, and never takes the weight above a limit', () => {
    const amount = fc.bigInt(1n, nAVAX('3000000'));
    fc.assert(
      fc.property(amount, amount, (stake, delegated) => {
        const one = validator(stake, delegated);
        const capacity = delegationCapacity(one);
        expect(capacity).toBeGreaterThanOrEqual(0n);
        if (capacity === 0n) return;
        expect(weightOf(one) + capacity).toBeLessThanOrEqual(nAVAX('3000000'));
        expect(weightOf(one) + capacity).toBeLessThanOrEqual(5n * stake);
      }),
    );
  });
});
