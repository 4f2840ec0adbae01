import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { list, object, partialObject } from '../../../lib/api/fields.ts';
import { avax, integer, unixTime, usd } from '../../../lib/api/units.ts';

interface Part {
  amount: bigint | undefined;
}

const PART = object<Part>()({ amount: avax.optional('Amount.', ({ amount }) => amount, 'SOURCE_UNAVAILABLE') });

interface Source {
  price: bigint | undefined;
  isIndexed: boolean;
  part: Part | undefined;
  parts: Part[];
}

const BODY = partialObject<Source>('TestField')({
  price: usd.optional('Price.', ({ price }) => price, 'NO_PRICE'),
  count: integer(
    'Count.',
    ({ parts }) => parts.length,
    ({ isIndexed }) => (isIndexed ? undefined : 'NOT_INDEXED'),
  ),
  total: PART.optional('Total.', ({ part }) => part),
  parts: list(PART)('Parts.', ({ parts }) => parts),
});

test('a body without gaps has neither partial nor reasons', () => {
  const whole: Source = { price: 0n, isIndexed: true, part: { amount: 0n }, parts: [{ amount: 0n }] };
  const body = BODY.json(whole);
  expect(Object.keys(body)).toEqual(['price', 'count', 'total', 'parts']);
  expect(BODY.json({ ...whole, part: undefined })).not.toHaveProperty('partial');
  expect(BODY.schema().parse(body)).toEqual(body);
});

test('a body names its gaps, with prefixes for parts of objects, and once for all entries of a list', () => {
  const missing = { amount: undefined };
  const body = BODY.json({ price: undefined, isIndexed: false, part: missing, parts: [{ amount: 0n }, missing] });
  expect(body).toMatchObject({
    partial: ['price', 'count', 'total.amount', 'amount'],
    reasons: {
      price: 'NO_PRICE',
      count: 'NOT_INDEXED',
      'total.amount': 'SOURCE_UNAVAILABLE',
      amount: 'SOURCE_UNAVAILABLE',
    },
  });
  const { partial, reasons } = BODY.schema().shape;
  expect(z.object({ partial, reasons }).parse(body)).toEqual({ partial: body.partial, reasons: body.reasons });
  expect(() => z.object({ partial }).parse({ partial: ['other'] })).toThrow(z.core.$ZodError);
});

test('a time beyond the year 9999, which contracts store for never, is the last second of that year', () => {
  expect([0n, 1_800_000_000n, 2n ** 256n - 1n].map((time) => unixTime.json(time))).toEqual([
    0, 1_800_000_000, 253_402_300_799,
  ]);
});
