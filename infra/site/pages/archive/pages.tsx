/** The pages of an export, made of the dashboard's components. */

import type { NodeProps, Pages } from '../../../archive-site/page-props.ts';
import { MinipoolFacts } from '../account/minipools.tsx';
import { addressPage } from './address.tsx';
import { indexPage } from './index.tsx';
import { History, pageText, Search } from './layout.tsx';

export const pages: Pages = { index: indexPage, address: addressPage, node: nodePage, list, notFound };

function nodePage({ nodeID, minipool, events, files, ...imprint }: NodeProps): string {
  return pageText({
    imprint,
    title: nodeID,
    about: `The minipool of ${nodeID} in GoGoPool / Hypha on Avalanche.`,
    up: '../',
    children: (
      <>
        <h2>Its newest minipool</h2>
        {minipool ? <MinipoolFacts minipool={minipool} /> : <p>The node had no minipool at that block.</p>}
        <History events={events} files={files} node={nodeID} />
      </>
    ),
  });
}

function list({ title, folder, names, ...imprint }: Parameters<Pages['list']>[0]): string {
  return pageText({
    imprint,
    title,
    about: `${title} in the archive of GoGoPool / Hypha on Avalanche.`,
    up: '../',
    children: (
      <>
        <p>{names.length} in all.</p>
        <ul>
          {names.map((name) => (
            <li key={name}>
              <a href={`../${folder}/${name}.html`}>{name}</a>
            </li>
          ))}
        </ul>
      </>
    ),
  });
}

/** Served at any path: its script finds the folder in which its links and the search begin. */
function notFound({ script, ...imprint }: Parameters<Pages['notFound']>[0]): string {
  return pageText({
    imprint,
    title: 'Nothing is at this address',
    about: 'The archive has no such page.',
    ...{ up: '', script },
    children: <Search />,
  });
}
