/** All holders of ggAVAX, page by page. */

import { useState } from 'preact/hooks';
import { Card } from './card.tsx';
import { Choice } from './choice.tsx';
import { gapIn } from './coverage.ts';
import { counted } from './format.ts';
import { Identifier } from './identifier.tsx';
import { setParams, useParam } from './location.ts';
import { pathOf, withQuery } from './paths.ts';
import { Quantity, When } from './quantity.tsx';
import { useAnswer } from './sources.ts';
import { Table } from './table.tsx';

const ROWS = 5;
const SORTS = [
  ['balance', 'Largest first'],
  ['since', 'Earliest first'],
] as const;

export function Holders() {
  const asked = useParam('holders');
  const sort = SORTS.find(([name]) => name === asked)?.[0] ?? 'balance';
  /** The cursors of the pages up to the one that is shown, without the first page, which needs none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const list = withQuery(pathOf('/holders'), { sort });
  const answer = useAnswer(withQuery(list, { limit: ROWS, ...(cursor && { cursor }) }), list);
  const { holders = [], total, nextCursor, coverage } = answer.body ?? {};
  const choose = (chosen: string) => {
    setCursors([]);
    setParams({ holders: chosen === 'balance' ? undefined : chosen });
  };
  return (
    <Card
      id="holders"
      title="Holders of ggAVAX"
      about={(coverage && gapIn(coverage)) ?? counted(total, 'address', 'addresses')}
      tools={<Choice label="Order" of={SORTS} chosen={sort} onChoose={choose} />}
      from={[answer]}
      lines={15}
      csv={coverage?.complete === false ? undefined : list}
    >
      <Table
        caption="Holders of ggAVAX"
        of={holders}
        keyOf={({ address }) => address}
        empty="No holders of ggAVAX were found."
        columns={[
          ['Address', ({ address }) => <Identifier id={address} kind="address" />],
          ['Balance', ({ ggAvax }) => <Quantity of={ggAvax} unit="ggAVAX" />, 'number'],
          ['Value', ({ avax }) => <Quantity of={avax} unit="AVAX" />, 'number'],
          ['Share', ({ sharePercent }) => <Quantity of={sharePercent} unit="%" />, 'number'],
          ['Since', ({ since }) => <When at={since} />],
        ]}
      />
      {(cursors.length > 0 || nextCursor) && (
        <p class="pages">
          <button
            type="button"
            class="plain"
            disabled={cursors.length === 0}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            Previous
          </button>
          <span class="quiet">{`Page ${cursors.length + 1} of ${Math.ceil((total ?? 0) / ROWS)}`}</span>
          <button
            type="button"
            class="plain"
            disabled={nextCursor === undefined || answer.isPrevious}
            onClick={() => nextCursor && setCursors([...cursors, nextCursor])}
          >
            Next
          </button>
        </p>
      )}
    </Card>
  );
}
