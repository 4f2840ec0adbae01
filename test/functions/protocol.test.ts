import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { ggAvax } from '../../functions/gg-avax.ts';
import { metricsName } from '../../functions/metrics/name.ts';
import { metrics } from '../../functions/metrics.ts';
import { minipools } from '../../functions/minipools.ts';
import { nodeOpSpread } from '../../functions/node-op-spread.ts';
import { rewardsAddress } from '../../functions/rewards/address.ts';
import { rewardsByStake } from '../../functions/rewards/by-stake.ts';
import { rewardsCycle } from '../../functions/rewards/cycle.ts';
import { stakersAddress } from '../../functions/stakers/address.ts';
import { stakers } from '../../functions/stakers.ts';
import { supplyGgAvax } from '../../functions/supply/gg-avax.ts';
import { supplyGgpTotal } from '../../functions/supply/ggp-total.ts';
import { type Devnet, startDevnet } from '../../infra/devnet/devnet.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { DAY } from '../../lib/values/durations.ts';
import { WAD } from '../../lib/values/wad.ts';
import { type Body, bodyFrom, sendTo } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import {
  type Chain,
  openChain,
  pass,
  pause,
  setMinipool,
  setOraclePrice,
  setSetting,
  setStaker,
  silence,
  undoneAfterEach,
  unregister,
} from './devnet.ts';

/** Responses about the protocol as a whole, in states in which figures are missing. `npm run verify` compares the figures. */

const STATUSES = ['prelaunch', 'launched', 'staking', 'withdrawable', 'finished', 'canceled', 'error'] as const;

const tables = tablesForAllTests();
let devnet: Devnet;
let chain: Chain;

beforeAll(async () => {
  devnet = await startDevnet({ live: false, historyDays: 1 });
  chain = await openChain(devnet.url);
});
afterAll(async () => {
  chain.rpc.close();
  await devnet.stop();
});
undoneAfterEach(() => chain);

/** The response of a container with an empty memory and an empty table. */
async function answer(endpoint: Endpoint): Promise<Body> {
  await tables.renew();
  const body = await bodyFrom(endpoint, container());
  expect(body.block).toEqual(await head());
  return body;
}
const container = () => startOnDevnet({ RPC_URLS: devnet.url });

async function head() {
  const { number, timestamp } = await chain.block('latest');
  return { number, timestamp };
}
const minipoolsOf = (status: (typeof STATUSES)[number]) =>
  chain.read('MinipoolManager', 'getMinipools', [STATUSES.indexOf(status), 0, 0]);

async function setStatus(minipools: readonly { index: bigint }[], status: (typeof STATUSES)[number]): Promise<void> {
  for (const { index } of minipools) await setMinipool(chain, index, 'status', STATUSES.indexOf(status));
}

describe('/metrics', () => {
  test('omits the value locked while the oracle has no price, because it would lack the staked GGP', async () => {
    await setOraclePrice(chain, 0n);
    const body = await answer(metrics);
    expect(body).not.toHaveProperty('tvl_avax');
    expect(body).not.toHaveProperty('tvl_usd');
    expect(body.total_ggp_staked).toBeGreaterThan(0);
    expect(body.total_assets).toBeGreaterThan(0);
  });

  // test/lib/protocol/protocol.test.ts has all conditions of each status.
  test('has a status that pauses and the end of all minipools change', async () => {
    const statusNow = async () => (await answer(metrics)).status;
    await pause(chain, 'MinipoolManager');
    expect(await statusNow()).toBe('paused');
    await setStatus([...(await minipoolsOf('staking')), ...(await minipoolsOf('launched'))], 'finished');
    expect(await statusNow()).toBe('winding_down');
    await pause(chain, 'TokenggAVAX');
    expect(await statusNow()).toBe('paused');
  });
});

describe('/nodeOpSpread', () => {
  test.each([
    ['the 10 % below which GGP earns nothing', 8, 10],
    ["the DAO's minimum, below which no minipool can be created", 12, 12],
  ])("goes from %s, to the DAO's maximum", async (_, daoMinimum, minimum) => {
    await setSetting(chain, 'MinCollateralizationRatio', (BigInt(daoMinimum) * WAD) / 100n);
    await setSetting(chain, 'MaxCollateralizationRatio', (120n * WAD) / 100n);
    const { min, max } = await answer(nodeOpSpread);
    expect([min.collateralPercent, max.collateralPercent]).toEqual([minimum, 120]);
  });
});

test('a staker has the collateral that /rewards/byStake says of the same amounts, to the last digit', async () => {
  // 1.050880654175 %, which rounds up; as a double, it is less than that.
  await setOraclePrice(chain, parseEther('0.01827618529'));
  await setStaker(chain, 0, 'ggpStaked', parseEther('575'));
  await setStaker(chain, 0, 'avaxAssigned', parseEther('1000'));
  const [staker] = (await answer(stakers)).stakers;
  const query = { ggpStaked: staker.ggpStaked, avaxStaked: staker.avaxAssigned };
  const { body: byStake } = await sendTo(rewardsByStake, container(), { query });
  expect([staker.collateralPercent, byStake.collateralPercent]).toEqual([1.05088065418, 1.05088065418]);
});

test.each([
  ['MinipoolManager', [true, true, undefined]],
  ['RewardsPool', [undefined, undefined, true]],
  ['Staking', [undefined, undefined, undefined]],
])('while %s is paused, what depends on it says so', async (name, expected) => {
  await pause(chain, name);
  const query = { ggpStaked: '6000', avaxStaked: '1000' };
  const paused = [];
  for (const endpoint of [rewardsByStake, nodeOpSpread, rewardsCycle]) {
    await tables.renew();
    const { body } = await sendTo(endpoint, container(), endpoint === rewardsByStake ? { query } : {});
    paused.push(body.paused);
  }
  expect(paused).toEqual(expected);
});

test('what an offline node costs is what MinipoolManager would slash, to the wei', async () => {
  const expected = async (avaxStaked: string, price: bigint) => {
    const cycle = await chain.read('ProtocolDAO', 'getMinipoolCycleDuration');
    await setOraclePrice(chain, price);
    const avax = await chain.read('MinipoolManager', 'getExpectedAVAXRewardsAmt', [cycle, parseEther(avaxStaked)]);
    return chain.read('MinipoolManager', 'calculateGGPSlashAmt', [avax]);
  };
  const costOf = async (ggpStaked: string, avaxStaked: string) => {
    await tables.renew();
    const body = await bodyFrom(rewardsByStake, container(), {
      query: { ggpStaked, avaxStaked },
    });
    return body.ggpSlashAmt;
  };
  for (const [avaxStaked, price] of [
    ['1000', WAD / 50n],
    ['1234.567890123456789012', 17_711_300_000_000_007n],
    ['0', WAD],
  ] as const) {
    const slashed = await expected(avaxStaked, price);
    expect(await costOf('9000', avaxStaked)).toBe(formatAmount(slashed));
    // Never more than there is.
    if (slashed > 0n) expect(await costOf('1.5', avaxStaked)).toBe('1.5');
  }
  await setSetting(chain, 'ExpectedAVAXRewardsRate', 0n);
  expect(await costOf('9000', '1000')).toBe('0');
});

describe('with a contract that is not registered', () => {
  const ENDPOINTS = {
    metrics,
    minipools,
    stakers,
    ggAvax,
    rewardsCycle,
    supplyGgpTotal,
    supplyGgAvax,
    rewardsByStake,
    nodeOpSpread,
  };
  const OPERATORS_STAKE = { query: { ggpStaked: '6000', avaxStaked: '1000' } };

  async function renewed() {
    await tables.renew();
    return container();
  }
  async function ask(endpoint: Endpoint, request: Parameters<typeof sendTo>[2] = {}) {
    return sendTo(endpoint, await renewed(), request);
  }
  const isUnavailable = {
    status: 503,
    headers: { 'Retry-After': '5' },
    body: { code: 'UPSTREAM_UNAVAILABLE' },
  };
  const hasNoValue = { status: 404, body: { code: 'NO_VALUE' } };
  /** A request for the first staker. */
  const firstStaker = async () => {
    const [{ stakerAddr: address }] = await chain.read('Staking', 'getStakers', [0, 1]);
    return { params: { address } };
  };

  test.each([
    ['MinipoolManager', ['minipools']],
    ['Staking', ['stakers', 'rewardsByStake', 'nodeOpSpread']],
    ['ProtocolDAO', ['rewardsByStake', 'nodeOpSpread']],
    ['RewardsPool', ['rewardsByStake', 'nodeOpSpread']],
    ['TokenGGP', ['rewardsByStake', 'nodeOpSpread', 'supplyGgpTotal']],
    ['TokenggAVAX', ['supplyGgAvax']],
  ] as const)('(%s), endpoints that need it are a 503, and all others answer', async (name, without) => {
    await unregister(chain, name);
    const on = await renewed();
    for (const [endpointName, endpoint] of Object.entries(ENDPOINTS)) {
      const answered = await sendTo(endpoint, on, endpoint === rewardsByStake ? OPERATORS_STAKE : {});
      if ((without as readonly string[]).includes(endpointName)) expect(answered).toMatchObject(isUnavailable);
      else expect([endpointName, answered.status]).toEqual([endpointName, 200]);
    }
  });

  const METRICS: [name: string, figures: string[]][] = [
    [
      'MinipoolManager',
      ['minipools', 'minipool_count', 'total_avax_liquid_staker_amt', 'tvl_avax', 'tvl_usd', 'status'],
    ],
    [
      'Staking',
      [
        ...['staker_count', 'active_staker_count', 'node_operator_count', 'total_avax_staked'],
        ...['total_effective_ggp_staked', 'tvl_avax', 'tvl_usd'],
      ],
    ],
    ['ProtocolDAO', ['amount_available_for_staking', 'total_effective_ggp_staked', 'status']],
    [
      'TokenGGP',
      ['ggp_total_supply', 'total_ggp_staked', 'ggp_price_in_avax', 'ggp_price_in_usd', 'tvl_avax', 'tvl_usd'],
    ],
  ];

  test('/metrics counts neither stakers without GGP as active, nor those without AVAX in minipools as operators', async () => {
    const before = await answer(metrics);
    await setStaker(chain, 0, 'ggpStaked', 0n);
    for (const field of ['avaxAssigned', 'avaxValidating']) await setStaker(chain, 0, field, 0n);
    const { active_staker_count: active, node_operator_count: operators } = await answer(metrics);
    expect([active, operators]).toEqual([before.active_staker_count - 1, before.node_operator_count - 1]);
  });

  test.each(METRICS)('(%s), /metrics omits the figures that depend on it', async (name, figures) => {
    // Nothing is staked, so the status depends on the cycle, which is overdue.
    await setStatus([...(await minipoolsOf('staking')), ...(await minipoolsOf('launched'))], 'finished');
    await pass(chain, 60 * DAY);
    const whole = await answer(metrics);
    expect(whole.status).toBe('winding_down');
    await unregister(chain, name);
    const without = await answer(metrics);
    expect(
      Object.keys(whole)
        .filter((key) => !(key in without))
        .sort(),
    ).toEqual(figures.toSorted());
    const on = await renewed();
    for (const figure of figures.filter((key) => key !== 'status' && key !== 'minipools'))
      expect(await sendTo(metricsName, on, { params: { name: figure } })).toMatchObject(hasNoValue);
  });

  test('(MinipoolManager), the same is missing if its address has no code', async () => {
    await silence(chain, 'MinipoolManager');
    const body = await answer(metrics);
    for (const figure of METRICS[0]?.[1] ?? []) expect(body).not.toHaveProperty(figure);
    expect(await ask(minipools)).toMatchObject(isUnavailable);
  });

  test('(MinipoolManager), a figure in a part that is missing has no value', async () => {
    await unregister(chain, 'MinipoolManager');
    expect(await ask(metricsName, { params: { name: 'minipools.staking' } })).toMatchObject(hasNoValue);
    expect(await ask(metricsName, { params: { name: 'staker_count' } })).toMatchObject({ status: 200, body: 25 });
  });

  test('(MinipoolManager), a staker is returned without minipools', async () => {
    const asked = await firstStaker();
    const { minipools: theirs, block, ...staker } = (await ask(stakersAddress, asked)).body;
    expect(theirs).not.toEqual([]);
    await unregister(chain, 'MinipoolManager');
    const { status, body } = await ask(stakersAddress, asked);
    expect([status, body]).toEqual([200, { ...staker, block: await head() }]);
  });

  test('(Staking), a staker is a 503', async () => {
    const asked = await firstStaker();
    await unregister(chain, 'Staking');
    for (const endpoint of [stakersAddress, rewardsAddress])
      expect(await ask(endpoint, asked)).toMatchObject(isUnavailable);
  });

  test.each(['true', 'false'])(
    '(ProtocolDAO), a list filtered by eligible=%s is a 503, not empty',
    async (eligible) => {
      await unregister(chain, 'ProtocolDAO');
      expect(await ask(stakers, { query: { eligible } })).toMatchObject(isUnavailable);
      expect((await ask(stakers, {})).body.total).toBe(25);
    },
  );
});
