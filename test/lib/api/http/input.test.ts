import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { ENDPOINTS } from '../../../../functions/index.ts';
import { canonicalText, parseInput } from '../../../../lib/api/http/input.ts';
import { requestWith } from '../request.ts';

const word = z.string({ error: 'must be given once' }).check(z.regex(/^[a-z]+$/, { error: 'must be letters' }));
const schema = z.object({ id: word, limit: z.optional(word), from: z.optional(word) });

const parse = (params: Record<string, string>, query: Record<string, string[]> = {}) =>
  parseInput(schema, requestWith({ params, query }));

describe('every endpoint', () => {
  /** The parameters whose unknown values are a 404. */
  const NAMES = ['dex', 'key', 'name'];

  test.each(
    Object.values(ENDPOINTS).flatMap(({ path, input }) =>
      Object.keys(input.shape).flatMap((name) => (NAMES.includes(name) ? [] : [[path, name, input] as const])),
    ),
  )('(%s) refuses what cannot be a %s, and names it', (_, name, input) => {
    for (const given of ['!', '-1', `${'9'.repeat(400)}`]) {
      const refused = () => parseInput(input, requestWith({ params: { [name]: given }, query: { [name]: [given] } }));
      expect(refused).toThrow(
        expect.objectContaining({ errors: expect.arrayContaining([expect.objectContaining({ parameter: name })]) }),
      );
    }
  });
});

describe('the input of a request', () => {
  test('is what the schema defines, from path and query', () => {
    expect(parse({ id: 'a' }, { limit: ['b'], utm_source: ['c'], fbclid: ['d'], gclid: ['e'], _: ['f'] })).toEqual({
      id: 'a',
      limit: 'b',
    });
  });

  test.each(['other', 'Limit', 'utm', '__', 'gclid2', 'id', ''])(
    'is rejected with an unknown parameter, %s',
    (parameter) => {
      const message = 'is not a parameter of this endpoint, which takes limit, from';
      expect(() => parse({ id: 'a' }, { limit: ['b'], [parameter]: ['c'] })).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST', errors: [{ parameter, message }] }),
      );
    },
  );

  test('is rejected with all its mistakes, by parameter', () => {
    expect(() => parse({ id: '1' }, { limit: ['2'], from: ['x', 'y'] })).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        status: 400,
        message: 'id must be letters; limit must be letters; from must be given once.',
        errors: [
          { parameter: 'id', message: 'must be letters' },
          { parameter: 'limit', message: 'must be letters' },
          { parameter: 'from', message: 'must be given once' },
        ],
      }),
    );
  });

  test('is rejected with its first five mistakes', () => {
    const query = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, ['1']]));
    expect(() => parse({ id: '1' }, query)).toThrow(
      expect.objectContaining({
        errors: ['id', 'a', 'b', 'c', 'd'].map((parameter) => expect.objectContaining({ parameter })),
      }),
    );
  });

  test('has one canonical text, whatever its order, with amounts to the last digit', () => {
    const texts = [
      { limit: ['b'], from: ['c'] },
      { from: ['c'], limit: ['b'] },
    ].map((query) => canonicalText(parse({ id: 'a' }, query)));
    expect(texts).toEqual(Array(2).fill('{"id":"a","limit":"b","from":"c"}'));
    expect(canonicalText({ amount: 10n ** 30n })).toBe('{"amount":"1000000000000000000000000000000"}');
  });
});
