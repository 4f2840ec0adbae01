import type { Context } from '../runtime/context.ts';
import type { Cached } from './cache-entry.ts';
import { cacheOf } from './table.ts';

/** Data that several responses are made from, read once. */
export interface Dataset<T> {
  /** Its key in the cache. */
  name: string;
  freshSeconds: number;
  /** How long the reading container may hold the lease; set it if reading may take longer than the RPC budget. */
  leaseMs?: number;
  /** How long a value that lacks a part is fresh instead, in seconds; undefined for a whole one. */
  freshFor?(value: T): number | undefined;
  /** Whether the cache table keeps it for all containers. Of what there is one for each address, each keeps its own. */
  inTable?: true;
  /** `previous` is what was read last, if that is still cached. */
  read(context: Context, previous?: T): Promise<T>;
}

/**
 * A dataset, from the cache or read now. Unlike {@link RequestContext.dataset}, it does not make a response as old as
 * the dataset: for pools, whose states are read at the response's own block, and for what changes too slowly to matter.
 */
export function readDataset<T>(context: Context, dataset: Dataset<T>): Promise<Cached & { value: T }> {
  return cacheOf(context).value(dataset.name, dataset, (previous?: T) => dataset.read(context, previous));
}

/** What a handler reads from. */
export interface RequestContext extends Context {
  /** Reads a dataset. The response is then as old as the oldest one it used, and fresh until the first one expires. */
  dataset<T>(dataset: Dataset<T>): Promise<T>;
}

/** The context with datasets; those that a body is made from are added to `used`. */
export function withDatasets(context: Context, used: Cached[]): RequestContext {
  return {
    ...context,
    async dataset<T>(dataset: Dataset<T>) {
      const cached = await readDataset(context, dataset);
      used.push(cached);
      return cached.value;
    },
  };
}
