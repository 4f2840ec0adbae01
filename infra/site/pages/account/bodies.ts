/** Names for the types of the API's responses, and of their parts, that the pages use. */

import type { Bodies } from '../../../../functions/index.ts';

export type Account = Bodies['/accounts']['accounts'][number];
export type AccountAt = Bodies['/accounts/{address}'];
export type Income = Bodies['/accounts/{address}/income'];
export type Minipool = Bodies['/minipools']['minipools'][number];
export type Coverage = Bodies['/activity']['coverage'];

type AnyEvent = Bodies['/activity']['activity'][number];
type FieldOf<Union> = Union extends unknown ? keyof Union : never;
/** An event: the fields that all types have, and those that only some types have. */
export type Event = Pick<AnyEvent, keyof AnyEvent> & { [Field in FieldOf<AnyEvent>]?: unknown };
