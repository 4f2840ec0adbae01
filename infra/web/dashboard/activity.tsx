import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Activity, Coverage, Entry } from './bodies.ts';
import { Card } from './card.tsx';
import { Identifier } from './identifier.tsx';
import { Quantity, When } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** What has happened, the newest first. */

const FIRST_ROWS = 8;
const MOST_ROWS = 1_000;

const NAMES: Record<string, string> = {
  ggpStaked: 'GGP staked',
  ggpWithdrawn: 'GGP withdrawn',
  ggpRewardsClaimed: 'GGP rewards claimed',
  ggpSlashed: 'GGP slashed',
  minipoolCreated: 'Minipool created',
  minipoolStatusChanged: 'Minipool',
  minipoolLaunched: 'Minipool launched',
  rewardsCycleStarted: 'Rewards cycle started',
  ggAvaxDeposited: 'ggAVAX deposit',
  ggAvaxWithdrawn: 'ggAVAX withdrawal',
  ggAvaxTransferred: 'ggAVAX transfer',
  rewardsStreamed: 'Rewards stream to ggAVAX',
  yieldAdded: 'Yield added to ggAVAX',
  unstakeRequested: 'Withdrawal requested',
  unstakeFulfilled: 'Withdrawal funded',
  unstakeClaimed: 'Withdrawal claimed',
  unstakeCancelled: 'Withdrawal cancelled',
  priceUpdated: 'Oracle price',
};

/** The events that a timeline begins with. */
export function firstOf(path: string, limit = FIRST_ROWS): string {
  return `${path}?limit=${limit}`;
}

interface TimelineProps {
  id: string;
  title: string;
  path: string;
  /** Whose events these are, where they are one node’s. */
  node?: string;
  span?: 5 | 6 | 7 | 12;
}

/** A list of events that grows on request. */
export function Timeline({ id, title, path, node, span = 12 }: TimelineProps) {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const answer = useAnswer<Activity>(firstOf(path, limit), path);
  const { activity = [], nextCursor, coverage } = answer.body ?? {};
  return (
    <Card
      id={id}
      title={title}
      span={span}
      about={coverage && searched(coverage)}
      from={[answer]}
      lines={15}
      csv={firstOf(path, MOST_ROWS)}
    >
      {activity.length === 0 ? (
        <p class="empty">Nothing was found in these blocks.</p>
      ) : (
        <Table
          caption={title}
          columns={['When', 'What', { number: 'Amount' }, 'Who', 'Transaction']}
          rows={activity.map((entry) => ({
            key: `${entry.block}-${entry.logIndex}`,
            cells: [
              <When at={entry.timestamp} relative />,
              <What {...entry} />,
              <EntryAmount {...entry} />,
              <Who {...entry} nodeID={entry.nodeID === node ? undefined : entry.nodeID} />,
              <Identifier id={entry.txHash} kind="tx" />,
            ],
          }))}
        />
      )}
      {nextCursor && limit < MOST_ROWS && (
        <button type="button" class="plain" onClick={() => setLimit(Math.min(limit * 4, MOST_ROWS))}>
          Show more
        </button>
      )}
    </Card>
  );
}

function What({ type, status }: Entry): ComponentChildren {
  return `${NAMES[type] ?? type}${typeof status === 'string' ? `: ${status}` : ''}`;
}

/** The fields of amounts and their units, the most telling first. */
const AMOUNTS = [
  ['assets', 'AVAX'],
  ['expectedAssets', 'AVAX'],
  ['rewardsAmt', 'AVAX'],
  ['price', 'AVAX'],
  ['totalAmt', 'GGP'],
  ['amount', 'GGP'],
  ['shares', 'ggAVAX'],
] as const;

function EntryAmount(entry: Entry) {
  const [field, unit] = AMOUNTS.find(([name]) => entry[name] !== undefined) ?? [];
  if (field === undefined) return null;
  return <Quantity of={entry[field] as string} unit={entry.type === 'yieldAdded' ? 'AVAX' : unit} />;
}

/** The fields of those concerned, the most telling first. */
const CONCERNED = ['staker', 'requester', 'owner', 'donor'] as const;

function Who(entry: Entry) {
  const id = (name: string) => entry[name] as string;
  if (entry.nodeID !== undefined) return <Identifier id={id('nodeID')} kind="node" />;
  if (entry.type === 'ggAvaxTransferred') {
    return (
      <>
        <Identifier id={id('from')} kind="address" /> to <Identifier id={id('to')} kind="address" />
      </>
    );
  }
  const name = CONCERNED.find((field) => entry[field] !== undefined);
  return name === undefined ? null : <Identifier id={id(name)} kind="address" />;
}

/** Which blocks were looked through. */
export function searched({ from, to, complete }: Coverage): string {
  return complete
    ? `All blocks up to ${to} were searched`
    : `Searched so far: blocks ${from} to ${to}, earlier ones not yet`;
}
