/** Holders of ggAVAX, and the daily changes of their balances, summed from the events. */

import { assetsOf, type HolderFlow } from '../../history/holder-flows.ts';
import { HOLDER_FIELDS, type Holder } from '../../history/holders-dataset.ts';
import { sharesOf } from '../../rewards/holder-yield.ts';
import { avax, ggAvax, unixTime } from '../../values/units.ts';
import type { Row } from '../column.ts';
import { toColumns } from '../declared.ts';
import type { TableSpec } from '../table-spec.ts';

export const HOLDERS: TableSpec = {
  name: 'holders',
  meaning:
    'All holders of ggAVAX at the block of this archive, largest first. The withdrawal queue holds the ggAVAX of pending requests. Together they hold the supply.',
  columns: toColumns(HOLDER_FIELDS),
};

export function holderRow({ address, shares, since }: Holder): Row {
  return { address, ggAvax: shares, since };
}

export const HOLDERS_DAILY: TableSpec = {
  name: 'holders-daily',
  meaning:
    'Balance of each holder of ggAVAX at the end of each UTC day on which it changed, and the changes by kind. On other days, the balance is that of the day before. Sorted by time and address. The last day ends at the block of this archive.',
  columns: toColumns({
    timestamp: unixTime('The UTC midnight at which the day ends. Events in that second belong to the day.'),
    address: HOLDER_FIELDS.address,
    ggAvax: ggAvax('ggAVAX held at the end of the day.'),
    change: ggAvax('ggAVAX received less ggAVAX sent on the day.'),
    deposited: avax('AVAX deposited for the holder.'),
    withdrawn: avax('AVAX paid for redeemed ggAVAX, or promised for it by the withdrawal queue.'),
    transferredIn: avax('Value of ggAVAX received, at the time of each transfer.'),
    returned: avax('AVAX that the queue had promised for ggAVAX that it returned: of cancelled and expired requests.'),
    transferredOut: avax('Value of ggAVAX sent, at the time of each transfer.'),
  }),
};

/** The row of a holder and a day: the balance at the end of the day, and the sums of the day's flows. Amounts in wei. */
export function holderDayRow(timestamp: number, address: string, ggAvax: bigint, flows: readonly HolderFlow[]): Row {
  return { timestamp, address, ggAvax, change: sharesOf(flows), ...assetsOf(flows) };
}
