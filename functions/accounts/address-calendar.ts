import { CALENDAR_BODY, CALENDAR_FORMATS } from '../../lib/api/bodies/calendar-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { readDeadlines } from '../../lib/protocol/deadlines.ts';

export const accountsAddressCalendar = defineEndpoint({
  path: '/accounts/{address}/calendar.ics',
  tag: 'Accounts',
  summary: 'Deadlines of one address, as a calendar',
  description:
    'Claims with a date as a calendar to subscribe to (iCalendar, RFC 5545), with alarms a week and a day before: when withdrawal requests become payable and expire, when minipools may end and locks end, and the announced end of withdrawals. Claims that can be made now stay until they are made. IDs are stable. While a source does not answer, JSON lists `deadlines` in `partial`, and the calendar is the last complete one or a 503, because calendars delete missing entries.',
  freshSeconds: 300,
  shared: true,
  reads: ['flags'],
  params: { address: addressParam('Address.') },
  body: CALENDAR_BODY,
  formats: CALENDAR_FORMATS,
  exampleRequest: '/accounts/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/calendar.ics?format=json',
  handle: ({ address }, context) => readDeadlines(context, [address]),
});

export const handler = /* @__PURE__ */ createHandler(accountsAddressCalendar);
