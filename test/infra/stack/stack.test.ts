import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Annotations, Match, type Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ENDPOINTS } from '../../../functions/index.ts';
import { withoutAliases } from '../../../infra/emulators/lambda/assets.ts';
import { lambdaContext } from '../../../infra/local/event.ts';
import type { SiteFile } from '../../../infra/site/site.ts';
import { createTopic } from '../../../infra/stack/alarm-topic.ts';
import { readSettings } from '../../../infra/stack/settings.ts';
import { StakingDataStack } from '../../../infra/stack/stack.ts';
import type { Endpoint } from '../../../lib/api/definition.ts';
import { createHandler } from '../../../lib/api/endpoint.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { type Json, newApp, type Synthesized, siteFiles, synthesize, synthesizeWith } from '../../support/stack.ts';
import { startTables } from '../../support/tables.ts';

/** What the stack must provide, whatever else changes. Bundles are tested in test/infra/stack/bundles.test.ts. */

// Shared by most tests, because each synthesis takes a second or more.
let template: Template;
let resources: Record<string, Json>;
let ofType: Synthesized['ofType'];
let site: SiteFile[];

beforeAll(async () => {
  site = await siteFiles();
  ({ template, resources, ofType } = await synthesize());
});

/** The actions that the policies of a function's role allow. */
function actionsOf({ Role }: Json, of = ofType): Set<string> {
  const statements = of('AWS::IAM::Policy')
    .filter(({ Properties }) => Properties.Roles.some(({ Ref }: Json) => Ref === Role['Fn::GetAtt'][0]))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  return new Set(statements.flatMap(({ Action }: Json) => Action));
}

/** The functions with the actions that their roles allow. */
function functions(): { description: string; actions: Set<string>; properties: Json }[] {
  return ofType('AWS::Lambda::Function').map(({ Properties }) => ({
    description: Properties.Description,
    actions: actionsOf(Properties),
    properties: Properties,
  }));
}

/** The policies that allow writing to the table with this partition key. */
function writersOf(partitionKey: string): Json[] {
  const tables = template.findResources('AWS::DynamoDB::Table', {
    Properties: { KeySchema: Match.arrayWith([{ AttributeName: partitionKey, KeyType: 'HASH' }]) },
  });
  const [table] = Object.keys(tables);
  return ofType('AWS::IAM::Policy').filter(({ Properties }) =>
    Properties.PolicyDocument.Statement.some(
      ({ Action, Resource }: Json) =>
        JSON.stringify(Resource).includes(table as string) && [Action].flat().includes('dynamodb:PutItem'),
    ),
  );
}

const CACHE = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];
const ENDPOINT_CACHE = [...CACHE, 'dynamodb:BatchGetItem'];
const LOG = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const TRACES = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
/** Descriptions of the functions behind custom resources, which only CloudFormation invokes. */
const CUSTOM = /^(Copies the pages|Deletes the versions)/;
const RECORDER = 'Records the points of the history endpoints';
const isRecorder = (description: string) => description.startsWith('Records ');

describe('each function', () => {
  test('is an endpoint, a recorder or a custom resource, and runs on Node 24 and arm64', () => {
    const all = functions();
    expect(all).toHaveLength(Object.keys(ENDPOINTS).length + 4);
    expect(all.filter(({ description }) => CUSTOM.test(description))).toHaveLength(2);
    for (const { description, properties } of all) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        MemorySize: 1_024,
        TracingConfig: { Mode: isRecorder(description) ? 'PassThrough' : 'Active' },
      });
    }
  });

  test.each(Object.entries(ENDPOINTS))('%s has the permissions it needs and no others', (_, endpoint) => {
    const fn = functions().find(({ description }) => description === endpoint.summary);
    const { reads = [] } = endpoint;
    const tables = reads.includes('history') || reads.includes('ledger') ? ['dynamodb:Query'] : [];
    const flags = reads.includes('flags')
      ? ['appconfig:GetLatestConfiguration', 'appconfig:StartConfigurationSession']
      : [];
    expect([...(fn?.actions ?? [])].sort()).toEqual([...ENDPOINT_CACHE, ...LOG, ...TRACES, ...tables, ...flags].sort());
  });

  test('shares its role only with functions that read the same sources', () => {
    const roleOf = (summary: string) =>
      functions().find(({ description }) => description === summary)?.properties.Role['Fn::GetAtt'][0];
    const byReads = Map.groupBy(Object.values(ENDPOINTS), ({ reads = [] }) => String(reads));
    const roles = [...byReads.values()].map((endpoints) => [
      ...new Set(endpoints.map(({ summary }) => roleOf(summary))),
    ]);
    for (const shared of roles) expect(shared).toHaveLength(1);
    expect(new Set(roles.flat()).size).toBe(byReads.size);
    expect(byReads.size).toBeGreaterThan(3);
  });

  test('only the recorder can write history, and no other recorded data', () => {
    const recorder = functions().find(({ description }) => description === RECORDER);
    expect([...(recorder?.actions ?? [])].sort()).toEqual([...CACHE, ...LOG, ...TRACES, 'dynamodb:Query'].sort());
    expect(writersOf('series')).toHaveLength(1);
  });

  test('only the ledger recorder can write the ledger', () => {
    const recorder = functions().find(({ description }) => description === "Records the protocol's events");
    expect([...(recorder?.actions ?? [])].sort()).toEqual(
      [...CACHE, ...LOG, ...TRACES, 'dynamodb:BatchWriteItem'].sort(),
    );
    expect(writersOf('subject')).toHaveLength(1);
  });

  test('runs on the configured processor', async () => {
    const { ofType } = await synthesize({ architecture: 'x86_64' });
    const architectures = ofType('AWS::Lambda::Function').map(({ Properties }) => Properties.Architectures);
    expect(architectures).toEqual(functions().map(() => ['x86_64']));
  });

  test('reserves no concurrent executions, except for the recorder if that is configured', async () => {
    for (const { properties } of functions()) expect(properties.ReservedConcurrentExecutions).toBeUndefined();
    const reserving = await synthesize({ reserve: 'on' });
    const reserved = reserving
      .ofType('AWS::Lambda::Function')
      .filter(({ Properties }) => 'ReservedConcurrentExecutions' in Properties);
    expect(reserved.map(({ Properties }) => [Properties.Description, Properties.ReservedConcurrentExecutions])).toEqual(
      [[RECORDER, 1]],
    );
  });

  test('has minutes for a custom resource, and CloudFormation waits for three attempts, not for an hour', () => {
    const custom = Object.values(resources).filter(({ Type }) => Type.startsWith('Custom::'));
    expect(custom).toHaveLength(2);
    for (const { Properties } of custom) {
      const { Timeout } = resources[Properties.ServiceToken['Fn::GetAtt'][0]].Properties;
      expect(Timeout).toBe(120);
      const pauses = 60 + 120;
      expect(Number(Properties.ServiceTimeout)).toBeGreaterThan(3 * Timeout + pauses);
      expect(Number(Properties.ServiceTimeout)).toBeLessThan(3_600);
    }
  });

  test('has a log group of its own that is kept for a month, like those of the API and the edge', () => {
    const logs = ofType('AWS::Logs::LogGroup');
    expect(logs).toHaveLength(functions().length + 3);
    for (const { Properties } of logs) expect(Properties.RetentionInDays).toBe(30);
    const groups = functions().map(({ properties }) => properties.LoggingConfig.LogGroup.Ref);
    expect(new Set(groups).size).toBe(groups.length);
  });
});

test('the execution log of API Gateway is created before the stage, so that it is not kept forever', () => {
  const [id, { Properties }] = Object.entries(resources).find(([name]) => name.startsWith('ExecutionLogs')) as [
    string,
    Json,
  ];
  const [api] = Object.keys(template.findResources('AWS::ApiGateway::RestApi'));
  expect(Properties.LogGroupName).toEqual({
    'Fn::Join': ['', ['API-Gateway-Execution-Logs_', { Ref: api }, '/dev']],
  });
  expect(ofType('AWS::ApiGateway::Stage')[0].DependsOn).toContain(id);
});

test('no policy has a wildcard, except for traces and for custom resources that clean up', () => {
  const own = functions()
    .filter(({ description }) => CUSTOM.test(description))
    .map(({ properties }) => properties.Role['Fn::GetAtt'][0]);
  const statements = ofType('AWS::IAM::Policy')
    .filter(({ Properties }) => !Properties.Roles.some(({ Ref }: Json) => own.includes(Ref)))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Action }) => JSON.stringify([Action].flat().sort()) !== JSON.stringify(TRACES));
  expect(statements.length).toBeGreaterThan(15);
  for (const { Action, Resource } of statements) expect(JSON.stringify([Action, Resource])).not.toContain('*');
});

describe('the API', () => {
  /** The path of a resource, by its logical ID. */
  function pathOf(id: string): string {
    const { ParentId, PathPart } = resources[id].Properties;
    return `${ParentId.Ref ? pathOf(ParentId.Ref) : ''}/${PathPart}`;
  }

  test('routes every method of each endpoint to its function', () => {
    const routes = ofType('AWS::ApiGateway::Method').map(
      ({ Properties: { HttpMethod, ResourceId } }) => `${HttpMethod} ${ResourceId.Ref ? pathOf(ResourceId.Ref) : '/'}`,
    );
    expect(routes.sort()).toEqual(
      Object.values(ENDPOINTS)
        .map(({ path }) => `ANY ${path}`)
        .sort(),
    );
  });

  test('throttles, compresses and logs without personal data', () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      MinimumCompressionSize: 1_000,
      BinaryMediaTypes: ['*/*'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    const [{ Properties: stage }] = ofType('AWS::ApiGateway::Stage');
    expect(stage.MethodSettings).toContainEqual(
      expect.objectContaining({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100, DataTraceEnabled: false }),
    );
    const format = stage.AccessLogSetting.Format;
    // By these, docs/operations.md finds the endpoint that is throttled.
    const named = { status: '$context.status', route: '$context.resourcePath', error: '$context.error.responseType' };
    expect(JSON.parse(format)).toMatchObject({ requestId: '$context.requestId', ...named });
    expect(format).not.toMatch(/identity|userAgent|querystring/i);
  });

  test.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'NOT_FOUND'],
    ['WAF_FILTERED', '403', 'FORBIDDEN'],
    ['REQUEST_TOO_LARGE', '413', 'REQUEST_TOO_LARGE'],
    ['THROTTLED', '429', 'RATE_LIMITED'],
    ['DEFAULT_4XX', '400', 'INVALID_REQUEST'],
    ['DEFAULT_5XX', '503', 'UPSTREAM_UNAVAILABLE'],
  ])('answers the gateway error %s with status %s and code %s', (type, status, code) => {
    const { Properties } = ofType('AWS::ApiGateway::GatewayResponse').find(
      (response) => response.Properties.ResponseType === type,
    );
    expect(Properties.StatusCode).toBe(status);
    expect(JSON.parse(Properties.ResponseTemplates['application/json'])).toMatchObject({
      code,
      status: Number(status),
    });
    expect(Properties.ResponseParameters).toMatchObject({
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      'gatewayresponse.header.Content-Type': "'application/problem+json'",
      'gatewayresponse.header.X-Request-Id': 'context.requestId',
    });
  });

  test('traces at most one request per second', () => {
    expect(ofType('AWS::ApiGateway::Stage')[0].Properties.TracingEnabled).toBe(true);
    template.hasResourceProperties('AWS::XRay::SamplingRule', {
      SamplingRule: Match.objectLike({ FixedRate: 0, ReservoirSize: 1, ServiceName: 'staking-data-dev/dev' }),
    });
  });
});

describe('the tables', () => {
  test('have the documented throughput limits, and recorded data is protected from deletion', () => {
    const limits = Object.entries(template.findResources('AWS::DynamoDB::Table')).map(([id, { Properties }]) => [
      id.replace(/[0-9A-F]{8}$/, ''),
      Properties.OnDemandThroughput,
      Properties.DeletionProtectionEnabled ?? false,
    ]);
    expect(limits).toEqual([
      ['CacheTable', { MaxReadRequestUnits: 2_000, MaxWriteRequestUnits: 1_000 }, false],
      ['HistoryTable', { MaxReadRequestUnits: 1_000, MaxWriteRequestUnits: 200 }, true],
      ['LedgerTable', { MaxReadRequestUnits: 1_000, MaxWriteRequestUnits: 1_000 }, true],
    ]);
  });

  test('are on demand; cache items expire, and history and the ledger are retained', () => {
    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Delete',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
    });
    for (const AttributeName of ['series', 'subject']) {
      template.hasResource('AWS::DynamoDB::Table', {
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          KeySchema: Match.arrayWith([{ AttributeName, KeyType: 'HASH' }]),
          BillingMode: 'PAY_PER_REQUEST',
          TimeToLiveSpecification: Match.absent(),
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      });
    }
  });
});

test('the ledger recorder runs every minute, and is not retried', () => {
  template.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'rate(1 minute)',
    State: 'ENABLED',
    Targets: [Match.objectLike({ RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } })],
  });
});

test('the recorder runs every hour, and is retried twice', () => {
  template.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'cron(1 * * * ? *)',
    State: 'ENABLED',
    Targets: [Match.objectLike({ RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 1_800 } })],
  });
});

test('Lambda’s own queue has the same retry limits as EventBridge', () => {
  const targets = ofType('AWS::Events::Rule').flatMap(({ Properties }) => Properties.Targets);
  const ofQueue = ofType('AWS::Lambda::EventInvokeConfig').map(
    ({ Properties: { FunctionName, Qualifier: _, ...retry } }) => [FunctionName.Ref, retry],
  );
  expect(ofQueue).toHaveLength(2);
  expect(targets.map(({ Arn, RetryPolicy }) => [Arn['Fn::GetAtt'][0], RetryPolicy])).toEqual(ofQueue);
});

test('endpoints named by the option warm, and no others, are requested every minute', async () => {
  template.resourceCountIs('AWS::Events::Rule', 2);
  const { template: warmed, ofType: of } = await synthesize({ warm: 'prices,metrics/apy' });
  const [rule] = Object.values<Json>(
    warmed.findResources('AWS::Events::Rule', { Properties: { Description: Match.stringLikeRegexp('option warm') } }),
  );
  const events = rule.Properties.Targets.map(({ Input }: Json) => JSON.parse(Input));
  expect(events.map(({ path }: Json) => path)).toEqual(['/prices', '/metrics/apy']);
  // Neither EventBridge nor Lambda keeps requests that were throttled: they would come in the way of clients' later.
  for (const { RetryPolicy } of rule.Properties.Targets)
    expect(RetryPolicy).toEqual({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
  const ofAliases = of('AWS::Lambda::EventInvokeConfig').filter(({ Properties }) =>
    JSON.stringify(Properties.Qualifier).includes('Live'),
  );
  expect(ofAliases.map(({ Properties: { FunctionName, Qualifier: _, ...retry } }) => retry)).toEqual(
    Array.from({ length: 2 }, () => ({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 })),
  );
  const database = await startTables();
  const { statusCode } = await createHandler(ENDPOINTS.prices as Endpoint, startOnDevnet())(events[0], lambdaContext());
  expect(statusCode).toBe(200);
  await database.stop();
});

describe('flags', () => {
  test('are validated by AppConfig, which accepts no custom schema for feature flags', () => {
    const [{ Properties }] = ofType('AWS::AppConfig::ConfigurationProfile');
    expect(Properties.Type).toBe('AWS.AppConfig.FeatureFlags');
    expect(Properties.Validators).toBeUndefined();
  });

  test('reach all containers at once, and are rolled back if errors increase', () => {
    const [, { Properties: strategy }] = Object.entries(resources).find(([id]) => /^FlagsRollout/.test(id)) as [
      string,
      Json,
    ];
    expect(strategy).toMatchObject({ GrowthFactor: 100, DeploymentDurationInMinutes: 0, FinalBakeTimeInMinutes: 10 });
    const [{ Properties }] = ofType('AWS::AppConfig::Environment');
    const alarm = Properties.Monitors[0].AlarmArn['Fn::GetAtt'][0];
    expect(resources[alarm].Properties).toMatchObject({ MetricName: '5XXError', Period: 60, Threshold: 0.05 });
  });

  test.each([
    ['on', 'AWS::CloudFront::Distribution'],
    ['off', 'AWS::ApiGateway::Stage'],
  ])('of a new stage are not rolled back because the new alarm has no data (edge %s)', async (edge, last) => {
    const { resources: made, ofType: of } = await synthesize({ edge });
    const [{ DependsOn, Properties }] = of('AWS::AppConfig::Deployment');
    expect([DependsOn].flat().map((id) => made[id].Type)).toContain(last);
    expect(made[Properties.DeploymentStrategyId.Ref].Properties).toMatchObject({
      DeploymentDurationInMinutes: 0,
      FinalBakeTimeInMinutes: 0,
    });
  });

  test('that operators have deployed stay: nothing that a release may change replaces the first deployment', () => {
    const [{ Properties }] = ofType('AWS::AppConfig::Deployment');
    // CloudFormation would make it again, also when a tag is added.
    expect(Object.keys(Properties).sort()).toEqual([
      'ApplicationId',
      'ConfigurationProfileId',
      'ConfigurationVersion',
      'DeploymentStrategyId',
      'EnvironmentId',
    ]);
    for (const value of Object.values(Properties)) expect(value).toEqual({ Ref: expect.any(String) });
  });

  test('are deleted with the stack: first CloudFormation’s own version, then the others', () => {
    const [[cleanup]] = Object.entries(template.findResources('Custom::FlagVersions')) as [[string, Json]];
    expect(ofType('AWS::AppConfig::HostedConfigurationVersion')[0].DependsOn).toEqual([cleanup]);
  });

  test('start with the defaults of the first release, which later ones do not replace', async () => {
    const { json } = await synthesize();
    const [{ Properties }] = ofType('AWS::AppConfig::HostedConfigurationVersion');
    // `cdk deploy` does not change the parameters of an existing stack.
    expect(Properties.Content).toEqual({ Ref: 'FirstFlags' });
    const { Default, ...parameter } = json.Parameters.FirstFlags;
    expect(parameter).toEqual({ Type: 'String', Description: expect.any(String) });
    expect(Default.length).toBeLessThan(4_096);
    const content = JSON.parse(Default);
    expect(Object.keys(content.flags)).toEqual(Object.keys(content.values));
    expect(content.flags.windDown.attributes.operationsEnded).toEqual({ constraints: { type: 'string' } });
  });
});

test('deleting the stack retains only recorded data and the account’s logging role', () => {
  const retained = Object.entries(resources)
    .filter(([, { DeletionPolicy }]) => DeletionPolicy !== undefined && DeletionPolicy !== 'Delete')
    .map(([id]) => id.replace(/[0-9A-F]{8}$/, ''));
  expect(retained.sort()).toEqual(['ApiAccount', 'ApiCloudWatchRole', 'HistoryTable', 'LedgerTable']);
  // AppConfig refuses to delete a profile that has versions, and operators add some.
  expect(ofType('Custom::FlagVersions')).toHaveLength(1);
  expect(ofType('AWS::KMS::Key')[0].Properties.PendingWindowInDays).toBe(7);
});

describe('a release', () => {
  test('first gets a tenth of each endpoint’s requests, and is rolled back if the alarm is raised', () => {
    const groups = ofType('AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(Object.keys(ENDPOINTS).length);
    for (const { Properties } of groups) {
      expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      expect(Properties.AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
      const alarm = resources[Properties.AlarmConfiguration.Alarms[0].Name.Ref].Properties;
      // It must be raised within five minutes while at most a tenth of the requests fail.
      expect(alarm.Period * alarm.EvaluationPeriods).toBeLessThan(300);
      expect(alarm.Threshold).toBeLessThan(0.1);
    }
  });

  test('reaches clients through aliases only', () => {
    const aliases = Object.keys(template.findResources('AWS::Lambda::Alias'));
    for (const { Properties } of ofType('AWS::ApiGateway::Method')) {
      const uri = JSON.stringify(Properties.Integration.Uri);
      expect(aliases.filter((id) => uri.includes(`"Ref":"${id}"`))).toHaveLength(1);
    }
  });

  test('goes to all clients at once without the canary, which leaves permissions and integrations as they are', async () => {
    const { ofType: without } = await synthesize({ canary: 'off' });
    expect(without('AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
    const aliases = without('AWS::Lambda::Alias');
    expect(aliases).toHaveLength(Object.keys(ENDPOINTS).length);
    for (const { UpdatePolicy } of aliases) expect(UpdatePolicy).toBeUndefined();
    for (const type of ['AWS::Lambda::Permission', 'AWS::ApiGateway::Method']) {
      expect(ofType(type).length).toBeGreaterThan(0);
      expect(without(type)).toEqual(ofType(type));
    }
  });

  test('can be read by tools that know no aliases, such as SAM CLI: nothing refers to what they do not get', async () => {
    const { json } = await synthesize({ edge: 'off' });
    const text = JSON.stringify(withoutAliases(json));
    for (const [id, { Type }] of Object.entries<Json>(json.Resources))
      expect([id, text.includes(`"${id}"`)]).toEqual([id, !/CodeDeploy|Lambda::(Alias|Version)/.test(Type)]);
  });

  test.each([
    ['on', 'Custom::Pages'],
    ['off', 'AWS::ApiGateway::Deployment'],
  ])(
    'changes the pages only after all functions, so that a roll-back comes before that (edge %s)',
    async (edge, type) => {
      const { ofType: of, template: own } = await synthesize({ edge });
      const aliases = Object.keys(own.findResources('AWS::Lambda::Alias'));
      expect(aliases).toHaveLength(Object.keys(ENDPOINTS).length);
      expect(of(type)[0].DependsOn).toEqual(expect.arrayContaining(aliases));
    },
  );
});

test.each(['on', 'off'])(
  'a release that changes only a page leaves all policies as they are (edge %s)',
  async (edge) => {
    const [{ body, ...page }, ...others] = site as [SiteFile, ...SiteFile[]];
    const changed = [{ ...page, body: Buffer.concat([body, Buffer.from('<!-- -->')]) }, ...others];
    const one = await synthesize({ edge });
    const other = synthesizeWith(changed, { edge });
    expect(other.json).not.toEqual(one.json);
    expect(other.ofType('AWS::IAM::Policy')).toEqual(one.ofType('AWS::IAM::Policy'));
  },
);

test.each([{}, { edge: 'off', alarmEmail: 'me@example.org', budget: '50', reserve: 'on', warm: 'prices' }])(
  'with %j the stack stays well below the limit of 500 resources',
  async (context) => {
    expect(Object.keys((await synthesize(context as Record<string, string>)).resources).length).toBeLessThan(480);
  },
);

describe('alarms', () => {
  test('are all documented in the operator’s guide, each with a row and a section', () => {
    const [, section = ''] = /^## Alarms$(.*?)^## /ms.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
    const headings = [...section.matchAll(/^### (\w+)$/gm)].map(([, id]) => id as string);
    const rows = [...section.matchAll(/^\| \[(\w+)\]/gm)].map(([, id]) => id);
    const names = Object.keys(resources).flatMap((name) => /^(\w+)Alarm[0-9A-F]{8}$/.exec(name)?.[1] ?? []);
    expect(names).toHaveLength(ofType('AWS::CloudWatch::Alarm').length);
    expect(headings.toSorted()).toEqual(names.toSorted());
    expect(rows).toEqual(headings);
  });

  test.each([
    'ServerErrors',
    'EdgeErrors',
    'Latency',
    'NothingAnswers',
    'OldAnswers',
    'OldHead',
    'TableErrors',
    'Throttles',
    'RateLimited',
    'Blocked',
    'RecorderMissing',
    'HistoryLag',
    'LedgerLag',
    'ReleaseErrors',
  ])('%s notifies the topic, and describes what it means', (id) => {
    const [, alarm] = Object.entries(resources).find(([name]) => name.startsWith(`${id}Alarm`)) as [string, Json];
    expect(alarm.Properties.AlarmDescription).toMatch(
      new RegExp(`^.{30,} What to do: docs/operations\\.md#${id.toLowerCase()}$`),
    );
    expect(alarm.Properties.AlarmActions).toEqual(alarm.Properties.OKActions);
    expect(resources[alarm.Properties.AlarmActions[0].Ref].Type).toBe('AWS::SNS::Topic');
    const missing = ['RecorderMissing', 'LedgerLag'].includes(id) ? 'missing' : 'notBreaching';
    expect(alarm.Properties.TreatMissingData).toBe(missing);
  });

  test.each([
    '2026-11-23T22:01:00.000Z\t0f2a\tERROR\tInvoke Error\t{"errorType":"Error","errorMessage":"…","stack":[]}',
    '2026-11-23T22:06:00.000Z 0f2a Task timed out after 300.00 seconds',
    'RequestId: 0f2a Error: Runtime exited with error: signal: killed',
  ])('the query for failures in the operator’s guide finds what Lambda itself logs: %j', (line) => {
    const [, pattern = '^$'] =
      /^failures='.*@message like \/(.+)\/'$/m.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
    expect(line).toMatch(new RegExp(pattern));
  });

  test('Latency ignores periods with too few requests for a percentile, in which some cold starts would raise it', () => {
    const ignoring = Object.entries(resources).filter(
      ([, { Properties }]) => Properties?.EvaluateLowSampleCountPercentile === 'ignore',
    );
    expect(ignoring.map(([name]) => name)).toEqual([expect.stringMatching(/^LatencyAlarm/)]);
  });

  test.each(['RecorderMissing', 'LedgerLag'])('%s is silent until the first run, and notifies if runs end', (id) => {
    const [, { Properties }] = Object.entries(resources).find(([name]) => name.startsWith(id)) as [string, Json];
    // A new alarm starts without data, so its state does not change; with "breaching" it would be raised at once.
    expect(Properties.TreatMissingData).toBe('missing');
    expect(Properties.InsufficientDataActions).toEqual(Properties.AlarmActions);
  });

  test('cover the edge if there is one', async () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/CloudFront',
      MetricName: '5xxErrorRate',
      Statistic: 'Average',
      Dimensions: Match.arrayWith([{ Name: 'Region', Value: 'Global' }]),
    });
    const { ofType: typesWithout } = await synthesize({ edge: 'off' });
    expect(typesWithout('AWS::CloudWatch::Alarm')).toHaveLength(ofType('AWS::CloudWatch::Alarm').length - 1);
  });

  test('distinguish failures of the table from failed answers', () => {
    const metricOf = (id: string) =>
      Object.entries(resources).find(([name]) => name.startsWith(`${id}Alarm`))?.[1].Properties.MetricName;
    expect(metricOf('NothingAnswers')).toBe('CacheError');
    expect(metricOf('TableErrors')).toBe('TableError');
  });

  test('cover requests that the API has limited or either firewall has blocked', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ $.status = "429" }',
      MetricTransformations: [
        Match.objectLike({ MetricNamespace: 'StakingDataService/staking-data-dev', MetricName: 'RateLimited' }),
      ],
    });
    const [, { Properties }] = Object.entries(resources).find(([name]) => name.startsWith('BlockedAlarm')) as [
      string,
      Json,
    ];
    const counted = Properties.Metrics.flatMap(({ MetricStat }: Json) => MetricStat?.Metric.Dimensions ?? []).filter(
      ({ Name }: Json) => Name === 'WebACL',
    );
    const firewalls = ofType('AWS::WAFv2::WebACL').map((acl) => acl.Properties.VisibilityConfig.MetricName);
    expect(counted.map(({ Value }: Json) => Value).sort()).toEqual(firewalls.sort());
  });

  test('are encrypted, and sent to the configured e-mail address', async () => {
    template.hasResourceProperties('AWS::SNS::Topic', { KmsMasterKeyId: Match.anyValue() });
    template.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true });
    template.resourceCountIs('AWS::SNS::Subscription', 0);
    const { template: mailed } = await synthesize({ alarmEmail: 'ops@example.org' });
    mailed.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.org' });
  });

  test('without an e-mail address cause a warning when the stack is deployed', () => {
    const stack = new Stack(new App(), 'Test');
    const mailed = new Stack(new App(), 'Test');
    createTopic(stack, undefined);
    createTopic(mailed, 'ops@example.org');
    Annotations.fromStack(stack).hasWarning(
      '/Test',
      Match.stringLikeRegexp('Nobody is notified of alarms.*alarmEmail'),
    );
    expect(Annotations.fromStack(mailed).findWarning('*', Match.anyValue())).toEqual([]);
  });

  test.each([
    ['cloudwatch.amazonaws.com', ':cloudwatch:us-east-1:', ':alarm:*'],
    ['budgets.amazonaws.com', ':budgets::', ':*'],
  ])('reach the topic: %s may publish and use the key, for this account only', (service, ...source) => {
    const documents = [
      ofType('AWS::SNS::TopicPolicy')[0].Properties.PolicyDocument,
      ofType('AWS::KMS::Key')[0].Properties.KeyPolicy,
    ];
    const statements = documents.map(({ Statement }) =>
      Statement.find(({ Effect, Principal }: Json) => Effect === 'Allow' && Principal.Service === service),
    );
    expect(statements.map(({ Action }) => Action)).toEqual(['sns:Publish', ['kms:Decrypt', 'kms:GenerateDataKey*']]);
    for (const { Condition } of statements) {
      expect(Condition.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
      const arn = Condition.ArnLike['aws:SourceArn']['Fn::Join'][1];
      expect(arn).toEqual(['arn:', { Ref: 'AWS::Partition' }, source[0], { Ref: 'AWS::AccountId' }, source[1]]);
    }
  });
});

test('the monthly budget is the configured one, by default 100 dollars, and notifies the topic', async () => {
  const budgets = [await synthesize(), await synthesize({ budget: '250' })].map(
    ({ ofType: of }) => of('AWS::Budgets::Budget')[0].Properties,
  );
  expect(budgets.map(({ Budget }) => Budget.BudgetLimit)).toEqual([
    { Amount: 100, Unit: 'USD' },
    { Amount: 250, Unit: 'USD' },
  ]);
  // Credits end: until then, a new account would hear nothing.
  expect(budgets[0].Budget.CostTypes).toEqual({ IncludeCredit: false, IncludeRefund: false });
  const [topic] = Object.keys(template.findResources('AWS::SNS::Topic'));
  for (const { Notification, Subscribers } of budgets[0].NotificationsWithSubscribers) {
    expect(Notification.Threshold).toBe(100);
    expect(Subscribers).toEqual([{ SubscriptionType: 'SNS', Address: { Ref: topic } }]);
  }
});

test('no graph of blocked requests counts the requests that are limited elsewhere', () => {
  const dashboard = JSON.stringify(ofType('AWS::CloudWatch::Dashboard')[0].Properties.DashboardBody);
  expect(dashboard).toContain('SUM([acl0, acl1])');
  expect(dashboard).not.toContain('METRICS()');
});

test.each(['staking-data/rpc', 'arn:aws:secretsmanager:us-east-1:123456789012:secret:staking-data/rpc-a1b2c3'])(
  'every function may read the secret %s, whose content is not in the template',
  async (secret) => {
    const { json, ofType: of } = await synthesize({ secret, edge: 'off' });
    const lambdas = of('AWS::Lambda::Function').filter(({ Properties }) => !CUSTOM.test(Properties.Description));
    for (const { Properties } of lambdas) {
      expect(Properties.Environment.Variables.SECRET_ID).toBe(secret);
      expect(Object.keys(Properties.Environment.Variables)).not.toContain('RPC_URLS');
      expect(actionsOf(Properties, of)).toContain('secretsmanager:GetSecretValue');
    }
    expect(JSON.stringify(json)).not.toContain('{{resolve:');
    expect(JSON.stringify((await synthesize({ edge: 'off' })).json)).not.toMatch(/secretsmanager/);
  },
);

test('two stages share no names', async () => {
  const names = (text: string) => [...text.matchAll(/staking-data-[a-z]+/g)].map(([name]) => name);
  const [one, other] = await Promise.all(
    ['blue', 'green'].map(async (stage) => names(JSON.stringify((await synthesize({ stage })).json))),
  );
  expect(new Set(one)).toEqual(new Set(['staking-data-blue']));
  expect(new Set(other)).toEqual(new Set(['staking-data-green']));
});

test('a stage can be in two regions: names that are unique per account contain the region', async () => {
  const { ofType: of } = await synthesize({ edge: 'off' });
  const name = { 'Fn::Join': ['', ['staking-data-dev-', { Ref: 'AWS::Region' }]] };
  expect(of('AWS::Budgets::Budget')[0].Properties.Budget.BudgetName).toEqual(name);
  expect(of('AWS::CloudWatch::Dashboard')[0].Properties.DashboardName).toEqual(name);
  expect(ofType('AWS::CloudWatch::Dashboard')[0].Properties.DashboardName).toBe('staking-data-dev-us-east-1');
});

test.each(['on', 'off'])(
  'a template is ASCII: CloudFormation shows other letters as question marks, which each cdk diff would report (edge %s)',
  async (edge) => {
    const [, found] = /(.{0,40}[^\0-\x7f])/.exec(JSON.stringify((await synthesize({ edge })).json)) ?? [];
    expect(found).toBeUndefined();
  },
);

test('the longest stage fits into X-Ray’s names, which are limited the most', async () => {
  const { ofType: of } = await synthesize({ stage: 'a'.repeat(19) });
  const { RuleName, ServiceName } = of('AWS::XRay::SamplingRule')[0].Properties.SamplingRule;
  expect(RuleName.length).toBeLessThanOrEqual(32);
  expect(ServiceName.length).toBeLessThanOrEqual(64);
});

describe('outputs', () => {
  test('are the URLs of the service, its reference and the API itself, the commit, and the topic of alarms', () => {
    const { BaseUrl, DocsUrl, ApiUrl, DnsTarget, Commit, AlarmTopic, ...others } = template.toJSON().Outputs;
    expect(others).toEqual({});
    expect(resources[AlarmTopic.Value.Ref].Type).toBe('AWS::SNS::Topic');
    expect(Commit.Value).toBe('unknown');
    expect(JSON.stringify([BaseUrl, DocsUrl])).toMatch(/"Edge[0-9A-F]{8}","DomainName"/);
    expect(JSON.stringify(DocsUrl)).toContain('/docs');
    expect(JSON.stringify(ApiUrl)).toContain('.execute-api.us-east-1.');
    expect(DnsTarget).toBeUndefined();
  });

  test.each(['on', 'off'])('contain a custom domain, and the target for its DNS record (edge %s)', async (edge) => {
    const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';
    const { json, template: own } = await synthesize({ edge, domain: 'api.example.org', certificate });
    expect(json.Outputs.BaseUrl.Value).toBe('https://api.example.org/');
    const target = JSON.stringify(json.Outputs.DnsTarget.Value);
    if (edge === 'on') {
      expect(target).toMatch(/Edge\w+","DomainName"/);
      own.resourceCountIs('AWS::ApiGateway::DomainName', 0);
      return;
    }
    expect(target).toContain('RegionalDomainName');
    own.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'api.example.org',
      RegionalCertificateArn: certificate,
      SecurityPolicy: 'TLS_1_2',
    });
    own.resourceCountIs('AWS::ApiGateway::BasePathMapping', 1);
  });
});

test('functions, tables and the distribution are tagged with service and stage', () => {
  for (const type of ['AWS::Lambda::Function', 'AWS::DynamoDB::Table', 'AWS::CloudFront::Distribution']) {
    for (const { Properties } of ofType(type)) {
      expect(Properties.Tags).toEqual(
        expect.arrayContaining([
          { Key: 'service', Value: 'staking-data' },
          { Key: 'stage', Value: 'dev' },
        ]),
      );
    }
  }
});

test.each([{}, { edge: 'off' }, { direct: 'off', canary: 'off' }])(
  'with %j cdk-nag and CDK itself find nothing but that there is no alarmEmail, except what has been acknowledged with a reason',
  (context) => {
    const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
    const app = newApp({ outdir });
    new StakingDataStack(app, 'Test', readSettings(context as Record<string, string>), site);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
    app.synth();
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    rmSync(outdir, { recursive: true });
    expect(pluginReports.map(({ pluginName }: Json) => pluginName)).toEqual(['AwsSolutions', 'Construct Annotations']);
    const [nag, annotations] = pluginReports;
    // Includes warnings, which do not fail a synthesis.
    expect(nag.violations).toEqual([]);
    expect(annotations.violations.map(({ ruleName }: Json) => ruleName)).toEqual([
      'Annotation::staking-data:alarmEmail',
    ]);
    for (const { acknowledgedId, reason } of nag.suppressedViolations) {
      expect([acknowledgedId, reason]).toEqual([expect.any(String), expect.stringMatching(/.{20,}/)]);
    }
  },
);
