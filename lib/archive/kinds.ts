import type { Kind } from './kind.ts';
import { EVENTS } from './kinds/events.ts';
import { POINT_KINDS } from './kinds/points.ts';
import { VALIDATORS_HISTORY } from './kinds/validators.ts';

/** All kinds, in the order in which they are described. */
export const KINDS: readonly Kind[] = [EVENTS, ...POINT_KINDS['1d'], ...POINT_KINDS['1h'], VALIDATORS_HISTORY];
