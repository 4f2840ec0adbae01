/** Dates as a calendar file (iCalendar, RFC 5545). */

import { isoDay, isoTime } from '../../values/iso-time.ts';

export const CALENDAR = 'text/calendar; charset=utf-8';

export interface CalendarEvent {
  /** The event's ID, equal in every file, so that a calendar that reads the file again updates the event. */
  id: string;
  /** Unix seconds. */
  time: number;
  /** True if the event is the UTC day of `time`, in every time zone. */
  allDay: boolean;
  title: string;
  detail: string;
}

/** A calendar of events as of a time (unix seconds), which subscribers read again each hour. */
export function toCalendar(name: string, events: readonly CalendarEvent[], asOf: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Staking data service//EN',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    // The same for Outlook and older programs.
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap(({ id, time, allDay, title, detail }) => [
      'BEGIN:VEVENT',
      `UID:${id}`,
      `DTSTAMP:${utc(asOf)}`,
      allDay ? `DTSTART;VALUE=DATE:${isoDay(time).replaceAll('-', '')}` : `DTSTART:${utc(time)}`,
      `SUMMARY:${escaped(title)}`,
      `DESCRIPTION:${escaped(detail)}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** `20261231T000000Z` */
function utc(seconds: number): string {
  return isoTime(seconds).replace(/[-:]/g, '');
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
