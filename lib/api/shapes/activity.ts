import * as z from 'zod/mini';
import { readDayPrices } from '../../history/day-prices.ts';
import { limitToLedger } from '../../ledger/limit-to-ledger.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { activityBody, activityParams, activitySchema } from '../bodies/activity-body.ts';
import type { Path } from '../definition.ts';
import { defineEndpoint } from '../endpoint.ts';
import { csvFormat, JSON_FORMAT } from '../formats.ts';
import type { EndpointDocs, Named, NamingParams } from './endpoint-docs.ts';

/** An endpoint with the events of a subject of the ledger. `subjectOf` makes the subject from the naming parameters. */
export function activityEndpoint<OwnPath extends Path, Params extends NamingParams>(
  words: EndpointDocs<OwnPath>,
  params: Params,
  subjectOf: (named: Named<Params>) => string,
) {
  const { exampleRequest, ...texts } = words;
  return defineEndpoint({
    ...texts,
    freshSeconds: 3,
    reads: ['history', 'ledger'],
    input: z.object({ ...(params as NamingParams), ...activityParams }),
    normalizeInput: (input, context) => limitToLedger(input, context),
    response: activitySchema,
    formats: {
      json: JSON_FORMAT,
      csv: { ...csvFormat('activity'), validUntil: ({ to }) => ifKnown((time: number) => time + 1, to) },
    },
    exampleRequest,
    async handle(input, context) {
      const subject = subjectOf(input as Named<Params>);
      return activityBody(...(await Promise.all([context.ledger.page(subject, input), readDayPrices(context)])));
    },
  });
}
