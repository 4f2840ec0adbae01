import { parseEther } from 'ethers';
import { call, type Read } from '../chain.ts';
import { DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import type { Operator } from './people.ts';
import { act, type Step } from './step.ts';

interface OperatorRow {
  name: Operator;
  /** First stakes on this day. */
  day: number;
  /** AVAX the liquid stakers match for them at the end. */
  avax: number;
  /** Value of the GGP staked against `avax`, at the price of the first stake (`then`) or of the end (`now`). */
  collateral: number;
  at: 'then' | 'now';
}

/** GGP stake of each operator, ordered by the collateral they end with. */
const OPERATORS: readonly OperatorRow[] = [
  // Under 10 %: enough on the first day, then GGP fell.
  { name: 'boris', day: 20, avax: 2000, collateral: 0.108, at: 'then' },
  // Topped up to 10 % on the last day, to the wei.
  { name: 'clara', day: 18, avax: 1000, collateral: 0.101, at: 'then' },
  { name: 'samir', day: 50, avax: 1000, collateral: 0.125, at: 'now' },
  { name: 'pavel', day: 35, avax: 2000, collateral: 0.15, at: 'now' },
  { name: 'umar', day: 60, avax: 2000, collateral: 0.22, at: 'now' },
  { name: 'nils', day: -15, avax: 1000, collateral: 0.25, at: 'now' },
  { name: 'wim', day: -18, avax: 1000, collateral: 0.3, at: 'now' },
  // Eligible only 15 days after the first minipool, on day 95.
  { name: 'ines', day: 80, avax: 1000, collateral: 0.35, at: 'now' },
  { name: 'rosa', day: 0, avax: 1000, collateral: 0.4, at: 'now' },
  { name: 'olga', day: 30, avax: 1000, collateral: 0.5, at: 'now' },
  { name: 'xenia', day: 70, avax: 1000, collateral: 0.55, at: 'now' },
  { name: 'elena', day: -25, avax: 3000, collateral: 0.6, at: 'now' },
  { name: 'liam', day: -20, avax: 2000, collateral: 0.6, at: 'now' },
  { name: 'vera', day: 55, avax: 2000, collateral: 0.6, at: 'now' },
  { name: 'tara', day: -22, avax: 2000, collateral: 0.75, at: 'now' },
  // Nothing runs any more, but the high water mark stays until the next distribution.
  { name: 'hugo', day: 65, avax: 1000, collateral: 0.8, at: 'now' },
  { name: 'quinn', day: 40, avax: 2000, collateral: 0.9, at: 'now' },
  { name: 'mona', day: 5, avax: 1000, collateral: 1, at: 'now' },
  { name: 'yusuf', day: -12, avax: 1000, collateral: 1.2, at: 'now' },
  // Just above the 150 % that still count.
  { name: 'ada', day: -25, avax: 4000, collateral: 1.52, at: 'now' },
  { name: 'greta', day: -25, avax: 2000, collateral: 1.52, at: 'now' },
  // Withdraws everything on day 40.
  { name: 'kaya', day: -25, avax: 1000, collateral: 1.6, at: 'now' },
  // Locked into the future.
  { name: 'jonas', day: 10, avax: 1000, collateral: 2, at: 'now' },
  { name: 'farid', day: -25, avax: 2000, collateral: 3.05, at: 'now' },
  // Staked, but never ran a node.
  { name: 'dmitri', day: -5, avax: 1000, collateral: 0.25, at: 'now' },
];

const WITHDRAWS_ALL = { name: 'kaya', day: 40 } as const;
const TOPS_UP = { name: 'clara', day: 89.5 } as const;
const LOCKED = { name: 'jonas', day: 12, seconds: 200 * DAY } as const;

/**
 * GGP going in and out of Staking.
 *
 * @param priceOn GGP price in AVAX on a day, by the oracle
 * @param startOfDay0 unix seconds
 */
export function operatorSteps(
  { protocol: { Staking }, people }: Stage,
  priceOn: (day: number) => number,
  startOfDay0: number,
): Step[] {
  const stakes = OPERATORS.map(({ name, day, avax, collateral, at }) => {
    const ggp = (avax * collateral) / priceOn(at === 'then' ? day : Number.POSITIVE_INFINITY);
    return act(day, people[name], Staking, 'stakeGGP', [parseEther(ggp.toFixed(6))]);
  });

  const amount = async (read: Read, method: string, name: Operator): Promise<bigint> =>
    (await read(Staking, method, [people[name]]))[0];

  const withdrawal: Step = {
    day: WITHDRAWS_ALL.day,
    transactions: async (read) => {
      const staked = await amount(read, 'getGGPStake', WITHDRAWS_ALL.name);
      return [call(people[WITHDRAWS_ALL.name], Staking, 'withdrawGGP', [staked])];
    },
  };
  const topUp: Step = {
    day: TOPS_UP.day,
    transactions: async (read) => {
      const minimum = await amount(read, 'getMinimumGGPStake', TOPS_UP.name);
      const staked = await amount(read, 'getGGPStake', TOPS_UP.name);
      // The minimum is floored twice; a thousand wei more are surely enough.
      return [call(people[TOPS_UP.name], Staking, 'stakeGGP', [minimum + 1000n - staked])];
    },
  };
  const until = startOfDay0 + LOCKED.day * DAY + LOCKED.seconds;
  const lock = act(LOCKED.day, people.guardian, Staking, 'setGGPLockedUntil', [people[LOCKED.name], until]);
  return [...stakes, withdrawal, topUp, lock];
}
