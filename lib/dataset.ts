import type { Cached } from './cache/cache.ts';
import type { Context } from './context.ts';

/** Data that several responses are made from, read once and shared by all containers. */
export interface Dataset<T> {
  name: string;
  /** Part of its key. Raise it when the meaning or shape of the value changes: then nobody reads what an older release has left. */
  version: number;
  freshSeconds: number;
  /** How long others leave it to the container that reads it; set it where that takes longer than the RPC budget. */
  leaseMs?: number;
  /** `previous` is what was read last, as long as it is not forgotten. */
  read(context: Context, previous?: T): Promise<T>;
}

/** What a handler reads from. */
export interface RequestContext extends Context {
  /** A dataset. The response is then as old, and stays fresh as long, as the oldest of those it used. */
  dataset<T>(dataset: Dataset<T>): Promise<T>;
}

/** The context with datasets, noting in `used` what a body is made from. */
export function withDatasets(context: Context, used: Cached[]): RequestContext {
  return {
    ...context,
    async dataset<T>({ name, version, freshSeconds, leaseMs, read }: Dataset<T>) {
      const cached = await context.cache.value(`${name}@${version}`, { freshSeconds, leaseMs }, (previous?: T) =>
        read(context, previous),
      );
      used.push(cached);
      return cached.value;
    },
  };
}
