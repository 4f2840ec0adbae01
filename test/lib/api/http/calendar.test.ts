import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type CalendarEvent, toCalendar } from '../../../../lib/api/http/calendar.ts';

/** Read back by the rules of RFC 5545, strictly: CRLF, at most 75 bytes a line, folded and escaped. */

function read(text: string): Record<string, string>[] {
  const lines = text.split('\r\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\r\n]/);
  }
  const unfolded = lines.join('\r\n').replaceAll('\r\n ', '').split('\r\n');
  const parts = unfolded.map((line) => line.split(/:(.*)/s) as [string, string]);
  expect(parts.slice(0, 2)).toEqual([
    ['BEGIN', 'VCALENDAR', ''],
    ['VERSION', '2.0', ''],
  ]);
  const events: Record<string, string>[] = [];
  for (const [name, value] of parts) {
    if (name === 'BEGIN' && value === 'VEVENT') events.push({});
    else if (name !== 'END')
      Object.assign(events.at(-1) ?? {}, { [name]: value.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c)) });
  }
  return events;
}

test('an event of a day has a date without a time, and subscribers are asked to read again each hour', () => {
  const day = { id: 'a', time: Date.UTC(2026, 11, 31) / 1_000, allDay: true, title: '', detail: '' };
  const text = toCalendar('', [day], day.time);
  expect(text).toContain('\r\nDTSTART;VALUE=DATE:20261231\r\n');
  expect(text).toContain('\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H\r\n');
});

test('an event is read back as it was', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 }).map((given) => given.replace(/[\r\p{Cc}]/gu, ' '));
  const event = fc.record({
    id: fc.uuid(),
    time: fc.integer({ min: 0, max: 4e9 }),
    allDay: fc.constant(false),
    title: text,
    detail: text,
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), (events: CalendarEvent[]) => {
      const found = read(toCalendar('A; B, \\C', events, 1_789_158_328));
      expect(found).toEqual(
        events.map(({ id, time, title, detail }) => ({
          UID: id,
          DTSTAMP: '20260911T202528Z',
          DTSTART: new Date(time * 1_000).toISOString().replace(/[-:]|\.\d+/g, ''),
          SUMMARY: title,
          DESCRIPTION: detail,
        })),
      );
    }),
  );
});
