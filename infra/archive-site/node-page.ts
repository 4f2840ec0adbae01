import type { Bodies } from '../../functions/index.ts';
import { day } from '../site/pages/dashboard/format.ts';
import { html } from './html.ts';
import { link, type Page, table } from './layout.ts';

type Minipool = Bodies['/minipools/{nodeID}'];

/** The page of a node that has had a minipool. */
export function nodePage(nodeID: string, minipool: Minipool | undefined, answers: readonly string[]): Page {
  const owner = minipool?.owner;
  const rows = minipool && [
    ['Status', minipool.status],
    ['Owner', owner && link(`../address/${owner.toLowerCase()}.html`, owner)],
    ['AVAX of the owner', minipool.avaxNodeOpAmt],
    ['AVAX of the pool', minipool.avaxLiquidStakerAmt],
    ['Began', minipool.startTime ? day(minipool.startTime) : 'not recorded'],
    ['Ended', minipool.endTime ? day(minipool.endTime) : 'not recorded'],
  ];
  return {
    title: nodeID,
    about: `The minipool of ${nodeID} in GoGoPool / Hypha on Avalanche.`,
    up: '../',
    content: html`<h2>Its newest minipool</h2>
${rows ? table('Minipool', ['Fact', 'Value'], rows) : html`<p>The node had no minipool at that block.</p>`}
<h2>All of its data</h2>
<ul class="files">${answers.map(
      (file) => html`<li>${link(`../${file}`, file.slice('api/'.length))}</li>
`,
    )}</ul>`,
  };
}
