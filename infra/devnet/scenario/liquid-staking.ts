import { encodeBytes32String, id, parseEther } from 'ethers';
import { call, type Read } from '../chain.ts';
import type { Protocol } from '../protocol.ts';
import { DAY, FIRST_DAY, LAST_DAY, LATE_ARRIVALS_DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import { managerOn, nodeID } from './minipool-steps.ts';
import type { LiquidStaker, Operator, People } from './people.ts';
import { act, type Step } from './step.ts';

/** AVAX deposited into ggAVAX: who, day, amount. */
const DEPOSITS: readonly [LiquidStaker, number, number][] = [
  ['alba', FIRST_DAY, 9_000],
  ['bruno', FIRST_DAY, 4_000],
  ['carla', -25, 3_000],
  ['diego', -15, 2_500],
  ['erika', -3, 1_200],
  ['fabio', 2, 4_000],
  ['gilda', 7, 2_200],
  ['henri', 9, 3_300],
  ['alba', 14, 1_500],
  ['bruno', 19, 800],
  ['carla', 24, 2_600],
  ['diego', 32, 450],
  ['erika', 38, 1_900],
  ['fabio', 47, 700],
  ['gilda', 54, 1_250],
  ['henri', 66, 600],
  ['alba', 75, 320],
  ['bruno', 83, 75.5],
];

/** ggAVAX that changes hands: from, to, day, amount. */
const TRANSFERS: readonly [LiquidStaker, LiquidStaker | Operator, number, number][] = [
  ['alba', 'bruno', 20, 300],
  ['bruno', 'alba', 33, 120.5],
  // Dmitri never deposits.
  ['carla', 'dmitri', 41, 200],
  ['erika', 'erika', 44, 10],
  ['bruno', 'ada', 61, 0],
];

/** Wraps AVAX and deposits it for somebody else. */
const GIFT = { from: 'bruno', to: 'carla', day: 29, avax: 500 } as const;
/** Redeems at once, without the queue, while only who has its role can. */
const REDEEMS = { name: 'alba', day: 62, shares: 150 } as const;
/** Burns shares, to the good of everybody else. */
const DONATES = { name: 'gilda', day: 73, shares: 2 } as const;
/** Gives everything away. */
const LEAVES = { name: 'henri', to: 'gilda', day: 85 } as const;

/** AVAX the protocol's own validators earn, paid in every four days until minipools take over. */
const YIELD = { from: -25, until: 43, every: 4, avax: '10.4' };

/** Delay of each sync of the 14-day streams, in hours, in order. */
const SYNC_DELAYS = [2, 3, 9, 2, 5, 26, 2, 4, 7, 2];
const STREAM = 14 * DAY;

/** AVAX staked by delegation, outside minipools: day, amount, and the day it comes back with its reward. */
const DELEGATIONS: readonly { node: number; day: number; avax: number; back?: { day: number; reward: number } }[] = [
  { node: 1, day: -20, avax: 4_000, back: { day: 4, reward: 11.2 } },
  { node: 2, day: 6, avax: 4_500, back: { day: 50, reward: 24.4 } },
  { node: 12, day: 34, avax: 1_500, back: { day: 71, reward: 6.9 } },
  { node: 14, day: 52, avax: 3_000 },
  { node: 16, day: 72, avax: 2_100 },
];

/**
 * Requests of the withdrawal queue, in order: ids count from 0. Those made before day 71 are fulfilled by then, later ones never: on
 * the last day, one of them is overdue.
 */
const UNSTAKE_REQUESTS: readonly {
  by: LiquidStaker;
  day: number;
  shares: number;
  expiresAfter: number;
  /** The holder whose shares the request takes, if they are not the requester's. */
  paidBy?: LiquidStaker;
  claimed?: number;
  canceled?: number;
  /** Day on which the shares are given back, after the request has expired. */
  reclaimed?: number;
}[] = [
  { by: 'alba', day: 46, shares: 400, expiresAfter: 30, claimed: 63 },
  // Fulfilled on day 50, never claimed: expired since day 65.
  { by: 'bruno', day: 47, shares: 120, expiresAfter: 3 },
  { by: 'carla', day: 55, shares: 250, expiresAfter: 60 },
  { by: 'diego', day: 58, shares: 80.25, expiresAfter: 14, canceled: 60 },
  { by: 'erika', day: 66, shares: 310, expiresAfter: 60, claimed: 80 },
  { by: 'fabio', day: 69, shares: 55.5, expiresAfter: 60, paidBy: 'henri' },
  { by: 'carla', day: 71.2, shares: 30, expiresAfter: 3, reclaimed: 89.3 },
  { by: 'gilda', day: 73.5, shares: 900, expiresAfter: 60 },
  { by: 'alba', day: 84, shares: 1_000, expiresAfter: 30 },
  { by: 'bruno', day: 88.5, shares: 42, expiresAfter: 14 },
  { by: 'alba', day: 88.6, shares: 210, expiresAfter: 30, canceled: 89.4 },
];

const DELEGATION = encodeBytes32String('DELEGATION');

/** Deposits, reward streams, delegation and the withdrawal queue. */
export function liquidStakingSteps({ protocol, people }: Stage, startOfDay0: number): Step[] {
  const { TokenggAVAX, WithdrawQueue } = protocol;
  const { keeper, rialto } = people;

  const deposits = DEPOSITS.map(([by, day, avax]) => {
    return act(day, people[by], TokenggAVAX, 'depositAVAX', [], parseEther(String(avax)));
  });

  const source = encodeBytes32String('VALIDATOR');
  const yields = Array.from({ length: (YIELD.until - YIELD.from) / YIELD.every + 1 }, (_, index) =>
    act(YIELD.from + index * YIELD.every, rialto, TokenggAVAX, 'depositYield', [source], parseEther(YIELD.avax)),
  );

  const delegations = DELEGATIONS.flatMap(({ node, day, avax, back }) => {
    const base = parseEther(String(avax));
    const out = act(day, rialto, managerOn(day, protocol), 'withdrawForDelegation', [base, nodeID(node)]);
    if (!back) return [out];
    const reward = parseEther(String(back.reward));
    const [by, method, origin] =
      back.day < LATE_ARRIVALS_DAY
        ? [managerOn(back.day, protocol), 'depositFromDelegation', nodeID(node)]
        : [WithdrawQueue, 'depositFromStaking', DELEGATION];
    return [out, act(back.day, rialto, by, method, [base, reward, origin], base + reward)];
  });

  const requests = UNSTAKE_REQUESTS.flatMap((request, requestId) => {
    const { by, day, expiresAfter, paidBy = by, claimed, canceled, reclaimed } = request;
    const shares = parseEther(String(request.shares));
    const asked = [shares, people[by], expiresAfter * DAY];
    return [
      act(day, people[paidBy], TokenggAVAX, 'approve', [WithdrawQueue.address, shares]),
      act(day, people[paidBy], WithdrawQueue, 'requestUnstakeOnBehalfOf', asked),
      ...(claimed ? [act(claimed, people[by], WithdrawQueue, 'claimUnstake', [requestId])] : []),
      ...(canceled ? [act(canceled, people[by], WithdrawQueue, 'cancelRequest', [requestId])] : []),
      ...(reclaimed ? [act(reclaimed, keeper, WithdrawQueue, 'reclaimExpiredRequest', [requestId])] : []),
    ];
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
  const transfers = TRANSFERS.map(([from, to, day, shares]) => {
    return act(day, people[from], TokenggAVAX, 'transfer', [people[to], parseEther(String(shares))]);
  });
  const gift = parseEther(String(GIFT.avax));
  const giver = people[GIFT.from];
  const leaver = people[LEAVES.name];
  return [
    ...transfers,
    act(GIFT.day, giver, WAVAX, 'deposit', [], gift),
    act(GIFT.day, giver, WAVAX, 'approve', [TokenggAVAX.address, gift]),
    act(GIFT.day, giver, TokenggAVAX, 'deposit', [gift, people[GIFT.to]]),
    act(REDEEMS.day, people.guardian, TokenggAVAX, 'grantRole', [id('WITHDRAW_QUEUE_ROLE'), people[REDEEMS.name]]),
    act(REDEEMS.day, people[REDEEMS.name], TokenggAVAX, 'redeemAVAX', [parseEther(String(REDEEMS.shares))]),
    act(DONATES.day, people[DONATES.name], TokenggAVAX, 'donateYield', [
      parseEther(String(DONATES.shares)),
      encodeBytes32String('COMMUNITY'),
    ]),
    {
      day: LEAVES.day,
      transactions: async (read) => {
        const [balance] = await read(TokenggAVAX, 'balanceOf', [leaver]);
        return [call(leaver, TokenggAVAX, 'transfer', [people[LEAVES.to], balance])];
      },
    },
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
