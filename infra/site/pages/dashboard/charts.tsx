import { Chart, type Point, pointsOf } from '../account/chart.tsx';
import { type Answer, useAnswer } from './answers.ts';
import { Card } from './card.tsx';
import { DAY } from './format.ts';
import { type Path, pathOf, withQuery } from './paths.ts';

/** Before the protocol's first block. */
const FIRST_DAY = Date.UTC(2023, 3, 1) / 1_000;
/** The most points that the API returns at once. */
const PAGE_DAYS = 1_000;

interface History<Entry> {
  entries: Entry[];
  answers: Answer<unknown>[];
  csv: Path<unknown>;
}

function useHistory<Entry>(path: Path<{ points: Entry[] }>): History<Entry> {
  const daily = withQuery(path, { interval: '1d' });
  const middle = FIRST_DAY + PAGE_DAYS * DAY;
  const newest = withQuery(daily, { from: middle });
  const older = useAnswer(withQuery(daily, { from: FIRST_DAY, to: middle - DAY }));
  const newer = useAnswer(newest);
  const answers = [older, newer];
  return { entries: answers.flatMap(({ body }) => body?.points ?? []), answers, csv: newest };
}

interface HistoryCardProps {
  id: string;
  title: string;
  about: string;
  history: Omit<History<unknown>, 'entries'>;
  lines: readonly { title: string; unit: string; points: readonly Point[] }[];
}

function HistoryCard({ id, title, about, history: { answers, csv }, lines }: HistoryCardProps) {
  return (
    <Card id={id} title={title} about={about} half answers={answers} csv={csv} lines={16}>
      {lines.map((line) => (
        <Chart key={line.title} {...line} />
      ))}
    </Card>
  );
}

/** The protocol's history as plain lines over the whole time. */
export function Charts() {
  const metrics = useHistory(pathOf('/metrics/history'));
  const yields = useHistory(pathOf('/metrics/apy/history'));
  const prices = useHistory(pathOf('/prices/history'));
  return (
    <>
      <HistoryCard
        id="locked"
        title="Value"
        about="ggAVAX pool, operators’ AVAX, staked GGP and funded withdrawals"
        history={metrics}
        lines={[
          { title: 'Total value locked', unit: 'USD', points: pointsOf(metrics.entries, ({ tvl_usd }) => tvl_usd) },
          { title: 'Total value locked', unit: 'AVAX', points: pointsOf(metrics.entries, ({ tvl_avax }) => tvl_avax) },
        ]}
      />
      <HistoryCard
        id="rate"
        title="ggAVAX"
        about="Its rate, and the yield that follows from the rate’s growth, after fees"
        history={yields}
        lines={[
          { title: '1 ggAVAX', unit: 'AVAX', points: pointsOf(metrics.entries, ({ exchange_rate }) => exchange_rate) },
          { title: 'APY over 28 days', unit: '%', points: pointsOf(yields.entries, ({ apy_28d }) => apy_28d) },
        ]}
      />
      <HistoryCard
        id="prices"
        title="Prices"
        about="AVAX and GGP in USD"
        history={prices}
        lines={[
          { title: 'AVAX', unit: 'USD', points: pointsOf(prices.entries, ({ avaxInUSD }) => avaxInUSD) },
          { title: 'GGP', unit: 'USD', points: pointsOf(prices.entries, ({ ggpInUSD }) => ggpInUSD) },
        ]}
      />
    </>
  );
}
