import { Card } from './card.tsx';
import { gapIn } from './coverage.ts';
import { pathOf, withQuery } from './paths.ts';
import { Quantity } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** The yield of ggAVAX by source and month, and the fee. */
export function YieldSources() {
  const path = withQuery(pathOf('/metrics/yield/history'), { interval: '1mo' });
  const history = useAnswer(path);
  const { points = [], coverage } = history.body ?? {};
  const monthOf = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return (
    <Card
      id="yield-sources"
      title="Yield by source"
      about={['AVAX that holders earned, by month, after the fee.', coverage && gapIn(coverage)]
        .filter(Boolean)
        .join(' ')}
      from={[history]}
      lines={6}
      csv={coverage?.complete === false ? undefined : path}
    >
      {points.length === 0 ? (
        <p class="empty">No yield was found.</p>
      ) : (
        <>
          <Table
            caption="Yield of ggAVAX by month and source"
            of={points.toReversed()}
            keyOf={({ timestamp }) => timestamp}
            columns={[
              [
                'Month',
                ({ timestamp, incomplete }) => `${monthOf.format(timestamp * 1_000)}${incomplete ? ', so far' : ''}`,
              ],
              ['Minipools', ({ by_source }) => <Quantity of={by_source.minipools} unit="AVAX" />, 'number'],
              ['Delegation', ({ by_source }) => <Quantity of={by_source.delegation} unit="AVAX" />, 'number'],
              ['MEV', ({ by_source }) => <Quantity of={by_source.mev} unit="AVAX" />, 'number'],
              ['Other', ({ by_source }) => <Quantity of={by_source.other} unit="AVAX" />, 'number'],
              ['Net', ({ net_yield_avax }) => <Quantity of={net_yield_avax} unit="AVAX" />, 'number'],
              ['Fee', ({ fee_avax }) => <Quantity of={fee_avax} unit="AVAX" />, 'number'],
            ]}
          />
          <p class="quiet">
            MEV is counted only where an event names it. Other is yield whose event names no source, and AVAX that
            reached the pool without an event.
          </p>
        </>
      )}
    </Card>
  );
}
