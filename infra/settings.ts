import * as z from 'zod/mini';
import { ENDPOINTS } from '../functions/index.ts';

/** Endpoints that can be asked without a parameter and whose answers are kept. */
const WARMABLE = Object.entries(ENDPOINTS)
  .filter(([, { path, input, freshSeconds }]) => !path.includes('{') && freshSeconds > 0 && input.safeParse({}).success)
  .map(([file]) => file);

/** What an operator chooses with `cdk deploy -c name=value`. */

const Context = z.object({
  /** Tells the stacks of an account apart: it is part of every name. */
  stage: z._default(
    z.string().check(z.regex(/^[a-z][a-z0-9-]{0,19}$/, { error: 'must be lower-case letters, digits and hyphens' })),
    'dev',
  ),
  network: z._default(z.enum(['avalanche', 'fuji'], { error: 'must be avalanche or fuji' }), 'avalanche'),
  /** Name of a secret in Secrets Manager with more environment variables, as a JSON object. */
  secret: z.optional(z.string()),
  /** Oldest boundary the recorder fills, unix seconds. */
  historyStart: z.optional(z.string().check(z.regex(/^\d{1,10}$/, { error: 'must be unix seconds' }))),
  /** Where alarms go. */
  alarmEmail: z.optional(z.string().check(z.includes('@', { error: 'must be an e-mail address' }))),
  /** Files of endpoints that are asked each minute, separated by commas: `prices,metrics`. */
  warm: z.pipe(
    z.pipe(
      z._default(z.string(), ''),
      z.transform((files) => files.split(',').filter(Boolean)),
    ),
    z.array(
      z.string().check(z.refine((file) => WARMABLE.includes(file), { error: `may name ${WARMABLE.join(', ')}` })),
    ),
  ),
  /** A domain of one's own, with the ARN of its certificate in the region of the stack. */
  domain: z.optional(z.string()),
  certificate: z.optional(z.string().check(z.startsWith('arn:', { error: 'must be the ARN of a certificate' }))),
});

export type Settings = z.output<typeof Context>;

/** Reads the context. Throws an error that names the bad value and what is accepted. */
export function readSettings(contextOf: (name: string) => unknown): Settings {
  const given = Object.fromEntries(Object.keys(Context.shape).map((name) => [name, contextOf(name)]));
  const parsed = Context.safeParse(given);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `-c ${path.join('.')}=… ${message}`).join('\n'));
  }
  if (Boolean(parsed.data.domain) !== Boolean(parsed.data.certificate)) {
    throw new Error('-c domain=… and -c certificate=… need each other');
  }
  return parsed.data;
}
