import { useEffect, useMemo } from 'preact/hooks';
import { ContractNames, listNames } from './contracts.ts';
import { Explorer } from './explorer.ts';
import { explorerOf } from './explorer-links.ts';
import { shortened } from './identifier.tsx';
import { useParam } from './location.ts';
import { Notice } from './notice.tsx';
import { pathOf } from './paths.ts';
import { Protocol } from './protocol.tsx';
import { Search } from './search.tsx';
import { useAnswer } from './sources.ts';
import { type Subject, subjectOfURL } from './subject.ts';
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
  const names = useMemo(() => listNames(contracts), [contracts]);
  useTitle(subject);
  return (
    <Explorer.Provider value={explorerOf(health?.network)}>
      <ContractNames.Provider value={names}>
        <Search asked={asked.address || asked.node || ''} subject={subject} />
        <Notice />
        {address && <YourAddress key={address} address={address} />}
        {addresses && <YourAddresses key={asked.address} addresses={addresses} />}
        {node && <YourNode key={node} node={node} />}
        <Protocol isCollapsed={subject !== undefined} />
      </ContractNames.Provider>
    </Explorer.Provider>
  );
}

const TITLE = document.title;

/** Adds the addresses or the node to the page's title, for tabs, bookmarks and the browser's history. */
function useTitle(subject: Subject | undefined): void {
  const { address, addresses, node } = subject ?? {};
  const ids = addresses?.valid ?? [address ?? node ?? []].flat();
  const title = [ids.map(shortened).join(', '), TITLE].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
