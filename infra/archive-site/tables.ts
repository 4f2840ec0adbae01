/** The tables of an export: every list and history of the protocol that the API has as CSV, and two that are read otherwise. */

import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import { ENDPOINTS } from '../../functions/index.ts';
import { toActivity } from '../../lib/api/bodies/activity-body.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import type { Services } from '../../lib/api/services.ts';
import { address } from '../../lib/api/units.ts';
import type { Table } from '../../lib/archive/table.ts';
import { readDayPrices } from '../../lib/history/day-prices.ts';
import { INTERVALS, type Interval } from '../../lib/history/series.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { type Answers, protocolPaths } from './answers.ts';

export interface TableSource extends Table {
  /** The rows in their order, in batches. */
  read(): AsyncGenerator<object[]>;
}

const WORDS: Record<Interval, string> = { '1h': 'hourly', '1d': 'daily' };

/** The tables of an export. `since`: start of histories, unix seconds. `stakers`: addresses that have staked GGP. */
export function tableSources(context: Services, answers: Answers, since: number, stakers: string[]): TableSource[] {
  const lists = protocolPaths().filter(({ endpoint }) => endpoint.formats.csv && endpoint.path !== '/activity');
  return [
    { name: 'events', meaning: EVENTS, row: rowOf(ENDPOINTS.activity), byYear: true, read: () => readEvents(context) },
    ...lists.flatMap(({ endpoint, path }) => {
      const name = path.slice(1).replaceAll('/', '-');
      const source = (suffix: string, query: string): TableSource => ({
        name: name.replace(/-history$/, '') + suffix,
        meaning: meaningOf(endpoint, path),
        row: rowOf(endpoint),
        read: () => answers.pages(path + query, endpoint.formats.csv?.rows as string),
      });
      const { interval: parameter } = endpoint.input.shape;
      if (!parameter) return [source('', '')];
      return INTERVALS.filter((interval) => parameter.safeParse(interval).success).map((interval) =>
        source(`-${WORDS[interval]}`, `?interval=${interval}&from=${since}`),
      );
    }),
    {
      name: 'distributions',
      meaning:
        'GGP that each rewards cycle paid to each staker: the growth of its unclaimed rewards plus claims in between.',
      row: z.extend(rowOf(ENDPOINTS['rewards/address-cycles']) as z.ZodMiniObject, {
        address: address.schema('Address of the staker.'),
      }),
      async *read() {
        for (const staker of stakers)
          for await (const rows of answers.pages(`/rewards/${staker}/cycles`, 'cycles'))
            yield rows.map((row) => ({ ...row, address: getAddress(staker) }));
      },
    },
  ];
}

const EVENTS =
  "Events of the protocol's contracts, the oldest first. A row has only the columns of its type. Values are at the prices at the end of the UTC day.";

/** What a table has, without what the description says of requests: `Minipools: One record per node, as in the contract.` */
function meaningOf({ summary, description }: Endpoint, path: string): string {
  const exchange = EXCHANGES.find(({ code }) => path.split('/').includes(code))?.name;
  return `${summary.replace('one exchange', exchange ?? '')}: ${description.split(/(?<=\.) /)[0]}`;
}

/** Schema of a list's entries. */
function rowOf(endpoint: Endpoint | undefined): z.core.$ZodType {
  const { response, formats } = endpoint as Endpoint;
  const { shape } = response() as z.ZodMiniObject<Record<string, z.ZodMiniArray>>;
  const { rows = '' } = formats.csv ?? {};
  return (shape[rows] as z.ZodMiniArray).def.element;
}

/** Events as the API writes them, read without its pages. */
async function* readEvents(context: Services): AsyncGenerator<object[]> {
  const prices = await readDayPrices(context);
  const { coverage } = await context.ledger.progress.latest();
  for await (const entries of context.ledger.pages(subjectOf.protocol, coverage)) yield toActivity(entries, prices);
}
