import { searched } from './activity.tsx';
import type { AddressRewards, Cycle, Flags, Minipool, Staker, Validators } from './bodies.ts';
import { Card } from './card.tsx';
import { type Fact, Facts, Status } from './facts.tsx';
import { counted, day, fromNow, percent } from './format.ts';
import { Identifier } from './identifier.tsx';
import { Amount, Quantity, When } from './quantity.tsx';
import { minipoolRemarks, Remarks, uptimeRemarks } from './remarks.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { Table } from './table.tsx';
import { Uptime, UptimeLine } from './validators.tsx';

/** What a node operator has staked, earned and runs. */

interface StakeProps {
  staker: Loaded<Staker>;
  rewards: Loaded<AddressRewards>;
}

export function Stake({ staker, rewards }: StakeProps) {
  const { body } = staker;
  const { body: cycle } = useAnswer<Cycle>('rewards/cycle');
  const { body: flags } = useAnswer<Flags>('flags');
  const collateral = body?.collateralPercent;
  // Without a price of GGP its collateral is not known, and still needed.
  const isAssigned = Number(body?.avaxAssigned) > 0;
  return (
    <Card id="your-stake" title="Stake" about="GGP behind the minipools of this address" from={[staker]} lines={9}>
      {body && (
        <>
          <Facts
            big
            of={[
              ['GGP staked', <Amount of={body.ggpStaked} unit="GGP" />, <Least of={body.minimumGGPStake} />],
              ['Own AVAX', <Amount of={body.avaxStaked} unit="AVAX" />, <Matched of={body.avaxAssigned} />],
              [
                'Collateral',
                collateral !== undefined ? percent(collateral) : isAssigned ? '–' : 'no AVAX assigned',
                'rewards from 10 % on, the most at 150 %',
              ],
              ...rewardFacts(rewards.body, isAssigned, cycle, flags),
            ]}
          />
          {(collateral !== undefined || !isAssigned) && (
            <div class="collateral">
              <meter min={0} max={150} low={10} value={collateral ?? 0} aria-label="Collateral, up to 150 %" />
              <p class="scale quiet">
                <span>Collateral: 0 %</span>
                <span>150 %: more earns no more</span>
              </p>
            </div>
          )}
        </>
      )}
      {!rewards.body && rewards.failure && <p class="note">{`Rewards: ${rewards.failure.message}`}</p>}
    </Card>
  );
}

function Least({ of }: { of: string | undefined }) {
  return (
    <>
      at least <Quantity of={of} unit="GGP" />
    </>
  );
}

function Matched({ of }: { of: string }) {
  return (
    <>
      matched by <Quantity of={of} unit="AVAX" />
    </>
  );
}

function rewardFacts(
  rewards: AddressRewards | undefined,
  isAssigned: boolean,
  cycle: Cycle | undefined,
  flags: Flags | undefined,
): Fact[] {
  if (!rewards) return [];
  const { eligible, eligibleAt, sharePercent, aprPercent, ggpLockedUntil } = rewards;
  const isLocked = ggpLockedUntil * 1_000 > Date.now();
  return [
    [
      'Eligible for rewards',
      eligible ? 'yes' : 'not now',
      !eligible && eligibleAt !== undefined
        ? `from ${day(eligibleAt)}`
        : sharePercent !== undefined && `${percent(sharePercent)} of the operators’ part`,
    ],
    [
      'Next reward, estimated',
      <Amount of={rewards.estimatedGGPReward} unit="GGP" />,
      [nextPayment(cycle), aprPercent !== undefined && `${percent(aprPercent)} a year`].filter(Boolean).join('; '),
    ],
    ['To claim', <Amount of={rewards.ggpRewards} unit="GGP" />, Number(rewards.ggpRewards) > 0 && claimsState(flags)],
    [
      'Claimed in all',
      <Amount of={rewards.claimedTotal} unit="GGP" />,
      Boolean(rewards.claims?.length) && `in ${counted(rewards.claims?.length, 'claim')}`,
    ],
    [
      'GGP locked',
      isLocked ? day(ggpLockedUntil) : 'no',
      // `Staking.withdrawGGP` leaves the most that earns behind the AVAX.
      isLocked
        ? fromNow(ggpLockedUntil)
        : isAssigned
          ? 'what is beyond 150 % of collateral can be withdrawn'
          : 'can be withdrawn',
    ],
  ];
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
