/** Lists of events: each entry is compared with its transaction's receipt. */

import { parseUnits } from 'ethers';
import type { ChainSource } from './chain.ts';
import { each, type Figure, type Figures, type Json, tokens, WAD } from './figure.ts';

/** Amounts and numbers of events that are words of a log. Others are computed, or are not numbers. */
const WORDS = new Set([
  ...['shares', 'assets', 'expectedAssets', 'allocatedFunds', 'price', 'amount', 'totalAmt', 'stakedAmt'],
  ...['requestId', 'claimableTime', 'expirationTime', 'updatedAt', 'duration', 'cycleEnd', 'rewardsAmt'],
]);

export const activity: Figures = ({ activity }, _chain, source) =>
  each('activity', activity, (entry: Json, at) => entryFigures(at, entry, source));

async function entryFigures(at: string, entry: Json, source: ChainSource): Promise<Figure[]> {
  const receipt = await source.receipt(entry.txHash);
  const { read } = source.at(entry.blockNumber);
  const figure = (field: string, expected: unknown) => ({ field: at + field, served: entry[field], expected });
  const inLogs = Object.keys(entry).filter((field) => WORDS.has(field));
  const inReceipt = async (field: string) => {
    const value = entry[field];
    const wei = typeof value === 'string' ? parseUnits(value) : BigInt(value);
    if (receipt?.words.has(wei)) return figure(field, value);
    // The value of a transfer is not in its event.
    const isValue = field === 'assets' && entry.avaxPerGgAvax !== undefined;
    return figure(
      field,
      isValue ? tokens(await read('TokenggAVAX', 'convertToAssets', parseUnits(entry.shares))) : 'not in the events',
    );
  };
  return [
    figure('blockNumber', receipt?.block),
    figure('timestamp', receipt && (await source.timestamp(receipt.block))),
    figure('logIndex', receipt?.logs.has(entry.logIndex) ? entry.logIndex : 'no such event'),
    ...(entry.avaxPerGgAvax === undefined
      ? []
      : [figure('avaxPerGgAvax', tokens(await read('TokenggAVAX', 'convertToAssets', WAD)))]),
    ...(await Promise.all(inLogs.map(inReceipt))),
  ];
}
