/** For each endpoint, the figures in an answer that can be compared with the contracts. */

import { account } from './accounts.ts';
import type { ChainAt } from './chain.ts';
import { each, type Figure, type Figures, figures, integer, type Json, number, tokens, WAD } from './figure.ts';
import { isMeasurable, minipool, minipoolsOf, staker } from './operators.ts';
import { byStake, rewardsAddress, rewardsCycle, settings } from './rewards.ts';
import { contracts, estimate, position, queue, redemption, withdrawals } from './withdrawals.ts';

const YEAR_SECONDS = 31_536_000;

async function pool(body: Json, { read }: ChainAt): Promise<Figure[]> {
  const view = (name: string, ...args: unknown[]) => read('TokenggAVAX', name, ...args);
  const assets: bigint | undefined = await view('totalAssets');
  const staking: bigint | undefined = await view('stakingTotalAssets');
  const rate: bigint | undefined = await read('ProtocolDAO', 'getTargetGGAVAXReserveRate');
  return figures('', body, {
    name: await view('name'),
    symbol: await view('symbol'),
    totalAssets: tokens(assets),
    totalSupply: tokens(await view('totalSupply')),
    totalReleasedAssets: tokens(await view('totalReleasedAssets')),
    stakingTotalAssets: tokens(staking),
    amountAvailableForStaking: tokens(await view('amountAvailableForStaking')),
    reservedAssets: assets === undefined || rate === undefined ? undefined : tokens((assets * rate) / WAD),
    liquidAssets: assets === undefined || staking === undefined ? undefined : tokens(assets - staking),
    lastRewardsAmt: tokens(await view('lastRewardsAmt')),
    lastSync: integer(await view('lastSync')),
    rewardsCycleEnd: integer(await view('rewardsCycleEnd')),
    rewardsCycleLength: integer(await view('rewardsCycleLength')),
    avaxPerGgAvax: tokens(await view('convertToAssets', WAD)),
    ggAvaxPerAvax: tokens(await view('convertToShares', WAD)),
    targetReservePercent: number(rate, 16),
    utilizationPercent: assets && staking !== undefined ? number((staking * WAD) / assets, 16) : undefined,
    feePercent: number(await read('ProtocolDAO', 'getFeeBips'), 2),
    paused: await read('ProtocolDAO', 'getContractPaused', 'TokenggAVAX'),
  });
}

const prices: Figures = async (body, { read }) => {
  const oracle = await read('Oracle', 'getGGPPriceInAVAX');
  const rate: bigint | undefined = await read('TokenggAVAX', 'convertToAssets', WAD);
  const round = await read('AvaxUsdFeed', 'latestRoundData');
  const ofFeed = body.sources.avaxInUSD?.source === 'chainlink';
  return [
    ...figures('', body, {
      ggAvaxInAVAX: number(rate),
      ...(ofFeed && {
        avaxInUSD: number(round.answer, 8),
        ggAvaxInUSD: rate === undefined ? undefined : number((rate * round.answer) / 10n ** 8n),
      }),
    }),
    ...(ofFeed ? figures('sources.avaxInUSD.', body.sources.avaxInUSD, { updatedAt: integer(round.updatedAt) }) : []),
    ...figures('oracle.', body.oracle, {
      ggpInAVAX: number(oracle?.price),
      updatedAt: integer(oracle?.timestamp),
      ageSeconds: oracle && body.block.timestamp - Number(oracle.timestamp),
    }),
  ];
};

/** The reserves of V2 pools. */
const dex: Figures = (body, chain) =>
  each('pools', body.pools, async (pool: Json, at) => {
    if (pool.kind !== 'v2') return [];
    const sides = await chain.pair(pool.address);
    const wavaxIsQuote = pool.pair.endsWith('/AVAX');
    const quote = sides.find(({ token }) => (token === chain.wavax) === wavaxIsQuote);
    const base = sides.find((side) => side !== quote);
    return figures(at, pool, {
      baseReserve: tokens(base?.reserve, base?.decimals),
      quoteReserve: tokens(quote?.reserve, quote?.decimals),
    });
  });

const metrics: Figures = async (body, { read }) => {
  const pool = (view: string, ...args: unknown[]) => read('TokenggAVAX', view, ...args);
  return [
    ...figures('', body, {
      total_assets: number(await pool('totalAssets')),
      total_supply: number(await pool('totalSupply')),
      exchange_rate: number(await pool('convertToAssets', WAD)),
      staking_total_assets: number(await pool('stakingTotalAssets')),
      amount_available_for_staking: number(await pool('amountAvailableForStaking')),
      last_rewards_amt: number(await pool('lastRewardsAmt')),
      rewards_cycle_end: integer(await pool('rewardsCycleEnd')),
      total_ggp_staked: number(await read('Staking', 'getTotalGGPStake')),
      total_avax_liquid_staker_amt: number(await read('MinipoolManager', 'getTotalAVAXLiquidStakerAmt')),
      staker_count: integer(await read('Staking', 'getStakerCount')),
      minipool_count: integer(await read('MinipoolManager', 'getMinipoolCount')),
      ggp_oracle_price_in_avax: number((await read('Oracle', 'getGGPPriceInAVAX'))?.price),
      ggp_total_supply: number(await read('TokenGGP', 'totalSupply')),
    }),
    ...figures('rewards_cycle.', body.rewards_cycle, {
      number: integer(await read('RewardsPool', 'getRewardsCycleCount')),
      start_time: integer(await read('RewardsPool', 'getRewardsCycleStartTime')),
      seconds: integer(await read('ProtocolDAO', 'getRewardsCycleSeconds')),
      total_amt: number(await read('RewardsPool', 'getRewardsCycleTotalAmt')),
    }),
  ];
};

/**
 * The expected value of an APR or APY. Returns the served value if the two agree to a billionth: both are computed with
 * doubles.
 */
function about(expected: number, served: number | undefined): number {
  return served !== undefined && Math.abs(served - expected) <= 1e-9 * Math.abs(expected) ? served : expected;
}

const apy: Figures = async (body, { read }, at) => {
  const rateAt = (block: number): Promise<bigint> => at(block).read('TokenggAVAX', 'convertToAssets', WAD);
  return [
    ...figures('', body, { fee_percent: number(await read('ProtocolDAO', 'getFeeBips'), 2) }),
    ...figures('current_cycle.', body.current_cycle, {
      rewards_amt: number(await read('TokenggAVAX', 'lastRewardsAmt')),
      start: integer(await read('TokenggAVAX', 'lastSync')),
      end: integer(await read('TokenggAVAX', 'rewardsCycleEnd')),
    }),
    ...(await each('windows', body.windows, async ({ from, to, apr, apy }: Json, place) => {
      const [before, after] = await Promise.all([rateAt(from.blockNumber), rateAt(to.blockNumber)]);
      const growth = Number(after - before) / Number(before);
      const periods = YEAR_SECONDS / (to.timestamp - from.timestamp);
      return figures(
        place,
        { 'from.rate': from.rate, 'to.rate': to.rate, apr, apy },
        {
          'from.rate': number(before),
          'to.rate': number(after),
          apr: about(growth * periods * 100, apr),
          apy: about(Math.expm1(Math.log1p(growth) * periods) * 100, apy),
        },
      );
    })),
  ];
};

/** The figures of a history's newest points. */
function history(expected: (chain: ChainAt) => Promise<Record<string, unknown>>): Figures {
  return (body, _chain, at) =>
    each('newestPoints', body.points.toReversed(), async (point: Json, place) =>
      figures(place, point, await expected(at(point.blockNumber))),
    );
}

const ggAvaxHistory = history(async ({ read }) => ({
  avaxPerGgAvax: tokens(await read('TokenggAVAX', 'convertToAssets', WAD)),
  totalAssets: tokens(await read('TokenggAVAX', 'totalAssets')),
  totalSupply: tokens(await read('TokenggAVAX', 'totalSupply')),
  stakingTotalAssets: tokens(await read('TokenggAVAX', 'stakingTotalAssets')),
}));

const metricsHistory = history(async ({ read }) => ({
  total_assets: number(await read('TokenggAVAX', 'totalAssets')),
  total_ggp_staked: number(await read('Staking', 'getTotalGGPStake')),
  exchange_rate: number(await read('TokenggAVAX', 'convertToAssets', WAD)),
  ggp_oracle_price_in_avax: number((await read('Oracle', 'getGGPPriceInAVAX'))?.price),
}));

const pricesHistory = history(async ({ read }) => ({
  ggAvaxInAVAX: number(await read('TokenggAVAX', 'convertToAssets', WAD)),
}));

function supplyOf(token: 'TokenGGP' | 'TokenggAVAX'): Figures {
  return async (body, { read }) => [
    { field: 'the number', served: body, expected: number(await read(token, 'totalSupply')) },
  ];
}

/** A holder's share is one of the sum of all: it is right only if they add up to the supply. */
const holders: Figures = async ({ holders, coverage }, chain) => {
  const supply = await chain.read('TokenggAVAX', 'totalSupply');
  const confirmed = figures('coverage.', coverage, { complete: true });
  const balances = await each<Json>('holders', holders, async (holder, at) => {
    const balance = await chain.read('TokenggAVAX', 'balanceOf', holder.address);
    return figures(at, holder, { ggAvax: tokens(balance), sharePercent: number(((balance * WAD) / supply) * 100n) });
  });
  return [...confirmed, ...balances];
};

/** By the path in the service's OpenAPI document. */
export const FIGURES: Record<string, Figures> = {
  '/prices': prices,
  '/prices/history': pricesHistory,
  '/prices/{dex}': dex,
  '/ggAvax': async (body, chain) => [
    ...(await pool(body, chain)),
    ...(await queue(body, chain)),
    ...(await redemption(body, chain)),
  ],
  '/ggAvax/history': ggAvaxHistory,
  '/ggAvax/{address}': position,
  '/holders': holders,
  '/withdrawals': withdrawals,
  '/withdrawals/{address}': withdrawals,
  '/withdrawals/estimate': estimate,
  '/stakers': async ({ stakers }, chain) => {
    const measurable = await isMeasurable(chain);
    return each('stakers', stakers, (item, at) => staker(item, at, chain, measurable));
  },
  '/stakers/{address}': async (body, chain, at) => [
    ...(await staker(body, '', chain, await isMeasurable(chain))),
    ...(await minipoolsOf(body, chain, at)),
  ],
  '/minipools': minipoolsOf,
  '/minipools/{nodeID}': (body, chain) => minipool(body, '', chain),
  '/rewards/byStake': byStake,
  '/rewards/{address}': rewardsAddress,
  '/rewards/cycle': rewardsCycle,
  '/settings': settings,
  '/accounts/{address}': account,
  '/metrics': metrics,
  '/metrics/history': metricsHistory,
  '/metrics/apy': apy,
  '/supply/ggp/total': supplyOf('TokenGGP'),
  '/supply/ggavax': supplyOf('TokenggAVAX'),
  '/contracts': contracts,
};
