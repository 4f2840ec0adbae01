import type { Bodies } from '../../functions/index.ts';
import { day } from '../site/pages/dashboard/format.ts';
import { type Event, eventTable } from './events.ts';
import { html } from './html.ts';
import { type AnswerFile, amount, answerList, type Cell, link, type Page, table } from './layout.ts';

export interface Node {
  network: string;
  nodeID: string;
  /** Its newest minipool. */
  minipool: Bodies['/minipools/{nodeID}'] | undefined;
  events: readonly Event[];
  answers: readonly AnswerFile[];
}

/** The page of a node that has had a minipool. */
export function nodePage({ network, nodeID, minipool, events, answers }: Node): Page {
  return {
    title: nodeID,
    about: `The minipool of ${nodeID} in GoGoPool / Hypha on Avalanche.`,
    up: '../',
    content: html`<h2>Its newest minipool</h2>
${minipool ? table('Minipool', ['At that block', 'Value'], facts(minipool)) : html`<p>The node had no minipool at that block.</p>`}
<h2>Its history</h2>
${eventTable(network, events, nodeID)}
<h2>All of its data</h2>
<p>Answers of the API at that block, as JSON.</p>
${answerList(answers)}`,
  };
}

function facts(minipool: NonNullable<Node['minipool']>): Cell[][] {
  const { owner, status, startTime, endTime, expectedEndTime } = minipool;
  const end = endTime ? ['Ended', day(endTime)] : expectedEndTime ? ['Was to end', day(expectedEndTime)] : [];
  return [
    ['Status', status],
    ['Owner', owner && link(`../address/${owner.toLowerCase()}.html`, owner)],
    ['AVAX of the owner', amount(minipool.avaxNodeOpAmt, 'AVAX')],
    ['AVAX of the pool', amount(minipool.avaxLiquidStakerAmt, 'AVAX')],
    ['Rewards of the owner so far', amount(minipool.avaxNodeOpLifetimeRewardAmt, 'AVAX')],
    ...(startTime ? [['Cycle began', day(startTime)]] : []),
    ...(end.length > 0 ? [end] : []),
  ];
}
