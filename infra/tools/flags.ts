/**
 * `npm run flags -- set KEY VALUE`: sets a feature flag, which all functions see within a minute. VALUE is `true`,
 * `false`, or fields as JSON; other fields stay. `unset KEY` goes back to the default. Both, and `npm run flags` alone,
 * print all flags, and which are set. Uses NETWORK, HISTORY_TABLE and AWS_*.
 */

import { changeFlag, DEFAULT_FLAGS, type Flags } from '../../lib/flags/flags.ts';
import { openFlags } from '../../lib/flags/flags-store.ts';
import { systemClock } from '../../lib/runtime/clock.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { ENDPOINT_LIMITS } from '../../lib/runtime/context.ts';
import { reasonOf } from '../local/terminal.ts';

const USAGE = 'usage: npm run flags [-- set KEY true|false|JSON | unset KEY]';

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(reasonOf(error as Error));
  process.exitCode = 1;
}

async function run(given: string[]): Promise<void> {
  const config = readConfig(process.env, { CACHE_TABLE: 'none', LEDGER_TABLE: 'none' });
  const store = openFlags({ config, limits: ENDPOINT_LIMITS, clock: systemClock });
  const { version, flags } = (await store.read()) ?? { version: 0, flags: {} };
  const changed = change(flags, given);
  if (changed !== flags) {
    const updatedAt = Math.floor(Date.now() / 1_000);
    if (!(await store.write({ version: version + 1, updatedAt, flags: changed })))
      throw new Error('the flags were changed at the same time: check them and try again');
  }
  for (const [key, flag] of Object.entries({ ...DEFAULT_FLAGS.flags, ...changed }))
    console.log(key, JSON.stringify(flag), changed[key] ? '(set)' : '(default)');
}

function change(flags: Flags, [command, key = '', value = '', ...more]: string[]): Flags {
  if (command === undefined) return flags;
  const { [key]: own, ...others } = flags;
  if (command === 'unset' && own && !value) return others;
  if (command !== 'set' || !value || more.length > 0) throw new Error(USAGE);
  return changeFlag(flags, key, fieldsIn(value));
}

/** The fields to change. `true` and `false` change only `enabled`. */
function fieldsIn(value: string): Record<string, unknown> {
  try {
    const parsed = JSON.parse(value);
    if (typeof parsed === 'boolean') return { enabled: parsed };
    if (Object.getPrototypeOf(parsed) === Object.prototype) return parsed;
  } catch {}
  throw new Error(
    `not a value of a flag: ${value}. Use true, false, or fields as JSON: {"withdrawalsUntil":"2026-12-31"}`,
  );
}
