/** The pages of an export, made of the dashboard's components. */

import type { NodeProps, Pages } from '../../../archive-site/page-props.ts';
import { EventTable } from '../account/events.tsx';
import { MinipoolFacts } from '../account/minipools.tsx';
import { addressPage } from './address.tsx';
import { indexPage } from './index.tsx';
import { FileList, pageText, Search } from './layout.tsx';

const SHOWN_EVENTS = 20;

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
        <h2>Its history</h2>
        <EventTable caption="Newest events" entries={events.slice(0, SHOWN_EVENTS)} node={nodeID} />
        <h2>All of its data</h2>
        <FileList files={files} />
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
