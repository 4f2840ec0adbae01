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
  OTHER,
  PROD,
  type Synthesized,
  siteFiles,
  synthesize,
  synthesizeWith,
} from '../../support/stack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * Routes, permissions, data that outlives the stack, and its size. Other files here test CloudFront, alarms and bundles;
 * cdk-nag, cfn-lint and the emulator (test/aws) check the rest.
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
    const adopted = await synthesize(EVERYTHING);
    expect(adopted.ofType('AWS::DynamoDB::Table')).toHaveLength(1);
    expect(JSON.stringify(adopted.json)).not.toMatch(/staking-data-prod-(history|ledger)|Durable/);
    const reads = adopted.statements.filter(({ Resource }) => /:table\/history-of/.test(JSON.stringify(Resource)));
    expect(reads.length).toBeGreaterThan(1);
  });
});

/** What the policies of the role of the function with this description allow, as `table:Action`. */
function allowed(description: string, { ofType } = stack): string[] {
  const { Role } = ofType('AWS::Lambda::Function').find(
    ({ Properties }) => Properties.Description === description,
  ).Properties;
  const tableOf = (resource: Json) => /(Cache|History|Ledger)Table/.exec(JSON.stringify(resource))?.[1] ?? '';
  const actions = ofType('AWS::IAM::Policy')
    .filter(({ Properties }) => Properties.Roles.some(({ Ref }: Json) => Ref === Role['Fn::GetAtt'][0]))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .flatMap(({ Action, Resource }) =>
      [Resource]
        .flat()
        .flatMap((one: Json) =>
          [Action].flat().map((action: string) => action.replace('dynamodb:', `${tableOf(one)}:`)),
        ),
    );
  return [...new Set(actions)].sort();
}

const on = (table: string, ...actions: string[]) => actions.map((action) => `${table}:${action}`);
const CACHE = on('Cache', 'GetItem', 'PutItem', 'UpdateItem');
const LOG = on('logs', 'CreateLogStream', 'PutLogEvents');

test.each(Object.entries(ENDPOINTS))(
  '%s may only read the tables that it needs, and its log',
  (_, { summary, reads = [] }) => {
    const history = reads.includes('history') || reads.includes('flags') ? on('History', 'GetItem', 'Query') : [];
    const ledger = reads.includes('ledger') ? on('Ledger', 'GetItem', 'Query') : [];
    expect(allowed(summary)).toEqual([...CACHE, ...LOG, ...history, ...ledger].sort());
  },
);

test('only the recorders write history and ledger, and none scans a table', () => {
  const ledger = on('Ledger', 'GetItem', 'Query');
  expect(allowed('Records the points of the history endpoints')).toEqual(
    [
      ...[...CACHE, ...LOG, ...ledger, ...on('Ledger', 'PutItem')],
      ...on('History', 'Query', 'PutItem', 'BatchWriteItem'),
    ].sort(),
  );
  expect(allowed("Records the protocol's events")).toEqual(
    [...LOG, ...ledger, ...on('Ledger', 'PutItem', 'DeleteItem', 'BatchWriteItem')].sort(),
  );
  for (const { Action } of stack.statements) expect([Action].flat()).not.toContain('dynamodb:Scan');
});

test('no action is allowed by a wildcard, and a resource only where SECURITY.md gives a reason', () => {
  const sections = readFileSync('SECURITY.md', 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith('Permissions')) ?? '';
  const rows = [...section.matchAll(/^\| (`s3.+?) +\| .+?`(\S+)` +\|/gm)].map(([, actions = '', resource]) =>
    [...actions.matchAll(/`(\w+:\w+)`/g)].map(([, action]) => `${action} ${resource}`),
  );
  const wide = stack.statements.flatMap(({ Action, Resource }) => {
    expect(JSON.stringify(Action)).not.toContain('*');
    return [Resource].flat().flatMap((resource: Json) => {
      const [, pattern] = /"([^"]*\*)"/.exec(JSON.stringify(resource)) ?? [];
      return pattern ? [Action].flat().map((action: string) => `${action} ${pattern}`) : [];
    });
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
    expect(own.valuesOf('RPC_URLS')).toEqual(new Set([undefined]));
  },
);

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

test('two stages share no names, and the bucket of cdk bootstrap by folder', async () => {
  for (const options of [PROD, OTHER]) {
    const { json, statements, ofType } = await synthesize(options);
    const names = [...JSON.stringify(json).matchAll(/staking-data-[a-z]+/g)].map(([name]) => name);
    expect(new Set(names)).toEqual(new Set([`staking-data-${options.stage}`]));
    const [{ Resource }, ...more] = statements.filter(({ Action }) => Action === 's3:GetObject');
    expect(more).toEqual([]);
    expect(JSON.stringify(Resource)).toMatch(new RegExp(`-assets-.+/staking-data-${options.stage}/\\*`));
    for (const { Properties } of ofType('AWS::Lambda::Function'))
      expect(Properties.Code.S3Key).toMatch(new RegExp(`^staking-data-${options.stage}/\\w+\\.zip$`));
  }
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

test.each([{}, EVERYTHING])(
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
