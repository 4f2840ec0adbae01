/** What floods cost in a month, in dollars: as much of each kind as the limits let through, uncompressed. */

import { ENDPOINTS } from '../../functions/index.ts';
import type { SiteFile } from '../site/site-file.ts';
import {
  ASSETS_PER_ADDRESS,
  DEAR_PER_ADDRESS,
  PER_API,
  PER_ENDPOINT,
  PER_ENDPOINT_WITHOUT_EDGE,
  REQUESTS_PER_ADDRESS,
} from '../stack/limits.ts';
import { apiPrice, edgePrice, MONTH_SECONDS, PRICES, passedOnPrice, type RequestUse } from './prices.ts';

/** Mainnet's minipools, 1,949 of 688 bytes (2026-11). */
const MAINNET_LIST_BYTES = 1_340_000;
/** Pages of 1,000 hours of `/metrics/history` and of 1,000 events (devnet, 2026-11). */
const LONG_HISTORY_BYTES = 245_000;
const LONG_ACTIVITY_BYTES = 271_000;
/** What an address takes of archives a day: a gigabit a second, until they are closed to all for the rest of it. */
const OPEN_SECONDS = 20 * 60;
const ARCHIVE_BYTES_A_DAY = OPEN_SECONDS * (1e9 / 8);

export interface Measured {
  miss: RequestUse;
  hit: RequestUse;
}

type Row = [name: string, dollars: number[]];

const inMonth = (rate: number) => rate * MONTH_SECONDS;
const sumOf = (dollars: number[]) => dollars.reduce((sum, each) => sum + each, 0);
const longest = (site: readonly SiteFile[], start: string) =>
  Math.max(...site.filter(({ path }) => path.startsWith(start)).map(({ body }) => body.length));

/**
 * Behind the edge, from 1 and from 20 addresses that send all that the firewall lets them. How much of it reaches the API
 * is limited by the throttle of its endpoints and of the whole API.
 */
export function floodsOfEdge(measured: ReadonlyMap<string, Measured>, site: readonly SiteFile[]): Row[] {
  const of = (file: string) => measured.get(file) as Measured;
  // A thousand hours with all their fields: the longest range there can be.
  const longHistory = { ...of('metrics/history').miss, reads: 80, sentBytes: LONG_HISTORY_BYTES };
  const files = Object.keys(ENDPOINTS);
  const byAddress = files.filter((file) => ENDPOINTS[file]?.path.includes('{address}')).length;
  const histories = files.filter((file) => file.endsWith('history')).length;
  const reaching = (endpoints: number) => inMonth(Math.min(endpoints * PER_ENDPOINT.rate, PER_API.rate));
  const edgeAlone = Number.POSITIVE_INFINITY;
  const kinds: [name: string, perFiveMinutes: number, each: number, most: number][] = [
    ['a short answer that the edge has cached', REQUESTS_PER_ADDRESS, edgePrice(of('prices').hit.sentBytes), edgeAlone],
    ['a page of 1,000 events that the edge has', DEAR_PER_ADDRESS, edgePrice(LONG_ACTIVITY_BYTES), edgeAlone],
    ['the OpenAPI document', ASSETS_PER_ADDRESS, edgePrice(longest(site, 'openapi.json')), edgeAlone],
    ['the longest list of mainnet', DEAR_PER_ADDRESS, edgePrice(MAINNET_LIST_BYTES), edgeAlone],
    ['the reference page', ASSETS_PER_ADDRESS, edgePrice(longest(site, 'docs')), edgeAlone],
    [
      'addresses that stake nothing',
      REQUESTS_PER_ADDRESS,
      passedOnPrice(of('stakers/address').hit),
      reaching(byAddress),
    ],
    ['histories of 1,000 points, all different', DEAR_PER_ADDRESS, passedOnPrice(longHistory), reaching(histories)],
  ];
  const archives = inMonth(1 / 86_400) * ARCHIVE_BYTES_A_DAY * PRICES.edgeSentByte;
  return [
    ...kinds.map(
      ([name, perFiveMinutes, each, most]): Row => [
        name,
        [1, 20].map((addresses) => each * Math.min(inMonth((addresses * perFiveMinutes) / 300), most)),
      ],
    ),
    ['archives, until they are closed for a day', [archives, 20 * archives]],
  ];
}

/** The API constantly at its throttle: behind the edge, and without one. */
export function floodsOfApi(measured: ReadonlyMap<string, Measured>, site: readonly SiteFile[]): Row[] {
  const hits = [...measured.values()].map(({ hit }) => hit);
  const misses = [...measured.values()].map(({ miss }) => miss);
  const dearest = misses.toSorted((a, b) => apiPrice(b) - apiPrice(a))[0] as RequestUse;
  const list = apiPrice({ ...(measured.get('minipools') as Measured).hit, sentBytes: MAINNET_LIST_BYTES });
  const mean = (uses: RequestUse[]) => sumOf(uses.map(passedOnPrice)) / uses.length;
  const file = (start: string) => PRICES.apiGateway + longest(site, start) * PRICES.sentByte;
  const whole = Object.values(ENDPOINTS).filter(({ input }) => 'offset' in input.shape).length;
  const none = Number.NaN;
  const { rate: without } = PER_ENDPOINT_WITHOUT_EDGE;
  const every = (uses: RequestUse[]) => sumOf(uses.map(apiPrice));
  const rows: [name: string, edge: number, open: number][] = [
    ['all endpoints, all hits', mean(hits) * PER_API.rate, every(hits) * without],
    ['all endpoints, all misses', mean(misses) * PER_API.rate, every(misses) * without],
    ['the endpoint with the dearest miss', passedOnPrice(dearest) * PER_ENDPOINT.rate, apiPrice(dearest) * without],
    ['the lists, each mainnet’s longest', none, whole * list * without],
    ['the OpenAPI document', none, file('openapi.json') * without],
    ['the reference page', none, file('docs') * without],
  ];
  return rows.map(([name, ...perSecond]) => [name, perSecond.map(inMonth)]);
}
