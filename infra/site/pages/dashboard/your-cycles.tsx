import { Card } from './card.tsx';
import { pathOf } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** Payments of each rewards cycle to a staker, with their value then. */
export function YourCycles({ address }: { address: string }) {
  const path = pathOf('/rewards/{address}/cycles', address);
  const cycles = useAnswer(path);
  const { body } = cycles;
  return (
    <Card
      id="your-cycles"
      title="GGP by rewards cycle"
      about="What each distribution paid, claimed or not, and its value at the end of that day"
      from={[cycles]}
      lines={5}
      csv={body?.coverage.complete === false ? undefined : path}
    >
      <Table
        caption="GGP that rewards cycles paid to this address"
        of={body?.cycles ?? []}
        keyOf={({ number }) => number}
        empty="No distribution to this address is recorded."
        columns={[
          ['Cycle', ({ number }) => number],
          ['Start', ({ startTime }) => <When at={startTime} />],
          ['Paid', ({ ggp }) => <Quantity of={ggp} unit="GGP" />, 'number'],
          ['Value', ({ usd }) => <Quantity of={usd} unit="USD" />, 'number'],
        ]}
      />
    </Card>
  );
}
