import type { Context } from '../runtime/context.ts';
import type { Cache, ValuePolicy } from './cache.ts';
import type { Cached } from './cache-entry.ts';

export interface CacheContext extends Context {
  cache: Cache;
}

export interface Dataset<T, Services extends CacheContext = CacheContext> extends ValuePolicy<T> {
  name: string;
  /** `previous` is the last value, if it is still cached. A value made from other datasets is as old as the oldest one. */
  read: (context: RequestContext<Services>, previous?: T) => Promise<T>;
}

/** Unlike {@link RequestContext.dataset}, it does not make a response as old as the dataset. */
export function readDataset<T, Services extends CacheContext>(
  context: Services,
  dataset: Dataset<T, Services>,
): Promise<Cached & { value: T }> {
  return context.cache.value(dataset.name, dataset, (previous: T | undefined, sources) =>
    dataset.read(withDatasets(context, sources), previous),
  );
}

export type RequestContext<Services extends CacheContext> = Services & {
  /** Reads a dataset. The response is then as old as the oldest one it used, and fresh until the first one expires. */
  dataset: <T>(dataset: Dataset<T, Services>) => Promise<T>;
};

/** The context with datasets; those that a body is made from are added to `used`. */
export function withDatasets<Services extends CacheContext>(context: Services, used: Cached[]) {
  const dataset = async <T>(wanted: Dataset<T, Services>) => {
    const cached = await readDataset(context, wanted);
    used.push(cached);
    return cached.value;
  };
  return { ...context, dataset };
}
