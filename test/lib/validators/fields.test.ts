import { expect, test } from '@jest/globals';
import { UpstreamFailure } from '../../../lib/chain/upstream/failover.ts';
import { essential, nAVAX, validatorsIn } from '../../../lib/validators/fields.ts';

test('an answer with an invalid field is a failure that names the field and shows what it held', () => {
  const rest = {
    nodeID: 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
    txID: '2',
    startTime: 1,
    endTime: 2,
    amountDelegated: 0n,
  };
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
});
