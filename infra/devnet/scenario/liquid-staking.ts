import { encodeBytes32String, id, parseEther } from 'ethers';
import type { Contract, Read } from '../chain.ts';
import type { Protocol } from '../protocol.ts';
import { DAY, FIRST_DAY, LAST_DAY, LATE_ARRIVALS_DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import { managerOn, nodeID } from './minipool-steps.ts';
import type { LiquidStaker, Operator, People } from './people.ts';
import { act, type Step } from './step.ts';

/** AVAX deposited into ggAVAX, by day. */
const DEPOSITS: Record<LiquidStaker, Record<number, number>> = {
  alba: { [FIRST_DAY]: 9_000, 14: 1_500, 75: 320 },
  bruno: { [FIRST_DAY]: 4_000, 19: 800, 83: 75.5 },
  carla: { [-25]: 3_000, 24: 2_600 },
  diego: { [-15]: 2_500, 32: 450 },
  erika: { [-3]: 1_200, 38: 1_900 },
  fabio: { 2: 4_000, 47: 700 },
  gilda: { 7: 2_200, 54: 1_250 },
  henri: { 9: 3_300, 66: 600 },
};

/** ggAVAX that changes hands: from, to, day, amount. */
const TRANSFERS: readonly [LiquidStaker, LiquidStaker | Operator, number, number][] = [
  ['alba', 'bruno', 20, 300],
  ['bruno', 'alba', 33, 120.5],
  // Dmitri never deposits.
  ['carla', 'dmitri', 41, 200],
  ['erika', 'erika', 44, 10],
  ['bruno', 'ada', 61, 0],
];

/** Delay of each sync of the 14-day streams, in hours, in order. */
const SYNC_DELAYS = [2, 3, 9, 2, 5, 26, 2, 4, 7, 2];
const STREAM = 14 * DAY;

/** AVAX staked by delegation, outside minipools: node, day, amount; the day it comes back, and its reward. */
const DELEGATIONS: readonly [number, number, number, number?, string?][] = [
  [1, -20, 4_000, 4, '11.2'],
  [2, 6, 4_500, 50, '24.4'],
  [12, 34, 1_500, 71, '6.9'],
  [14, 52, 3_000],
  [16, 72, 2_100],
];

interface UnstakeRequest {
  by: LiquidStaker;
  day: number;
  shares: number;
  expiresAfter: number;
  /** The holder whose shares the request takes, if they are not the requester's. */
  paidBy?: LiquidStaker;
  /** Its end. Anybody gives shares back after the request has expired: the keeper. */
  ended?: [day: number, method: 'claimUnstake' | 'cancelRequest' | 'reclaimExpiredRequest'];
}

/**
 * Requests of the withdrawal queue, in order: ids count from 0. Requests made before day 71 are fulfilled by then, later ones never: on
 * the last day, one of them is overdue.
 */
const UNSTAKE_REQUESTS: readonly UnstakeRequest[] = [
  { by: 'alba', day: 46, shares: 400, expiresAfter: 30, ended: [63, 'claimUnstake'] },
  // Fulfilled on day 50, never claimed: expired since day 65.
  { by: 'bruno', day: 47, shares: 120, expiresAfter: 3 },
  { by: 'carla', day: 55, shares: 250, expiresAfter: 60 },
  { by: 'diego', day: 58, shares: 80.25, expiresAfter: 14, ended: [60, 'cancelRequest'] },
  { by: 'erika', day: 66, shares: 310, expiresAfter: 60, ended: [80, 'claimUnstake'] },
  { by: 'fabio', day: 69, shares: 55.5, expiresAfter: 60, paidBy: 'henri' },
  { by: 'carla', day: 71.2, shares: 30, expiresAfter: 3, ended: [89.3, 'reclaimExpiredRequest'] },
  { by: 'gilda', day: 73.5, shares: 900, expiresAfter: 60 },
  { by: 'alba', day: 84, shares: 1_000, expiresAfter: 30 },
  { by: 'bruno', day: 88.5, shares: 42, expiresAfter: 14 },
  { by: 'alba', day: 88.6, shares: 210, expiresAfter: 30, ended: [89.4, 'cancelRequest'] },
];

const DELEGATION = encodeBytes32String('DELEGATION');

/** Deposits, reward streams, delegation and the withdrawal queue. */
export function liquidStakingSteps({ protocol, people, startOfDay0 }: Stage): Step[] {
  const { TokenggAVAX, WithdrawQueue } = protocol;
  const { keeper, rialto } = people;

  const deposits = Object.entries(DEPOSITS).flatMap(([by, amounts]) =>
    Object.entries(amounts).map(([day, avax]) =>
      act(Number(day), people[by as LiquidStaker], TokenggAVAX, 'depositAVAX', [], parseEther(String(avax))),
    ),
  );

  const source = encodeBytes32String('VALIDATOR');
  // Rewards of the protocol's own validators, until minipools take over.
  const yields = Array.from({ length: 18 }, (_, index) =>
    act(-25 + 4 * index, rialto, TokenggAVAX, 'depositYield', [source], parseEther('10.4')),
  );

  const delegations = DELEGATIONS.flatMap(([node, day, avax, returns, reward = '0']) => {
    const [base, earned] = [parseEther(String(avax)), parseEther(reward)];
    const out = act(day, rialto, managerOn(day, protocol), 'withdrawForDelegation', [base, nodeID(node)]);
    if (!returns) return [out];
    const back = (by: Contract, method: string, origin: string) =>
      act(returns, rialto, by, method, [base, earned, origin], base + earned);
    if (returns >= LATE_ARRIVALS_DAY) return [out, back(WithdrawQueue, 'depositFromStaking', DELEGATION)];
    return [out, back(managerOn(returns, protocol), 'depositFromDelegation', nodeID(node))];
  });

  const requests = UNSTAKE_REQUESTS.flatMap(({ by, day, expiresAfter, paidBy = by, ended, ...request }, requestId) => {
    const shares = parseEther(String(request.shares));
    const requested = [
      act(day, people[paidBy], TokenggAVAX, 'approve', [WithdrawQueue.address, shares]),
      act(day, people[paidBy], WithdrawQueue, 'requestUnstakeOnBehalfOf', [shares, people[by], expiresAfter * DAY]),
    ];
    if (!ended) return requested;
    const [end, method] = ended;
    const sender = method === 'reclaimExpiredRequest' ? keeper : people[by];
    return [...requested, act(end, sender, WithdrawQueue, method, [requestId])];
  });

  return [
    ...deposits,
    ...holderSteps(protocol, people),
    act(FIRST_DAY, keeper, TokenggAVAX, 'syncRewards'),
    ...yields,
    ...syncs(startOfDay0, (day) => act(day, keeper, TokenggAVAX, 'syncRewards')),
    ...delegations,
    ...requests,
  ];
}

/** Holders' transactions with ggAVAX besides deposits and unstaking. */
function holderSteps({ TokenggAVAX, WAVAX }: Protocol, people: People): Step[] {
  const gift = parseEther('500');
  return [
    ...TRANSFERS.map(([from, to, day, shares]) =>
      act(day, people[from], TokenggAVAX, 'transfer', [people[to], parseEther(String(shares))]),
    ),
    act(29, people.bruno, WAVAX, 'deposit', [], gift),
    act(29, people.bruno, WAVAX, 'approve', [TokenggAVAX.address, gift]),
    act(29, people.bruno, TokenggAVAX, 'deposit', [gift, people.carla]),
    // Redeems at once, without the queue, while only who has its role can.
    act(62, people.guardian, TokenggAVAX, 'grantRole', [id('WITHDRAW_QUEUE_ROLE'), people.alba]),
    act(62, people.alba, TokenggAVAX, 'redeemAVAX', [parseEther('150')]),
    act(73, people.gilda, TokenggAVAX, 'donateYield', [parseEther('2'), encodeBytes32String('COMMUNITY')]),
    act(85, people.henri, TokenggAVAX, 'transfer', async (read) => {
      const [all] = await read(TokenggAVAX, 'balanceOf', [people.henri]);
      return [people.gilda, all];
    }),
  ];
}

/**
 * Streams end on multiples of 14 days since 1970, so when they are synced depends on the date of day 0. The last one is
 * synced by the end of the history, for any delay: rewards are always streamed there.
 */
function syncs(startOfDay0: number, sync: (day: number) => Step): Step[] {
  const first = Math.floor((startOfDay0 + FIRST_DAY * DAY) / STREAM) + 1;
  return SYNC_DELAYS.flatMap((hours, index) => {
    const begin = ((first + index) * STREAM - startOfDay0) / DAY;
    return begin > LAST_DAY ? [] : [sync(Math.min(begin + hours / 24, LAST_DAY))];
  });
}

/** AVAX per ggAVAX, from the token itself. */
export async function readExchangeRate(read: Read, { TokenggAVAX }: Protocol): Promise<number> {
  const [rate] = await read(TokenggAVAX, 'convertToAssets', [10n ** 18n]);
  return Number(rate) / 1e18;
}
