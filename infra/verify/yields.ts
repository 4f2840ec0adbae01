/** Yields of ggAVAX: from the growth of its rate, and from the rewards streams that its contract releases. */

import type { ChainAt, ChainSource } from './chain.ts';
import { about, each, type Figure, type Figures, figures, integer, type Json, number, WAD } from './figure.ts';
import { history } from './history.ts';

const YEAR = 31_536_000;
const [HOUR, DAY] = [3_600, 86_400];
const BPS = 10_000n;

const rateAt = ({ read }: ChainAt): Promise<bigint | undefined> => read('TokenggAVAX', 'convertToAssets', WAD);

/** Annual yields in percent of a rate that grows from one amount to another in `seconds`. */
function annual(from: bigint, to: bigint, seconds: number): { apr: number; apy: number } {
  const growth = Number(((to - from) * WAD) / from) / 1e18;
  const periods = YEAR / seconds;
  return { apr: growth * periods * 100, apy: Math.expm1(Math.log1p(growth) * periods) * 100 };
}

/** The yield between two blocks; undefined if there is none. */
async function yieldBetween(source: ChainSource, from: number, to: number) {
  const [before, after] = await Promise.all([from, to].map((block) => rateAt(source.at(block))));
  const [start = 0, end = 0] = await Promise.all([from, to].map((block) => source.timestamp(block)));
  return before && after !== undefined && end > start ? annual(before, after, end - start) : undefined;
}

/** Windows of the headline yield in days, the preferred one first. */
const HEADLINE_DAYS = [28, 14, 7, 1];
/** A window starts at a recorded hour, up to this many hours before its time, or at the last block by that time. */
const RECORDER_GAP = 6;

/** The headline yield of `/metrics`, which does not name the block at which its window starts. */
export async function headlineFigures(body: Json, source: ChainSource): Promise<Figure[]> {
  const { number: block, timestamp } = body.block;
  const supply: bigint = (await source.at(block).read('TokenggAVAX', 'totalSupply')) ?? 0n;
  if (supply < 10n ** 9n) return [];
  for (const days of HEADLINE_DAYS) {
    const start = timestamp - days * DAY;
    const hours = Array.from({ length: RECORDER_GAP + 1 }, (_, gap) => start - (start % HOUR) - gap * HOUR);
    const blocks = await Promise.all([start, ...hours].map(source.lastBlockBy));
    const yields = await Promise.all([...new Set(blocks)].map((from) => yieldBetween(source, from, block)));
    const known = yields.filter((one) => one !== undefined);
    if (!known[0]) continue;
    const { ggavax_apr: apr, ggavax_apy: apy } = body;
    const fits = known.find((one) => about(one.apy, apy) === apy) ?? known[0];
    return figures('', body, { ggavax_apr: about(fits.apr, apr), ggavax_apy: about(fits.apy, apy) });
  }
  return [];
}

export const apy: Figures = async (body, { read }, source) => {
  const fee: bigint | undefined = await read('ProtocolDAO', 'getFeeBips');
  const pool = (view: string): Promise<bigint | undefined> => read('TokenggAVAX', view);
  const headline = HEADLINE_DAYS.flatMap((days) => body.windows.find((window: Json) => window.days === days) ?? [])[0];
  return [
    ...figures('', body, { fee_percent: number(fee, 2) }),
    ...(headline ? await headlineOf(body, headline, fee, source) : []),
    ...figures('current_cycle.', body.current_cycle, {
      rewards_amt: number(await pool('lastRewardsAmt')),
      start: integer(await pool('lastSync')),
      end: integer(await pool('rewardsCycleEnd')),
      apr: await streamApr(pool, body),
    }),
    ...(await each('windows', body.windows, async ({ days, from, to, apr, apy }: Json, place) => {
      const [before, after] = await Promise.all([from, to].map(({ blockNumber }) => rateAt(source.at(blockNumber))));
      const expected = annual(before as bigint, after as bigint, to.timestamp - from.timestamp);
      const start = to.timestamp - days * DAY;
      const next = (await source.timestamp(from.blockNumber + 1)) ?? Number.POSITIVE_INFINITY;
      const isStart = from.timestamp <= start && next > start - (RECORDER_GAP + 1) * HOUR;
      const times = await Promise.all([from, to].map(({ blockNumber }) => source.timestamp(blockNumber)));
      return figures(
        place,
        { days, from: from.timestamp, to: to.timestamp, 'from.rate': from.rate, 'to.rate': to.rate, apr, apy },
        {
          days: isStart ? days : `the window has ${(to.timestamp - from.timestamp) / DAY}`,
          from: times[0],
          to: times[1],
          'from.rate': number(before),
          'to.rate': number(after),
          apr: about(expected.apr, apr),
          apy: about(expected.apy, apy),
        },
      );
    })),
  ];
};

async function headlineOf(body: Json, { days, from, to }: Json, fee = 0n, source: ChainSource): Promise<Figure[]> {
  const [before, after] = await Promise.all([from, to].map(({ blockNumber }) => rateAt(source.at(blockNumber))));
  if (!before || after === undefined) return [];
  const seconds = to.timestamp - from.timestamp;
  const gross = after > before && fee < BPS ? before + ((after - before) * BPS) / (BPS - fee) : after;
  const { total_apy, total_apy_after_fees } = body;
  return figures('', body, {
    window_days: days,
    total_apy_after_fees: about(annual(before, after, seconds).apy, total_apy_after_fees),
    ...(fee < BPS && { total_apy: about(annual(before, gross, seconds).apy, total_apy) }),
  });
}

/** The yield of the rewards that are being released, repeated over a year. */
async function streamApr(pool: (view: string) => Promise<bigint | undefined>, { block, current_cycle }: Json) {
  const views = ['lastRewardsAmt', 'totalReleasedAssets', 'rewardsCycleLength', 'rewardsCycleEnd'];
  const [amount, assets, length, end] = await Promise.all(views.map(pool));
  if (amount === undefined || assets === undefined || !length || end === undefined) return undefined;
  if (amount === 0n || BigInt(block.timestamp) >= end) return 0;
  if (assets === 0n) return undefined;
  return about(Number((((amount * BigInt(YEAR)) / length) * WAD) / assets) / 1e16, current_cycle?.apr);
}

export const apyHistory = history(async (point, at, _chain, _time, source) => {
  const windows = [7, 28].map(async (days): Promise<Figure[]> => {
    const served = point[`apy_${days}d`];
    if (served === undefined) return [];
    const from = await source.lastBlockBy(point.timestamp - days * DAY);
    const expected = await yieldBetween(source, from, point.blockNumber);
    return figures(at, point, { [`apy_${days}d`]: expected && about(expected.apy, served) });
  });
  return (await Promise.all(windows)).flat();
});
