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
    'All holders of ggAVAX at the block of this archive, largest first. The contract of the withdrawal queue is one of them: it holds the ggAVAX of pending requests. All balances add up to the total supply of ggAVAX.',
  columns: toColumns(HOLDER_FIELDS),
};

export function holderRow({ address, shares, since }: Holder): Row {
  return { address, ggAvax: shares, since };
}

export const HOLDERS_DAILY: TableSpec = {
  name: 'holders-daily',
  meaning:
    'One row per holder of ggAVAX and UTC day with a deposit, withdrawal or transfer: the balance at the end of the day, and the amounts of the day by kind. On days without a row, the balance is unchanged. Sorted by time and address. The last day ends at the block of this archive.',
  columns: toColumns({
    timestamp: unixTime('The UTC midnight at which the day ends. Events in that second belong to the day.'),
    address: HOLDER_FIELDS.address,
    ggAvax: ggAvax('ggAVAX held at the end of the day.'),
    change: ggAvax('Change of the balance on the day: ggAVAX received or minted, less ggAVAX sent or burnt.'),
    deposited: avax('AVAX deposited for the holder.'),
    withdrawn: avax('AVAX paid for redeemed ggAVAX, or promised for it by the withdrawal queue.'),
    transferredIn: avax('Value of ggAVAX received, at the time of each transfer.'),
    returned: avax(
      'AVAX that the withdrawal queue had promised for requests that were later cancelled or expired, and whose ggAVAX it gave back to the holder.',
    ),
    transferredOut: avax('Value of ggAVAX sent or donated, at the time of each transfer or donation.'),
  }),
};

/** The row of a holder and a day: the balance at the end of the day, and the sums of the day's flows. Amounts in wei. */
export function holderDayRow(timestamp: number, address: string, ggAvax: bigint, flows: readonly HolderFlow[]): Row {
  return { timestamp, address, ggAvax, change: sharesOf(flows), ...assetsOf(flows) };
}
