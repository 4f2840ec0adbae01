import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ENDPOINTS } from '../../../functions/index.ts';
import { lambdaContext } from '../../../infra/local/event.ts';
import type { SiteFile } from '../../../infra/site/site.ts';
import { readSettings, stageFile } from '../../../infra/stack/settings.ts';
import { StakingDataStack } from '../../../infra/stack/stack.ts';
import { newApp, newStack } from '../../../infra/stack/template.ts';
import type { Endpoint } from '../../../lib/api/definition.ts';
import { createHandler } from '../../../lib/api/endpoint.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { type Json, PROD, type Synthesized, siteFiles, synthesize, synthesizeWith } from '../../support/stack.ts';
import { startTables } from '../../support/tables.ts';

/**
 * What the stack must provide, whatever else changes: by default, and as the stage `prod`, which has an edge. That is
 * tested in test/infra/stack/edge.test.ts, alarms in monitoring.test.ts, bundles in bundles.test.ts.
 */

// Shared by most tests, because each synthesis takes a second or more.
let template: Template;
let resources: Record<string, Json>;
let ofType: Synthesized['ofType'];
let methods: Synthesized['methods'];
let site: SiteFile[];

beforeAll(async () => {
  site = await siteFiles();
  ({ template, resources, ofType, methods } = await synthesize());
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
/** Descriptions of the functions that only CloudFormation and alarms invoke. */
const CUSTOM = /^(Copies the pages|Closes the archives)/;
const RECORDER = 'Records the points of the history endpoints';

describe('each function', () => {
  test('is an endpoint, a recorder or a custom resource, and runs on Node 24 and arm64', () => {
    const all = functions();
    expect(all).toHaveLength(Object.keys(ENDPOINTS).length + 2);
    expect(all.filter(({ description }) => CUSTOM.test(description))).toEqual([]);
    for (const { properties } of all) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Architectures: ['arm64'],
        MemorySize: 1_024,
      });
    }
  });

  test.each(Object.entries(ENDPOINTS))('%s has the permissions it needs and no others', (_, endpoint) => {
    const fn = functions().find(({ description }) => description === endpoint.summary);
    const { reads = [] } = endpoint;
    const tables = reads.includes('history') || reads.includes('ledger') ? ['dynamodb:Query'] : [];
    expect([...(fn?.actions ?? [])].sort()).toEqual([...ENDPOINT_CACHE, ...LOG, ...tables].sort());
  });

  test('only the recorder can write history, and no other recorded data', () => {
    const recorder = functions().find(({ description }) => description === RECORDER);
    expect([...(recorder?.actions ?? [])].sort()).toEqual([...CACHE, ...LOG, 'dynamodb:Query'].sort());
    expect(writersOf('series')).toHaveLength(1);
  });

  test('only the ledger recorder can write the ledger', () => {
    const recorder = functions().find(({ description }) => description === "Records the protocol's events");
    expect([...(recorder?.actions ?? [])].sort()).toEqual(
      [...CACHE, ...LOG, 'dynamodb:Query', 'dynamodb:BatchWriteItem'].sort(),
    );
    expect(writersOf('subject')).toHaveLength(1);
  });

  test('runs on the configured processor', async () => {
    const { ofType } = await synthesize({ architecture: 'x86_64' });
    const architectures = ofType('AWS::Lambda::Function').map(({ Properties }) => Properties.Architectures);
    expect(architectures).toEqual(functions().map(() => ['x86_64']));
  });

  test('has minutes for a custom resource, and CloudFormation waits for three attempts, not for an hour', async () => {
    const { resources: all } = await synthesize(PROD);
    const custom = Object.values(all).filter(({ Type }) => Type.startsWith('Custom::'));
    expect(custom).toHaveLength(1);
    for (const { Properties } of custom) {
      const { Timeout } = all[Properties.ServiceToken['Fn::GetAtt'][0]].Properties;
      expect(Timeout).toBe(120);
      const pauses = 60 + 120;
      expect(Number(Properties.ServiceTimeout)).toBeGreaterThan(3 * Timeout + pauses);
      expect(Number(Properties.ServiceTimeout)).toBeLessThan(3_600);
    }
  });

  test('writes to a log that is kept for a month: one of all endpoints, and one for each other function', () => {
    const logs = ofType('AWS::Logs::LogGroup');
    const others = functions().length - Object.keys(ENDPOINTS).length;
    // And two of the API.
    expect(logs).toHaveLength(1 + others + 2);
    for (const { Properties } of logs) expect(Properties.RetentionInDays).toBe(30);
    const groups = functions().map(({ properties }) => properties.LoggingConfig.LogGroup.Ref);
    expect(new Set(groups).size).toBe(1 + others);
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

describe.each(['dev', 'prod'])('the policies of %s', (stage) => {
  /** What is allowed on resources that are not all named. */
  async function wildcards(): Promise<string[]> {
    const { statements } = await synthesize({ ...PROD, stage });
    expect(statements.length).toBeGreaterThan(15);
    const wide = statements.filter(({ Resource }) => JSON.stringify(Resource).includes('*'));
    return [...new Set(wide.flatMap(({ Action }) => Action as string))];
  }

  test('allow no action by a wildcard', async () => {
    const { statements } = await synthesize({ ...PROD, stage });
    for (const { Action } of statements) expect(JSON.stringify(Action)).not.toContain('*');
  });

  test('have wildcards for resources only where SECURITY.md gives a reason', async () => {
    const sections = readFileSync('SECURITY.md', 'utf8').split(/^## /m);
    const section = sections.find((text) => text.startsWith('Permissions')) ?? '';
    const listed = [...section.matchAll(/`(\w+:\w+)`/g)].map(([, action]) => action);
    expect(listed).toEqual(expect.arrayContaining(await wildcards()));
    if (stage === 'prod') expect(listed.toSorted()).toEqual((await wildcards()).toSorted());
  });

  test('allow reading files of this stage only, in the bucket that all stacks of the account share', async () => {
    const { statements, ofType: of } = await synthesize({ ...PROD, stage });
    const reading = statements.filter(({ Action }) => Action === 's3:GetObject');
    expect(reading).toHaveLength(1);
    expect(JSON.stringify(reading[0].Resource)).toMatch(new RegExp(`-assets-.+/staking-data-${stage}/\\*`));
    for (const { Properties } of of('AWS::Lambda::Function'))
      expect(Properties.Code.S3Key).toMatch(new RegExp(`^staking-data-${stage}/\\w+\\.zip$`));
  });
});

test('a throttled request gets a 503 behind the edge, for which CloudFront serves an older answer', async () => {
  const throttled = (of: Synthesized['ofType']) => {
    const response = of('AWS::ApiGateway::GatewayResponse').find(
      ({ Properties: { ResponseType } }) => ResponseType === 'THROTTLED',
    );
    const { StatusCode, ResponseTemplates, ResponseParameters } = response.Properties;
    const { code } = JSON.parse(ResponseTemplates['application/json']);
    return [StatusCode, code, ResponseParameters['gatewayresponse.header.Retry-After']];
  };
  expect(throttled((await synthesize(PROD)).ofType)).toEqual(['503', 'UPSTREAM_UNAVAILABLE', "'1'"]);
  expect(throttled(ofType)).toEqual(['429', 'RATE_LIMITED', "'1'"]);
});

describe('the API', () => {
  test('routes every method of each endpoint to its function', () => {
    const routes = methods.flatMap(({ name, method: { Integration } }) => {
      if (Integration.Type !== 'AWS_PROXY') return [];
      const called = Integration.Uri['Fn::Join'][1].find((part: Json) => part['Fn::GetAtt']);
      const { Description } = resources[called['Fn::GetAtt'][0]].Properties;
      return [[name, Description]];
    });
    expect(routes.sort()).toEqual(
      [
        ...Object.values(ENDPOINTS).map(({ path, summary }) => [`ANY ${path}`, summary]),
        // The root's function names the path that was probably meant.
        ['ANY /{proxy+}', ENDPOINTS.root?.summary],
      ].sort(),
    );
  });

  test('may invoke each function for its path only, before a deployment calls it', () => {
    const permissions = Object.entries(template.findResources('AWS::Lambda::Permission')).filter(
      ([, { Properties }]) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    const [api] = Object.keys(template.findResources('AWS::ApiGateway::RestApi'));
    const sources = permissions.map(([, { Properties }]) => Properties.SourceArn['Fn::Join'][1].slice(-2));
    expect(sources.map(([id, path]) => [id.Ref, path]).sort()).toEqual(
      [...Object.values(ENDPOINTS).map(({ path }) => path.replace(/\{\w+\}/g, '*')), '/*']
        .map((path) => [api, `/dev/*${path}`])
        .sort(),
    );
    const [{ DependsOn }] = ofType('AWS::ApiGateway::Deployment');
    expect(DependsOn).toEqual(expect.arrayContaining(permissions.map(([id]) => id)));
  });

  test('is open without a key, and throttled so that a flood stays affordable, the large files most', () => {
    for (const { method } of methods) expect(method.ApiKeyRequired ?? false).toBe(false);
    template.resourceCountIs('AWS::WAFv2::WebACL', 0);
    const settings: Json[] = ofType('AWS::ApiGateway::Stage')[0].Properties.MethodSettings;
    const limits = settings.map(({ ResourcePath, HttpMethod, ThrottlingRateLimit, ThrottlingBurstLimit }) => [
      `${HttpMethod} ${ResourcePath}`,
      ThrottlingRateLimit,
      ThrottlingBurstLimit,
    ]);
    const assets = site.filter(({ path }) => path.startsWith('assets/'));
    expect(assets.length).toBeGreaterThan(3);
    expect(limits.sort()).toEqual(
      [['* /*', 5, 50], ...assets.map(({ path }) => [`GET /~1${path.replaceAll('/', '~1')}`, 1, 20])].sort(),
    );
  });

  test('compresses, takes TLS 1.2 and later, and logs without personal data', () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      MinimumCompressionSize: 1_000,
      BinaryMediaTypes: ['*/*'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'BASIC',
    });
    const [{ Properties: stage }] = ofType('AWS::ApiGateway::Stage');
    for (const { DataTraceEnabled, LoggingLevel } of stage.MethodSettings)
      expect([DataTraceEnabled, LoggingLevel]).toEqual([false, 'ERROR']);
    const format = stage.AccessLogSetting.Format;
    // By these, docs/alarms.md finds the endpoint that is throttled.
    const named = { status: '$context.status', route: '$context.resourcePath', error: '$context.error.responseType' };
    expect(JSON.parse(format)).toMatchObject({ requestId: '$context.requestId', ...named });
    expect(format).not.toMatch(/identity|userAgent|querystring/i);
  });

  test.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'NOT_FOUND'],
    ['INVALID_API_KEY', '403', 'FORBIDDEN'],
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
});

test.each([
  ['the ledger recorder runs every minute, and is not retried', 'rate(1 minute)', 0, 60],
  ['the recorder runs every hour, and is retried twice', 'cron(1 * * * ? *)', 2, 1_800],
])('%s', (_, ScheduleExpression, MaximumRetryAttempts, MaximumEventAgeInSeconds) => {
  const RetryPolicy = { MaximumRetryAttempts, MaximumEventAgeInSeconds };
  const Targets = [Match.objectLike({ RetryPolicy })];
  template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression, State: 'ENABLED', Targets });
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
  const ofQueues = of('AWS::Lambda::EventInvokeConfig')
    .filter(({ Properties }) => /^(Prices|MetricsApy)[0-9A-F]{8}$/.test(Properties.FunctionName.Ref))
    .map(({ Properties: { FunctionName: _, Qualifier: __, ...retry } }) => retry);
  const once = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };
  expect(ofQueues).toEqual([once, once]);
  const database = await startTables();
  const { statusCode } = await createHandler(ENDPOINTS.prices as Endpoint, startOnDevnet())(events[0], lambdaContext());
  expect(statusCode).toBe(200);
  await database.stop();
});

test('flags are an item of the history table, and only those that read them may get it', async () => {
  const { template: own, ofType: of } = await synthesize(PROD);
  const [history] = Object.keys(
    own.findResources('AWS::DynamoDB::Table', {
      Properties: { TableName: 'staking-data-prod-history' },
    }),
  );
  const readers = of('AWS::IAM::Policy').filter(({ Properties }) =>
    Properties.PolicyDocument.Statement.some(
      ({ Action, Resource }: Json) =>
        JSON.stringify(Resource).includes(history as string) && [Action].flat().includes('dynamodb:GetItem'),
    ),
  );
  const roles = new Set(readers.flatMap(({ Properties }) => Properties.Roles.map(({ Ref }: Json) => Ref)));
  const reading = of('AWS::Lambda::Function')
    .filter(({ Properties }) => roles.has(Properties.Role['Fn::GetAtt'][0]))
    .map(({ Properties }) => Properties.Description);
  const endpoints = Object.values(ENDPOINTS).filter(({ reads = [] }) => reads.includes('flags'));
  expect(endpoints.length).toBeGreaterThan(3);
  expect(reading.toSorted()).toEqual(
    ["Writes each day's archive", ...endpoints.map(({ summary }) => summary)].toSorted(),
  );
});

test.each(['dev', 'prod'])(
  'deleting %s retains only recorded data, archives and the account’s logging role, and a failed first deployment only that role',
  async (stage) => {
    const { resources: made } = await synthesize({ ...PROD, stage });
    const retained = Object.entries(made)
      .filter(([, { DeletionPolicy }]) => DeletionPolicy !== undefined && DeletionPolicy !== 'Delete')
      .map(([id, { DeletionPolicy }]) => [id.replace(/[0-9A-F]{8}$/, ''), DeletionPolicy]);
    expect(retained.sort()).toEqual([
      ['ApiAccount', 'Retain'],
      ['ApiCloudWatchRole', 'Retain'],
      ...(stage === 'prod' ? [['ArchivesBucket', 'RetainExceptOnCreate']] : []),
      ['DurableHistoryTable', 'RetainExceptOnCreate'],
      ['DurableLedgerTable', 'RetainExceptOnCreate'],
    ]);
  },
);

test('the bucket of archives has a fixed name, as the tables have, so that a new stack can take it over', () => {
  const app = newApp();
  const settings = readSettings(PROD, stageFile);
  const env = { region: 'us-east-1', account: '123456789012' };
  const of = Template.fromStack(new StakingDataStack(app, 'Deployed', settings, site, { env }));
  of.hasResource('AWS::S3::Bucket', {
    DeletionPolicy: 'RetainExceptOnCreate',
    // Without references: CloudFormation adopts no other.
    Properties: { BucketName: 'staking-data-prod-archives-123456789012' },
  });
});

test.each([
  ['on', 'Custom::Pages'],
  ['off', 'AWS::ApiGateway::Deployment'],
])('a release changes the pages after the functions that they ask (edge %s)', async (edge, type) => {
  const { ofType: of, template: own } = await synthesize({ edge });
  const ids = Object.entries(own.findResources('AWS::Lambda::Function')).flatMap(([id, { Properties }]) =>
    Object.values(ENDPOINTS).some(({ summary }) => summary === Properties.Description) ? id : [],
  );
  expect(ids).toHaveLength(Object.keys(ENDPOINTS).length);
  expect(of(type)[0].DependsOn).toEqual(expect.arrayContaining(ids));
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

test.each([PROD, { alarmEmail: 'me@example.org', budget: '50', warm: 'prices' }])(
  'with %j the stack stays well below the limit of 500 resources, for which functions share roles and logs',
  async (context) => {
    expect(Object.keys((await synthesize(context as Record<string, string>)).resources).length).toBeLessThan(400);
  },
);

test.each(['staking-data/rpc', 'arn:aws:secretsmanager:us-east-1:123456789012:secret:staking-data/rpc-a1b2c3'])(
  'every function may read the secret %s, whose content is not in the template',
  async (secret) => {
    const { json, ofType: of } = await synthesize({ secret });
    const lambdas = of('AWS::Lambda::Function').filter(({ Properties }) => !CUSTOM.test(Properties.Description));
    for (const { Properties } of lambdas) {
      expect(Properties.Environment.Variables.SECRET_ID).toBe(secret);
      expect(Object.keys(Properties.Environment.Variables)).not.toContain('RPC_URLS');
      expect(actionsOf(Properties, of)).toContain('secretsmanager:GetSecretValue');
    }
    expect(JSON.stringify(json)).not.toContain('{{resolve:');
    expect(JSON.stringify((await synthesize()).json)).not.toMatch(/secretsmanager/);
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
  const { ofType: of } = await synthesize({ dashboard: 'on' });
  const name = { 'Fn::Join': ['', ['staking-data-dev-', { Ref: 'AWS::Region' }]] };
  expect(of('AWS::Budgets::Budget')[0].Properties.Budget.BudgetName).toEqual(name);
  expect(of('AWS::CloudWatch::Dashboard')[0].Properties.DashboardName).toEqual(name);
  const { ofType: ofEdge } = await synthesize({ dashboard: 'on', edge: 'on' });
  expect(ofEdge('AWS::CloudWatch::Dashboard')[0].Properties.DashboardName).toBe('staking-data-dev-us-east-1');
});

test.each(['on', 'off'])(
  'a template is ASCII: CloudFormation shows other letters as question marks, which each cdk diff would report (edge %s)',
  async (edge) => {
    const [, found] = /(.{0,40}[^\0-\x7f])/.exec(JSON.stringify((await synthesize({ edge })).json)) ?? [];
    expect(found).toBeUndefined();
  },
);

describe('outputs', () => {
  test.each([
    ['dev', /execute-api/],
    ['prod', /"Edge[0-9A-F]{8}","DomainName"/],
  ])(
    'of %s are the URLs of the service, its reference and the API itself, the commit, and the topics of alarms',
    async (stage, base) => {
      const { json, resources: made } = await synthesize({ ...PROD, stage });
      const { BaseUrl, DocsUrl, ApiUrl, DnsTarget, Commit, AlarmTopic, PageTopic, ArchiveBucket, ...others } =
        json.Outputs;
      expect(others).toEqual({});
      expect(ArchiveBucket !== undefined).toBe(stage === 'prod');
      for (const { Value } of [AlarmTopic, PageTopic]) expect(made[Value.Ref].Type).toBe('AWS::SNS::Topic');
      expect(Commit.Value).toBe('unknown');
      expect(JSON.stringify(BaseUrl)).toMatch(base);
      expect(JSON.stringify(DocsUrl)).toMatch(base);
      expect(JSON.stringify(DocsUrl)).toContain('/docs');
      expect(JSON.stringify(ApiUrl)).toContain('.execute-api.');
      expect(DnsTarget).toBeUndefined();
    },
  );

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

test('functions, tables and the distribution are tagged with service and stage', async () => {
  const { ofType: of } = await synthesize(PROD);
  for (const type of ['AWS::Lambda::Function', 'AWS::DynamoDB::Table', 'AWS::CloudFront::Distribution']) {
    expect(of(type).length).toBeGreaterThan(0);
    for (const { Properties } of of(type)) {
      expect(Properties.Tags).toEqual(
        expect.arrayContaining([
          { Key: 'service', Value: 'staking-data' },
          { Key: 'stage', Value: 'prod' },
        ]),
      );
    }
  }
});

test.each([
  {},
  PROD,
  { ...PROD, archive: 'any' },
  { edge: 'on', dashboard: 'on' },
  { historyTable: 'copy', ledgerTable: 'other' },
])('with %j cdk-nag and CDK itself find nothing, except what has been acknowledged with a reason', (context) => {
  const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
  const app = newApp({ outdir });
  newStack(app, { ...PROD, stage: 'dev', ...context } as Record<string, string>, site);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
  app.synth();
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  rmSync(outdir, { recursive: true });
  // Of the plugins that have found something to report, also if it is acknowledged.
  expect(pluginReports.map(({ pluginName }: Json) => pluginName)).toEqual(['AwsSolutions']);
  const [nag] = pluginReports;
  // Includes warnings, which do not fail a synthesis.
  expect(nag.violations).toEqual([]);
  for (const { acknowledgedId, reason } of nag.suppressedViolations) {
    expect([acknowledgedId, reason]).toEqual([expect.any(String), expect.stringMatching(/.{20,}/)]);
  }
});
