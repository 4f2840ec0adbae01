import { searched } from './activity.tsx';
import type { AddressRewards, Cycle, Flags, Minipool, Staker, Validators } from './bodies.ts';
import { Card } from './card.tsx';
import { type Fact, Facts, Status } from './facts.tsx';
import { counted, day, fromNow, percent, percentReached, withUnit } from './format.ts';
import { Identifier } from './identifier.tsx';
import { Amount, Quantity, When } from './quantity.tsx';
import { minipoolRemarks, Remarks, uptimeRemarks } from './remarks.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { Table } from './table.tsx';
import { Uptime, UptimeLine } from './validators.tsx';

/** What a node operator has staked, earned and runs. */

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
        <span>Collateral: 0 %</span>
        <span>{most}: more earns no more</span>
      </p>
    </div>
  );
}

/** Whether liquid stakers' AVAX stands on the stake. Without a price of GGP its collateral is not known, and still needed. */
function isAssigned({ avaxAssigned }: Staker): boolean {
  return Number(avaxAssigned) > 0;
}

function stakeFacts(staker: Staker): Fact[] {
  const { ggpStaked, avaxStaked, avaxAssigned, collateralPercent: collateral } = staker;
  const isMatched = isAssigned(staker);
  const matched = (
    <>
      matched by <Quantity of={avaxAssigned} unit="AVAX" />
    </>
  );
  return [
    ['GGP staked', <Amount of={ggpStaked} unit="GGP" />, isMatched && <Least {...staker} />],
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
    return [name, 'not now', eligibleAt === undefined ? 'nothing of it has validated' : `from ${day(eligibleAt)}`];
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
      Boolean(claims?.length) && `in ${counted(claims?.length, 'claim')}`,
    ],
    lock(rewards, isAssigned(staker)),
  ];
}

/** Whether the GGP can be withdrawn: `Staking.withdrawGGP` leaves the most that earns behind the AVAX. */
function lock({ ggpLockedUntil }: AddressRewards, isMatched: boolean): Fact {
  const name = 'GGP locked';
  if (ggpLockedUntil * 1_000 > Date.now()) return [name, day(ggpLockedUntil), fromNow(ggpLockedUntil)];
  const free = `what is beyond ${MOST_COLLATERAL} % of collateral can be withdrawn`;
  return [name, 'no', isMatched ? free : 'can be withdrawn'];
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

/** The claims of GGP rewards, whole if the ledger is. */
export function Claims({ path, rewards }: { path: string; rewards: Loaded<AddressRewards> }) {
  const { claims, claimedTotal, coverage } = rewards.body ?? {};
  return (
    <Card
      id="your-claims"
      title="Claims"
      about={coverage && searched(coverage)}
      from={[rewards]}
      lines={5}
      csv={`stakers/${path}/activity?type=ggpRewardsClaimed&limit=1000`}
    >
      {claims === undefined ? (
        <p class="empty">Claims cannot be read at the moment.</p>
      ) : claims.length === 0 ? (
        <p class="empty">Nothing was claimed.</p>
      ) : (
        <>
          <Table
            caption="Claims of this address"
            columns={['Day', { number: 'Paid out' }, { number: 'Staked again' }, 'Transaction']}
            rows={claims.map((claim) => ({
              key: claim.txHash,
              cells: [
                <When at={claim.timestamp} />,
                <Quantity of={claim.amount} unit="GGP" />,
                <Quantity of={claim.restaked} unit="GGP" />,
                <Identifier id={claim.txHash} kind="tx" />,
              ],
            }))}
          />
          <p class="quiet">
            {'In all '}
            <Quantity of={claimedTotal} unit="GGP" />
            {`, in ${counted(claims.length, 'claim')}.`}
          </p>
        </>
      )}
    </Card>
  );
}

/** The minipools of an operator, each with its node's uptime. */
export function StakerMinipools({ path, staker }: { path: string; staker: Loaded<Staker> }) {
  const validators = useAnswer<Validators>('validators?protocol=true&sort=uptime&order=asc&limit=500');
  const validating = new Map(validators.body?.validators.map((validator) => [validator.nodeID, validator]));
  const rows = (staker.body?.minipools ?? []).map((minipool) => {
    const validator = validating.get(minipool.nodeID);
    return { minipool, validator, remarks: [...uptimeRemarks(validator), ...minipoolRemarks(minipool)] };
  });
  const isRemarked = rows.some(({ remarks }) => remarks.length > 0);
  return (
    <Card
      id="your-minipools"
      title="Minipools"
      about="Each row leads to its node"
      from={[staker]}
      lines={8}
      csv={`minipools?owner=${path}`}
    >
      {rows.length === 0 ? (
        <p class="empty">No minipools.</p>
      ) : (
        <Table
          caption="Minipools of this address"
          columns={[
            'Node',
            'Status',
            { number: 'Uptime' },
            'Over 30 days',
            { number: 'Own AVAX' },
            'Ends',
            { number: 'Earned so far' },
            ...(isRemarked ? [{ wide: 'Remark' }] : []),
          ]}
          rows={rows.map(({ minipool, validator, remarks }) => ({
            key: minipool.index,
            cells: [
              <Identifier id={minipool.nodeID} kind="node" />,
              <Status of={minipool.status} />,
              <Uptime {...validator} />,
              <UptimeLine nodeID={minipool.nodeID} needed={validator?.neededUptimePercent} />,
              <Quantity of={minipool.avaxNodeOpAmt} unit="AVAX" />,
              <End {...minipool} />,
              <Quantity of={minipool.avaxNodeOpLifetimeRewardAmt} unit="AVAX" />,
              ...(isRemarked ? [<Remarks of={remarks} />] : []),
            ],
          }))}
        />
      )}
    </Card>
  );
}

/** When a minipool ends, or ended. */
export function End({ endTime, expectedEndTime }: Minipool) {
  const at = endTime || expectedEndTime;
  return at ? <When at={at} /> : <>–</>;
}
