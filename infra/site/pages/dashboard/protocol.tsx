import { useEffect, useState } from 'preact/hooks';
import { Timeline } from './activity.tsx';
import { Anchors, namedByHash } from './anchors.tsx';
import { Figures } from './figures.tsx';
import { Histories } from './history.tsx';
import { Holders } from './holders.tsx';
import { Minipools } from './minipools.tsx';
import { pathOf } from './paths.ts';
import { Queue } from './queue.tsx';
import { ValidatorList } from './validators.tsx';

/** The IDs of its cards. */
const PARTS: readonly string[] = [
  ...['figures', 'locked', 'rate', 'yield', 'prices', 'minipools'],
  ...['queue', 'activity', 'holders', 'validators'],
];

/** The protocol's cards. Collapsed, only a button and no requests, until it is clicked or a link names a card. */
export function Protocol({ isCollapsed }: { isCollapsed: boolean }) {
  const [isOpen, setOpen] = useState(isNamed);
  useEffect(() => {
    const open = () => isNamed() && setOpen(true);
    addEventListener('hashchange', open);
    return () => removeEventListener('hashchange', open);
  }, []);
  return (
    <div class="group" id="protocol">
      <h2>The protocol</h2>
      {isCollapsed && !isOpen ? (
        <button type="button" class="plain" onClick={() => setOpen(true)}>
          Show key figures, charts, the withdrawal queue and activity
        </button>
      ) : (
        <>
          <Anchors label="Parts of the protocol" />
          <Figures />
          <Histories />
          <Minipools />
          <Queue />
          <Timeline
            id="activity"
            title="Recent activity"
            path={pathOf('/activity')}
            kinds={['ggAvax', 'pool', 'queue', 'minipools', 'ggp', 'rules']}
            omit={['priceUpdated']}
            span={7}
          />
          <Holders />
          <ValidatorList />
        </>
      )}
    </div>
  );
}

function isNamed(): boolean {
  return PARTS.includes(namedByHash());
}
