import { Card } from './card.tsx';
import { pathOf } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

/** What each rewards cycle paid to a staker, with its value then. */
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
      {body?.cycles.length === 0 ? (
        <p class="empty">No distribution to this address is recorded.</p>
      ) : (
        <Table
          caption="GGP that rewards cycles paid to this address"
          columns={['Cycle', 'Start', { number: 'Paid' }, { number: 'Value' }]}
          rows={(body?.cycles ?? []).map(({ number, startTime, ggp, usd }) => ({
            key: number,
            cells: [
              number,
              <When at={startTime} />,
              <Quantity of={ggp} unit="GGP" />,
              <Quantity of={usd} unit="USD" />,
            ],
          }))}
        />
      )}
    </Card>
  );
}
