/**
 * Limits of time, and of rates: API Gateway and the firewall enforce these, and the OpenAPI document states them.
 */

import { ENDPOINTS } from '../../functions/index.ts';

/** How long a function of the API may take for a request. */
export const FUNCTION_TIMEOUT_SECONDS = 10;

/** Requests per second and in a burst, for all clients together; more get a 429. AWS takes both as targets. */
export interface Throttle {
  rate: number;
  burst: number;
}

/** To each endpoint. Behind CloudFront, which answers repeated requests, none needs more. */
export const PER_ENDPOINT: Throttle = { rate: 50, burst: 100 };
/**
 * To the whole API, through CloudFront: its key has a usage plan. A flood of one endpoint uses a quarter, so that
 * others still answer.
 */
export const PER_API: Throttle = { rate: 200, burst: 400 };
/**
 * To each endpoint and page without CloudFront, where nothing limits a single client, and nothing the whole API: this
 * is what bounds the bill.
 */
export const PER_ENDPOINT_WITHOUT_EDGE: Throttle = { rate: 5, burst: 50 };
/** The same to each script and style, the largest over 4 MB. */
export const PER_ASSET_WITHOUT_EDGE: Throttle = { rate: 1, burst: 20 };

/** Requests from one address to CloudFront in five minutes, ten per second; more get a 429. */
export const REQUESTS_PER_ADDRESS = 3_000;
/**
 * The same for what is dear: one per second. Lists read up to 80 units of a table for a page, files of archives are large, and
 * what depends on an address or an amount asks the chain for each new one.
 */
export const DEAR_PER_ADDRESS = 300;
const ASKS_CHAIN = [
  ...['/accounts', '/accounts/{address}', '/accounts/{address}/calendar.ics', '/accounts/calendar.ics'],
  ...['/ggAvax/{address}', '/withdrawals/estimate'],
];
export const DEAR_PATHS = Object.values(ENDPOINTS).flatMap(({ path, input }) =>
  'limit' in input.shape || ASKS_CHAIN.includes(path) ? path : [],
);
export const ARCHIVE_PATH = '/archive/';
/** The same for scripts, styles and documents, each up to half a megabyte: thirty page views with an empty cache. */
export const ASSETS_PER_ADDRESS = 100;
export const ASSET_PATHS = ['/assets/', '/docs', '/openapi.json'];

/** The longest valid query has fifty addresses, each with its name. */
export const MAX_QUERY_BYTES = 4_096;
