/** Deadlines as JSON and as a calendar. */

import { id as hash } from 'ethers';
import type * as z from 'zod/mini';
import type { Deadline, Deadlines } from '../../protocol/deadlines.ts';
import { csvFormat, JSON_FORMAT } from '../definition.ts';
import { list, object, partialObject } from '../fields.ts';
import { CALENDAR, toCalendar } from '../http/calendar.ts';
import { address, block, flag, text, unixTime } from '../units.ts';

const deadline = object<Deadline>('Deadline')({
  id: text('Stable across answers.'),
  address: address.optional('Address concerned. Omitted if all are.'),
  time: unixTime('Start.'),
  endTime: unixTime.optional('End of an entry of whole UTC days. Omitted for a moment.'),
  open: flag('True for a claim that can be made now. It lasts from this week to the end of the next.'),
  title: text('Summary.'),
  detail: text('Description.'),
  url: text.optional('Contract to call, in a block explorer. Omitted on networks without one.'),
});

export const CALENDAR_BODY = partialObject<Deadlines>('CalendarField')({
  deadlines: list(deadline)(
    'The earliest first.',
    ({ deadlines }) => deadlines,
    ({ isIncomplete }) => (isIncomplete ? 'SOURCE_UNAVAILABLE' : undefined),
  ),
  block: block(),
});

type Body = z.output<ReturnType<typeof CALENDAR_BODY.schema>>;
interface Input {
  address: string | readonly string[];
}

/** The formats of the calendar; the first is the default. With several addresses, each title names its address. */
export const CALENDAR_FORMATS = {
  ics: {
    contentType: CALENDAR,
    extension: 'ics',
    write: ({ deadlines }: Body, { address: asked }: Input) => {
      const addresses = [asked].flat().toSorted();
      const [first = '', ...others] = addresses;
      const name = `GoGoPool / Hypha ${short(first)}${others.length > 0 ? ` and ${others.length} more` : ''}`;
      const events = deadlines.map(({ address, title, id, ...event }) => ({
        ...event,
        // Programs take equal IDs in two calendars for the same entry.
        id: `${hash(`${addresses}`).slice(2, 10)}-${id}`,
        title: others.length === 0 || !address ? title : `${title} (${short(address)})`,
      }));
      return toCalendar(name, events);
    },
  },
  json: JSON_FORMAT,
  csv: csvFormat('deadlines'),
};

function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
