import type { SeriesTableSpec } from '../table-spec.ts';
import { DISTRIBUTED_CYCLES, DISTRIBUTIONS } from './distributions.ts';

/**
 * The kinds that hold series of the history's table. Readers of distributions take a recorded cycle for complete, so the
 * cycles are imported last.
 */
export const SERIES_KINDS: readonly SeriesTableSpec[] = [DISTRIBUTIONS, DISTRIBUTED_CYCLES];
