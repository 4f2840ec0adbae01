import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { UpstreamFailure } from '../../lib/upstream/failover.ts';
import { understood } from '../../lib/validators/fields.ts';

test('an answer with an invalid field is a failure that names the field', () => {
  const Page = z.object({ validators: z.array(z.object({ weight: z.string() })) });
  expect(understood(Page, { validators: [{ weight: '7' }] })).toEqual({ validators: [{ weight: '7' }] });
  const refused = expect(() => understood(Page, { validators: [{ weight: '7' }, { weight: 7 }] }));
  refused.toThrow(UpstreamFailure);
  refused.toThrow(
    expect.objectContaining({
      outcome: 'malformed',
      cause: expect.objectContaining({ message: expect.stringMatching(/^validators\.1\.weight: ./) }),
    }),
  );
});
