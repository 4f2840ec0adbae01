/** The paths that are compared, in the order of their requests. */

import { account, accounts } from './accounts.ts';
import type { Expected, Json } from './figure.ts';
import { holderRewards, holders, position } from './holders.ts';
import { income } from './income.ts';
import { metrics, pool, supplyOf } from './metrics.ts';
import { minipools, stakers } from './operators.ts';
import { prices, pricesAtTimes, pricesHistory } from './prices.ts';
import { rewardsCycle, stakerCycles } from './rewards.ts';
import { estimate, withdrawals } from './withdrawals.ts';

/** The expected fields of each path. Lists are first: their items are parameters of the others. */
export const EXPECTED: Record<string, Expected> = {
  '/holders': holders,
  '/stakers': stakers,
  '/minipools': minipools,
  '/withdrawals': withdrawals,
  '/ggAvax': pool,
  '/ggAvax/{address}': position,
  '/ggAvax/{address}/rewards': holderRewards,
  '/withdrawals/estimate': estimate,
  '/accounts': accounts,
  '/accounts/{address}': account,
  '/accounts/{address}/income': income,
  '/accounts/income': income,
  '/rewards/cycle': rewardsCycle,
  '/rewards/{address}/cycles': stakerCycles,
  '/supply/ggavax': supplyOf('TokenggAVAX'),
  '/supply/ggp/total': supplyOf('TokenGGP'),
  '/metrics': metrics,
  '/prices': prices,
  '/prices/history': pricesHistory,
  '/prices/at': pricesAtTimes,
};

const HALF_DAY = 43_200;

/** The request for a path. Addresses are the first ones of the service's own lists, by path. */
export function urlOf(path: string, lists: ReadonlyMap<string, Json>): string {
  const first = (list: string) => Object.values<Json>(lists.get(list) ?? {}).find(Array.isArray)?.[0] ?? {};
  const nobody = `0x${'0'.repeat(39)}1`;
  const holder = first('/holders').address ?? nobody;
  const staker = first('/stakers').stakerAddr ?? holder;
  const requester = first('/withdrawals').requester ?? holder;
  const time = (lists.get('/ggAvax')?.block.timestamp ?? HALF_DAY) - HALF_DAY;
  const queries: Record<string, string> = {
    '/accounts': `?address=${[...new Set([holder, staker, requester])].join(',')}`,
    '/accounts/income': `?address=${[...new Set([holder, staker])].join(',')}&interval=1mo`,
    '/accounts/{address}/income': '?interval=1mo',
    '/prices/at': `?timestamp=${time},${time - HALF_DAY}`,
    '/withdrawals/estimate': '?ggAvax=1000',
  };
  return path.replace('{address}', path.startsWith('/ggAvax') ? holder : staker) + (queries[path] ?? '');
}
