import * as z from 'zod/mini';
import { activityBody, activityParams, activitySchema } from '../lib/api/bodies/activity-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { readDayPrices } from '../lib/history/day-prices.ts';
import { recordedRatesDataset } from '../lib/history/rates.ts';
import { subjectOf } from '../lib/ledger/ledger-entry.ts';
import { ledgerOf } from '../lib/ledger/ledger-store.ts';
import { limitToLedger } from '../lib/ledger/limit-to-ledger.ts';

export const activity = defineEndpoint({
  path: '/activity',
  tag: 'Activity',
  summary: 'Protocol activity',
  description:
    "Events of the protocol's contracts, including contracts that have since been replaced, newest first by default: GGP stakes and claims, minipools, ggAVAX deposits, withdrawals, and transfers, rewards, unstaking, and oracle prices. `coverage` is the range of blocks searched.",
  freshSeconds: 3,
  datasets: [recordedRatesDataset],
  reads: ['history', 'ledger'],
  input: z.object(activityParams),
  canonical: (input, context) => limitToLedger(input, context),
  response: activitySchema,
  rows: 'activity',
  exampleRequest: '/activity?limit=3',
  example: {
    activity: [
      {
        block: 95_044_102,
        logIndex: 4,
        timestamp: 1_789_157_720,
        txHash: '0x5e1d3a76fbf824220eafc8c79ad578ad2b67d01b0c2425eb1f1347e8f50882ab',
        type: 'ggAvaxDeposited',
        caller: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
        owner: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
        assets: '100',
        shares: '83.5813038874988682',
      },
      {
        block: 95_044_055,
        logIndex: 0,
        timestamp: 1_789_157_610,
        txHash: '0x7b0a1c9d2e64f5538890ab1dce02f7716a9cd4583be6120f4e5d7a80c3b9f112',
        type: 'minipoolStatusChanged',
        nodeID: 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
        owner: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
        status: 'withdrawable',
        rewardAVAX: '2.0814784335',
      },
    ],
    nextCursor: '000095044055-000000',
    lastCursor: '000095044297-999999',
    coverage: { from: 28_400_000, to: 95_044_397, toTimestamp: 1_789_158_328, complete: true },
  },
  handle: async (input, context) =>
    activityBody(...(await Promise.all([ledgerOf(context).page(subjectOf.protocol, input), readDayPrices(context)]))),
});

export const handler = createHandler(activity);
