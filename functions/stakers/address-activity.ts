import * as z from 'zod/mini';
import { activityBody, activityParams, activitySchema } from '../../lib/api/bodies/activity-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { readDayPrices } from '../../lib/history/day-prices.ts';
import { recordedRatesDataset } from '../../lib/history/rates.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { limitToLedger } from '../../lib/ledger/limit-to-ledger.ts';

export const stakersAddressActivity = defineEndpoint({
  path: '/stakers/{address}/activity',
  tag: 'Stakers',
  summary: 'Activity of one GGP staker',
  description:
    'GGP that a staker has staked, withdrawn, claimed, and lost to slashing, and events of their minipools with the AVAX that each cycle has earned them, newest first. The list is empty if there are none.',
  freshSeconds: 3,
  datasets: [recordedRatesDataset],
  reads: ['history', 'ledger'],
  input: z.object({ address: addressParam('Address of the staker.'), ...activityParams }),
  canonical: (input, context) => limitToLedger(input, context),
  response: activitySchema,
  rows: 'activity',
  exampleRequest: '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/activity?limit=3',
  example: {
    activity: [
      {
        block: 93_120_411,
        logIndex: 7,
        timestamp: 1_787_110_021,
        txHash: '0x5e1d3a76fbf824220eafc8c79ad578ad2b67d01b0c2425eb1f1347e8f50882ab',
        type: 'ggpRewardsClaimed',
        staker: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
        amount: '287.25',
        restaked: '95.75',
      },
    ],
    lastCursor: '000095044297-999999',
    coverage: { from: 28_400_000, to: 95_044_397, toTimestamp: 1_789_158_328, complete: true },
  },
  handle: async ({ address, ...input }, context) =>
    activityBody(
      ...(await Promise.all([ledgerOf(context).page(subjectOf.staker(address), input), readDayPrices(context)])),
    ),
});

export const handler = createHandler(stakersAddressActivity);
