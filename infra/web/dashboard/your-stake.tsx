import type { AddressRewards, Cycle, Flags, Staker } from './bodies.ts';
import { Card } from './card.tsx';
import { type Fact, Facts } from './facts.tsx';
import { counted, day, percent, percentReached, withUnit } from './format.ts';
import { Amount, Quantity } from './quantity.tsx';
import { type Loaded, useAnswer } from './sources.ts';

/** What a node operator has staked, and what that brings. */

/** Percent of the assigned AVAX: GGP worth less earns nothing, and worth more earns no more. */
const LEAST_COLLATERAL = 10;
const MOST_COLLATERAL = 150;

interface StakeProps {
  staker: Loaded<Staker>;
  rewards: Loaded<AddressRewards>;
}

export function Stake({ staker, rewards }: StakeProps) {
  const { body } = staker;
  const { body: cycle } = useAnswer<Cycle>('rewards/cycle');
  const { body: flags } = useAnswer<Flags>('flags');
  return (
    <Card id="your-stake" title="Stake" about="GGP behind the minipools of this address" from={[staker]} lines={9}>
      {body && (
        <Facts big of={[...stakeFacts(body), ...(rewards.body ? rewardFacts(body, rewards.body, cycle, flags) : [])]} />
      )}
      {body?.collateralPercent !== undefined && <CollateralMeter of={body.collateralPercent} />}
      {!rewards.body && rewards.failure && <p class="note">{`Rewards: ${rewards.failure.message}`}</p>}
    </Card>
  );
}

function CollateralMeter({ of: collateral }: { of: number }) {
  const most = `${MOST_COLLATERAL} %`;
  return (
    <div class="collateral">
      <meter
        min={0}
        max={MOST_COLLATERAL}
        low={LEAST_COLLATERAL}
        value={collateral}
        aria-label={`Collateral, up to ${most}`}
      />
      <p class="scale quiet">
        <span>0 %</span>
        <span>{most} of collateral: more earns no more</span>
      </p>
    </div>
  );
}

/** Whether liquid stakers' AVAX stands on the stake. Without a price of GGP its collateral is not known, and still needed. */
function isAssigned({ avaxAssigned }: Staker): boolean {
  return Number(avaxAssigned) > 0;
}

function stakeFacts(staker: Staker): Fact[] {
  const { ggpStaked, avaxStaked, avaxAssigned, collateralPercent: collateral, minimumGGPStake } = staker;
  const isMatched = isAssigned(staker);
  const matched = (
    <>
      matched by <Quantity of={avaxAssigned} unit="AVAX" />
    </>
  );
  return [
    ['GGP staked', <Amount of={ggpStaked} unit="GGP" />, isMatched && minimumGGPStake && <Least {...staker} />],
    ['Own AVAX', <Amount of={avaxStaked} unit="AVAX" />, isMatched && matched],
    [
      'Collateral',
      collateral !== undefined ? percentReached(collateral) : isMatched ? '–' : 'no AVAX assigned',
      `rewards from ${LEAST_COLLATERAL} % on, the most at ${MOST_COLLATERAL} %`,
    ],
  ];
}

/** The GGP that minipools and rewards need, and how much of it is missing. */
function Least({ minimumGGPStake, ggpStaked }: Staker) {
  const missing = Number(minimumGGPStake) - Number(ggpStaked);
  return (
    <>
      at least <Quantity of={minimumGGPStake} unit="GGP" />
      {missing > 0 && <span class="problem">{`: ${withUnit(missing, 'GGP')} are missing`}</span>}
    </>
  );
}

/** Whether the next reward is paid to them, or why not. The contract calls those eligible, too, whose collateral earns nothing. */
function eligibility({ eligible, eligibleAt, sharePercent }: AddressRewards, collateral = LEAST_COLLATERAL): Fact {
  const name = 'Eligible for rewards';
  if (eligible === undefined) return [name, '–'];
  if (!eligible)
    return [
      name,
      'not now',
      eligibleAt === undefined ? 'nothing of it has validated since the last payment' : `from ${day(eligibleAt)}`,
    ];
  if (collateral < LEAST_COLLATERAL) return [name, 'not now', `the collateral is below ${LEAST_COLLATERAL} %`];
  return [name, 'yes', sharePercent !== undefined && `${percent(sharePercent)} of the operators’ part`];
}

function rewardFacts(
  staker: Staker,
  rewards: AddressRewards,
  cycle: Cycle | undefined,
  flags: Flags | undefined,
): Fact[] {
  const { estimatedGGPReward, aprPercent, ggpRewards, claims, claimedTotal } = rewards;
  const terms = [nextPayment(cycle), aprPercent !== undefined && `${percent(aprPercent)} a year`];
  return [
    eligibility(rewards, staker.collateralPercent),
    [
      'Next reward, estimated',
      <Amount of={estimatedGGPReward} unit="GGP" />,
      Number(estimatedGGPReward) > 0 && terms.filter(Boolean).join('; '),
    ],
    ['To claim', <Amount of={ggpRewards} unit="GGP" />, Number(ggpRewards) > 0 && claimsState(flags)],
    [
      'Claimed in all',
      <Amount of={claimedTotal} unit="GGP" />,
      claimedTotal !== undefined && claims && claims.length > 0 && `in ${counted(claims.length, 'claim')}`,
    ],
    withdrawable(staker, rewards),
  ];
}

/** How much of the GGP can be withdrawn: `Staking.withdrawGGP` leaves the most that earns behind the AVAX. */
function withdrawable(staker: Staker, { ggpLockedUntil }: AddressRewards): Fact {
  const { ggpStaked, collateralPercent: collateral } = staker;
  const name = 'GGP to withdraw';
  if (ggpLockedUntil * 1_000 > Date.now()) return [name, 'none', `locked until ${day(ggpLockedUntil)}`];
  if (!isAssigned(staker)) return [name, <Amount of={ggpStaked} unit="GGP" />];
  const rule = `what is beyond ${MOST_COLLATERAL} % of collateral`;
  if (collateral === undefined) return [name, '–', rule];
  return collateral > MOST_COLLATERAL ? [name, 'a part', rule] : [name, 'none', `only ${rule}`];
}

/** When the next reward is paid: not before the next cycle, which somebody has to begin. */
function nextPayment(cycle: Cycle | undefined): string | undefined {
  if (!cycle?.next) return undefined;
  const { startsAt } = cycle.next;
  return startsAt > cycle.block.timestamp ? `${day(startsAt)} or later` : 'when the next cycle begins';
}

function claimsState(flags: Flags | undefined): string | undefined {
  const isOpen = flags?.flags.ggpRewardsClaims?.enabled;
  return isOpen === undefined ? undefined : isOpen ? 'can be claimed now' : 'claims are closed';
}
