/** What a node operator would earn. All numbers are the API's; the curve is made from them with the API's functions. */

import { useEffect, useState } from 'preact/hooks';
import { effectiveGGPStaked, ggpStakeForRatio, REWARDS_GATE_RATIO } from '../../../../lib/rewards/collateral.ts';
import { nodeOpReward } from '../../../../lib/rewards/distribution.ts';
import { toNumber } from '../../../../lib/values/amounts.ts';
import { wadToPercent } from '../../../../lib/values/wad.ts';
import type { Reward, Staker } from './bodies.ts';
import { Card } from './card.tsx';
import { Chart } from './chart.tsx';
import { Facts } from './facts.tsx';
import { asTyped, duration, percent, percentReached, typedNumber, weiOf } from './format.ts';
import { type Path, pathOf, withQuery } from './paths.ts';
import { Amount } from './quantity.tsx';
import { HOLDS_AVAX } from './remarks.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { useStaker } from './staker.ts';

const PAUSE_MS = 400;
const CURVE_END = 200;
/** The curve's last point at zero is this much below the minimum collateral, in percent: nearly a vertical step. */
const STEP = 0.5;

/** Minimum collateral for rewards, percent of the AVAX. Minipools have another minimum. */
export const LEAST_COLLATERAL = wadToPercent(REWARDS_GATE_RATIO);

const LABELS = { ggpStaked: 'GGP to stake', avaxStaked: 'AVAX to stake' };
/** `owner` is the address whose stake the amounts replace. */
type Typed = Record<keyof typeof LABELS, string> & { owner?: string };
const FIRST: Typed = { ggpStaked: '6,000', avaxStaked: '1,000' };

const REASONS: Record<Exclude<Reward['reason'], undefined | 'BELOW_MINIMUM_COLLATERAL'>, string> = {
  NO_AVAX_STAKED: 'There is no reward without AVAX in a minipool.',
  NOTHING_TO_DISTRIBUTE: 'Rewards are no longer paid out: no new GGP is minted for node operators.',
  AMOUNT_TOO_SMALL: 'The amount is too small to earn anything.',
};

/** `address` is the one that the page shows, if any. */
export function Calculator({ address }: { address: string | undefined }) {
  const [typed, setTyped] = useState(FIRST);
  const asked = useSettled(typed);
  const isOwn = address !== undefined && asked.owner === address;
  const answer = useAnswer(pathFor(asked, isOwn ? address : undefined), 'calculator');
  const { body: staker } = useStaker(address).staker;
  const { body: flags } = useAnswer(pathOf('/flags'));
  const { body: metrics } = useAnswer(pathOf('/metrics'));
  const isAnyLeft = HOLDS_AVAX.some((status) => metrics?.minipools?.[status] !== 0);
  const refusal = answer.failure?.isRefusal ? answer.failure : undefined;
  const field = (name: keyof typeof LABELS) => (
    <label>
      {LABELS[name]}
      <input
        name={name}
        inputMode="decimal"
        autocomplete="off"
        value={typed[name]}
        aria-invalid={refusal?.message.includes(name)}
        onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <Card
      id="calculator"
      title="What would I earn?"
      about="As a node operator, in the next rewards cycle"
      from={refusal ? [] : [answer]}
      lines={12}
    >
      <div class="columns">
        <div>
          <form onSubmit={(event) => event.preventDefault()}>
            {field('ggpStaked')}
            {field('avaxStaked')}
            {address && staker && (
              <button type="button" class="plain" onClick={() => setTyped(stakeOf(address, staker))}>
                Use this address’s stake
              </button>
            )}
          </form>
          {isOwn && <p class="quiet">These amounts replace the stake of this address, so it is not counted twice.</p>}
          {flags?.flags.minipoolCreation?.enabled === false && (
            <p class="quiet">
              {`No new minipools can be created${isAnyLeft ? ': these figures apply to existing ones' : ', and none is left: nobody can earn this now'}.`}
            </p>
          )}
          <div aria-live="polite">
            {refusal ? (
              <p class="problem">{labelled(refusal.message)}</p>
            ) : (
              answer.body && <Answered {...answer.body} />
            )}
          </div>
        </div>
        {!refusal && answer.body && <Curve {...answer.body} />}
      </div>
    </Card>
  );
}

/** The stake of an address, in the form's terms: AVAX that is not in minipools any more earns nothing. */
function stakeOf(owner: string, { ggpStaked, avaxAssigned }: Staker): Typed {
  return { ggpStaked: asTyped(ggpStaked), avaxStaked: asTyped(avaxAssigned), owner };
}

function pathFor({ ggpStaked, avaxStaked }: Typed, address?: string): Path<Reward> {
  // An empty field means nothing staked, and is not a mistake.
  const amountIn = (text: string) => typedNumber(text) || '0';
  const amounts = { ggpStaked: amountIn(ggpStaked), avaxStaked: amountIn(avaxStaked) };
  return withQuery(pathOf('/rewards/byStake'), address === undefined ? amounts : { ...amounts, address });
}

/** The reward settings, which the DAO can change. They are in the calculator's first response: no extra request. */
export function useTerms(isNeeded: boolean | undefined): Loaded<Reward> {
  return useAnswer(isNeeded ? pathFor(FIRST) : undefined);
}

/** The API's message with the labels of the fields instead of the names of parameters. */
function labelled(message: string): string {
  return Object.entries(LABELS).reduce((text, [name, label]) => text.replaceAll(name, label), message);
}

/** The value, updated only after a pause in typing. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [value]);
  return settled;
}

function Answered(reward: Reward) {
  const { ggpReward, ggpRewardPerYear, ggpAprPercent, avaxReward, ggpSlashAmt, apy, collateralPercent } = reward;
  const reason = reasonIn(reward);
  return (
    <div data-ggp-reward={ggpReward}>
      <Facts
        of={[
          ['In the next cycle', <Amount of={ggpReward} unit="GGP" />],
          ['Per year', <Amount of={ggpRewardPerYear} unit="GGP" />],
          ['Collateral', collateralPercent === undefined ? 'No AVAX' : percentReached(collateralPercent)],
          ['GGP yield (APR)', <Amount of={ggpAprPercent} unit="%" />],
          ['Total yield (APY)', <Amount of={apy} unit="%" />],
          canRun(reward) &&
            avaxReward && [
              `AVAX per ${duration(avaxReward.cycleSeconds)}`,
              <Amount of={avaxReward.nodeOperator} unit="AVAX" />,
            ],
          canRun(reward) &&
            Number(ggpSlashAmt) > 0 && [
              'Lost if offline',
              <Amount of={ggpSlashAmt} unit="GGP" />,
              'slashed if uptime is too low for a reward',
            ],
        ]}
      />
      {reason && <p class="quiet">{reason}</p>}
    </div>
  );
}

/** Whether a minipool is possible. If not, the API's `apy` leaves out the AVAX reward. */
function canRun({ collateralPercent = 0, minCollateralPercent }: Reward): boolean {
  return collateralPercent >= minCollateralPercent;
}

/** Why GGP earns nothing, or why a minipool is not possible: the two have different minimums. */
function reasonIn(reward: Reward): string | undefined {
  const { reason, collateralPercent = 0, minCollateralPercent } = reward;
  if (reason !== 'BELOW_MINIMUM_COLLATERAL') return reason && REASONS[reason];
  return [
    collateralPercent < LEAST_COLLATERAL &&
      `The GGP is worth less than ${LEAST_COLLATERAL}% of the AVAX, so it earns nothing.`,
    !canRun(reward) && `A minipool needs GGP worth ${percent(minCollateralPercent)} of the AVAX, so no AVAX is earned.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The reward by collateral for the same AVAX. */
function Curve(reward: Reward) {
  const { avaxStaked, ggpPriceInAVAX, collateralPercent, cycle } = reward;
  if ([avaxStaked, ggpPriceInAVAX, cycle.nodeOpPool].some((amount) => Number(amount) === 0))
    return <p class="empty">The chart needs an amount of AVAX, a GGP price and rewards to pay out.</p>;
  const x = [...Array.from({ length: CURVE_END / 5 + 1 }, (_, index) => index * 5), LEAST_COLLATERAL - STEP].toSorted(
    (a, b) => a - b,
  );
  return (
    <Chart
      title="GGP reward in the next cycle, by collateral"
      x={x}
      axis={{ label: 'Collateral', unit: '%' }}
      unit="GGP"
      series={[{ label: 'Reward by collateral', values: x.map((collateral) => rewardAt(collateral, reward)) }]}
      {...(collateralPercent !== undefined && { mark: collateralPercent })}
    />
  );
}

/** The GGP that the next cycle pays for a collateral in percent, if the AVAX and everything else stays the same. */
function rewardAt(collateral: number, reward: Reward): number {
  const avax = weiOf(reward.avaxStaked);
  const terms = {
    ggpPriceInAVAX: weiOf(reward.ggpPriceInAVAX),
    minCollateralizationRatio: ratioOf(reward.minCollateralPercent),
    maxCollateralizationRatio: ratioOf(reward.maxCollateralPercent),
  };
  const ggpStaked = ggpStakeForRatio(avax, ratioOf(collateral), terms);
  const effective = effectiveGGPStaked({ ggpStaked, avaxAssigned: avax, avaxValidatingHighWater: avax }, terms);
  const others = weiOf(reward.totalEffectiveGGPStaked) - weiOf(reward.effectiveGGPStaked);
  return toNumber(nodeOpReward(effective, others + effective, weiOf(reward.cycle.nodeOpPool)));
}

/** A percentage as a fraction (1e18 = 100 %). */
function ratioOf(percents: number): bigint {
  return weiOf(String(percents)) / 100n;
}
