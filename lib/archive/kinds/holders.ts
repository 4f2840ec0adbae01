/** Holders of ggAVAX, and the daily changes of their balances, summed from the events. */

import { assetsOf, type HolderFlow } from '../../history/holder-flows.ts';
import { HOLDER_FIELDS, type Holder } from '../../history/holders-dataset.ts';
import { sharesOf } from '../../rewards/holder-yield.ts';
import { avax, ggAvax, unixTime } from '../../values/in-unit.ts';
import type { Row } from '../column.ts';
import { columnsOf } from '../declared.ts';
import type { TableSpec } from '../table-spec.ts';

export const HOLDERS: TableSpec = {
  name: 'holders',
  meaning:
    'Everybody who held ggAVAX at the block of this archive, the largest first. The withdrawal queue holds the ggAVAX of pending requests. All together they are the supply.',
  columns: columnsOf(HOLDER_FIELDS),
};

export function holderRow({ address, shares, since }: Holder): Row {
  return { address, ggAvax: shares, since };
}

export const HOLDERS_DAILY: TableSpec = {
  name: 'holders-daily',
  meaning:
    'What each holder of ggAVAX had at the end of each UTC day on which that changed, and by what it did: on all other days, they had what they had the day before. Sorted by time and address. The last day ends at the block of this archive.',
  columns: columnsOf({
    timestamp: unixTime('The UTC midnight at which the day ends. What happened in its very second belongs to the day.'),
    address: HOLDER_FIELDS.address,
    ggAvax: ggAvax('ggAVAX held at the end of the day.'),
    change: ggAvax('What came less what went on the day.'),
    deposited: avax('AVAX that was deposited for the holder.'),
    withdrawn: avax('AVAX for which they redeemed ggAVAX, or that the withdrawal queue promised for it.'),
    transferredIn: avax('Value of ggAVAX that came, at the time of each transfer.'),
    returned: avax('AVAX that the queue had promised for ggAVAX that it gave back: of cancelled and expired requests.'),
    transferredOut: avax('Value of ggAVAX that went, at the time of each transfer.'),
  }),
};

/** The row of a holder and a day: the balance at the end of the day, and the sums of the day's flows. Amounts in wei. */
export function holderDayRow(timestamp: number, address: string, ggAvax: bigint, flows: readonly HolderFlow[]): Row {
  return { timestamp, address, ggAvax, change: sharesOf(flows), ...assetsOf(flows) };
}
