/** Who holds ggAVAX, and each day's changes of what everybody held, as the events add up. */

import type { HolderDay } from '../../history/holder-day.ts';
import type { Holder } from '../../history/holders-dataset.ts';
import type { Row } from '../column.ts';
import type { Kind } from '../kind.ts';

const GG_AVAX = { type: 'decimal', unit: 'ggAVAX' } as const;
const AVAX = { type: 'decimal', unit: 'AVAX' } as const;
const ADDRESS = { name: 'address', type: 'text', meaning: 'Address of the holder.' } as const;

export const HOLDERS = {
  name: 'holders',
  meaning:
    'Everybody who held ggAVAX at the block of this archive, the largest first. The withdrawal queue holds the ggAVAX of pending requests. All together they are the supply.',
  columns: [
    ADDRESS,
    { name: 'ggAvax', ...GG_AVAX, meaning: 'ggAVAX held.' },
    { name: 'since', type: 'time', meaning: 'When the address first held ggAVAX.' },
  ],
} as const satisfies Kind;

export function holderRow({ address, shares, since }: Holder): Row {
  return { address, ggAvax: shares, since };
}

export const HOLDERS_DAILY = {
  name: 'holders-daily',
  meaning:
    'What each holder of ggAVAX had at the end of each UTC day on which that changed, and by what it did: on all other days, they had what they had the day before. Sorted by time and address. The last day ends at the block of this archive.',
  columns: [
    {
      name: 'timestamp',
      type: 'time',
      meaning: 'The UTC midnight at which the day ends. What happened in its very second belongs to the day.',
    },
    ADDRESS,
    { name: 'ggAvax', ...GG_AVAX, meaning: 'ggAVAX held at the end of the day.' },
    { name: 'change', ...GG_AVAX, meaning: 'What came less what went on the day.' },
    { name: 'deposited', ...AVAX, meaning: 'AVAX that was deposited for the holder.' },
    {
      name: 'withdrawn',
      ...AVAX,
      meaning: 'AVAX for which they redeemed ggAVAX, or that the withdrawal queue promised for it.',
    },
    { name: 'transferredIn', ...AVAX, meaning: 'Value of ggAVAX that came, at the time of each transfer.' },
    {
      name: 'returned',
      ...AVAX,
      meaning: 'AVAX that the queue had promised for ggAVAX that it gave back: of cancelled and expired requests.',
    },
    { name: 'transferredOut', ...AVAX, meaning: 'Value of ggAVAX that went, at the time of each transfer.' },
  ],
} as const satisfies Kind;

/** What a holder had at the end of a day, and its sums. */
export function holderDayRow(timestamp: number, address: string, ggAvax: bigint, { flows, assets }: HolderDay): Row {
  return { timestamp, address, ggAvax, change: flows?.shares, ...assets };
}
