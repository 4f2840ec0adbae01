/** The options of a deployment, from `infra/stack/stages/<stage>.json`; `cdk deploy -c name=value` overrides the file. */

import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** The region of the stack. CloudFront accepts certificates, firewalls and log deliveries from no other. */
export const REGION = 'us-east-1';

const text = (pattern: RegExp, error: string) => z.string().check(z.regex(pattern, { error }));
const Table = text(/^[\w.-]{3,255}$/, 'must be the name of a table: 3 to 255 letters, digits or _.-');

/** Each option is described in docs/settings.md. */
const Options = z.object({
  stage: z._default(
    text(/^[a-z][a-z0-9-]{0,18}$/, 'must be at most 19 lower-case letters, digits or hyphens, starting with a letter'),
    'dev',
  ),
  network: z._default(z.enum(['avalanche', 'fuji'], { error: 'must be avalanche or fuji' }), 'avalanche'),
  secret: z.optional(
    text(
      /^(arn:aws:secretsmanager:us-east-1:\d{12}:secret:[\w/+=.@-]{1,512}-\w{6}|[\w/+=.@-]{1,512})$/,
      `must be a secret's name (at most 512 letters, digits or /_+=.@-) or its full ARN, in ${REGION}`,
    ),
  ),
  historyTable: z.optional(Table),
  ledgerTable: z.optional(Table),
  alarmEmail: z.optional(text(/^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/, 'must be a single e-mail address')),
  /** Dollars per month. */
  budget: z.pipe(
    z._default(text(/^[1-9]\d{0,6}$/, 'must be a whole number of dollars per month, from 1 to 9999999'), '100'),
    z.transform(Number),
  ),
  firewall: z.pipe(
    z._default(z.enum(['on', 'off'], { error: 'must be on or off' }), 'off'),
    z.transform((value) => value === 'on'),
  ),
  endsOn: z.optional(z.iso.date({ error: 'must be a day, such as 2026-12-31' })),
  securityContact: z.optional(text(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https: URI')),
  domain: z.optional(
    text(
      /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
      'must be a host name in lower case, such as api.example.org',
    ),
  ),
  certificate: z.optional(
    text(
      /^arn:aws:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]{36}$/,
      `must be the ARN of an ACM certificate (arn:aws:acm:${REGION}:<account>:certificate/<id>)`,
    ),
  ),
});

export const OPTIONS = Object.keys(Options.shape);

export type Settings = z.output<typeof Options>;

/** Invalid options. The message has one line for each, and is meant for the operator. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Given = Record<string, unknown>;

/** The options of a stage that are under version control, if any. */
export function stageFile(stage: string): Given {
  const file = new URL(`./stages/${stage}.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/**
 * Reads the options from the app's context and, for those it lacks, from the file of the stage (`fileOf`). Throws a
 * {@link SettingsError} that names each invalid option and its accepted values.
 */
export function readSettings(context: Given, fileOf: (stage: string) => Given = () => ({})): Settings {
  // Without names that the CDK itself puts into the context: `aws:cdk:…`, `@aws-cdk/…`, cached lookups.
  const chosen = Object.fromEntries(Object.entries(context).filter(([name]) => !/[:@]/.test(name)));
  const named = Options.shape.stage.safeParse(chosen.stage);
  const file = named.success ? fileOf(named.data) : {};
  const unknown = Object.keys({ ...file, ...chosen }).filter((name) => !OPTIONS.includes(name));
  if (unknown.length > 0)
    throw new SettingsError(`${unknown.join(', ')}: not an option of this stack, which has ${OPTIONS.join(', ')}`);
  const given = Object.entries({ ...file, ...chosen }).map(([name, value]) => [name, String(value)]);
  const parsed = Options.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `-c ${String(path[0])}=… ${message}`);
    throw new SettingsError(lines.join('\n'));
  }
  const { stage, domain, certificate, alarmEmail } = parsed.data;
  // Valid by themselves, but not together.
  if (Boolean(domain) !== Boolean(certificate))
    throw new SettingsError('-c domain=… and -c certificate=… must be given together');
  if (stage === 'prod' && !alarmEmail)
    throw new SettingsError('-c alarmEmail=… must be given for the stage prod: its alarms must reach someone');
  return parsed.data;
}
