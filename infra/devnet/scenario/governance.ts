import { id, parseEther } from 'ethers';
import { CREATION_ORDER } from '../addresses.ts';
import { call, type Read, type Transaction } from '../chain.ts';
import { FIRST_DAY, LATE_ARRIVALS_DAY, MANAGER_UPGRADE_DAY, REOPENING_DAY } from './calendar.ts';
import { createContract, type Stage } from './founding.ts';
import type { Operator } from './people.ts';
import { act, type Step } from './step.ts';

const EARLIER_CYCLES = 20;
/** Days a GGP rewards cycle starts on, 30 days and a bit after the one before: the next is due about day 94. */
const CYCLE_STARTS = [4, 34.1, 64.2];
/** Rialto distributes two hours after the start. */
const UNTIL_DISTRIBUTION = 0.1;

const TIMELOCK_DAY = 50;
const SAVAX_SUPPLY = parseEther('1000');

/** Claims of distributed GGP: who, day, and the percentage paid out instead of staked again. */
const CLAIMS: readonly [Operator, number, bigint][] = [
  ['ada', 6, 100n],
  ['elena', 9, 50n],
  ['greta', 12, 100n],
  ['tara', 36, 100n],
  ['kaya', 37, 100n],
  ['ada', 41, 25n],
  ['liam', 45, 100n],
  ['mona', 66, 0n],
  ['farid', 67, 100n],
  ['yusuf', 70, 80n],
  ['nils', 78, 100n],
];

/** Created with the withdrawal queue: what comes after it in the order. */
const LATE_ARRIVALS = CREATION_ORDER.slice(CREATION_ORDER.indexOf('WithdrawQueue'));

/** GGP reward cycles and claims, and the upgrades of the protocol. */
export function governanceSteps(stage: Stage): Step[] {
  const { protocol, people } = stage;
  const { ProtocolDAO, RewardsPool, TokenggAVAX, WithdrawQueue, MinipoolManager, Timelock } = protocol;
  const { guardian, keeper } = people;

  const upgrade: Step = {
    day: MANAGER_UPGRADE_DAY,
    transactions: () => [
      createContract('MinipoolManager', stage),
      call(guardian, ProtocolDAO, 'registerContract', ['MinipoolManager', MinipoolManager.address]),
    ],
  };

  const queue: Step = {
    day: LATE_ARRIVALS_DAY,
    transactions: () => [
      ...LATE_ARRIVALS.map((name) => createContract(name, stage)),
      call(keeper, protocol.SAVAX, 'mint', [protocol.Trader.address, SAVAX_SUPPLY]),
      call(guardian, TokenggAVAX, 'upgradeTo', [3]),
      ...['STAKER_ROLE', 'WITHDRAW_QUEUE_ROLE'].map((role) =>
        call(guardian, TokenggAVAX, 'grantRole', [id(role), WithdrawQueue.address]),
      ),
    ],
  };

  /** Same as on mainnet in 2026: everybody may redeem, and nobody serves the queue any more. */
  const reopening = act(REOPENING_DAY, guardian, TokenggAVAX, 'upgradeTo', [4]);

  /** One call is made, another one is not. */
  const timelock = (['executeTransaction', 'abortTransaction'] as const).flatMap((method, place) => [
    act(TIMELOCK_DAY + place, guardian, Timelock, 'queueTransaction', [id(method), ProtocolDAO.address, '0x']),
    act(TIMELOCK_DAY + place + 2, guardian, Timelock, method, [id(method)]),
  ]);

  const cycles = CYCLE_STARTS.flatMap((day): Step[] => [
    act(day, keeper, RewardsPool, 'startRewardsCycle'),
    { day: day + UNTIL_DISTRIBUTION, transactions: (read) => distribution(stage, read) },
  ]);

  const claims = CLAIMS.map(([name, day, percent]) =>
    act(day, people[name], protocol.ClaimNodeOp, 'claimAndRestake', async (read) => {
      const [rewards] = await read(protocol.Staking, 'getGGPRewards', [people[name]]);
      return [(rewards * percent) / 100n];
    }),
  );

  const clock = act(FIRST_DAY, guardian, RewardsPool, 'initialize', [EARLIER_CYCLES]);
  return [clock, upgrade, queue, reopening, ...timelock, ...cycles, ...claims];
}

/** Rialto's work after a cycle has started: sums the effective stake of eligible stakers, then pays each their share. */
async function distribution({ protocol, people }: Stage, read: Read): Promise<Transaction[]> {
  const { Staking, ClaimNodeOp } = protocol;
  const [stakers] = await read(Staking, 'getStakers', [0, 0]);
  const eligible: string[] = [];
  let total = 0n;
  for (const { stakerAddr } of stakers) {
    if (!(await read(ClaimNodeOp, 'isEligible', [stakerAddr]))[0]) continue;
    eligible.push(stakerAddr);
    total += (await read(Staking, 'getEffectiveGGPStaked', [stakerAddr]))[0];
  }
  return eligible.map((staker) => call(people.rialto, ClaimNodeOp, 'calculateAndDistributeRewards', [staker, total]));
}
