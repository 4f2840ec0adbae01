import { CALENDAR_BODY, CALENDAR_FORMATS } from '../../lib/api/bodies/calendar-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressesParam } from '../../lib/api/params.ts';
import { MAX_ADDRESSES } from '../../lib/protocol/accounts.ts';
import { readDeadlines } from '../../lib/protocol/deadlines.ts';

export const accountsCalendar = defineEndpoint({
  path: '/accounts/calendar.ics',
  tag: 'Accounts',
  summary: 'Deadlines of several addresses, as a calendar',
  description: '`/accounts/{address}/calendar.ics` for several addresses. Titles name the address.',
  freshSeconds: 300,
  shared: true,
  reads: ['flags'],
  params: { address: addressesParam(MAX_ADDRESSES, 'Addresses.') },
  body: CALENDAR_BODY,
  formats: CALENDAR_FORMATS,
  exampleRequest:
    '/accounts/calendar.ics?address=0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65,0xFABB0ac9d68B0B445fB7357272Ff202C5651694a&format=json',
  handle: ({ address }, context) => readDeadlines(context, address),
});

export const handler = /* @__PURE__ */ createHandler(accountsCalendar);
