import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ENDPOINTS } from '../../../functions/index.ts';
import { newApp, newStack } from '../../../infra/stack/template.ts';
import { allowed, EVERYTHING, OTHER, PROD, type Synthesized, siteFiles, synthesize } from '../../support/stack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * Permissions, data that outlives the stack, names, and its size. Other files here test CloudFront, alarms and bundles;
 * cdk-nag, cfn-lint and the emulator (test/aws) check the rest, such as routes, outputs, pages, and tables of other names.
 */

let stack: Synthesized;
beforeAll(async () => {
  stack = await synthesize(PROD);
});

test('the API answers CloudFront only, and invokes its functions with one role, which may do nothing else', () => {
  const methods = stack.ofType('AWS::ApiGateway::Method').map(({ Properties }) => Properties);
  for (const { ApiKeyRequired } of methods) expect(ApiKeyRequired).toBe(true);
  const [role, ...others] = new Set(methods.map(({ Integration }) => Integration.Credentials['Fn::GetAtt'][0]));
  expect(others).toEqual([]);
  const permissions = stack.permissions.filter(({ roles }) => roles.includes(role));
  const functions: string[] = permissions.map(({ resource }) => resource['Fn::GetAtt'][0]);
  const invoked = functions.map((id, at) => `${permissions[at]?.action} ${stack.resources[id].Properties.Description}`);
  const wanted = Object.values(ENDPOINTS).map(({ summary }) => `lambda:InvokeFunction ${summary}`);
  expect(invoked.sort()).toEqual(wanted.sort());
  // All functions exist before the deployment that calls them, and before the pages that ask them.
  for (const type of ['AWS::ApiGateway::Deployment', 'Custom::Pages'])
    expect(stack.ofType(type)[0].DependsOn).toEqual(expect.arrayContaining(functions));
});

test('API Gateway answers a throttled request with 503, for which CloudFront serves an older answer', () => {
  const answers = stack.ofType('AWS::ApiGateway::GatewayResponse').map(({ Properties }) => Properties);
  const { StatusCode, ResponseParameters } = answers.find(({ ResponseType }) => ResponseType === 'THROTTLED');
  expect([StatusCode, ResponseParameters['gatewayresponse.header.Retry-After']]).toEqual(['503', "'1'"]);
});

test.each([PROD, {}])('%j: deletion retains recorded data and the account’s logging role', async (options) => {
  const retained = Object.entries((await synthesize(options)).resources)
    .filter(([, { DeletionPolicy }]) => DeletionPolicy !== undefined && DeletionPolicy !== 'Delete')
    .map(([id, { DeletionPolicy }]) => [id.replace(/[0-9A-F]{8}$/, ''), DeletionPolicy]);
  expect(retained.sort()).toEqual([
    ['ApiAccount', 'Retain'],
    ['ApiCloudWatchRole', 'Retain'],
    ['DurableHistoryTable', 'RetainExceptOnCreate'],
    ['DurableLedgerTable', 'RetainExceptOnCreate'],
  ]);
});

test('no action is allowed by a wildcard, and a resource only where SECURITY.md gives a reason', () => {
  const sections = readFileSync('SECURITY.md', 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith('Permissions')) ?? '';
  const rows = [...section.matchAll(/^\| (`s3.+?) +\| .+?`(\S+)` +\|/gm)].map(([, actions = '', resource]) =>
    [...actions.matchAll(/`(\w+:\w+)`/g)].map(([, action]) => `${action} ${resource}`),
  );
  const wide = stack.permissions.flatMap(({ action, resource }) => {
    expect(action).not.toContain('*');
    const [, pattern] = /"([^"]*\*)"/.exec(JSON.stringify(resource)) ?? [];
    return pattern ? `${action} ${pattern}` : [];
  });
  expect(wide.length).toBeGreaterThan(2);
  expect([...new Set(wide)].sort()).toEqual(rows.flat().sort());
});

test.each([EVERYTHING, OTHER])(
  'every function of the service reads the secret $secret, whose content is not in the template',
  async (options) => {
    const own = await synthesize(options);
    const functions = own.ofType('AWS::Lambda::Function').map(({ Properties }) => Properties);
    const readers = functions.filter(({ Description }) =>
      allowed(Description, own).includes('secretsmanager:GetSecretValue'),
    );
    // All but the upload of pages.
    expect(readers).toHaveLength(functions.length - 1);
    expect(own.valuesOf('SECRET_ID')).toEqual(new Set([options.secret]));
  },
);

test.each([PROD, OTHER])('with %j names contain that of the stage, and resources are few', async (options) => {
  const { json, types } = await synthesize(options);
  const names = [...JSON.stringify(json).matchAll(/staking-data-[a-z]+/g)].map(([name]) => name);
  expect(new Set(names)).toEqual(new Set([`staking-data-${options.stage}`]));
  // CloudFormation allows 500.
  expect(types.length).toBeLessThanOrEqual(235);
});

test('the outputs have the topics and, with a domain, its URL and DNS target', async () => {
  const { json } = await synthesize(EVERYTHING);
  expect(Object.keys(json.Outputs)).toEqual(expect.arrayContaining(['AlarmTopic', 'DnsTarget', 'PageTopic']));
  expect(json.Outputs.BaseUrl.Value).toBe('https://api.example.org/');
  // CloudFormation shows other letters than ASCII as question marks, which each cdk diff would report.
  expect(/(.{0,40}[^\0-\x7f])/.exec(JSON.stringify(json))?.[1]).toBeUndefined();
});

test.each([{}, EVERYTHING])(
  'with %j cdk-nag and CDK itself find nothing, except what has been acknowledged with a reason',
  async (options) => {
    const outdir = temporaryFolder('nag');
    const app = newApp({ outdir });
    newStack(app, options, await siteFiles());
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
    app.synth();
    // The report lists only plugins that found something: acknowledged violations and warnings count, too.
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    expect(pluginReports).toMatchObject([{ pluginName: 'AwsSolutions', violations: [] }]);
    for (const { acknowledgedId, reason } of pluginReports[0].suppressedViolations)
      expect([acknowledgedId, reason]).toEqual([expect.any(String), expect.stringMatching(/.{20,}/)]);
  },
);
