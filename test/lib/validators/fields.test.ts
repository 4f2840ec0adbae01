import { expect, test } from '@jest/globals';
import { UpstreamFailure } from '../../../lib/chain/upstream/failures.ts';
import { countText, essential, nAVAX, percent, percentText, validatorsIn } from '../../../lib/validators/fields.ts';

test('an answer with an invalid field is a failure that names the field and shows what it held', () => {
  const rest = { nodeID: 'NodeID-1', txID: '2', startTime: 1, endTime: 2, amountDelegated: 0n };
  const weights = (validators: unknown) =>
    validatorsIn({ validators }, (record) => ({ ...rest, amountStaked: essential(record, 'weight', nAVAX) }));
  expect(weights([{ weight: '7' }])).toMatchObject([{ amountStaked: 7n }]);
  const refused = (validators: unknown, message: string) => {
    const reading = expect(() => weights(validators));
    reading.toThrow(UpstreamFailure);
    reading.toThrow(expect.objectContaining({ outcome: 'malformed', cause: expect.objectContaining({ message }) }));
  };
  refused([{ weight: '7' }, { weight: 7 }], "a validator's weight: 7");
  refused([null], "a validator's weight: undefined");
  refused([{ weight: 'x'.repeat(300) }], `a validator's weight: "${'x'.repeat(199)}`);
  refused({ weight: '7' }, 'validators: {"weight":"7"}');
  refused([{ weight: '99999999999000000000' }], `a validator's weight: "99999999999000000000"`);
});

test.each([
  [2, 1],
  [2, 2],
  [1, 10_000_000_000],
])('a validator from %d to %d cannot be', (startTime, endTime) => {
  const times = { startTime, endTime };
  const validator = { nodeID: 'NodeID-1', txID: '2', amountStaked: 1n, amountDelegated: 0n, ...times };
  expect(() => validatorsIn({ validators: [{}] }, () => validator)).toThrow(UpstreamFailure);
});

test('implausible details are missing', () => {
  expect([percentText('100.0000'), percentText('999'), percentText('100.1')]).toEqual([100, undefined, undefined]);
  expect([percent(100), percent(101), percent(Number.POSITIVE_INFINITY)]).toEqual([100, undefined, undefined]);
  // All AVAX that there can ever be.
  expect([nAVAX('720000000000000000'), nAVAX('720000000000000001')]).toEqual([720_000_000_000_000_000n, undefined]);
  expect([countText('12'), countText('99999999999999999999')]).toEqual([12, undefined]);
});
