/** Limits of time and of rates. API Gateway and the firewall enforce them, and the OpenAPI document states them. */

import { ENDPOINTS } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';

/** The time limit of a function of the API. */
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
/** Endpoints that simulate transactions, for each new address or amount. */
const SIMULATING = /^(\/accounts(\/.*)?|\/ggAvax\/\{address\}|\/withdrawals\/estimate)$/;

/**
 * Endpoints whose cost depends on the request: lists read up to 80 units of a table for a page, the ledger of one address
 * up to 5,000, and a simulation calls the chain.
 */
export const EXPENSIVE_PATHS = Object.values(ENDPOINTS).flatMap((endpoint) =>
  'limit' in endpoint.input.shape || readsLedgerOfAddress(endpoint) || SIMULATING.test(endpoint.path)
    ? endpoint.path
    : [],
);

function readsLedgerOfAddress({ reads = {}, input }: Endpoint): boolean {
  return 'ledger' in reads && 'address' in input.shape;
}

/** Files of up to half a megabyte: scripts, styles and documents. */
export const LARGE_FILES = ['/assets/', '/docs', '/openapi.json'];
