/** For each endpoint, the figures in an answer that can be compared with the contracts. */

import { account, accounts } from './accounts.ts';
import { activity } from './activity.ts';
import type { ChainAt } from './chain.ts';
import { each, type Figure, type Figures, figures, integer, type Json, number, tokens, WAD } from './figure.ts';
import { history } from './history.ts';
import { holderRewards, holders, position } from './holders.ts';
import { income } from './income.ts';
import { metrics, metricsHistory } from './metrics.ts';
import { byStake, nodeOpSpread } from './operator-reward.ts';
import { minipool, minipools, minipoolsOf, staker } from './operators.ts';
import { dex, dexHistory, prices, pricesAtTimes, pricesHistory } from './prices.ts';
import { rewardsCycle, rewardsCycles, settings } from './rewards.ts';
import { estimator, rewardsAddress, stakerCycles } from './staker-rewards.ts';
import { contracts, estimate, queue, redemption, withdrawals } from './withdrawals.ts';
import { apy, apyHistory, headlineFigures } from './yields.ts';

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

const ggAvaxHistory = history(async (point, at, { read }) =>
  figures(at, point, {
    avaxPerGgAvax: tokens(await read('TokenggAVAX', 'convertToAssets', WAD)),
    totalAssets: tokens(await read('TokenggAVAX', 'totalAssets')),
    totalSupply: tokens(await read('TokenggAVAX', 'totalSupply')),
    stakingTotalAssets: tokens(await read('TokenggAVAX', 'stakingTotalAssets')),
  }),
);

function supplyOf(token: 'TokenGGP' | 'TokenggAVAX'): Figures {
  return async (body, { read }) => [
    { field: 'the number', served: body, expected: number(await read(token, 'totalSupply')) },
  ];
}

const stakers: Figures = async ({ stakers, block }, chain) => {
  const estimate = await estimator(chain, block.timestamp);
  return each('stakers', stakers, (item, at) => staker(item, at, chain, estimate));
};

const stakersAddress: Figures = async (body, chain, source) => [
  ...(await staker(body, '', chain, await estimator(chain, body.block.timestamp))),
  ...(await minipoolsOf(body, chain, source)),
];

/** By the path in the service's OpenAPI document. */
export const FIGURES: Record<string, Figures> = {
  '/prices': prices,
  '/prices/at': pricesAtTimes,
  '/prices/history': pricesHistory,
  '/prices/{dex}': dex,
  '/prices/{dex}/history': dexHistory,
  '/ggAvax': async (body, chain) => [
    ...(await pool(body, chain)),
    ...(await queue(body, chain)),
    ...(await redemption(body, chain)),
  ],
  '/ggAvax/history': ggAvaxHistory,
  '/ggAvax/{address}': position,
  '/ggAvax/{address}/rewards': holderRewards,
  '/holders': holders,
  '/withdrawals': withdrawals,
  '/withdrawals/{address}': withdrawals,
  '/withdrawals/estimate': estimate,
  '/stakers': stakers,
  '/stakers/{address}': stakersAddress,
  '/minipools': minipools,
  '/minipools/{nodeID}': (body, chain) => minipool(body, '', chain),
  '/rewards/byStake': byStake,
  '/rewards/{address}': rewardsAddress,
  '/rewards/{address}/cycles': stakerCycles,
  '/rewards/cycle': rewardsCycle,
  '/rewards/cycles': rewardsCycles,
  '/nodeOpSpread': nodeOpSpread,
  '/settings': settings,
  '/accounts': accounts,
  '/accounts/{address}': account,
  '/accounts/income': income,
  '/accounts/{address}/income': income,
  '/activity': activity,
  '/ggAvax/{address}/activity': activity,
  '/stakers/{address}/activity': activity,
  '/minipools/{nodeID}/activity': activity,
  '/metrics': metrics,
  '/metrics/history': metricsHistory,
  // The name in the document's example.
  '/metrics/{name}': async (body, chain, source) => {
    const timestamp = await source.timeOf(chain.block);
    const named = { ggavax_apy: body, block: { number: chain.block, timestamp } };
    return (await headlineFigures(named, source)).filter(({ field }) => field === 'ggavax_apy');
  },
  '/metrics/apy': apy,
  '/metrics/apy/history': apyHistory,
  '/supply/ggp/total': supplyOf('TokenGGP'),
  '/supply/ggavax': supplyOf('TokenggAVAX'),
  '/contracts': contracts,
};
