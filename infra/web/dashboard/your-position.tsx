import { searched } from './activity.tsx';
import type { Position, RewardDays } from './bodies.ts';
import { Card } from './card.tsx';
import { Chart } from './chart.tsx';
import { Facts } from './facts.tsx';
import { percent } from './format.ts';
import { Amount, Quantity, When } from './quantity.tsx';
import { pagesOf, pathOf, useRange } from './range.tsx';
import { type Loaded, useAnswers } from './sources.ts';
import { Table } from './table.tsx';

/** The ggAVAX of an address: what it is worth, and what it has earned in all. */
export function YourPosition({ position }: { position: Loaded<Position> }) {
  return (
    <Card
      id="your-position"
      title="ggAVAX"
      about="What this address holds, and what it brought"
      from={[position]}
      lines={6}
    >
      {position.body && <Worth {...position.body} />}
    </Card>
  );
}

function Worth(position: Position) {
  const { ggAvax, avax, usd, sharePercent, rewardsAVAX, rewardsUSD, averageAprPercent, since, unstaking, coverage } =
    position;
  const unknown = coverage.complete ? undefined : 'not all of its past is searched yet';
  return (
    <Facts
      big
      of={[
        [
          'Balance',
          <Amount of={ggAvax} unit="ggAVAX" />,
          sharePercent === undefined ? '' : `${percent(sharePercent)} of all`,
        ],
        ['Worth', <Amount of={avax} unit="AVAX" />, <Quantity of={usd} unit="USD" />],
        [
          'Earned in total',
          <Amount of={rewardsAVAX} unit="AVAX" />,
          rewardsAVAX === undefined ? unknown : <InUSD of={rewardsUSD} />,
        ],
        [
          'Average yield',
          <Amount of={averageAprPercent} unit="%" />,
          since === undefined ? (
            'a year'
          ) : (
            <>
              a year, since <When at={since} />
            </>
          ),
        ],
        ['Deposited', <Amount of={position.deposited} unit="AVAX" />],
        [
          'Withdrawn',
          <Amount of={position.withdrawn} unit="AVAX" />,
          unstaking.requests > 0 && 'with what is in the queue',
        ],
        [
          'Transferred in',
          <Amount of={position.transferredIn} unit="AVAX" />,
          <>
            and out <Quantity of={position.transferredOut} unit="AVAX" />
          </>,
        ],
        [
          'In the withdrawal queue',
          <Amount of={unstaking.ggAvax} unit="ggAVAX" />,
          unstaking.requests > 0 && (
            <>
              for <Quantity of={unstaking.expectedAVAX} unit="AVAX" />
            </>
          ),
        ],
      ]}
    />
  );
}

function InUSD({ of }: { of: number | undefined }) {
  return of === undefined ? <>not every day’s price in USD is known</> : <Quantity of={of} unit="USD" />;
}

/** Rewards by day: a chart, the same as a table, and as CSV. */
export function YourRewards({ path }: { path: string }) {
  const { range, choice } = useRange('rewards');
  const asked = `ggAvax/${path}/rewards`;
  const paths = pagesOf(range).map((page) => pathOf(asked, { ...page, limit: 1_000 }));
  const from = useAnswers<RewardDays>(paths, asked);
  const days = from.toReversed().flatMap(({ body }) => body?.days ?? []);
  const { totals, coverage } = from[0]?.body ?? {};
  return (
    <Card
      id="your-rewards"
      title="Rewards by day"
      about="What the ggAVAX of this address earned"
      tools={choice}
      csv={paths}
      from={from}
      lines={13}
    >
      {coverage?.complete === false && (
        <p class="quiet">Days are shown once the whole past of this address is known. {searched(coverage)}.</p>
      )}
      <Chart
        key={range}
        title="Rewards of this address by day"
        x={days.map(({ timestamp }) => timestamp)}
        unit="AVAX"
        columns
        series={[{ label: 'Reward of the day', values: days.map(({ rewardAVAX }) => Number(rewardAVAX)) }]}
      />
      {paths.length === 1 && totals?.rewardAVAX !== undefined && (
        <p class="quiet">
          In the time shown <Quantity of={totals.rewardAVAX} unit="AVAX" />
          {totals.rewardUSD !== undefined && (
            <>
              , worth <Quantity of={totals.rewardUSD} unit="USD" /> at each day’s price
            </>
          )}
          .
        </p>
      )}
      <Days title="Deposits, withdrawals and transfers" of={days.filter(isMoved)} />
      <Days title="Day by day" of={days} />
    </Card>
  );
}

type Day = RewardDays['days'][number];

/** Whether ggAVAX came or went. */
function isMoved({ inflowAVAX, outflowAVAX }: Day): boolean {
  return Number(inflowAVAX) > 0 || Number(outflowAVAX) > 0;
}

/** Days as a table that is opened on request. */
function Days({ title, of: days }: { title: string; of: readonly Day[] }) {
  if (days.length === 0) return null;
  return (
    <details>
      <summary>
        {title} <span class="quiet">({days.length === 1 ? '1 day' : `${days.length} days`})</span>
      </summary>
      <Table
        caption={`${title}, the newest first`}
        columns={[
          'Day',
          { number: 'Balance' },
          { number: 'Rate' },
          { number: 'In' },
          { number: 'Out' },
          { number: 'Reward' },
          { number: 'In USD' },
          { number: 'Yield a year' },
        ]}
        rows={days.toReversed().map((day) => ({
          key: day.timestamp,
          cells: [
            <When at={day.timestamp} />,
            <Quantity of={day.closeGgAvax} unit="ggAVAX" />,
            <Quantity of={day.rateClose} />,
            moved(day.inflowAVAX),
            moved(day.outflowAVAX),
            <Quantity of={day.rewardAVAX} unit="AVAX" />,
            <Quantity of={day.rewardUSD} unit="USD" />,
            <Quantity of={day.aprPercent} unit="%" />,
          ],
        }))}
      />
    </details>
  );
}

/** What came or went; on most days nothing, which a table full of zeros would hide. */
function moved(amount: string) {
  return Number(amount) > 0 && <Quantity of={amount} unit="AVAX" />;
}
