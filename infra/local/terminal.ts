/** What `npm start` prints of warnings, errors, and of a failure that ends it. */

import { inspect, types } from 'node:util';
import { ATTEMPT_FAILED, type Attempt, type UpstreamFailure } from '../../lib/chain/upstream/failures.ts';
import { ConfigError, type Env } from '../../lib/runtime/config.ts';
import type { Telemetry } from '../../lib/runtime/telemetry.ts';

/** Telemetry for a terminal: warnings and errors, one line each. */
export const terminalTelemetry: Telemetry = {
  info: () => {},
  warn(message, fields) {
    const isAttempt = message === ATTEMPT_FAILED;
    const { provider, ...outcome } = fields as unknown as Attempt;
    console.warn(`warning: ${isAttempt ? `${provider} ${toWords(outcome)}` : `${message} ${describe(fields)}`}`);
  },
  error: (message, fields) => console.error(`error: ${message} ${describe(fields)}`, fields.error ?? ''),
  count: () => {},
  record: () => {},
  attempt: () => {},
  flush: () => {},
};

function describe(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value instanceof Error ? reasonOf(value) : String(value)}`)
    .join(' ');
}

/** The message of an error and, in brackets, those of its causes. Errors of Node without a message: their code. */
export function reasonOf(error: Error): string {
  const { message, cause } = error;
  const own = message || String((error as NodeJS.ErrnoException).code);
  if (!types.isNativeError(cause)) return own;
  const why = reasonOf(cause);
  return why.startsWith(own) ? why : `${own} (${why})`;
}

/** A problem that the user can fix. It is reported in one line, without a stack. */
export class StartError extends Error {}

/** What to print about the failure that ends a process: a line if its user can fix it, and a stack for a bug. */
export function describeFailure(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('ERR_PARSE_ARGS')) return `${message.split('. ')[0]}: npm start -- --help lists the options`;
  if (code?.startsWith('LEVEL_'))
    return `--data: cannot be written (${reasonOf(error as Error)}). Make room and start again: what is recorded is kept`;
  return syscall ? reasonOf(error as Error) : inspect(error);
}

type Outcome = Pick<Attempt, 'outcome' | 'reason'>;

/** What a provider did and what to do about it, by the outcome of an attempt. `$` is its number or reason. */
const WORDS: readonly [outcome: RegExp, words: string][] = [
  [/^http_40[17]$/, 'answered $: is the key right?'],
  [/^http_40[23]$/, 'answered $: it refuses this key or this machine'],
  [/429$|-32005$/, 'answered $: too many requests; a key allows more'],
  [/^http_[1-4]/, 'answered $: is the URL complete?'],
  [/^http_/, 'answered $: it is out of order'],
  [/^not_json$/, 'did not answer in JSON: is the URL that of an RPC endpoint?'],
  [/^wrong_chain$/, 'is of $: are its URL and NETWORK right?'],
  [/^(malformed|incomplete|no_state)$/, 'gave no valid answer about the protocol: is it synced, and of NETWORK?'],
  [/^no_method$/, 'does not offer a method that is needed: is the URL that of a C-Chain endpoint?'],
  [/^network .*(CERT|SIGNATURE)/, 'is not trusted ($): a wrong clock, or a proxy whose CA NODE_EXTRA_CA_CERTS lacks?'],
  [/^network (EPROTO|HPE_|ERR_SSL)/, 'does not speak the protocol of its URL ($): is it http or https?'],
  [/^network/, 'could not be reached ($)'],
  [/^timeout$/, 'did not answer in time'],
];

function toWords({ outcome, reason = outcome.replace(/^[a-z]+_/, '') }: Outcome): string {
  const kind = outcome === 'network' ? `network ${reason}` : outcome;
  const [, words = `failed (${outcome}): its status page may say why`] = WORDS.find(([form]) => form.test(kind)) ?? [];
  return words.replace('$', reason);
}

/** Why none of the providers could be read, by the error of a request. What all say alike is about this machine. */
export function explainFailures({ cause }: Error, providers: readonly { name: string }[], env: Env): string {
  const failures: UpstreamFailure[] = cause instanceof AggregateError ? cause.errors : [];
  const all = providers.map(({ name }) => {
    // Without a failure, it has answered, but lacks the contracts.
    const { outcome, reason } = failures.findLast(({ provider }) => provider === name) ?? { outcome: 'malformed' };
    return { name, outcome, reason };
  });
  const said = Map.groupBy(all, toWords);
  const facts = [...said].map(([words, alike]) => `${alike.map(({ name }) => name).join(', ')} ${words}`).join('; ');
  const proxy = Object.keys(env).find((name) => /^https?_proxy$/i.test(name));
  if ([...said.keys()].every((words) => /reached|in time/.test(words)))
    return proxy && env.NODE_USE_ENV_PROXY !== '1'
      ? `${facts}. ${proxy} is used only with NODE_USE_ENV_PROXY=1.`
      : `${facts}. Check ${proxy ?? 'the network connection'}, or name other providers in RPC_URLS. NETWORK=devnet needs no network.`;
  const isOfMachine = said.size === 1 && all.length > 1 && /^(http_(?!429)|not_json)/.test(String(all[0]?.outcome));
  return isOfMachine ? `${facts}. All say the same: look for a proxy, firewall or login page before them.` : facts;
}
