import { ENDPOINTS } from '../../functions/index.ts';

/**
 * Limits of time, and of rates: API Gateway and the firewalls enforce these, and the OpenAPI document states them.
 */

/** How long a function of the API may take for a request. */
export const FUNCTION_TIMEOUT_SECONDS = 10;

/**
 * For all clients together, to each endpoint, per second and in a burst; more get a 429. API Gateway applies a stage's
 * limits to each method on its own, and as targets, not as ceilings. Behind CloudFront, which answers repeated
 * requests, no endpoint needs more. Nothing limits the whole API: a rule of the firewall that counts all clients
 * together would let a few of them switch it off for everybody.
 */
export const REQUESTS_PER_ENDPOINT = 50;
export const BURST_PER_ENDPOINT = 100;

/** Requests from one address in five minutes, ten per second; more get a 429. */
export const REQUESTS_PER_ADDRESS = 3_000;
/** The same for requests that bypass the edge, if there is one: one per second. */
export const DIRECT_REQUESTS_PER_ADDRESS = 300;
/** The same for lists that are sent whole by default, on mainnet over 1 MB uncompressed: one per second. */
export const LISTS_PER_ADDRESS = 300;
export const LIST_PATHS = Object.values(ENDPOINTS).flatMap(({ path, input }) => ('offset' in input.shape ? path : []));
/** The same for scripts and styles: thirty page views with an empty browser cache. */
export const ASSETS_PER_ADDRESS = 100;
