import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { OPTIONS, readSettings, stageFile } from '../../../infra/stack/settings.ts';

/** The options of a deployment. */

const certificateIn = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`;
const secretIn = (region: string) => `arn:aws:secretsmanager:${region}:123456789012:secret:staking-data/prod-a1B2c3`;
const domain = 'api.example.org';

test.each<[Record<string, string>, RegExp]>([
  [{ stage: 'Prod!' }, /^-c stage=… must be at most 19 lower-case/],
  [{ stage: 'a'.repeat(20) }, /^-c stage=… must be at most 19 lower-case/],
  [{ network: 'devnet' }, /^-c network=… must be avalanche or fuji$/],
  [{ domain }, /must be given together$/],
  [{ domain: 'https://api.example.org', certificate: certificateIn('us-east-1') }, /^-c domain=… must be a host name/],
  [{ domain, certificate: 'arn:aws:acm' }, /^-c certificate=… must be the ARN of an ACM certificate/],
  [
    { edge: 'on', domain, certificate: certificateIn('eu-west-1') },
    /must be in us-east-1, where the stack is.*eu-west-1$/,
  ],
  [{ warm: 'prices,stakers/address' }, /^-c warm.* may contain only prices, /],
  [{ warm: 'prices,metrics,minipools,stakers,health,flags' }, /^-c warm.* may name at most 5 endpoints/],
  [{ alarmEmail: 'me' }, /^-c alarmEmail=… must be a single e-mail address$/],
  [{ alarmEmail: 'me@example.org,you@example.org' }, /^-c alarmEmail=… must be a single e-mail address$/],
  [{ stage: 'prod' }, /^-c alarmEmail=… must be given for a stage for the public/],
  [{ alarms: 'each' }, /^-c alarmEmail=… must be given/],
  [{ pageEmail: 'me' }, /^-c pageEmail=… must be a single e-mail address$/],
  [{ endsOn: '31.12.2026' }, /^-c endsOn=… must be a day, such as 2026-12-31$/],
  [{ securityContact: 'me@example.org' }, /^-c securityContact=… must be a mailto: or https: URI$/],
  [{ secret: 'a secret' }, /^-c secret=… must be a secret's name/],
  [{ secret: 'arn:aws:secretsmanager:eu-west-1:1:secret:x' }, /^-c secret=… must be a secret's name/],
  [
    { edge: 'on', secret: secretIn('eu-west-1') },
    /^-c secret=… must be in us-east-1, where the stack is, but is in eu-west-1$/,
  ],
  [{ budget: '0' }, /^-c budget=… must be a whole number of dollars/],
  [{ budget: '99.5' }, /^-c budget=… must be a whole number of dollars/],
  [{ architecture: 'aarch64' }, /^-c architecture=… must be arm64 or x86_64$/],
  [{ edge: 'no' }, /^-c edge=… must be on or off$/],
  [{ alarms: 'none' }, /^-c alarms=… must be each or one$/],
  [{ historyTable: 'a table' }, /^-c historyTable=… must be the name of a table/],
  [{ ledgerTable: 'x' }, /^-c ledgerTable=… must be the name of a table/],
  [{ alarmMail: 'me@example.org' }, /^-c alarmMail is not an option of this stack, which has stage, .*alarmEmail/],
  [{ Stage: 'prod' }, /^-c Stage is not an option of this stack, which has stage, /],
])('the options %j are rejected', (context, message) => {
  expect(() => readSettings(context)).toThrow(message);
});

test.each<[string, Record<string, string>]>([
  [
    'without the edge, a certificate in the stack’s region',
    { edge: 'off', domain, certificate: certificateIn('eu-west-1') },
  ],
  [
    'with the edge, a certificate in CloudFront’s region',
    { edge: 'on', domain, certificate: certificateIn('us-east-1') },
  ],
  ['a secret by name', { secret: 'staking-data/prod' }],
  ['with the edge, a secret by ARN in CloudFront’s region', { edge: 'on', secret: secretIn('us-east-1') }],
  ['without the edge, a secret by ARN in the stack’s region', { edge: 'off', secret: secretIn('eu-west-1') }],
  ['the CDK’s own context', { 'aws:cdk:bundling-stacks': '[]', '@aws-cdk/core:checkSecretUsage': 'true' }],
])('accepted: %s', (_, context) => {
  expect(readSettings(context, undefined, 'eu-west-1')).toMatchObject({ stage: 'dev', network: 'avalanche' });
});

test.each([
  ['dev', { edge: false, alarms: 'one', dashboard: false }],
  ['prod', { edge: true, alarms: 'each', dashboard: false }],
])('the stage %s has what it needs, and no more', (stage, expected) => {
  expect(readSettings({ stage, alarmEmail: 'ops@example.org' }, stageFile)).toMatchObject(expected);
});

test('all mistakes are reported at once, one per line', () => {
  expect(() => readSettings({ network: 'x', budget: 'y' })).toThrow(/^-c network=… .+\n-c budget=… .+$/);
});

test('without the edge, a certificate in another region is rejected if the stack’s region is known', () => {
  const context = { edge: 'off', domain, certificate: certificateIn('us-east-1') };
  expect(() => readSettings(context, undefined, 'eu-west-1')).toThrow(/must be in eu-west-1, where the stack is/);
  expect(readSettings(context).domain).toBe(domain);
});

describe('the file of a stage', () => {
  const fileOf = (stage: string) => (stage === 'prod' ? { alarmEmail: 'ops@example.org', budget: 250 } : {});

  test('sets options for that stage only', () => {
    expect(readSettings({ stage: 'prod' }, fileOf)).toMatchObject({ alarmEmail: 'ops@example.org', budget: 250 });
    const other = readSettings({ stage: 'other' }, fileOf);
    expect([other.alarmEmail, other.budget]).toEqual([undefined, 100]);
  });

  test('is overridden by the command line', () => {
    expect(readSettings({ stage: 'prod', budget: '300' }, fileOf)).toMatchObject({
      alarmEmail: 'ops@example.org',
      budget: 300,
    });
  });

  test('is named in the message about an unknown option in it', () => {
    expect(() => readSettings({ stage: 'prod' }, () => ({ alarmMail: 'x' }))).toThrow(
      /^infra\/stack\/stages\/prod\.json: alarmMail is not an option of this stack, which has stage, /,
    );
  });

  test.each(readdirSync('infra/stack/stages'))('%s in the repository is valid', (name) => {
    const file = JSON.parse(readFileSync(`infra/stack/stages/${name}`, 'utf8'));
    const options = { stage: name.replace('.json', ''), alarmEmail: 'ops@example.org' };
    expect(() => readSettings(options, () => file)).not.toThrow();
  });
});

test('docs/settings.md describes every option, and no other', () => {
  const [, section = ''] = readFileSync('docs/settings.md', 'utf8').split('## Options of the stack');
  const first = section.split('\n').filter((line) => line.startsWith('| `'));
  const described = first.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(described.toSorted()).toEqual([...OPTIONS].sort());
});

test('the CDK app reports invalid options in one line, without a stack trace', () => {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ alarmMail: 'me@example.org' }) };
  const run = () => execFileSync(process.execPath, ['infra/stack/app.ts'], { env, stdio: 'pipe' });
  expect(run).toThrow(
    expect.objectContaining({
      status: 1,
      stderr: Buffer.from(`-c alarmMail is not an option of this stack, which has ${OPTIONS.join(', ')}\n`),
    }),
  );
});
