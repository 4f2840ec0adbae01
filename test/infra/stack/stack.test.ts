import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ENDPOINTS } from '../../../functions/index.ts';
import type { SiteFile } from '../../../infra/site/site.ts';
import { newApp, newStack } from '../../../infra/stack/template.ts';
import { OTHER_PATHS } from '../../../lib/api/paths.ts';
import {
  EVERYTHING,
  type Json,
  PROD,
  type Synthesized,
  siteFiles,
  synthesize,
  synthesizeWith,
} from '../../support/stack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * Routes, data that outlives the stack, and its size. Other files here test permissions, CloudFront, alarms and
 * bundles; cdk-nag, cfn-lint and the emulator (test/aws) check the rest.
 */

// Shared by most tests, because each synthesis takes a second or more.
let stack: Synthesized;
let site: SiteFile[];

beforeAll(async () => {
  site = await siteFiles();
  stack = await synthesize(PROD);
});

describe('the API', () => {
  test('routes every method of each endpoint to its function, for CloudFront only', () => {
    const routes = stack.methods.map(({ name, method: { Integration, ApiKeyRequired } }) => {
      const called = Integration.Uri['Fn::Join'][1].find((part: Json) => part['Fn::GetAtt']);
      const { Description } = stack.resources[called['Fn::GetAtt'][0]].Properties;
      expect([name, ApiKeyRequired]).toEqual([name, true]);
      return [name, Description];
    });
    const wanted = Object.values(ENDPOINTS).map(({ path, summary }) => [`ANY ${path}`, summary]);
    expect(routes.sort()).toEqual([...wanted, [`ANY ${OTHER_PATHS}`, ENDPOINTS.root?.summary]].sort());
  });

  test('invokes functions with one role, which may invoke each endpoint’s and nothing else', () => {
    const integrations = stack.methods.map(({ method: { Integration } }) => Integration.Credentials['Fn::GetAtt'][0]);
    const [role, ...others] = new Set(integrations);
    expect(others).toEqual([]);
    const invoking = stack.statements.filter(({ Action }) => Action === 'lambda:InvokeFunction');
    expect(invoking).toHaveLength(1);
    const descriptions = invoking[0].Resource.map(
      ({ 'Fn::GetAtt': [id] }: Json) => stack.resources[id].Properties.Description,
    );
    expect(descriptions.sort()).toEqual(
      Object.values(ENDPOINTS)
        .map(({ summary }) => summary)
        .sort(),
    );
    const permitted = stack.ofType('AWS::Lambda::Permission').map(({ Properties }) => Properties.Principal);
    expect(permitted).not.toContain('apigateway.amazonaws.com');
    // Both before the deployment that uses them.
    const [{ DependsOn }] = stack.ofType('AWS::ApiGateway::Deployment');
    const policy = Object.keys(stack.resources).find((id) => id.startsWith('ApiInvokeRoleDefaultPolicy'));
    const functions = invoking[0].Resource.map(({ 'Fn::GetAtt': [id] }: Json) => id);
    expect(DependsOn).toEqual(expect.arrayContaining([role, policy, ...functions]));
  });

  test('answers a throttled request with 503, for which CloudFront serves an older answer', () => {
    const { Properties } = stack
      .ofType('AWS::ApiGateway::GatewayResponse')
      .find(({ Properties: { ResponseType } }) => ResponseType === 'THROTTLED');
    expect(Properties.StatusCode).toBe('503');
    expect(JSON.parse(Properties.ResponseTemplates['application/json'])).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    });
    expect(Properties.ResponseParameters['gatewayresponse.header.Retry-After']).toBe("'1'");
  });

  test('logs no address, user agent or query', () => {
    const [{ Properties }] = stack.ofType('AWS::ApiGateway::Stage');
    // By these, docs/alarms.md finds the endpoint that is throttled.
    const named = { status: '$context.status', route: '$context.resourcePath', error: '$context.error.responseType' };
    expect(JSON.parse(Properties.AccessLogSetting.Format)).toMatchObject(named);
    expect(Properties.AccessLogSetting.Format).not.toMatch(/identity|userAgent|querystring/i);
  });
});

test('Lambda’s own queue has the same retry limits as EventBridge', () => {
  const targets = stack.ofType('AWS::Events::Rule').flatMap(({ Properties }) => Properties.Targets);
  const ofQueue = stack
    .ofType('AWS::Lambda::EventInvokeConfig')
    .map(({ Properties: { FunctionName, Qualifier: _, ...retry } }) => [FunctionName.Ref, retry]);
  expect(ofQueue).toHaveLength(2);
  expect(targets.map(({ Arn, RetryPolicy }) => [Arn['Fn::GetAtt'][0], RetryPolicy])).toEqual(ofQueue);
});

describe('data outlives the stack', () => {
  test.each([PROD, {}])('%j: deletion retains recorded data and the account’s logging role', async (options) => {
    const { resources } = await synthesize(options);
    const retained = Object.entries(resources)
      .filter(([, { DeletionPolicy }]) => DeletionPolicy !== undefined && DeletionPolicy !== 'Delete')
      .map(([id, { DeletionPolicy }]) => [id.replace(/[0-9A-F]{8}$/, ''), DeletionPolicy]);
    expect(retained.sort()).toEqual([
      ['ApiAccount', 'Retain'],
      ['ApiCloudWatchRole', 'Retain'],
      ['DurableHistoryTable', 'RetainExceptOnCreate'],
      ['DurableLedgerTable', 'RetainExceptOnCreate'],
    ]);
  });
});

describe('a release', () => {
  test('changes the pages after the functions that they ask', () => {
    const ids = Object.entries(stack.resources).flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Function' && Object.values(ENDPOINTS).some((one) => one.summary === Properties.Description)
        ? id
        : [],
    );
    expect(ids).toHaveLength(Object.keys(ENDPOINTS).length);
    expect(stack.ofType('Custom::Pages')[0].DependsOn).toEqual(expect.arrayContaining(ids));
  });

  test('that changes only a page leaves all policies as they are', () => {
    const [{ body, ...page }, ...others] = site as [SiteFile, ...SiteFile[]];
    const changed = [{ ...page, body: Buffer.concat([body, Buffer.from('<!-- -->')]) }, ...others];
    const other = synthesizeWith(changed, PROD);
    expect(other.json).not.toEqual(stack.json);
    expect(other.ofType('AWS::IAM::Policy')).toEqual(stack.ofType('AWS::IAM::Policy'));
  });
});

test.each<[Record<string, string>, number]>([
  [{}, 222],
  [EVERYTHING, 270],
])('with %j the stack has few resources: at most %d, of the 500 that CloudFormation allows', async (options, most) => {
  expect(Object.keys((await synthesize(options)).resources).length).toBeLessThanOrEqual(most);
});

test('two stages share no names', async () => {
  const names = (text: string) => [...text.matchAll(/staking-data-[a-z]+/g)].map(([name]) => name);
  for (const stage of ['blue', 'green'])
    expect(new Set(names(JSON.stringify((await synthesize({ ...PROD, stage })).json)))).toEqual(
      new Set([`staking-data-${stage}`]),
    );
});

test('the template is ASCII: CloudFormation shows other letters as question marks, which each cdk diff would report', async () => {
  const [, found] = /(.{0,40}[^\0-\x7f])/.exec(JSON.stringify((await synthesize(EVERYTHING)).json)) ?? [];
  expect(found).toBeUndefined();
});

test('the outputs are the URLs, the commit, the topics and, with a domain, its DNS target', async () => {
  const common = ['ApiUrl', 'BaseUrl', 'Commit', 'DocsUrl'];
  expect(Object.keys((await synthesize()).json.Outputs).sort()).toEqual(common);
  const { Outputs } = (await synthesize(EVERYTHING)).json;
  expect(Object.keys(Outputs).sort()).toEqual([...common, 'AlarmTopic', 'DnsTarget', 'PageTopic'].sort());
  expect(Outputs.BaseUrl.Value).toBe('https://api.example.org/');
  for (const { Value } of [stack.json.Outputs.BaseUrl, Outputs.DnsTarget])
    expect(JSON.stringify(Value)).toMatch(/"Edge[0-9A-F]{8}","DomainName"/);
});

test.each<Record<string, string>>([{}, PROD, EVERYTHING])(
  'with %j cdk-nag and CDK itself find nothing, except what has been acknowledged with a reason',
  (options) => {
    const outdir = temporaryFolder('nag');
    const app = newApp({ outdir });
    newStack(app, options, site);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
    app.synth();
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    // Of the plugins that have found something to report, also if it is acknowledged.
    expect(pluginReports.map(({ pluginName }: Json) => pluginName)).toEqual(['AwsSolutions']);
    const [nag] = pluginReports;
    // Includes warnings, which do not fail a synthesis.
    expect(nag.violations).toEqual([]);
    for (const { acknowledgedId, reason } of nag.suppressedViolations) {
      expect([acknowledgedId, reason]).toEqual([expect.any(String), expect.stringMatching(/.{20,}/)]);
    }
  },
);
