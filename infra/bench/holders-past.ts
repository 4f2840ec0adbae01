import { toQuantity } from 'ethers';
import { chainOf } from '../../lib/chain/chain.ts';
import { historyOf } from '../../lib/history/history-store.ts';
import { sumUp, toBytes } from '../../lib/history/holder-day.ts';
import { boundaryFrom } from '../../lib/history/series.ts';
import type { EntryOf } from '../../lib/ledger/ledger-entry.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import type { Context } from '../../lib/runtime/context.ts';
import { connect } from '../devnet/rpc.ts';
import { recordLedger } from './containers.ts';

/** A past that is long enough to measure with, as recorders would have left it in the tables. */

const DAY = 86_400;
const SOMEBODY = `0x${'5b'.repeat(20)}`;

/** Who has moved ggAVAX on each of their days until now. */
export interface PastHolder {
  address: string;
  days: number;
  /** In all; as many on each day. */
  flows: number;
}

/**
 * Lets the devnet grow by some days, a block a day, with the flows of these holders and a recorded rate for each day.
 * The last day, as it begins, is not summed up. Of the others, only the sums are written: nobody reads their entries.
 */
export async function writePast(
  recorder: Context,
  devnetUrl: string,
  days: number,
  holders: readonly PastHolder[],
): Promise<void> {
  const [ledger, history, chain] = [ledgerOf(recorder), historyOf(recorder), chainOf(recorder)];
  const { number: firstBlock, timestamp } = await chain.head();
  const devnet = connect(devnetUrl);
  await devnet.send('evm_setNextBlockTimestamp', boundaryFrom(timestamp + 1, '1d') + DAY / 2);
  for (let mined = 0; mined < days; mined += 40) {
    await devnet.send('anvil_mine', toQuantity(Math.min(40, days - mined)), toQuantity(DAY));
  }
  devnet.close();
  const head = await chain.head();
  const firstDay = boundaryFrom(head.timestamp, '1d') - days * DAY;
  for (const holder of holders) await writeFlows(recorder, head, holder);
  for (let day = 0; day < days; day++) {
    const start = firstDay + day * DAY;
    const totalSupply = 10n ** 24n;
    const totalAssets = totalSupply + BigInt(day) * 10n ** 20n;
    const values = { totalAssets, totalSupply, avaxPerGgAvax: totalAssets / 10n ** 6n, avaxInUSD: 10n ** 19n };
    await history.write('1d', { timestamp: start, block: { number: firstBlock, timestamp: start }, values });
  }
  await recordLedger(recorder);
  await ledger.searched.setSummed({ block: firstBlock, time: firstDay + (days - 1) * DAY });
}

async function writeFlows(
  recorder: Context,
  head: { number: number; timestamp: number },
  { address, days, flows }: PastHolder,
): Promise<void> {
  const ledger = ledgerOf(recorder);
  const flowsOfDay = Math.floor(flows / days);
  const firstDay = boundaryFrom(head.timestamp, '1d') - days * DAY;
  let index = 0;
  const flowAt = (time: number): EntryOf<'ggAvaxTransferred'> => {
    index += 1;
    const block = head.number - Math.floor((head.timestamp - time) / DAY);
    const shares = 10n ** 18n + BigInt(index) * 987_654_321_987n;
    const rate = 10n ** 18n + BigInt(index) * 666_666_666n;
    const [from, to] = index % 2 ? [SOMEBODY, address] : [address, SOMEBODY];
    const txHash = `0x${`${index}${address.slice(2, 6)}`.padStart(64, 'a')}`;
    const place = { block, logIndex: index % 1_000, timestamp: time, txHash };
    return { ...place, type: 'ggAvaxTransferred', from, to, shares, rate, assets: (shares * rate) / 10n ** 18n };
  };
  for (let day = 0; day < days; day++) {
    const start = firstDay + day * DAY;
    const ofDay = Array.from({ length: flowsOfDay }, (_, place) =>
      flowAt(start + 1 + Math.floor((place / flowsOfDay) * (DAY / 2))),
    );
    if (day === days - 1) await ledger.write(ofDay);
    else {
      const summed = toBytes(sumUp(address, ofDay, recorder.config.network.withdrawQueue, undefined));
      await ledger.sums.writeDays([{ holder: address, end: start + DAY, sums: summed }]);
    }
  }
}
