import * as z from 'zod/mini';
import { readDayPrices } from '../../history/day-prices.ts';
import { limitToLedger } from '../../ledger/limit-to-ledger.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { activityBody, activityParams, activitySchema } from '../bodies/activity-body.ts';
import type { EndpointDocs, Named, NamingParams, Path } from '../definition.ts';
import { defineEndpoint } from '../endpoint.ts';
import { csvFormat, JSON_FORMAT } from '../formats.ts';

/** An endpoint with the events of a subject of the ledger. */
export function activityEndpoint<OwnPath extends Path, Params extends NamingParams>({
  params,
  subject,
  ...docs
}: EndpointDocs<OwnPath> & { params: Params; subject: (named: Named<Params>) => string }) {
  return defineEndpoint({
    ...docs,
    freshSeconds: 3,
    reads: ['history', 'ledger'],
    input: z.object({ ...(params as NamingParams), ...activityParams }),
    normalizeInput: (input, context) => limitToLedger(input, context),
    response: activitySchema,
    formats: {
      json: JSON_FORMAT,
      csv: { ...csvFormat('activity'), validUntil: ({ to }) => ifKnown((time: number) => time + 1, to) },
    },
    async handle(input, context) {
      const events = context.ledger.page(subject(input as Named<Params>), input);
      return activityBody(...(await Promise.all([events, readDayPrices(context)])));
    },
  });
}
