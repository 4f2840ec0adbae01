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

/** Endpoints whose answers differ for each address, amount or time (test/resilience/abuse.test.ts). */
const READ_FOR_EACH = [
  ...['accounts', 'accounts/address', 'accounts/address-calendar', 'accounts/address-income', 'accounts/calendar'],
  ...['accounts/income', 'gg-avax/address', 'prices/at', 'rewards/address', 'withdrawals/estimate'],
];

/** The paths that are limited to {@link EXPENSIVE_PER_ADDRESS}: also lists, which read up to 80 units of a table for a page. */
export const EXPENSIVE_PATHS: readonly string[] = Object.entries(ENDPOINTS).flatMap(([file, { path, input }]) =>
  READ_FOR_EACH.includes(file) || 'limit' in input.shape ? path : [],
);

/** Files of up to half a megabyte: scripts, styles and documents. */
export const LARGE_FILES = ['/assets/', '/docs', '/openapi.json'];
