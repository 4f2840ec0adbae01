import { parseEther } from 'ethers';
import type { Read } from '../chain.ts';
import { DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import type { Operator } from './people.ts';
import { act, type Step } from './step.ts';

/**
 * GGP stake of each operator, ordered by the collateral they end with: day of the stake; AVAX that liquid stakers match for them
 * at the end; value of the stake against that, at the price of the end, or of the day (`then`).
 */
const OPERATORS: readonly [name: Operator, day: number, avax: number, collateral: number, at?: 'then'][] = [
  // Under 10 %: enough on the first day, then GGP fell.
  ['boris', 20, 2000, 0.108, 'then'],
  // Topped up to 10 % on the last day, to the wei.
  ['clara', 18, 1000, 0.101, 'then'],
  ['samir', 50, 1000, 0.125],
  ['pavel', 35, 2000, 0.15],
  ['umar', 60, 2000, 0.22],
  ['nils', -15, 1000, 0.25],
  ['wim', -18, 1000, 0.3],
  // Eligible only 15 days after the first minipool, on day 95.
  ['ines', 80, 1000, 0.35],
  ['rosa', 0, 1000, 0.4],
  ['olga', 30, 1000, 0.5],
  ['xenia', 70, 1000, 0.55],
  ['elena', -25, 3000, 0.6],
  ['liam', -20, 2000, 0.6],
  ['vera', 55, 2000, 0.6],
  ['tara', -22, 2000, 0.75],
  // Nothing runs any more, but the high water mark stays until the next distribution.
  ['hugo', 65, 1000, 0.8],
  ['quinn', 40, 2000, 0.9],
  ['mona', 5, 1000, 1],
  ['yusuf', -12, 1000, 1.2],
  // Just above the 150 % that still count.
  ['ada', -25, 4000, 1.52],
  ['greta', -25, 2000, 1.52],
  // Withdraws everything on day 40.
  ['kaya', -25, 1000, 1.6],
  // Locked into the future.
  ['jonas', 10, 1000, 2],
  ['farid', -25, 2000, 3.05],
  // Staked, but never ran a node.
  ['dmitri', -5, 1000, 0.25],
];

/** GGP going in and out of Staking. `priceOn`: GGP price in AVAX on a day, by the oracle. */
export function operatorSteps(
  { protocol: { Staking }, people, startOfDay0 }: Stage,
  priceOn: (day: number) => number,
): Step[] {
  const stakes = OPERATORS.map(([name, day, avax, collateral, at]) => {
    const ggp = (avax * collateral) / priceOn(at === 'then' ? day : Number.POSITIVE_INFINITY);
    return act(day, people[name], Staking, 'stakeGGP', [parseEther(ggp.toFixed(6))]);
  });

  const amount = async (read: Read, method: string, staker: string): Promise<bigint> =>
    (await read(Staking, method, [staker]))[0];
  const { kaya, clara, jonas, guardian } = people;
  const withdrawal = act(40, kaya, Staking, 'withdrawGGP', async (read) => [await amount(read, 'getGGPStake', kaya)]);
  const topUp = act(89.5, clara, Staking, 'stakeGGP', async (read) => {
    const lacking = (await amount(read, 'getMinimumGGPStake', clara)) - (await amount(read, 'getGGPStake', clara));
    // The minimum is floored twice; a thousand wei more are surely enough.
    return [lacking + 1000n];
  });
  const lock = act(12, guardian, Staking, 'setGGPLockedUntil', [jonas, startOfDay0 + 212 * DAY]);
  return [...stakes, withdrawal, topUp, lock];
}
