import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { OPTIONS, readSettings } from '../../../infra/stack/settings.ts';
import { EVERYTHING, OTHER } from '../../support/stack.ts';

/** The options of a deployment. */

const { domain, certificate } = EVERYTHING;
const elsewhere = (arn: string) => arn.replace('us-east-1', 'eu-west-1');

test.each<[Record<string, string>, RegExp]>([
  [{ stage: 'Prod!' }, /^-c stage=… must be at most 19 lower-case/],
  [{ network: 'devnet' }, /^-c network=… must be avalanche or fuji$/],
  [{ domain }, /must be given together$/],
  [{ domain: 'https://api.example.org', certificate }, /^-c domain=… must be a host name/],
  [{ domain, certificate: elsewhere(certificate) }, /^-c certificate=… .*acm:us-east-1/],
  [{ alarmEmail: 'me@example.org,you@example.org' }, /^-c alarmEmail=… must be a single e-mail address$/],
  [{ stage: 'prod' }, /^-c alarmEmail=… must be given for the stage prod/],
  [{ endsOn: '2026-02-31' }, /^-c endsOn=… must be a day, such as 2026-12-31$/],
  [{ securityContact: 'me@example.org' }, /^-c securityContact=… must be a mailto: or https: URI$/],
  [{ secret: elsewhere(OTHER.secret) }, /^-c secret=… .* in us-east-1$/],
  [{ budget: '99.5' }, /^-c budget=… must be a whole number of dollars/],
  [{ firewall: 'no' }, /^-c firewall=… must be on or off$/],
  [{ historyTable: 'a table' }, /^-c historyTable=… must be the name of a table/],
  [{ alarmMail: 'me@example.org' }, /^alarmMail: not an option of this stack, which has stage, .*alarmEmail/],
  [{ network: 'x', budget: 'y' }, /^-c network=… .+\n-c budget=… .+$/],
])('the options %j are rejected', (context, message) => {
  expect(() => readSettings(context)).toThrow(message);
});

test('the defaults are for tests by a few people, and the CDK’s own context is no option', () => {
  const own = { 'aws:cdk:bundling-stacks': '[]', '@aws-cdk/core:checkSecretUsage': 'true' };
  expect(readSettings(own)).toEqual({ stage: 'dev', network: 'avalanche', firewall: false, budget: 100 });
});

const fileOf = (stage: string) => (stage === 'prod' ? { alarmEmail: 'ops@example.org', budget: 250 } : {});
test('the file of a stage sets options for that stage only, below those of the command line', () => {
  expect(readSettings({ stage: 'prod' }, fileOf)).toMatchObject({ alarmEmail: 'ops@example.org', budget: 250 });
  expect(readSettings({ stage: 'prod', budget: '300' }, fileOf)).toMatchObject({ budget: 300 });
  expect(readSettings({ stage: 'other' }, fileOf)).toEqual(readSettings({ stage: 'other' }));
});

test('the file of a stage may set every option, and no other', () => {
  expect(Object.keys(EVERYTHING).toSorted()).toEqual([...OPTIONS].sort());
  const { stage, ...file } = EVERYTHING;
  expect(readSettings({ stage }, () => file)).toEqual(readSettings(EVERYTHING));
  expect(() => readSettings({ stage: 'prod' }, () => ({ alarmMail: 'x' }))).toThrow(/^alarmMail: not an option/);
});

test.each(readdirSync('infra/stack/stages'))('%s in the repository is valid', (name) => {
  const file = JSON.parse(readFileSync(`infra/stack/stages/${name}`, 'utf8'));
  const options = { stage: name.replace('.json', ''), alarmEmail: 'ops@example.org' };
  expect(readSettings(options, () => file)).toMatchObject({ stage: options.stage });
});
