import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type System, startSystem } from '../../../infra/local/system.ts';
import { connectChain } from '../../../infra/verify/chain.ts';
import { FIGURES } from '../../../infra/verify/figures.ts';
import { exampleOf, openService } from '../../../infra/verify/service.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

/** Guards new fields: fails for a number that `npm run verify` does not compare. */

let system: System;

beforeAll(async () => {
  const env = {
    PORT: '0',
    RPC_URLS: process.env.DEVNET_RPC_URL,
    P_CHAIN_URLS: process.env.DEVNET_P_CHAIN_URL,
    DATA_API_URL: process.env.DEVNET_DATA_API_URL,
    MAX_HEAD_AGE_SECONDS: '0',
  };
  system = await startSystem({ env, telemetry: recordingTelemetry(), onStep: () => {} });
});
afterAll(() => system?.stop());

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Body = any;

/** Numbers of compared bodies that are not compared themselves, by the reason; `*` stands for all that begins so. */
const UNCOMPARED: Record<string, readonly string[]> = {
  'at which block to compare': ['block.*', 'points.blockNumber', 'points.timestamp', 'windows.from.*', 'windows.to.*'],
  'what was asked for, or is asked for': [
    ...['minipools.index', '/minipools/{nodeID} index', 'requests.requestId', '/withdrawals/estimate ggAvax'],
    ...['routes.ggAvax', '/rewards/byStake ggpStaked', '/rewards/byStake avaxStaked', 'window_days', 'windows.days'],
    'chainId',
  ],
  'of a range, which histories.ts compares': ['from', 'to', 'recordedFrom', 'missing'],
  'how many a list has on all pages': ['total'],
  'of events': [
    ...['coverage.*', 'holders.since', 'service.*', 'routes.service.*', 'claims.*', 'claimedTotal', 'since'],
    ...['contracts.upgradedAt', 'deposited', 'withdrawn', 'receivedAVAX', 'transferredIn', 'returned'],
    ...['transferredOut', 'rewardsAVAX', 'rewardsUSD', 'usdFrom', 'rewardsEUR', 'eurFrom', 'averageAprPercent'],
    'unstaking.*',
  ],
  'at the newest recorded rate, whose block is not in the body': ['holders.avax'],
  'at prices of exchanges, which routes.avax compares by a sale, and of the euro': [
    ...['/prices/{dex} *', '/prices ggpInAVAX', '/prices ggpInUSD', '/prices eurInUSD', 'sources.*', 'usd', 'eur'],
    ...['avaxInEUR', 'ggpInEUR', 'ggAvaxInEUR'].flatMap((name) => [
      `/prices ${name}`,
      `/prices/history points.${name}`,
    ]),
    ...['avaxInUSD', 'ggpInAVAX', 'ggpInUSD', 'ggAvaxInUSD', 'eurInUSD'].map(
      (name) => `/prices/history points.${name}`,
    ),
    ...['routes.discountPercent', 'ggp_price_in_avax', 'ggp_price_in_usd', 'avax_price_in_usd', 'tvl_usd'],
    ...['points.tvl_usd', 'points.tvl_eur', 'tvl_eur', 'ggp_price_in_eur', 'avax_price_in_eur'],
  ],
  'an estimate or a yield, which no contract has: test/lib/rewards has the maths': [
    ...['estimatedGGPReward', 'stakers.estimatedGGPReward', 'undistributedGGPReward', 'eligibleAt', 'next.*'],
    ...['/rewards/byStake *', '/rewards/{address} sharePercent', '/rewards/{address} aprPercent', 'cycle.*'],
    ...['ggavax_apy', 'ggavax_apr', 'total_apy', 'total_apy_after_fees', 'current_cycle.apr', 'instantAVAX'],
  ],
  'a constant of the token or the network': ['ggpMaxSupply', 'neededUptimePercent', 'minipools.neededUptimePercent'],
  'made of all stakers and minipools, which are compared one by one': [
    ...['tvl_avax', 'points.tvl_avax', 'total_effective_ggp_staked', 'total_avax_staked', 'active_staker_count'],
    ...['node_operator_count', 'points.minipools_staking', '/minipools counts.*', '/metrics minipools.*'],
  ],
};

/** The places of all numbers and exact decimal strings in what a schema describes. */
function numbersIn(document: Body, schema: Body, place = ''): string[] {
  const inner = (part: Body, name?: string) => numbersIn(document, part, [place, name].filter(Boolean).join('.'));
  if (schema.$ref) return inner(document.components.schemas[schema.$ref.split('/').at(-1)]);
  if (schema.oneOf) return schema.oneOf.flatMap((part: Body) => inner(part));
  if (schema.items) return inner(schema.items);
  if (schema.properties) return Object.entries(schema.properties).flatMap(([name, part]) => inner(part, name));
  return ['number', 'integer'].includes(schema.type) || schema.pattern?.endsWith('([.][0-9]+)?$') ? [place] : [];
}

const isMeant = (pattern: string, place: string) =>
  pattern.endsWith('*') ? place.startsWith(pattern.slice(0, -1)) : place === pattern;

test('npm run verify compares every number, or leaves it out for a reason', async () => {
  const service = await openService(system.url);
  const chain = await connectChain(43_112, process.env.DEVNET_RPC_URL as string);
  const excuses = Object.values(UNCOMPARED).flat();
  const used = new Set<string>();
  const left: string[] = [];
  // accounts.test.ts lies in every field of an account.
  const { '/accounts/{address}': _, ...compared } = FIGURES;
  for (const [path, figuresOf] of Object.entries(compared)) {
    const { body, headers } = await service.request(exampleOf(service, path));
    const figures = await figuresOf(body, chain.at(Number(headers.get('x-block-number'))), chain.at);
    const names = new Set(figures.map(({ field }) => field.replace(/\[.*?\]/g, '').replace(/^newestP/, 'p')));
    const { schema } = service.document.paths[path].get.responses[200].content['application/json'];
    for (const place of new Set(numbersIn(service.document, schema))) {
      if (names.has(place || 'the number')) continue;
      const excuse = excuses.find((one) => isMeant(one, place) || isMeant(one, `${path} ${place}`));
      if (excuse) used.add(excuse);
      else left.push(`${path} ${place}: add it to infra/verify/figures.ts, or its reason to UNCOMPARED in this test`);
    }
  }
  chain.close();
  expect(left).toEqual([]);
  expect(excuses.filter((one) => !used.has(one))).toEqual([]);
});
