import * as z from 'zod/mini';

/** Feature flags in AppConfig's retrieval format: what a client of a feature-flag profile gets. */

/** AppConfig's pattern of flag keys. */
export const FLAG_KEY = /^[a-z][a-zA-Z0-9_-]{0,63}$/;

const attribute = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.array(z.number())]);

const Flags = z.record(z.string().check(z.regex(FLAG_KEY)), z.catchall(z.object({ enabled: z.boolean() }), attribute));

export type Flags = z.output<typeof Flags>;

export interface VersionedFlags {
  version: string;
  flags: Flags;
}

/**
 * The flags of a document. Throws if it is not one, or has multi-variant flags: only AppConfig's agent evaluates those.
 */
export function parseFlags(text: string): Flags {
  return Flags.parse(JSON.parse(text));
}
