/** Feature flags as they are stored, and as `/flags` lists them. */

import * as z from 'zod/mini';

export const FLAG_KEY = /^[a-z][a-zA-Z0-9_-]{0,63}$/;

const attribute = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.array(z.number())]);

const Flags = z.record(z.string().check(z.regex(FLAG_KEY)), z.catchall(z.object({ enabled: z.boolean() }), attribute));

export type Flags = z.output<typeof Flags>;

/** The flags of a document. Throws if it is not one. */
export function parseFlags(text: string): Flags {
  return Flags.parse(JSON.parse(text));
}
