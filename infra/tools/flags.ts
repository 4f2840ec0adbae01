/**
 * `npm run flags -- set KEY VALUE`: sets a feature flag, which all functions see within a minute. VALUE is `true` or
 * `false`, which leaves other attributes as they are, or the whole flag as JSON. `unset KEY` goes back to the default.
 * Both, and `npm run flags` alone, print what is set. Uses NETWORK, HISTORY_TABLE and AWS_*.
 */

import { DEFAULT_FLAGS } from '../../lib/flags/defaults.ts';
import { type Flags, parseFlags } from '../../lib/flags/document.ts';
import { FlagsStore } from '../../lib/flags/flags-store.ts';
import { systemClock } from '../../lib/runtime/clock.ts';
import { ConfigError, readConfig } from '../../lib/runtime/config.ts';
import { ENDPOINT_LIMITS } from '../../lib/runtime/context.ts';
import { durableTable } from '../../lib/tables/durable.ts';
import { HISTORY } from '../../lib/tables/table-schemas.ts';
import { reasonOf } from '../local/reason.ts';

const USAGE = 'usage: npm run flags [-- set KEY true|false|JSON | unset KEY]';

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : reasonOf(error as Error));
  process.exitCode = 1;
}

async function run(given: string[]): Promise<void> {
  const { historyTable, network } = readConfig({ CACHE_TABLE: 'none', LEDGER_TABLE: 'none', ...process.env });
  const store = new FlagsStore(
    durableTable(historyTable, HISTORY, { limits: ENDPOINT_LIMITS, clock: systemClock }),
    network.name,
  );
  const { version, flags } = (await store.read()) ?? { version: 0, flags: {} };
  const changed = change(flags, given);
  if (changed !== flags) {
    const updatedAt = Math.floor(Date.now() / 1_000);
    if (!(await store.write({ version: version + 1, updatedAt, flags: changed })))
      throw new Error('the flags were changed at the same time: check them and try again');
  }
  for (const [key, flag] of Object.entries(changed)) console.log(key, JSON.stringify(flag));
}

function change(flags: Flags, [command, key = '', value = '', ...more]: string[]): Flags {
  if (command === undefined) return flags;
  const { [key]: own, ...others } = flags;
  if (command === 'unset' && own && !value) return others;
  if (command !== 'set' || !value || more.length > 0) throw new Error(USAGE);
  try {
    const parsed = JSON.parse(value);
    const flag = typeof parsed === 'boolean' ? { ...(own ?? DEFAULT_FLAGS.flags[key]), enabled: parsed } : parsed;
    return parseFlags(JSON.stringify({ ...others, [key]: flag }));
  } catch {
    throw new Error(
      `not a flag: ${key} ${value}. A key is a lower-case letter and up to 63 letters, digits, _ or -; a value is true, false, or JSON like {"enabled":true,"until":"2026-12-31"}`,
    );
  }
}
