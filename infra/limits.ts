import { ENDPOINTS } from '../functions/index.ts';

/** How many requests are taken: what the gateway and the firewall keep to, and what the OpenAPI document tells. */

/** Requests a second, and in a burst, over all clients: also the guard of the bill. More are answered with 429. */
export const REQUESTS_PER_SECOND = 200;
export const REQUESTS_IN_BURST = 400;

/** Requests of one address in five minutes: ten a second, all day. More are answered with 429. */
export const REQUESTS_PER_ADDRESS = 3_000;
/** The same at the API itself for those who pass by the edge, where there is one: one a second. */
export const DIRECT_REQUESTS_PER_ADDRESS = 300;
/** The same for lists that are sent whole unless a page is asked for, on mainnet over 1 MB uncompressed: one a second. */
export const LISTS_PER_ADDRESS = 300;
export const LIST_PATHS = Object.values(ENDPOINTS).flatMap(({ path, input }) => ('offset' in input.shape ? path : []));
/** Of scripts and styles, of which the largest has more than a megabyte: thirty views of a page with nothing kept. */
export const ASSETS_PER_ADDRESS = 100;
