import { CALENDAR_BODY, CALENDAR_DESCRIPTION, CALENDAR_FORMATS } from '../../lib/api/bodies/calendar-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { readDeadlines } from '../../lib/protocol/deadlines.ts';

export const accountsAddressCalendar = defineEndpoint({
  path: '/accounts/{address}/calendar.ics',
  tag: 'Accounts',
  summary: 'Deadlines of one address, as a calendar',
  description: CALENDAR_DESCRIPTION,
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
