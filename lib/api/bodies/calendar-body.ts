/** The deadlines of addresses, as JSON and as a calendar. */

import type * as z from 'zod/mini';
import type { RequestContext } from '../../cache/dataset.ts';
import { statusName } from '../../contracts/minipool-statuses.ts';
import { flagsDataset } from '../../flags/flags-dataset.ts';
import type { FlagsContext } from '../../flags/flags-store.ts';
import { type Account, readAccounts } from '../../protocol/accounts.ts';
import {
  announcedDeadline,
  type Deadline,
  type DeadlineSources,
  inOrder,
  listDeadlines,
} from '../../protocol/deadlines.ts';
import type { Context } from '../../runtime/context.ts';
import { ifAvailable } from '../../runtime/if-known.ts';
import { type ValidatorsContext, validatorsDataset } from '../../validators/validators-dataset.ts';
import type { BlockRef } from '../../values/block.ts';
import { formatNodeID } from '../../values/cb58.ts';
import { fields, list, object, partialFields } from '../fields.ts';
import { csvFormat, JSON_FORMAT } from '../formats.ts';
import { CALENDAR, toCalendar } from '../http/calendar.ts';
import { address, block, flag, text, unixTime } from '../units.ts';
import { textOf } from './deadline-texts.ts';

type AddressDeadline = Deadline & { address?: string };

interface Calendar {
  deadlines: readonly AddressDeadline[];
  /** True if deadlines may be missing, because the data that they follow from is not known. */
  isIncomplete: boolean;
  block: BlockRef;
}

const deadline = object(
  'Deadline',
  fields<AddressDeadline>()({
    id: text('Stable across answers.', ({ id }) => id),
    address: address.optional('Address concerned. Omitted if all are.', ({ address }) => address),
    time: unixTime('Start.', ({ time }) => time),
    allDay: flag(
      'True if `time` stands for its UTC day: an announced day, or an action possible now.',
      ({ isDay }) => isDay,
    ),
    title: text('Summary.', (each) => textOf(each).title),
    detail: text('Description.', (each) => textOf(each).detail),
  }),
);

export const CALENDAR_BODY = partialFields<Calendar>('CalendarField')({
  deadlines: list(deadline)(
    'The earliest first.',
    ({ deadlines }) => deadlines,
    ({ isIncomplete }) => (isIncomplete ? 'SOURCE_UNAVAILABLE' : undefined),
  ),
  block: block(),
});

type Body = z.output<z.ZodMiniObject<ReturnType<typeof CALENDAR_BODY.shape>>>;

/** The formats of the calendar; the first is the default. With several addresses, each title names its address. */
export const CALENDAR_FORMATS = {
  ics: {
    contentType: CALENDAR,
    write: ({ deadlines, block }: Body) => {
      const isOne = new Set(deadlines.flatMap(({ address }) => address ?? [])).size < 2;
      const events = deadlines.map(({ address, title, ...event }) => ({
        ...event,
        title: isOne || !address ? title : `${title} (${address.slice(0, 6)}…${address.slice(-4)})`,
      }));
      return toCalendar('GoGoPool / Hypha', events, block.timestamp);
    },
  },
  json: JSON_FORMAT,
  csv: csvFormat('deadlines'),
};

export const CALENDAR_DESCRIPTION =
  'Deadlines as a calendar to subscribe to (iCalendar, RFC 5545): when withdrawal requests become claimable and expire, when waiting minipools can be canceled, when minipool cycles and locks end, and announced dates. Open actions are dated today until done: claimable, overdue and expired requests, minipools and locks to withdraw, GGP rewards, collateral under 10 or 20 %, uptime under 90 %. UIDs are stable. While a source does not answer, JSON lists `deadlines` in `partial`, and the calendar is the last complete one or a 503, because calendars delete missing entries.';

/** The deadlines of addresses at one block. */
export async function readCalendar(
  context: RequestContext<FlagsContext & ValidatorsContext>,
  addresses: readonly string[],
): Promise<Calendar> {
  const [{ accounts, ...common }, index, { flags }] = await Promise.all([
    readAccounts(context, addresses),
    ifAvailable(context, 'validators', () => context.dataset(validatorsDataset)),
    context.dataset(flagsDataset),
  ]);
  const announced = flags.windDown?.enabled ? String(flags.windDown.withdrawalsUntil) : '';
  // NaN for a text that is not a date: the flag is set by hand.
  const end = Date.parse(announced) / 1_000;
  const sources = {
    ...common,
    uptimes: new Map(index?.validators.map(({ nodeID, uptimePercent }) => [nodeID, uptimePercent])),
    announcedEnd: Number.isNaN(end) ? undefined : end,
  };
  const own = accounts.flatMap((account) =>
    listDeadlines(account, sources).map(
      (each): AddressDeadline => ({ ...each, id: `${account.address}-${each.id}`, address: account.address }),
    ),
  );
  return {
    deadlines: inOrder([...own, announcedDeadline(announced, end)]),
    isIncomplete: accounts.some((account) => isIncomplete(account, context, index && sources.uptimes)),
    block: common.block,
  };
}

/** True if deadlines follow from an unknown part of an account. Uptimes matter for `staking` minipools only. */
function isIncomplete(
  { minipools, waysOut, waysLater, locks }: Account,
  { config }: Context,
  uptimes: DeadlineSources['uptimes'] | undefined,
): boolean {
  const isUnread = [minipools, waysOut, waysLater].includes(undefined);
  const lacksUptime = minipools?.some(({ nodeID: hex, status }) => {
    const nodeID = formatNodeID(hex);
    const isUnknown = !uptimes || (uptimes.has(nodeID) && uptimes.get(nodeID) === undefined);
    return statusName(status) === 'staking' && isUnknown;
  });
  return isUnread || lacksUptime === true || (config.network.assetLocker !== undefined && !locks);
}
