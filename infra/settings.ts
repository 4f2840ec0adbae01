import * as z from 'zod/mini';
import { ENDPOINTS } from '../functions/index.ts';

/** What an operator chooses: `infra/stages/<stage>.json`, and over it `cdk deploy -c name=value`. */

/** CloudFront takes its certificate, firewall and log from this region alone, so a stack with the edge is there. */
export const EDGE_REGION = 'us-east-1';

const DEFAULT_BUDGET_DOLLARS = 100;

/** Endpoints that can be asked without a parameter and whose answers are kept. */
const WARMABLE = Object.entries(ENDPOINTS)
  .filter(([, { input, freshSeconds }]) => freshSeconds > 0 && input.safeParse({}).success)
  .map(([file]) => file);

/** EventBridge's limit of a rule. */
const MOST_WARM = 5;

const text = (pattern: RegExp, error: string) => z.string().check(z.regex(pattern, { error }));

/** A switch of the command line. */
const onOff = (initially: 'on' | 'off') =>
  z.pipe(
    z._default(z.enum(['on', 'off'], { error: 'must be on or off' }), initially),
    z.transform((value) => value === 'on'),
  );

const Options = z.object({
  /** Tells the stacks of an account apart: it is part of every name. X-Ray's are the shortest, of at most 32 characters. */
  stage: z._default(
    text(/^[a-z][a-z0-9-]{0,18}$/, 'must be at most 19 lower-case letters, digits or hyphens, starting with a letter'),
    'dev',
  ),
  network: z._default(z.enum(['avalanche', 'fuji'], { error: 'must be avalanche or fuji' }), 'avalanche'),
  /** A secret in Secrets Manager with more environment variables, as a JSON object: its name, or its whole ARN. */
  secret: z.optional(
    text(
      /^(arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]{1,512}-\w{6}|[\w/+=.@-]{1,512})$/,
      "must be a secret's name (at most 512 letters, digits or /_+=.@-) or its full ARN",
    ),
  ),
  /** Oldest boundary the recorder fills, unix seconds. */
  historyStart: z.optional(text(/^\d{1,10}$/, 'must be Unix seconds, at most ten digits')),
  /** Where alarms go. */
  alarmEmail: z.optional(text(/^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/, 'must be a single e-mail address')),
  /** Dollars a month, of the whole account, above which a mail goes out. */
  budget: z.pipe(
    z._default(
      text(/^[1-9]\d{0,6}$/, 'must be a whole number of dollars per month, from 1 to 9999999'),
      String(DEFAULT_BUDGET_DOLLARS),
    ),
    z.transform(Number),
  ),
  /** Files of endpoints that are asked each minute, separated by commas: `prices,metrics`. */
  warm: z.pipe(
    z.pipe(
      z._default(z.string(), ''),
      z.transform((files) => files.split(',').filter(Boolean)),
    ),
    z
      .array(
        z
          .string()
          .check(z.refine((file) => WARMABLE.includes(file), { error: `may contain only ${WARMABLE.join(', ')}` })),
      )
      .check(
        z.maxLength(MOST_WARM, {
          error: `may name at most ${MOST_WARM} endpoints, because an EventBridge rule has at most ${MOST_WARM} targets`,
        }),
      ),
  ),
  /** CloudFront in front of the API and the pages. */
  edge: onOff('on'),
  /** Whether the API answers those who do not come through the edge. */
  direct: onOff('on'),
  /** Whether a release is tried on a tenth of the requests first. */
  canary: onOff('on'),
  /** The processor of the functions: bundles are JavaScript, and run on either. For the same memory arm64 is a fifth cheaper. */
  architecture: z._default(z.enum(['arm64', 'x86_64'], { error: 'must be arm64 or x86_64' }), 'arm64'),
  /** Whether one of the account's concurrent executions is kept for the recorder alone. */
  reserve: onOff('off'),
  /** A domain of one's own, with the ARN of its certificate. */
  domain: z.optional(
    text(
      /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
      'must be a host name in lower case, such as api.example.org',
    ),
  ),
  certificate: z.optional(
    text(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[0-9a-f-]{36}$/,
      'must be the ARN of an ACM certificate (arn:aws:acm:<region>:<account>:certificate/<id>)',
    ),
  ),
});

export type Settings = z.output<typeof Options>;

/** Something an operator has to change. The message is one line for each mistake, and says all there is to say. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Given = Record<string, unknown>;

/**
 * Reads the context of the app, with the options of its stage's file (`fileOf`) where the context has none. `region` is that of the
 * operator's credentials, if it is known. Throws a {@link SettingsError} that names each bad option and what is accepted.
 */
export function readSettings(context: Given, fileOf: (stage: string) => Given = () => ({}), region?: string): Settings {
  const chosen = Object.fromEntries(Object.entries(context).filter(([name]) => !isToolkits(name)));
  const stage = Options.shape.stage.safeParse(chosen.stage);
  const file = stage.success ? fileOf(stage.data) : {};
  const misnamed = [...unknownIn(chosen, '-c '), ...unknownIn(file, `infra/stages/${stage.data}.json: `)];
  if (misnamed.length > 0) throw new SettingsError(misnamed.join('\n'));
  const given = Object.entries({ ...file, ...chosen }).map(([name, value]) => [name, String(value)]);
  const parsed = Options.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map(({ path, message }) => `-c ${String(path[0])}=… ${message}`).join('\n'),
    );
  }
  const mistake = mismatchOf(parsed.data, region);
  if (mistake) throw new SettingsError(mistake);
  return parsed.data;
}

/** What is wrong with options that are right by themselves. */
function mismatchOf(
  { domain, certificate, secret, edge, direct }: Settings,
  region: string | undefined,
): string | undefined {
  if (Boolean(domain) !== Boolean(certificate)) return '-c domain=… and -c certificate=… must be given together';
  if (!edge && !direct) return '-c direct=off requires the edge: with -c edge=off, nobody could reach the API';
  const wanted = edge ? EDGE_REGION : region;
  for (const [option, named] of Object.entries({ certificate, secret })) {
    const found = named?.split(':')[3];
    if (found && wanted && found !== wanted)
      return `-c ${option}=… must be in ${wanted}, where the stack is, but is in ${found}`;
  }
  return undefined;
}

/** Names that the CDK itself keeps in the context: `aws:cdk:…`, `@aws-cdk/…`, what it has looked up. */
function isToolkits(name: string): boolean {
  return /[:@]/.test(name);
}

function unknownIn(given: Given, where: string): string[] {
  const known = Object.keys(Options.shape);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const [nearest] = known.toSorted((a, b) => distance(name, a) - distance(name, b));
      return `${where}${name} is not an option of this stack; did you mean ${nearest}?`;
    });
}

/** How many letters have to be added, dropped or changed to make `b` of `a` (Levenshtein), whatever their case. */
function distance(a: string, b: string): number {
  const [from, to] = [a.toLowerCase(), b.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, wanted] of [...to].entries()) {
      const changed = (row[at] as number) + (letter === wanted ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
