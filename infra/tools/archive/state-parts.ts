/** The last state as parts of an archive: what the service needs to answer again, and the lists that people read. */

import { ENDPOINTS } from '../../../functions/index.ts';
import { METRIC_NAMES } from '../../../lib/api/bodies/metrics-body.ts';
import type { Endpoint } from '../../../lib/api/definition.ts';
import type { AdditionalParts } from '../../../lib/archive/export.ts';
import { listKind, listRows } from '../../../lib/archive/kinds/lists.ts';
import { STATE, stateRows } from '../../../lib/archive/kinds/state.ts';
import type { Part } from '../../../lib/archive/parts.ts';
import { type RecordedState, recordState, type StateRequest } from '../../../lib/archive/record-state.ts';
import type { Subjects } from '../../../lib/archive/subjects.ts';
import { DEFAULT_FLAGS } from '../../../lib/flags/defaults.ts';
import { EXCHANGES } from '../../../lib/prices/exchanges.ts';
import type { Context } from '../../../lib/runtime/context.ts';
import { matchPath } from '../../local/event.ts';

/** The lists, by their name in an archive. To add one, name its endpoint. */
const LISTS: Record<string, Endpoint | undefined> = {
  stakers: ENDPOINTS.stakers,
  minipools: ENDPOINTS.minipools,
  withdrawals: ENDPOINTS.withdrawals,
  cycles: ENDPOINTS['rewards/cycles'],
  contracts: ENDPOINTS.contracts,
  settings: ENDPOINTS.settings,
};

/** What path parameters may be. */
const VALUES: Record<string, (subjects: Subjects) => readonly string[]> = {
  address: ({ addresses }) => addresses,
  nodeID: ({ nodes }) => nodes,
  dex: () => EXCHANGES.map(({ code }) => code),
  name: () => METRIC_NAMES,
  key: () => Object.keys(DEFAULT_FLAGS.flags),
};

/** What an exchange would pay is its own answer for one amount: it is kept for these, of ggAVAX and of AVAX. */
export const ESTIMATED = [1, 10, 100, 1_000, 10_000, 100_000];
const ESTIMATES = ['ggAvax', 'avax'].flatMap((token) =>
  ESTIMATED.map((amount) => `/withdrawals/estimate?${token}=${amount}`),
);

/**
 * The parts of the last state. `onMissing` is told what could not be read. Reading them throws once `mayGoOn` is false.
 */
export function stateParts(
  context: Context,
  onMissing: (missing: readonly string[]) => void,
  mayGoOn: () => boolean = () => true,
): AdditionalParts {
  const onStep = () => {
    if (!mayGoOn()) throw new Error('the last state took too long');
  };
  return ({ block, subjects }) => {
    let recorded: Promise<RecordedState> | undefined;
    const record = async () => {
      const state = await recordState(context, block.number, requestsFor(await subjects()), onStep);
      onMissing(state.missing);
      return state;
    };
    const recordOnce = () => {
      recorded ??= record();
      return recorded;
    };
    const lists = Object.entries(LISTS).map(([name, endpoint]) => listPart(name, endpoint as Endpoint, recordOnce));
    return [statePart(recordOnce), ...lists];
  };
}

function statePart(record: () => Promise<RecordedState>): Part {
  return {
    name: 'state',
    kinds: [STATE],
    total: 1,
    async *read() {
      yield { rows: stateRows(await record()), done: 1 };
    },
  };
}

function listPart(name: string, endpoint: Endpoint, record: () => Promise<RecordedState>): Part {
  return {
    name,
    kinds: [listKind(name, endpoint)],
    total: 1,
    async *read() {
      const { answer } = await record();
      const body = await answer({ endpoint, request: { params: {}, query: {} } });
      yield { rows: listRows(endpoint, body), done: 1 };
    },
  };
}

/** A request to each endpoint, and one for everybody to those that answer about somebody. */
export function requestsFor(subjects: Subjects): StateRequest[] {
  const urls = Object.values(ENDPOINTS).flatMap(({ path, exampleRequest }) => {
    const [, name] = /\{(\w+)\}$/.exec(path) ?? [];
    const values = (name && VALUES[name]?.(subjects)) || [];
    return [exampleRequest, ...values.map((value) => path.replace(`{${name}}`, value))];
  });
  return [...urls, ...ESTIMATES].flatMap(requestOf);
}

function requestOf(url: string): StateRequest[] {
  const [path = '', search = ''] = url.split('?');
  const query = Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, [value]]));
  const endpoints = Object.values(ENDPOINTS).filter((endpoint) => matchPath(endpoint.path, path));
  return endpoints.map((endpoint) => ({
    endpoint,
    request: { params: matchPath(endpoint.path, path) ?? {}, query },
  }));
}
