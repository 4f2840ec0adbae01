import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { csvFormat, JSON_FORMAT } from '../../lib/api/formats.ts';
import { CALENDAR, toCalendar } from '../../lib/api/http/calendar.ts';
import { addressParam } from '../../lib/api/params.ts';
import { blockRef, model, text, unixTime } from '../../lib/api/schemas.ts';
import { flagsDataset } from '../../lib/flags/flags-dataset.ts';
import { type Account, readAccounts } from '../../lib/protocol/accounts.ts';
import { listDeadlines } from '../../lib/protocol/deadlines.ts';
import { operatorsDataset } from '../../lib/protocol/operators-dataset.ts';
import { ifAvailable, ifKnown } from '../../lib/runtime/if-known.ts';
import { validatorsDataset } from '../../lib/validators/validators-dataset.ts';

export const accountsAddressCalendar = defineEndpoint({
  path: '/accounts/{address}/calendar.ics',
  tag: 'Accounts',
  summary: 'Deadlines of one address, as a calendar',
  description:
    'A calendar to subscribe to (iCalendar, RFC 5545): when withdrawal requests can be claimed and expire, when cycles of minipools and locks end, and what was announced for all. What needs attention now is dated today until it is done: expired requests, minipools to withdraw, GGP rewards, collateral under 10 or 20 %, uptime under 90 %. Each deadline keeps its UID, so that calendars update it.',
  freshSeconds: 300,
  inTable: true,
  reads: ['flags'],
  input: z.object({ address: addressParam('The address.') }),
  response: () =>
    z.object({
      deadlines: z
        .array(
          model(
            'Deadline',
            z.object({
              id: text('UID.'),
              time: unixTime('Start.'),
              title: text('Summary.'),
              detail: text('Description.'),
            }),
          ),
        )
        .check(z.describe('Deadlines, the earliest first.')),
      block: blockRef(),
    }),
  formats: {
    ics: {
      contentType: CALENDAR,
      write: ({ deadlines, block }) => toCalendar('GoGoPool / Hypha', deadlines, block.timestamp),
    },
    json: JSON_FORMAT,
    csv: csvFormat('deadlines'),
  },
  exampleRequest: '/accounts/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/calendar.ics?format=json',
  async handle({ address }, context) {
    const [{ accounts, block, terms }, operators, index, { flags }] = await Promise.all([
      readAccounts(context, [address]),
      ifAvailable(context.telemetry, 'minipools', () => context.dataset(operatorsDataset)),
      ifAvailable(context.telemetry, 'validators', () => context.dataset(validatorsDataset)),
      context.dataset(flagsDataset),
    ]);
    const until = flags.windDown?.enabled && flags.windDown.withdrawalsUntil;
    const deadlines = listDeadlines(accounts[0] as Account, {
      block,
      terms,
      cycleSeconds: ifKnown(Number, operators?.settings.minipoolCycleDuration),
      uptimes: new Map(index?.validators.map(({ nodeID, uptimePercent }) => [nodeID, uptimePercent])),
      announced: typeof until === 'string' ? { [until]: 'withdrawals' } : {},
    });
    return { deadlines: deadlines.map(({ id, ...rest }) => ({ id: `${address}-${id}`, ...rest })), block };
  },
});

export const handler = createHandler(accountsAddressCalendar);
