/** Checks of one endpoint: its answer, its headers, and the figures in its body. */

import type { ChainSource } from './chain.ts';
import { FIGURES } from './figures.ts';
import { headerFaults, repeatFaults, searchedBlock } from './headers.ts';
import { historyFaults, listFaults } from './histories.ts';
import { type Answer, exampleOf, type Json, listed, type Service, schemaFaults } from './service.ts';

export interface Row {
  path: string;
  /** The requested path, with values for its parameters. */
  url: string;
  /** 0 if the endpoint could not be checked. */
  status: number;
  /** Number of figures that were compared with the chain. */
  figures: number;
  /** Descriptions of the differences. */
  faults: string[];
}

/** The list whose first entry is requested of an endpoint, unless it is the list at the same path. */
const LIST_OF: Record<string, string> = {
  '/accounts/{address}': '/stakers',
  '/accounts/{address}/calendar.ics': '/withdrawals',
  '/accounts/{address}/income': '/holders',
  '/ggAvax/{address}': '/holders',
  '/ggAvax/{address}/activity': '/holders',
  '/ggAvax/{address}/rewards': '/holders',
};

/**
 * The request for an endpoint. Addresses and nodes are taken from the deployment's own `lists`, by path: the document's
 * examples are those of the devnet.
 */
export function urlOf(service: Service, path: string, lists: ReadonlyMap<string, Json>): string {
  const list = lists.get(LIST_OF[path] ?? path.slice(0, path.indexOf('/{'))) ?? lists.get('/stakers');
  return exampleOf(service, path, listed(service, path, list));
}

/** Requests an endpoint and checks everything about the answer. */
export async function verifyEndpoint(
  service: Service,
  chain: ChainSource,
  path: string,
  lists: ReadonlyMap<string, Json>,
): Promise<Row & { body: Json }> {
  const url = urlOf(service, path, lists);
  const answer = await service.request(url);
  const repeated = await repeatFaults(service, url, answer);
  const { figures, faults } = await verifyAnswer(service, chain, path, answer);
  return { path, url, status: answer.status, figures, faults: [...repeated, ...faults], body: answer.body };
}

/** Checks an answer against its schema, its headers, and the chain. */
export async function verifyAnswer(
  service: Service,
  chain: ChainSource,
  path: string,
  answer: Answer,
): Promise<Pick<Row, 'figures' | 'faults'>> {
  const faults = [
    ...(answer.status === 200 || answer.status === 404 ? [] : [`status ${answer.status}`]),
    ...schemaFaults(service, path, answer),
    ...headerFaults(service, path, answer),
  ];
  // Figures can only be found in a body that matches its schema.
  if (answer.status !== 200 || faults.length > 0) return { figures: 0, faults };
  faults.push(...historyFaults(path, answer), ...listFaults(answer));
  return faults.length > 0 ? { figures: 0, faults } : verifyFigures(chain, path, answer);
}

async function verifyFigures(chain: ChainSource, path: string, { body, headers }: Answer) {
  for (const { number, timestamp } of [body?.block ?? {}, searchedBlock(body?.coverage) ?? {}]) {
    if (timestamp !== undefined && (await chain.timeOf(number)) !== timestamp)
      return { figures: 0, faults: [`block ${number} has a different timestamp on the chain`] };
  }
  const block = Number(body?.block?.number ?? headers.get('x-block-number'));
  const figures = (await FIGURES[path]?.(body, chain.at(block), chain)) ?? [];
  const wrong = figures.filter(({ served, expected }) => served !== expected);
  const faults = wrong.map(({ field, served, expected }) => `${field}: ${served}, the chain says ${expected}`);
  return { figures: figures.length, faults };
}
