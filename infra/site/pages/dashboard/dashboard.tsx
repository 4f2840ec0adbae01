import { useEffect, useMemo } from 'preact/hooks';
import { Timeline } from './activity.tsx';
import { Anchors } from './anchors.tsx';
import { Archive } from './archive.tsx';
import { Calculator } from './calculator.tsx';
import { ContractNames, namesOf } from './contracts.ts';
import { Collateral, Minipools } from './counts.tsx';
import { RewardsCycle } from './cycle.tsx';
import { Explorer, explorerOf } from './explorer.ts';
import { Figures } from './figures.tsx';
import { Histories } from './history.tsx';
import { Holders } from './holders.tsx';
import { shortened } from './identifier.tsx';
import { subjectOfURL, useParam } from './location.ts';
import { Notice } from './notice.tsx';
import { pathOf } from './paths.ts';
import { Queue } from './queue.tsx';
import { Search } from './search.tsx';
import { useAnswer } from './sources.ts';
import { ValidatorList } from './validators.tsx';
import { YieldSources } from './yield-sources.tsx';
import { YourAddress } from './your-address.tsx';
import { YourAddresses } from './your-addresses.tsx';
import { YourNode } from './your-node.tsx';

/** The page: the search field, the protocol's status, the view of an address or node, and the protocol. */
export function Dashboard() {
  const asked = { address: useParam('address'), node: useParam('node') };
  const subject = subjectOfURL(asked);
  const { address, addresses, node } = subject ?? {};
  const { body: health } = useAnswer(pathOf('/health'));
  const { body: contracts } = useAnswer(pathOf('/contracts'));
  const names = useMemo(() => namesOf(contracts), [contracts]);
  useTitle(address ?? node ?? addresses?.valid[0]);
  return (
    <Explorer.Provider value={explorerOf(health?.network)}>
      <ContractNames.Provider value={names}>
        <Search asked={asked.address || asked.node || ''} subject={subject} />
        <Notice />
        {address && <YourAddress key={address} address={address} />}
        {addresses && <YourAddresses key={asked.address} addresses={addresses} />}
        {node && <YourNode key={node} node={node} />}
        <div class="group" id="protocol">
          <h2>The protocol</h2>
          <Anchors label="Parts of the protocol" />
          <Figures />
          <Histories />
          <Minipools />
          <RewardsCycle />
          <Collateral />
          <YieldSources />
          <Calculator address={address} />
          <Queue />
          <Timeline
            id="activity"
            title="Recent activity"
            path={pathOf('/activity')}
            kinds={['ggAvax', 'pool', 'queue', 'minipools', 'ggp', 'rules']}
            span={7}
          />
          <Holders />
          <ValidatorList />
          <Archive />
        </div>
      </ContractNames.Provider>
    </Explorer.Provider>
  );
}

const TITLE = document.title;

/** Adds the address or node to the page's title, for tabs, bookmarks and the browser's history. */
function useTitle(id: string | undefined): void {
  useEffect(() => {
    document.title = id === undefined ? TITLE : `${shortened(id)} · ${TITLE}`;
  }, [id]);
}
