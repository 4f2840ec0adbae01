/** Dates as a calendar file (iCalendar, RFC 5545). */

import type { Deadline } from '../../protocol/deadlines.ts';
import { isoTime } from '../../values/iso-time.ts';

export const CALENDAR = 'text/calendar; charset=utf-8';

/** More hours than any date has since 1970. */
const OPENED = 100_000_000;
/** The time of writing that all events give, so that an event changes only if its content does. */
const WRITTEN = '20260101T000000Z';

/** A calendar, which subscribers read again each hour. Claims that can be made now get no alarm. */
export function toCalendar(name: string, events: readonly Deadline[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Staking data service//EN',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    // The same for Outlook and older programs.
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap(({ id, time, endTime, open, title, detail, url }) => [
      'BEGIN:VEVENT',
      `UID:${id}`,
      `DTSTAMP:${WRITTEN}`,
      // It grows when an event moves to a later hour, or can be acted on.
      `SEQUENCE:${Math.floor(time / 3_600) + (open ? OPENED : 0)}`,
      ...(endTime === undefined
        ? [`DTSTART:${utc(time)}`]
        : [`DTSTART;VALUE=DATE:${utc(time, 8)}`, `DTEND;VALUE=DATE:${utc(endTime, 8)}`]),
      'TRANSP:TRANSPARENT',
      `SUMMARY:${escaped(title)}`,
      `DESCRIPTION:${escaped(detail)}`,
      ...(url ? [`URL:${url}`] : []),
      ...(open ? [] : ['-P7D', '-P1D'].flatMap((before) => alarm(before, title))),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function alarm(before: string, title: string): string[] {
  return ['BEGIN:VALARM', 'ACTION:DISPLAY', `TRIGGER:${before}`, `DESCRIPTION:${escaped(title)}`, 'END:VALARM'];
}

/** `20261231T000000Z`, or the first `length` characters of it. */
function utc(seconds: number, length?: number): string {
  return isoTime(seconds).replace(/[-:]/g, '').slice(0, length);
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n');
}

/** Folds a line: a line may have 75 bytes; the rest follows after a space. Characters are not cut. */
function folded(line: string): string {
  const parts = [''];
  for (const character of line) {
    if (Buffer.byteLength(parts.at(-1) + character) > 74) parts.push('');
    parts[parts.length - 1] += character;
  }
  return parts.join('\r\n ');
}
