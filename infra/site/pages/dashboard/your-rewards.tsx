/** The daily rewards of an address's ggAVAX, as a chart, a table and CSV. */

import { useRef } from 'preact/hooks';
import type { RewardDays } from './bodies.ts';
import { Card } from './card.tsx';
import { Chart } from './chart.tsx';
import { gapIn } from './coverage.ts';
import { counted, DAY, day, moment, sumAmounts } from './format.ts';
import { type Path, pathOf, withQuery } from './paths.ts';
import { Quantity } from './quantity.tsx';
import { FIRST_DAY, type Page, splitRange, useRange, useView } from './range.tsx';
import { type Loaded, useAnswers } from './sources.ts';
import { Table } from './table.tsx';

/** Rewards in AVAX, or in USD at the price of each day. */
interface View {
  /** Name in the URL. */
  name: string;
  label: string;
  amountOf: (span: Span) => number | undefined;
}

/** The most entries that the API returns at once. */
const MOST_ROWS = 1_000;
/** Significant digits of the API's values in USD, and so of their sum. */
const USD_DIGITS = 12;

const VIEWS: [View, ...View[]] = [
  { name: 'avax', label: 'AVAX', amountOf: ({ rewardAVAX }) => Number(rewardAVAX) },
  { name: 'usd', label: 'USD', amountOf: ({ rewardUSD }) => rewardUSD },
];

interface YourRewardsProps {
  address: string;
  /** Time at which the address first held ggAVAX (unix seconds), if known. */
  since: number | undefined;
}

export function YourRewards({ address, since = FIRST_DAY }: YourRewardsProps) {
  const { range, choice } = useRange('rewards', since);
  const { view, choice: viewChoice } = useView('rewards', VIEWS);
  const asked = pathOf('/ggAvax/{address}/rewards', address);
  const pages = splitRange(range);
  const paths = pages.map((page) => withQuery(asked, { ...page, limit: MOST_ROWS }));
  const from = useAnswers(paths, asked);
  const days = useDays(pages, from);
  const spans = joinSpans(from);
  const columns = spans
    .flatMap((span) => toColumns(span, view.amountOf(span)))
    .filter(({ time }) => time >= days.from && time < endOf(days));
  const uncovered = from.find(({ body }) => body?.coverage.complete === false)?.body?.coverage;
  return (
    <Card
      id="your-rewards"
      title="Daily rewards"
      about="What this address’s ggAVAX earned. Days and years are those of UTC."
      tools={
        <>
          {viewChoice}
          {choice}
        </>
      }
      csv={uncovered === undefined ? listFiles(asked, days, from) : []}
      from={from}
      lines={13}
    >
      {uncovered !== undefined && (
        <p class={spans.length === 0 ? 'empty' : 'quiet'}>{gapIn(uncovered)} There is no total until then.</p>
      )}
      {spans.length === 0 && uncovered === undefined && (
        <p class="empty chart-height">This address held no ggAVAX in this period.</p>
      )}
      {spans.length > 0 && (
        <Chart
          key={`${range} ${view.name}`}
          title="Daily rewards of this address"
          x={columns.map(({ time }) => time)}
          names={columns.map(({ name }) => name)}
          unit={view.label}
          columns
          series={[{ label: 'Daily reward', values: columns.map(({ reward }) => reward) }]}
        />
      )}
      {spans.some(isLong) && (
        <p class="quiet">Where days were not recorded, what they earned together is spread evenly.</p>
      )}
      {uncovered === undefined && spans.length > 0 && <Total of={spans} in={days} />}
      <Rows title="Deposits, withdrawals and transfers" of={spans.filter(isMoved)} />
      <Rows title="Day by day" of={spans} />
    </Card>
  );
}

/** The days of the shown entries: while new entries are loading, the days of the previous entries. */
function useDays(pages: readonly Page[], from: readonly Loaded<RewardDays>[]): Page {
  const [newest, oldest] = [pages[0] as Page, pages.at(-1) as Page];
  const days = { ...newest, from: oldest.from };
  const shown = useRef(days);
  if (!from.some(({ isPrevious }) => isPrevious)) shown.current = days;
  return shown.current;
}

/** End of the last of some days (unix seconds); infinity if they include the present. */
function endOf({ to = Number.POSITIVE_INFINITY }: Page): number {
  return to + DAY;
}

/** The entries of all pages, oldest first. An entry that reaches from a page into the next is in both pages: taken once. */
function joinSpans(from: readonly Loaded<RewardDays>[]): Span[] {
  const spans = from.toReversed().flatMap(({ body }) => body?.days ?? []);
  return spans.filter(({ timestamp }, index) => timestamp !== spans[index - 1]?.timestamp);
}

/**
 * The paths of all entries as files, newest first. Each file but the oldest begins with the start of an entry, so that no
 * entry is in two files.
 */
function listFiles(asked: Path<RewardDays>, days: Page, from: readonly Loaded<RewardDays>[]): Path<RewardDays>[] {
  const isLoaded = from.every(({ body }) => body);
  const starts = joinSpans(from).flatMap(({ timestamp }, index) => (index % MOST_ROWS === 0 ? timestamp : []));
  const files = starts.map((start, index): Page => {
    const next = starts[index + 1];
    const to = next === undefined ? days.to : next - DAY;
    return { from: index === 0 ? days.from : start, ...(to !== undefined && { to }) };
  });
  return (isLoaded ? files : [days]).map((file) => withQuery(asked, { ...file, limit: MOST_ROWS })).reverse();
}

interface TotalProps {
  of: readonly Span[];
  in: Page;
}

/** The reward of some days, or why it is unknown. What has no value in USD is named. */
function Total({ of: spans, in: days }: TotalProps) {
  const end = spans.at(-1)?.closeTimestamp ?? 0;
  const divided = spans.filter((span) => span.timestamp < days.from || span.closeTimestamp > endOf(days));
  if (divided.length > 0) {
    return (
      <p class="quiet">
        {`No total for this period: the rewards of ${divided.map(formatName).join(' and of ')} are not known day by day, and part of that time is outside the period.`}
      </p>
    );
  }
  const unpriced = spans.filter(({ rewardUSD }) => rewardUSD === undefined);
  const usd = spans.reduce((sum, { rewardUSD = 0 }) => sum + rewardUSD, 0);
  return (
    <p class="quiet">
      {`In this period, up to ${moment(end)}: `}
      <Quantity of={sumAmounts(spans.map(({ rewardAVAX }) => rewardAVAX))} unit="AVAX" />
      {unpriced.length < spans.length && (
        <>
          , worth <Quantity of={Number(usd.toPrecision(USD_DIGITS))} unit="USD" /> at each day’s price
        </>
      )}
      {unpriced.length > 0 && unpriced.length < spans.length && (
        <>
          , plus <Quantity of={sumAmounts(unpriced.map(({ rewardAVAX }) => rewardAVAX))} unit="AVAX" />
          {` (${formatPeriod(unpriced)}) whose value in USD is unknown`}
        </>
      )}
      .
    </p>
  );
}

/** The first and the last day of some spans, oldest first. */
function formatPeriod(spans: readonly Span[]): string {
  const [first, last] = [spans[0] as Span, spans.at(-1) as Span];
  if (first === last) return formatName(first);
  return `${counted(spans.length, 'row')} from ${day(first.timestamp)} to ${day(last.closeTimestamp - 1)}`;
}

/** A day; the part of today that is over; or several days, if the boundaries between them were not recorded. */
type Span = RewardDays['days'][number];

function isLong({ timestamp, closeTimestamp }: Span): boolean {
  return closeTimestamp - timestamp > DAY;
}

function formatName({ timestamp, closeTimestamp }: Span): string {
  const length = closeTimestamp - timestamp;
  if (length === DAY) return day(timestamp);
  return length < DAY ? `${day(timestamp)} so far` : `${day(timestamp)} to ${day(closeTimestamp - 1)}`;
}

/** One column per day of a span. The reward of several days is only known in total, and is spread evenly over time. */
function toColumns(span: Span, amount: number | undefined) {
  const { timestamp, closeTimestamp } = span;
  const length = closeTimestamp - timestamp;
  const name = isLong(span) ? `${formatName(span)}, daily average` : formatName(span);
  return Array.from({ length: Math.ceil(length / DAY) }, (_, index) => {
    const time = timestamp + index * DAY;
    return { time, name, reward: amount && (amount * Math.min(DAY, closeTimestamp - time)) / length };
  });
}

/** True if ggAVAX was deposited, withdrawn or transferred. */
function isMoved({ inflowAVAX, outflowAVAX }: Span): boolean {
  return Number(inflowAVAX) > 0 || Number(outflowAVAX) > 0;
}

/** A collapsed table of days. */
function Rows({ title, of: spans }: { title: string; of: readonly Span[] }) {
  if (spans.length === 0) return null;
  return (
    <details>
      <summary>
        {title} <span class="quiet">({counted(spans.length, 'row')})</span>
      </summary>
      <Table
        caption={`${title}, newest first`}
        of={spans.toReversed()}
        keyOf={({ timestamp }) => timestamp}
        columns={[
          ['Date', formatName],
          ['Balance', ({ closeGgAvax }) => <Quantity of={closeGgAvax} unit="ggAVAX" />, 'number'],
          ['Rate', ({ rateClose }) => <Quantity of={rateClose} />, 'number'],
          ['In', ({ inflowAVAX }) => moved(inflowAVAX), 'number'],
          ['Out', ({ outflowAVAX }) => moved(outflowAVAX), 'number'],
          ['Reward', ({ rewardAVAX }) => <Quantity of={rewardAVAX} unit="AVAX" />, 'number'],
          ['Reward in USD', ({ rewardUSD }) => <Quantity of={rewardUSD} unit="USD" />, 'number'],
          ['APR', ({ aprPercent }) => <Quantity of={aprPercent} unit="%" />, 'number'],
        ]}
      />
    </details>
  );
}

/** An inflow or outflow; nothing instead of zero, so that the others stand out. */
function moved(amount: string) {
  return Number(amount) > 0 && <Quantity of={amount} unit="AVAX" />;
}
