import { useContext, useEffect, useMemo } from 'preact/hooks';
import { explorerOf, Links, namesOf } from '../account/links.ts';
import { shortened } from '../account/quantity.tsx';
import { AddressView } from './address-view.tsx';
import { AddressesView } from './addresses-view.tsx';
import { useAnswer } from './answers.ts';
import { useSubject } from './location.ts';
import { NodeView } from './node-view.tsx';
import { Notice } from './notice.tsx';
import { pathOf } from './paths.ts';
import { Protocol } from './protocol.tsx';
import { Search } from './search.tsx';

const TITLE = document.title;

/** The page: the search field, the protocol's status, the view of an address or node, and the protocol. */
export function Dashboard() {
  const { text, subject } = useSubject();
  const { body: health } = useAnswer(pathOf('/health'));
  const { body: contracts } = useAnswer(pathOf('/contracts'));
  const defaults = useContext(Links);
  const links = useMemo(() => {
    const [explorer, names] = [explorerOf(health?.network), namesOf(contracts?.contracts)];
    return { ...defaults, explorer, names, canCopy: true };
  }, [health?.network, contracts]);
  const { address, addresses, node } = subject ?? {};
  const title = [...(addresses?.valid ?? [address ?? node ?? []].flat()).map(shortened), TITLE].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <Links.Provider value={links}>
      <Search text={text} subject={subject} />
      <Notice />
      {address && <AddressView key={address} address={address} />}
      {addresses && <AddressesView key={text} addresses={addresses} />}
      {node && <NodeView key={node} node={node} />}
      <Protocol key={String(subject === undefined)} isCollapsed={subject !== undefined} />
    </Links.Provider>
  );
}
