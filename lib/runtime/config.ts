import { unescape as decode } from 'node:querystring';
import * as z from 'zod/mini';
import { DAY } from '../values/durations.ts';
import { NETWORKS } from './networks.ts';

export type Config = ReturnType<typeof readConfig>;

/** An invalid environment. The message has one line per bad variable: its name, the fault and the accepted values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A second `://` is a second URL behind a separator that is none, and the characters are those of other lists. */
const URL_FORM = /^https?:\/\/(?!.*(:\/\/|%(?![\da-f]{2})))[^\s,;|"'`<>{}\\^]+$/i;
const isURL = (text: string) => URL_FORM.test(text) && URL.canParse(text);
const url = z.string().check(z.refine(isURL, { error: 'must be an http or https URL' }));

const LIST = { error: 'must be a list of http or https URLs, separated by commas or blanks' };
const partsOf = (text: string) => text.split(/[\s,]+/).filter(Boolean);
/** A provider, however its URL is spelt: named twice, it must not look like two that agree. */
const providerIn = (text: string) => {
  const { username, password, host, pathname, search } = new URL(text);
  const parts = [username, password, host.replace(/\.?(:\d+)?$/, '$1'), pathname.replace(/\/+(?=\/|$)/g, ''), search];
  return decode(parts.join(' '));
};
const urlList = z.pipe(
  z.string().check(z.refine((text) => partsOf(text).length > 0 && partsOf(text).every(isURL), LIST)),
  z.transform((text) => [...Map.groupBy(partsOf(text), providerIn).values()].map(([first]) => first as string)),
);

const wholeNumber = (meaning: string) =>
  z.pipe(z.string().check(z.regex(/^\d{1,12}$/, { error: `must be a whole number ${meaning}` })), z.transform(Number));

const tableName = z.string({ error: 'must be the name of a DynamoDB table' }).check(z.regex(/^[\w.-]{3,255}$/));

const Environment = z.object({
  NETWORK: z._default(
    z.enum(['devnet', 'fuji', 'avalanche', 'mainnet'], {
      error: 'must be devnet, fuji or avalanche (also named mainnet)',
    }),
    'avalanche',
  ),
  RPC_URLS: z.optional(urlList),
  P_CHAIN_URLS: z.optional(urlList),
  DATA_API_URL: z.optional(url),
  DATA_API_KEY: z.optional(z.string().check(z.regex(/^[!-~]+$/, { error: 'must be a key: one word in ASCII' }))),
  MAX_HEAD_AGE_SECONDS: z._default(wholeNumber('of seconds; 0 disables the check'), 300),
  CACHE_TABLE: tableName,
  HISTORY_TABLE: tableName,
  LEDGER_TABLE: tableName,
  LEDGER_SOURCES: z._default(z.enum(['1', '2'], { error: 'must be 1 or 2' }), '2'),
  HISTORY_START: z.optional(wholeNumber('of Unix seconds')),
  HOURLY_START: z.optional(wholeNumber('of Unix seconds')),
  AWS_ENDPOINT_URL_DYNAMODB: z.optional(url),
  RELEASE: z._default(z.string(), 'local'),
  STAGE: z.optional(z.string()),
  // Read by lib/api/http/response.ts, also for answers that need no settings.
  ENDS_ON: z.optional(z.iso.date({ error: 'must be a day, such as 2026-12-31' })),
});

const DEFAULT_HOURLY_DAYS = 90;

export type Env = Record<string, string | undefined>;

/** A value without blanks and quotes around it: Docker passes on quotes. */
export function bare(value = ''): string {
  return value.replace(/^\s*(["'])([^"']*)\1\s*$/, '$2').trim();
}

/** The variables that are set, as {@link bare} values. Docker passes on unset ones as empty ones. */
export function setIn(env: Env): Record<string, string> {
  const trimmed = Object.entries(env).map(([name, value]) => [name, bare(value)] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value));
}

/** A network by its own name: Avalanche's is also named mainnet. */
export function networkName<Name extends string>(name: Name) {
  return name === 'mainnet' ? 'avalanche' : (name as Exclude<Name, 'mainnet'>);
}

/** Parses an environment, with `defaults` for variables that are not set. Throws a {@link ConfigError}. */
export function readConfig(env: Env, defaults: Env = {}) {
  const parsed = Environment.safeParse({ ...setIn(defaults), ...setIn(env) });
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new ConfigError(lines.join('\n'));
  }
  const variables = parsed.data;
  const network = NETWORKS[networkName(variables.NETWORK)];
  return {
    network,
    rpcUrls: variables.RPC_URLS ?? [...network.rpcUrls],
    pChainUrls: variables.P_CHAIN_URLS ?? [...network.pChainUrls],
    dataApiUrl: variables.DATA_API_URL ?? network.dataApiUrl,
    dataApiKey: variables.DATA_API_KEY,
    /** A chain head older than this counts as lagging; 0 means never. */
    maxHeadAgeSeconds: variables.MAX_HEAD_AGE_SECONDS,
    cacheTable: variables.CACHE_TABLE,
    historyTable: variables.HISTORY_TABLE,
    ledgerTable: variables.LEDGER_TABLE,
    /** Number of providers that have to agree on events, if so many are configured. */
    ledgerSources: Number(variables.LEDGER_SOURCES),
    /** Oldest day and hour to record, unix seconds; days begin by default with the protocol's first one. */
    historyStart: variables.HISTORY_START,
    // The start of a day, so that a range of as many days is recorded from its first day on.
    hourlyStart: variables.HOURLY_START ?? (Math.floor(Date.now() / 1_000 / DAY) - DEFAULT_HOURLY_DAYS) * DAY,
    release: variables.RELEASE,
    stage: variables.STAGE,
    endsOn: variables.ENDS_ON,
  };
}
