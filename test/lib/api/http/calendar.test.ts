import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { toCalendar } from '../../../../lib/api/http/calendar.ts';
import type { Deadline } from '../../../../lib/protocol/deadlines.ts';

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

const EVENT: Deadline = { id: 'a', time: Date.UTC(2026, 11, 31) / 1_000, open: false, title: 'A', detail: '' };

test('an event of whole days has dates, blocks no time, and has an alarm a week and a day before', () => {
  const text = toCalendar('', [{ ...EVENT, endTime: EVENT.time + 86_400 }]);
  expect(text).toContain('\r\nDTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\nTRANSP:TRANSPARENT\r\n');
  expect(text).toContain('\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H\r\n');
  expect([...text.matchAll(/TRIGGER:(.*)\r/g)].map(([, before]) => before)).toEqual(['-P7D', '-P1D']);
  expect(toCalendar('', [{ ...EVENT, open: true }])).not.toContain('VALARM');
});

test('the sequence grows if an event moves to a later day, and if it can be acted on', () => {
  const sequenceOf = (event: Partial<Deadline>) =>
    Number(/SEQUENCE:(\d+)/.exec(toCalendar('', [{ ...EVENT, ...event }]))?.[1]);
  const states = [{}, { time: EVENT.time + 86_400 }, { open: true, time: EVENT.time - 864_000 }].map(sequenceOf);
  expect(states).toEqual(states.toSorted((a, b) => a - b));
  expect(new Set(states).size).toBe(3);
});

test('an event is read back as it was', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 }).map((given) => given.replace(/[\r\p{Cc}]/gu, ' '));
  const event = fc.record({
    id: fc.uuid(),
    time: fc.integer({ min: 0, max: 4e9 }),
    open: fc.constant(true),
    title: text,
    detail: text,
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), (events: Deadline[]) => {
      expect(read(toCalendar('A; B, \\C', events))).toMatchObject(
        events.map(({ id, time, title, detail }) => ({
          UID: id,
          DTSTART: new Date(time * 1_000).toISOString().replace(/[-:]|\.\d+/g, ''),
          SUMMARY: title,
          DESCRIPTION: detail,
        })),
      );
    }),
  );
});
