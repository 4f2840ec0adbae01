import { describe, expect, test } from '@jest/globals';
import { prefers } from '../../../../lib/api/http/negotiation.ts';
import { requestWith } from '../request.ts';

describe('Accept', () => {
  test.each([
    ['text/csv', true],
    ['TEXT/CSV; header=present', true],
    ['text/html , text/csv', true],
    ['text/csv ;q=0.5', true],
    ['text/csv, */*', true],
    ['text/csv;q=0.5, */*;q=0.5', true],
    ['text/csv;q=0.2, */*', false],
    ['text/csv;q=0.2, application/*', false],
    ['text/csv;q=0.2, application/*;q=0.1, */*', true],
    ['text/csv;q=0.2, application/json;q=0.1, */*', true],
    ['text/csv;q=0.9, application/json;q=0.8', true],
    ['application/json, text/csv;q=0.9', false],
    ['application/json, text/csv', false],
    ['text/csv;q=0', false],
    ['*/*', false],
    ['text/*', false],
    ['', false],
  ])('%j prefers CSV: %p', (accept, expected) => {
    expect(prefers('text/csv', requestWith({ headers: { accept } }))).toBe(expected);
  });

  test('that is not sent does not prefer CSV', () => {
    expect(prefers('text/csv', requestWith())).toBe(false);
  });
});
