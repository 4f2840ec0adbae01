/** What ggAVAX earned each day, and from what, as the events tell it. */

import type { Period } from '../../history/periods.ts';
import type { PeriodYield } from '../../history/yield-streams-dataset.ts';
import type { Row } from '../column.ts';
import type { Kind } from '../kind.ts';

const AVAX = { type: 'decimal', unit: 'AVAX' } as const;
const GGP = { type: 'decimal', unit: 'GGP' } as const;

export const YIELD_DAILY = {
  name: 'yield-daily',
  meaning:
    'What ggAVAX earned on each UTC day since the first yield, by source, and the GGP that was minted, sorted by time. Yield that comes in is released over the rewards stream that follows, which is when it counts here.',
  columns: [
    { name: 'timestamp', type: 'time', meaning: 'Start of the day.' },
    { name: 'grossYield', ...AVAX, meaning: 'Yield before the fee: `netYield` + `fee`.' },
    { name: 'fee', ...AVAX, meaning: 'Fee that the protocol took of this yield when it came in.' },
    {
      name: 'netYield',
      ...AVAX,
      meaning:
        'Yield that rewards streams released to holders: what the assets of the pool grew by, less deposits and plus withdrawals.',
    },
    { name: 'minipools', ...AVAX, meaning: 'Part of `netYield` from minipools.' },
    { name: 'delegation', ...AVAX, meaning: 'Part of it from delegations outside minipools.' },
    { name: 'mev', ...AVAX, meaning: 'Part of it from MEV.' },
    { name: 'other', ...AVAX, meaning: 'Part of it from everything else, including AVAX that no event explains.' },
    { name: 'ggpMinted', ...GGP, meaning: 'GGP minted by rewards cycles that started on the day.' },
    { name: 'ggpToOperators', ...GGP, meaning: 'Part of it for node operators.' },
    { name: 'ggpToDao', ...GGP, meaning: 'Part of it for the DAO treasury.' },
    { name: 'ggpToMultisigs', ...GGP, meaning: 'Part of it for the multisigs.' },
    { name: 'partial', type: 'flag', meaning: 'Whether the day was not over at the block of this archive.' },
  ],
} as const satisfies Kind;

/** The row of a day. `knownTo` is the time of the archive's block. */
export function rowOf({ start, end }: Period, { net, fee, bySource, ggp }: PeriodYield, knownTo: number): Row {
  return {
    timestamp: start,
    grossYield: net + fee,
    fee,
    netYield: net,
    ...bySource,
    ggpMinted: ggp.totalAmt,
    ggpToOperators: ggp.ClaimNodeOp,
    ggpToDao: ggp.ClaimProtocolDAO,
    ggpToMultisigs: ggp.MultisigManager,
    partial: end > knownTo,
  };
}
