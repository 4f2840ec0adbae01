/** The costs of floods in a month, in dollars: as much of each kind as the limits let through, uncompressed. */

import { ENDPOINTS } from '../../functions/index.ts';
import type { SiteFile } from '../site/site-file.ts';
import {
  ARCHIVE_FILES_PER_ADDRESS,
  ARCHIVE_WINDOW_SECONDS,
  EXPENSIVE_PER_ADDRESS,
  PER_API,
  PER_API_WITHOUT_FIREWALL,
  PER_ENDPOINT,
  REQUESTS_PER_ADDRESS,
} from '../stack/limits.ts';
import { apiPrice, edgePrice, MONTH_SECONDS, PRICES, passedOnPrice, type RequestUse } from './prices.ts';

/** Mainnet's minipools, 1,949 of 688 bytes (2026-11). */
const MAINNET_LIST_BYTES = 1_340_000;
/** Pages of 1,000 hours of `/metrics/history` and of 1,000 events (devnet, 2026-11). */
const LONG_HISTORY_BYTES = 245_000;
const LONG_ACTIVITY_BYTES = 271_000;
/** One file with everything: a million events (docs/archive.md). */
const ARCHIVE_BUNDLE_BYTES = 300_000_000;

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
 * From 1 and from 20 addresses that send all that the firewall lets them. The part of it that reaches the API is limited by
 * the throttle of its endpoints and of the whole API.
 */
export function floodsOfEdge(measured: ReadonlyMap<string, Measured>, site: readonly SiteFile[]): Row[] {
  const of = (file: string) => measured.get(file) as Measured;
  // A thousand hours with all their fields: the longest range there can be.
  const longHistory = { ...of('metrics/history').miss, reads: 80, sentBytes: LONG_HISTORY_BYTES };
  const files = Object.keys(ENDPOINTS);
  const byAddress = files.filter((file) => ENDPOINTS[file]?.path.includes('{address}')).length;
  const histories = files.filter((file) => file.endsWith('history')).length;
  const reaching = (endpoints: number) => Math.min(endpoints * PER_ENDPOINT.rate, PER_API.rate);
  const all = REQUESTS_PER_ADDRESS / 300;
  const expensive = EXPENSIVE_PER_ADDRESS / 300;
  const archives = ARCHIVE_FILES_PER_ADDRESS / ARCHIVE_WINDOW_SECONDS;
  const edgeAlone = Number.POSITIVE_INFINITY;
  const kinds: [name: string, perSecond: number, each: number, most: number][] = [
    ['a short answer that the edge has cached', all, edgePrice(of('prices').hit.sentBytes), edgeAlone],
    ['a page of 1,000 events that the edge has', expensive, edgePrice(LONG_ACTIVITY_BYTES), edgeAlone],
    ['the longest list of mainnet', expensive, edgePrice(MAINNET_LIST_BYTES), edgeAlone],
    ['the reference page', expensive, edgePrice(longest(site, 'docs')), edgeAlone],
    ['addresses that stake nothing', all, passedOnPrice(of('stakers/address').hit), reaching(byAddress)],
    ['histories of 1,000 points, all different', expensive, passedOnPrice(longHistory), reaching(histories)],
    ['archives, 0.3 GB each', archives, edgePrice(ARCHIVE_BUNDLE_BYTES), edgeAlone],
  ];
  return kinds.map(([name, perSecond, each, most]) => [
    name,
    [1, 20].map((addresses) => inMonth(each * Math.min(addresses * perSecond, most))),
  ]);
}

/** The API constantly at its throttle: with a firewall, and without. */
export function floodsOfApi(measured: ReadonlyMap<string, Measured>): Row[] {
  const hits = [...measured.values()].map(({ hit }) => hit);
  const misses = [...measured.values()].map(({ miss }) => miss);
  const dearest = Math.max(...misses.map(passedOnPrice));
  const mean = (uses: RequestUse[]) => sumOf(uses.map(passedOnPrice)) / uses.length;
  const rows: [name: string, each: number, mostPerSecond: number][] = [
    ['all endpoints, all hits', mean(hits), PER_API.rate],
    ['all endpoints, all misses', mean(misses), PER_API.rate],
    ['the endpoint with the most expensive miss', dearest, PER_ENDPOINT.rate],
  ];
  return rows.map(([name, each, most]) => [
    name,
    [most, Math.min(most, PER_API_WITHOUT_FIREWALL.rate)].map((rate) => inMonth(each * rate)),
  ]);
}

/**
 * The most that a day costs while no alarm is raised: CloudFront's requests and bytes and the API's requests each just below
 * their thresholds, the API's all hits or all misses.
 */
export function silentDay(thresholds: SilentLimits, measured: ReadonlyMap<string, Measured>): Row[] {
  const uses = [...measured.values()];
  const edge = thresholds.edgeRequests * 288 * edgePrice(0) + thresholds.edgeBytes * 24 * PRICES.edgeSentByte;
  const api = (kind: 'hit' | 'miss') =>
    thresholds.apiRequests * 288 * (sumOf(uses.map((use) => apiPrice({ ...use[kind], sentBytes: 0 }))) / uses.length);
  return [
    ['CloudFront alone', [edge]],
    ['and the API, all hits', [edge + api('hit')]],
    ['and the API, all misses', [edge + api('miss')]],
  ];
}

/** The thresholds of the alarms: requests in five minutes, bytes in an hour. */
export interface SilentLimits {
  edgeRequests: number;
  edgeBytes: number;
  apiRequests: number;
}
