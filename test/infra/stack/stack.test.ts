import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ENDPOINTS } from '../../../functions/index.ts';
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

let stack: Synthesized;
beforeAll(async () => {
  stack = await synthesize(PROD);
});

describe('the API', () => {
  test('routes every method of each endpoint to its function, for CloudFront only', () => {
    const routes = stack.methods.map(({ name, method: { Integration, ApiKeyRequired } }) => {
      const called = Integration.Uri['Fn::Join'][1].find((part: Json) => part['Fn::GetAtt']);
      expect([name, ApiKeyRequired]).toEqual([name, true]);
      return [name, stack.resources[called['Fn::GetAtt'][0]].Properties.Description];
    });
    const wanted = Object.values(ENDPOINTS).map(({ path, summary }) => [`ANY ${path}`, summary]);
    expect(routes.sort()).toEqual([...wanted, [`ANY ${OTHER_PATHS}`, ENDPOINTS.root?.summary]].sort());
  });

  test('invokes functions with one role, which may invoke each endpoint’s and nothing else', () => {
    expect(new Set(stack.methods.map(({ method }) => JSON.stringify(method.Integration.Credentials))).size).toBe(1);
    const [invoking, ...more] = stack.statements.filter(({ Action }) => Action === 'lambda:InvokeFunction');
    expect(more).toEqual([]);
    const functions: string[] = invoking.Resource.map(({ 'Fn::GetAtt': [id] }: Json) => id);
    const descriptions = functions.map((id) => stack.resources[id].Properties.Description);
    expect(descriptions.sort()).toEqual(
      Object.values(ENDPOINTS)
        .map(({ summary }) => summary)
        .sort(),
    );
    // All functions exist before the deployment that calls them, and before the pages that ask them.
    for (const type of ['AWS::ApiGateway::Deployment', 'Custom::Pages'])
      expect(stack.ofType(type)[0].DependsOn).toEqual(expect.arrayContaining(functions));
  });

  test('answers a throttled request with 503, for which CloudFront serves an older answer', () => {
    const answers = stack.ofType('AWS::ApiGateway::GatewayResponse').map(({ Properties }) => Properties);
    const throttled = answers.find(({ ResponseType }) => ResponseType === 'THROTTLED');
    expect(throttled.StatusCode).toBe('503');
    expect(JSON.parse(throttled.ResponseTemplates['application/json']).code).toBe('UPSTREAM_UNAVAILABLE');
    expect(throttled.ResponseParameters['gatewayresponse.header.Retry-After']).toBe("'1'");
  });
});

describe('data outlives the stack', () => {
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

  // `cdk deploy --import-existing-resources` takes over only what is retained and has a name without references.
  test.each(['history', 'ledger'])('%s: under a fixed name by which a new stack finds it, with recovery', (name) => {
    stack.template.hasResourceProperties('AWS::DynamoDB::Table', {
      TableName: `staking-data-prod-${name}`,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  test('historyTable and ledgerTable are used instead of its own', async () => {
    const adopted = await synthesize({ ...PROD, historyTable: 'history-of-tuesday', ledgerTable: 'the-ledger' });
    expect(adopted.ofType('AWS::DynamoDB::Table')).toHaveLength(1);
    expect(JSON.stringify(adopted.json)).not.toMatch(/staking-data-prod-(history|ledger)|Durable/);
    const reads = adopted.statements.filter(({ Resource }) => /:table\/the-ledger"/.test(JSON.stringify(Resource)));
    expect(reads.length).toBeGreaterThan(1);
  });
});

test('a release that changes only a page leaves all policies as they are', async () => {
  const [page, ...others] = await siteFiles();
  if (!page) throw new Error('no page');
  const changed = [{ ...page, body: Buffer.concat([page.body, Buffer.from('<!-- -->')]) }, ...others];
  const other = synthesizeWith(changed, PROD);
  expect(other.json).not.toEqual(stack.json);
  expect(other.ofType('AWS::IAM::Policy')).toEqual(stack.ofType('AWS::IAM::Policy'));
});

test.each<[Record<string, string>, number]>([
  [{}, 205],
  [PROD, 235],
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

test('the outputs are the URLs, the commit, the topics and, with a domain, its DNS target', async () => {
  const common = ['ApiUrl', 'BaseUrl', 'Commit', 'DocsUrl'];
  expect(Object.keys((await synthesize()).json.Outputs).sort()).toEqual(common);
  const { json } = await synthesize(EVERYTHING);
  expect(Object.keys(json.Outputs).sort()).toEqual([...common, 'AlarmTopic', 'DnsTarget', 'PageTopic'].sort());
  expect(json.Outputs.BaseUrl.Value).toBe('https://api.example.org/');
  // CloudFormation shows other letters than ASCII as question marks, which each cdk diff would report.
  expect(/(.{0,40}[^\0-\x7f])/.exec(JSON.stringify(json))?.[1]).toBeUndefined();
});

test.each<Record<string, string>>([{}, EVERYTHING])(
  'with %j cdk-nag and CDK itself find nothing, except what has been acknowledged with a reason',
  async (options) => {
    const outdir = temporaryFolder('nag');
    const app = newApp({ outdir });
    newStack(app, options, await siteFiles());
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
    app.synth();
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    // Of the plugins that have found something to report, also if it is acknowledged.
    expect(pluginReports.map(({ pluginName }: Json) => pluginName)).toEqual(['AwsSolutions']);
    const [nag] = pluginReports;
    // Includes warnings, which do not fail a synthesis.
    expect(nag.violations).toEqual([]);
    for (const { acknowledgedId, reason } of nag.suppressedViolations)
      expect([acknowledgedId, reason]).toEqual([expect.any(String), expect.stringMatching(/.{20,}/)]);
  },
);
