import { describe, expect, test } from '@jest/globals';
import { csvFormat, JSON_FORMAT } from '../../../../lib/api/definition.ts';
import { CALENDAR } from '../../../../lib/api/http/calendar.ts';
import { preferredFormat } from '../../../../lib/api/http/negotiation.ts';
import { requestWith } from '../request.ts';

const LIST = { json: JSON_FORMAT, csv: csvFormat('entries') };
const DATES = { ics: { contentType: CALENDAR }, ...LIST };

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
    expect(preferredFormat(LIST, requestWith({ headers: { accept } }))).toBe(expected ? 'csv' : 'json');
  });

  test('that is not sent prefers the default', () => {
    expect([LIST, DATES].map((formats) => preferredFormat(formats, requestWith()))).toEqual(['json', 'ics']);
  });

  test.each([
    ['application/json', 'json'],
    ['application/json, text/plain, */*', 'ics'],
    ['application/json, */*;q=0.1', 'ics'],
    ['text/calendar, application/json', 'ics'],
    ['text/calendar;q=0.5, application/json', 'ics'],
    ['text/calendar,text/plain;q=0.8,*/*;q=0.5', 'ics'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'ics'],
    ['text/csv', 'csv'],
    ['*/*', 'ics'],
  ])('%j prefers of a calendar: %s', (accept, expected) => {
    expect(preferredFormat(DATES, requestWith({ headers: { accept } }))).toBe(expected);
  });
});
