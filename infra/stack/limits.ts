/** Limits of time and of rates. API Gateway and the firewall enforce them, and the OpenAPI document states them. */

import { ENDPOINTS } from '../../functions/index.ts';

export const FUNCTION_TIMEOUT_SECONDS = 10;

/** Requests per second and in a burst, of all clients together; AWS takes both as targets. More get a 503. */
export interface Throttle {
  rate: number;
  burst: number;
}

/**
 * The whole API, through CloudFront: its key has a usage plan. Without a firewall nothing limits a single client, so the
 * plan then bounds the bill.
 */
export const PER_API: Throttle = { rate: 200, burst: 400 };
export const PER_API_WITHOUT_FIREWALL: Throttle = { rate: 20, burst: 100 };
/** Each endpoint: a flood of one uses a quarter of the API, so that the others still answer. */
export const PER_ENDPOINT: Throttle = { rate: 50, burst: 100 };

/** Requests from one address to CloudFront in five minutes, ten per second; more get a 429. */
export const REQUESTS_PER_ADDRESS = 3_000;
/** The same, for {@link EXPENSIVE_PATHS} and for large files: one per second. */
export const EXPENSIVE_PER_ADDRESS = 300;

/** The most that requests to an endpoint take, as test/resilience/abuse.test.ts measures it. */
interface RequestCost {
  /** Requests to the tables for one that differs from all others. By default none: all requests share what is read. */
  tables?: number;
  /** JSON-RPC calls for it, if its addresses have nothing. */
  calls?: number;
  /** Requests of the largest that the OpenAPI document allows. */
  largest?: { chain: number; tables: number };
}

/** The largest request to an endpoint that is not in {@link REQUEST_COSTS}. */
export const CHEAP = { chain: 8, tables: 30 };

/** The endpoints whose cost depends on the request. */
export const REQUEST_COSTS: Readonly<Record<string, RequestCost>> = {
  // For each of fifty addresses: its rows, and two calls, which share requests.
  accounts: { tables: 50, calls: 2, largest: { chain: 16, tables: 60 } },
  'accounts/address': { tables: 6, calls: 2 },
  'accounts/address-calendar': { tables: 6, calls: 2 },
  'accounts/address-income': { tables: 7 },
  // Of ten addresses, with six queries for each.
  'accounts/income': { tables: 60, largest: { chain: 0, tables: 65 } },
  // It is cached: read, leased and written.
  'accounts/calendar': { tables: 3, calls: 2 },
  // A query for each type of event, and its next page.
  activity: { tables: 1, largest: { chain: 0, tables: 60 } },
  contracts: { tables: 3 },
  'gg-avax/address': { tables: 6, calls: 2 },
  'gg-avax/address-activity': { tables: 1, largest: { chain: 0, tables: 60 } },
  'gg-avax/address-rewards': { tables: 2 },
  'minipools/node-id-activity': { tables: 1, largest: { chain: 0, tables: 60 } },
  // Two queries for each of two runs of days.
  'prices/at': { tables: 4 },
  'rewards/address': { tables: 1 },
  'rewards/address-cycles': { tables: 3 },
  'stakers/address-activity': { tables: 1, largest: { chain: 0, tables: 60 } },
  // An amount is cached: read, leased and written.
  'withdrawals/estimate': { tables: 3, calls: 2 },
};

/** The endpoints that are limited to {@link EXPENSIVE_PER_ADDRESS}: also lists, which read up to 80 units of a table for a page. */
export const EXPENSIVE_PATHS = Object.entries(ENDPOINTS).flatMap(([file, { path, input }]) =>
  file in REQUEST_COSTS || 'limit' in input.shape ? path : [],
);

/** Files of up to half a megabyte: scripts, styles and documents. */
export const LARGE_FILES = ['/assets/', '/docs', '/openapi.json'];
