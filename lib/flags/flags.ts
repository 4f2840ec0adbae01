import * as z from 'zod/mini';

export const FLAG_KEY = /^[a-z][a-zA-Z0-9_-]{0,63}$/;

const attribute = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.array(z.number())]);

const Flags = z.record(z.string().check(z.regex(FLAG_KEY)), z.catchall(z.object({ enabled: z.boolean() }), attribute));

export type Flags = z.output<typeof Flags>;

/**
 * The flags while none has been set (`npm run flags`). The protocol is being wound down: operations ended on 2026-08-15,
 * withdrawals continue until the end of the year (Hypha's announcement of July 2026).
 */
export const DEFAULT_FLAGS = {
  /** Number of times that flags have been set, or `default`. */
  version: 'default',
  /** Time of the last change, unix seconds. */
  updatedAt: 1_795_219_200,
  flags: {
    ggAvaxDeposits: { enabled: false },
    ggpRewardsClaims: { enabled: true },
    minipoolCreation: { enabled: false },
    windDown: { enabled: true, operationsEnded: '2026-08-15', withdrawalsUntil: '2026-12-31' },
    withdrawQueue: { enabled: true },
  } as Flags,
};

export function parseFlags(text: string): Flags {
  return Flags.parse(JSON.parse(text));
}

/** The set flags with some fields of one changed. Throws RangeError, with the list of names, for an unknown flag or field. */
export function changeFlag(set: Flags, key: string, fields: Record<string, unknown>): Flags {
  const known = DEFAULT_FLAGS.flags[key];
  if (!known)
    throw new RangeError(`there is no flag ${key}: use one of ${Object.keys(DEFAULT_FLAGS.flags).join(', ')}`);
  const wrong = Object.keys(fields).filter((name) => typeof fields[name] !== typeof known[name]);
  const accepted = Object.entries(known).map(([name, value]) => `${name} (${typeof value})`);
  if (wrong.length > 0) throw new RangeError(`${key} does not take ${wrong.join(', ')}: use ${accepted.join(', ')}`);
  return { ...set, [key]: { ...known, ...set[key], ...fields } as Flags[string] };
}
