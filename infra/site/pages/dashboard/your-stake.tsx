/** A node operator's stake, and its rewards. */

import { REWARDS_GATE_RATIO } from '../../../../lib/rewards/collateral.ts';
import { wadToPercent } from '../../../../lib/values/wad.ts';
import { endOfWithdrawals, LATE } from './announced-end.tsx';
import type { Account, AddressRewards, Flags, Staker } from './bodies.ts';
import { Card } from './card.tsx';
import { type Fact, Facts } from './facts.tsx';
import { counted, day, percent, percentReached, withUnit } from './format.ts';
import { pathOf } from './paths.ts';
import { Amount, Quantity } from './quantity.tsx';
import { type Loaded, useAnswer } from './sources.ts';

/** Names of the facts that need `/rewards/{address}`. */
const NAMES = {
  eligible: 'Eligible for rewards',
  next: 'Next reward (estimate)',
  unclaimed: 'Unclaimed rewards',
  claimed: 'Claimed in total',
  withdrawable: 'Withdrawable GGP',
};

/** The minimum collateral for rewards, percent of the assigned AVAX. Minipools have another minimum. */
const LEAST_COLLATERAL = wadToPercent(REWARDS_GATE_RATIO);

/** Less GGP than this is not worth a remark. */
const LEAST_COST = 0.01;

interface StakeProps {
  staker: Loaded<Staker>;
  rewards: Loaded<AddressRewards>;
  account: Account | undefined;
  /** Maximum collateral for rewards, percent of the assigned AVAX. */
  most: number | undefined;
}

export function Stake({ staker, rewards, account, most }: StakeProps) {
  const { body } = staker;
  const { body: flags } = useAnswer(pathOf('/flags'));
  const earned = () => {
    if (body && rewards.body) return rewardFacts(body, rewards.body, account, most, flags);
    // Reserves their room while they are loading.
    return rewards.failure ? [] : Object.values(NAMES).map((name): Fact => [name, '…', '\u00a0']);
  };
  return (
    <Card
      id="your-stake"
      title="Stake"
      about="GGP staked as collateral for this address’s minipools"
      from={[staker]}
      lines={8}
    >
      {body && <Facts big of={[...stakeFacts(body, most), ...earned()]} />}
      {body?.collateralPercent !== undefined && most !== undefined && (
        <CollateralMeter of={body.collateralPercent} most={most} />
      )}
      {!rewards.body && rewards.failure && <p class="note">{`Rewards: ${rewards.failure.message}`}</p>}
    </Card>
  );
}

function CollateralMeter({ of: collateral, most }: { of: number; most: number }) {
  return (
    <div class="collateral">
      <meter min={0} max={most} low={LEAST_COLLATERAL} value={collateral} aria-label={`Collateral, up to ${most}%`} />
      <p class="scale quiet">
        <span>0%</span>
        <span>{most}% collateral: more earns nothing extra</span>
      </p>
    </div>
  );
}

/** True if AVAX of liquid stakers is assigned. It needs collateral, even if that is unknown without a GGP price. */
export function isAssigned({ avaxAssigned }: Staker): boolean {
  return Number(avaxAssigned) > 0;
}

function stakeFacts(staker: Staker, most: number | undefined): Fact[] {
  const { ggpStaked, avaxStaked, avaxAssigned, collateralPercent: collateral, minimumGGPStake } = staker;
  const isMatched = isAssigned(staker);
  const matched = (
    <>
      plus <Quantity of={avaxAssigned} unit="AVAX" /> from liquid stakers
    </>
  );
  return [
    ['GGP staked', <Amount of={ggpStaked} unit="GGP" />, isMatched && minimumGGPStake && <Least {...staker} />],
    ['Operator’s AVAX', <Amount of={avaxStaked} unit="AVAX" />, isMatched && matched],
    [
      'Collateral',
      collateral !== undefined ? percentReached(collateral) : isMatched ? '–' : 'No AVAX assigned',
      `rewards start at ${LEAST_COLLATERAL}%${most === undefined ? '' : `, peak at ${most}%`}`,
    ],
  ];
}

/** The minimum GGP stake for the assigned AVAX, and how much of it is missing. */
function Least({ minimumGGPStake, ggpStaked }: Staker) {
  const missing = Number(minimumGGPStake) - Number(ggpStaked);
  return (
    <>
      minimum <Quantity of={minimumGGPStake} unit="GGP" />
      {missing > 0 && <span class="problem">{`, ${withUnit(missing, 'GGP')} short`}</span>}
    </>
  );
}

/**
 * The fact that the next reward is paid, or the reason why not. For the contract, stakers with too little collateral are
 * eligible as well.
 */
function eligibility({ eligible, eligibleAt, sharePercent }: AddressRewards, collateral = LEAST_COLLATERAL): Fact {
  const name = NAMES.eligible;
  if (eligible === undefined) return [name, '–'];
  if (!eligible && eligibleAt !== undefined) return [name, 'Not yet', `from ${day(eligibleAt)}`];
  if (!eligible) return [name, 'No', 'no minipool has validated since the last payout'];
  if (collateral < LEAST_COLLATERAL) return [name, 'No', `collateral is below ${LEAST_COLLATERAL}%`];
  return [name, 'Yes', sharePercent !== undefined && `${percent(sharePercent)} of the operators’ pool`];
}

function rewardFacts(
  staker: Staker,
  rewards: AddressRewards,
  account: Account | undefined,
  most: number | undefined,
  flags: Flags | undefined,
): Fact[] {
  const { estimatedGGPReward, undistributedGGPReward, aprPercent, ggpRewards, claims, claimedTotal } = rewards;
  const terms = [nextPayment(rewards), aprPercent !== undefined && `${percent(aprPercent)} APR`];
  return [
    eligibility(rewards, staker.collateralPercent),
    [
      NAMES.next,
      <Amount of={estimatedGGPReward} unit="GGP" />,
      Number(estimatedGGPReward) > 0 && terms.filter(Boolean).join(', '),
    ],
    undistributedGGPReward !== undefined && [
      'Not paid out yet',
      <Amount of={undistributedGGPReward} unit="GGP" />,
      'for the last cycle',
    ],
    [NAMES.unclaimed, <Amount of={ggpRewards} unit="GGP" />, Number(ggpRewards) > 0 && claimsState(rewards, flags)],
    [
      NAMES.claimed,
      <Amount of={claimedTotal} unit="GGP" />,
      claimedTotal !== undefined && claims && claims.length > 0 && `in ${counted(claims.length, 'claim')}`,
    ],
    withdrawable(staker, rewards, account?.staking?.ggpWithdrawable, most, flags),
  ];
}

function isLocked(ggpLockedUntil: number): boolean {
  return ggpLockedUntil * 1_000 > Date.now();
}

function withdrawable(
  staker: Staker,
  rewards: AddressRewards,
  amount: string | undefined,
  most: number | undefined,
  flags: Flags | undefined,
): Fact {
  const name = NAMES.withdrawable;
  const { ggpLockedUntil: locked } = rewards;
  const isLate = locked >= (endOfWithdrawals(flags) ?? Number.POSITIVE_INFINITY);
  if (isLocked(locked)) return [name, 'None', `locked until ${day(locked)}${isLate ? `, ${LATE}` : ''}`];
  const rule = isAssigned(staker) && most !== undefined && `the part above ${most}% collateral`;
  return [name, <Amount of={amount} unit="GGP" />, rule];
}

/**
 * Part of the next reward that a withdrawal of all withdrawable GGP costs; undefined if it is 0 or unknown. The reward
 * depends on the stake at the payout (`ClaimNodeOp.calculateAndDistributeRewards`). The stake counts up to the maximum
 * collateral for the AVAX that has been validating since the last payout. So the reward is also paid for minipools that
 * have ended, although their GGP is free.
 */
export function costOfWithdrawing(staker: Staker, rewards: AddressRewards, withdrawable = '0'): string | undefined {
  const { estimatedGGPReward, undistributedGGPReward: due, effectiveGGPStaked, sharePercent } = rewards;
  // While the current cycle has not been paid out, that is the next payout.
  const [reward, effective] = [Number(due ?? estimatedGGPReward), Number(effectiveGGPStaked)];
  const amount = Number(withdrawable);
  if (!(amount > 0) || !(reward > 0) || !(effective > 0) || sharePercent === undefined) return undefined;
  // GGP that does not count is withdrawn first. The contract's rounding leaves a few wei of it in any case.
  const spare = Math.max(0, Number(staker.ggpStaked) - effective);
  const lost = Math.max(0, (amount - spare) / effective);
  // The share of other stakers grows by the loss.
  const kept = lost < 1 ? (1 - lost) / (1 - (lost * sharePercent) / 100) : 0;
  const cost = reward * (1 - kept);
  if (cost < LEAST_COST) return undefined;
  const when = due === undefined ? nextPayment(rewards) : 'for the current cycle';
  return [
    `Withdrawing ${withUnit(amount, 'GGP')} of the stake before the next payout${when ? ` (${when})` : ''} `,
    `gives up about ${withUnit(cost, 'GGP')} of reward; `,
    spare < LEAST_COST ? 'withdrawing less gives up less.' : `the first ≈ ${withUnit(spare, 'GGP')} give up nothing.`,
  ].join('');
}

/** Time of the next reward: after the start of the next cycle, which requires a transaction. */
function nextPayment({ cycle, block }: AddressRewards): string | undefined {
  if (!cycle) return undefined;
  return cycle.startsAt > block.timestamp ? `${day(cycle.startsAt)} or later` : 'when the next cycle starts';
}

function claimsState({ restakingPaused }: AddressRewards, flags: Flags | undefined): string | undefined {
  const isOpen = flags?.flags.ggpRewardsClaims?.enabled;
  if (isOpen === undefined) return undefined;
  if (!isOpen) return 'Hypha has announced that claims are closed';
  return restakingPaused ? 'can be claimed now, but only in full: restaking is paused' : 'can be claimed now';
}
