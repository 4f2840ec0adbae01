/** Points of a history, each with the state of its own block. */

import type { ChainAt, ChainSource } from './chain.ts';
import { each, type Figure, type Figures, type Json } from './figure.ts';

/** Compares the newest points. `compare` gets the time of the point's block. */
export function history(
  compare: (point: Json, at: string, chain: ChainAt, blockTime: number, source: ChainSource) => Promise<Figure[]>,
): Figures {
  return (body, _chain, source) =>
    each('newestPoints', body.points.toReversed(), async (point: Json, at) => {
      const blockTime = (await source.timestamp(point.blockNumber)) ?? 0;
      return [
        await lastBlockFigure(at, point, source),
        ...(await compare(point, at, source.at(point.blockNumber), blockTime, source)),
      ];
    });
}

/** Checks that `blockNumber` is the last block at or before `timestamp`. */
export async function lastBlockFigure(
  at: string,
  { timestamp, blockNumber }: { timestamp: number; blockNumber: number },
  source: ChainSource,
): Promise<Figure> {
  const [own, next] = await Promise.all([source.timestamp(blockNumber), source.timestamp(blockNumber + 1)]);
  const isLast = own !== undefined && own <= timestamp && timestamp < (next ?? Number.POSITIVE_INFINITY);
  const expected = isLast ? blockNumber : `the last block by ${timestamp} is another one`;
  return { field: `${at}blockNumber`, served: blockNumber, expected };
}
