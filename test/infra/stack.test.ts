import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { App, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ENDPOINTS } from '../../functions/index.ts';
import { lambdaContext } from '../../infra/local/event.ts';
import { readSettings } from '../../infra/settings.ts';
import { buildSite, type SiteFile } from '../../infra/site.ts';
import { StakingDataStack } from '../../infra/stack.ts';
import { createHandler, type Endpoint } from '../../lib/endpoint.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { startTables } from '../support/tables.ts';

/** What the stack must be, whatever else changes in it. Bundles are not built here: test/infra/bundles.test.ts does that. */

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation
type Json = any;

let site: SiteFile[];
let template: Template;
let resources: Record<string, Json>;

function synthesize(context: Record<string, string> = {}): Template {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [], ...context } });
  return Template.fromStack(
    new StakingDataStack(
      app,
      'Test',
      readSettings((name) => context[name]),
      site,
    ),
  );
}

beforeAll(async () => {
  site = await buildSite();
  template = synthesize();
  resources = template.toJSON().Resources;
}, 60_000);

const ofType = (type: string): Json[] => Object.values(resources).filter(({ Type }) => Type === type);

/** What a role may do: actions by the logical id of what they are done on. */
function grantsOf(roleId: string): { actions: string[]; resource: Json }[] {
  return ofType('AWS::IAM::Policy')
    .filter(({ Properties }) => Properties.Roles.some(({ Ref }: Json) => Ref === roleId))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .map(({ Action, Resource }: Json) => ({ actions: [Action].flat(), resource: Resource }));
}

/** Functions by their description, with the actions their roles may do. */
function functions(): { description: string; actions: Set<string>; properties: Json }[] {
  return ofType('AWS::Lambda::Function').map(({ Properties }) => {
    const roleId = Properties.Role['Fn::GetAtt'][0];
    const actions = new Set(grantsOf(roleId).flatMap(({ actions }) => actions));
    return { description: Properties.Description, actions, properties: Properties };
  });
}

const CACHE = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];
const LOG = ['logs:CreateLogStream', 'logs:PutLogEvents'];

describe('each function', () => {
  test('is one endpoint, or the recorder, on Node 24 and arm64', () => {
    const all = functions();
    expect(all).toHaveLength(Object.keys(ENDPOINTS).length + 1);
    for (const { properties } of all) {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], MemorySize: 1_024 });
    }
  });

  test.each(Object.entries(ENDPOINTS))('%s may do what it needs and no more', (_, endpoint) => {
    const fn = functions().find(({ description }) => description === endpoint.summary);
    const history = endpoint.path.endsWith('/history') ? ['dynamodb:Query'] : [];
    const flags =
      endpoint.tag === 'Flags' ? ['appconfig:GetLatestConfiguration', 'appconfig:StartConfigurationSession'] : [];
    expect([...(fn?.actions ?? [])].sort()).toEqual([...CACHE, ...LOG, ...history, ...flags].sort());
  });

  test('only the recorder writes history, alone', () => {
    const recorder = functions().find(({ properties }) => properties.ReservedConcurrentExecutions === 1);
    expect([...(recorder?.actions ?? [])].sort()).toEqual([...CACHE, ...LOG, 'dynamodb:Query'].sort());
    const [history] = Object.keys(template.findResources('AWS::DynamoDB::Table', { DeletionPolicy: 'Retain' }));
    const writers = ofType('AWS::IAM::Policy').filter(({ Properties }) =>
      Properties.PolicyDocument.Statement.some(
        ({ Action, Resource }: Json) =>
          JSON.stringify(Resource).includes(history as string) && [Action].flat().includes('dynamodb:PutItem'),
      ),
    );
    expect(writers).toHaveLength(1);
  });

  test('has a log of its own that is kept for a month', () => {
    const logs = ofType('AWS::Logs::LogGroup');
    expect(logs).toHaveLength(functions().length + 1);
    for (const { Properties } of logs) expect(Properties.RetentionInDays).toBe(30);
    const groups = functions().map(({ properties }) => properties.LoggingConfig.LogGroup.Ref);
    expect(new Set(groups).size).toBe(groups.length);
  });
});

test('no policy has a wildcard', () => {
  const statements = ofType('AWS::IAM::Policy').flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  expect(statements.length).toBeGreaterThan(50);
  for (const { Action, Resource } of statements) expect(JSON.stringify([Action, Resource])).not.toContain('*');
});

describe('the API', () => {
  /** Paths by the logical id of their resource. */
  function pathOf(id: string): string {
    const { ParentId, PathPart } = resources[id].Properties;
    return `${ParentId.Ref ? pathOf(ParentId.Ref) : ''}/${PathPart}`;
  }

  test('has a route for each endpoint and each file of the site', () => {
    const routes = ofType('AWS::ApiGateway::Method').map(
      ({ Properties: { HttpMethod, ResourceId } }) => `${HttpMethod} ${ResourceId.Ref ? pathOf(ResourceId.Ref) : '/'}`,
    );
    const endpoints = Object.values(ENDPOINTS).map(({ path }) => `ANY ${path}`);
    expect(routes.sort()).toEqual([...endpoints, ...site.map(({ path }) => `GET /${path}`)].sort());
  });

  test('throttles, compresses and logs without personal data', () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      MinimumCompressionSize: 1_000,
      BinaryMediaTypes: ['*/*'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    const [{ Properties: stage }] = ofType('AWS::ApiGateway::Stage');
    expect(stage.MethodSettings).toContainEqual(
      expect.objectContaining({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400, DataTraceEnabled: false }),
    );
    const format = stage.AccessLogSetting.Format;
    expect(JSON.parse(format)).toMatchObject({ requestId: '$context.requestId', status: '$context.status' });
    expect(format).not.toMatch(/identity|userAgent|querystring/i);
  });

  test.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'NOT_FOUND'],
    ['WAF_FILTERED', '403', 'FORBIDDEN'],
    ['REQUEST_TOO_LARGE', '413', 'REQUEST_TOO_LARGE'],
    ['THROTTLED', '429', 'RATE_LIMITED'],
    ['DEFAULT_4XX', '400', 'INVALID_REQUEST'],
    ['DEFAULT_5XX', '503', 'UPSTREAM_UNAVAILABLE'],
  ])('answers %s itself with our %s', (type, status, code) => {
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

  test('is behind a firewall that limits each address', () => {
    template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
    template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'REGIONAL',
      Rules: Match.arrayWith([
        Match.objectLike({ Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 3_000 } } }),
        Match.objectLike({
          Statement: { ManagedRuleGroupStatement: Match.objectLike({ Name: 'AWSManagedRulesCommonRuleSet' }) },
        }),
      ]),
    });
  });

  test('takes a domain of one’s own', () => {
    const certificate = 'arn:aws:acm:eu-west-1:123456789012:certificate/x';
    const own = synthesize({ domain: 'api.example.org', certificate });
    own.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'api.example.org',
      RegionalCertificateArn: certificate,
      SecurityPolicy: 'TLS_1_2',
    });
    own.resourceCountIs('AWS::ApiGateway::BasePathMapping', 1);
  });
});

describe('the pages', () => {
  test('are sent with the headers of the site, hashed files to be kept for a year', () => {
    const methods = ofType('AWS::ApiGateway::Method').filter(({ Properties }) => Properties.HttpMethod === 'GET');
    const headers = methods.map(({ Properties }) => Properties.Integration.IntegrationResponses[0].ResponseParameters);
    const name = 'method.response.header.Cache-Control';
    const hashed = site.filter(({ path }) => path.startsWith('assets/'));
    expect(headers.filter((of) => of[name] === "'public, max-age=31536000, immutable'")).toHaveLength(hashed.length);
    for (const of of headers) expect(of['method.response.header.X-Content-Type-Options']).toBe("'nosniff'");
  });
});

describe('the tables', () => {
  test('are on demand; the cache forgets, history is kept', () => {
    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Delete',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
    });
    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: Match.absent(),
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
  });
});

test('the recorder runs every hour and is given two more tries', () => {
  template.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'cron(1 * * * ? *)',
    State: 'ENABLED',
    Targets: [Match.objectLike({ RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 1_800 } })],
  });
});

test('hot endpoints are asked each minute, where an operator names them', async () => {
  template.resourceCountIs('AWS::Events::Rule', 1);
  const warmed = synthesize({ warm: 'prices,metrics/apy' });
  const [rule] = Object.values<Json>(
    warmed.findResources('AWS::Events::Rule', { Properties: { ScheduleExpression: 'rate(1 minute)' } }),
  );
  const events = rule.Properties.Targets.map(({ Input }: Json) => JSON.parse(Input));
  expect(events.map(({ path }: Json) => path)).toEqual(['/prices', '/metrics/apy']);
  const database = await startTables();
  const { statusCode } = await createHandler(ENDPOINTS.prices as Endpoint, startOnDevnet())(events[0], lambdaContext());
  expect(statusCode).toBe(200);
  await database.stop();
});

test('flags have a validator and are rolled out step by step', () => {
  template.hasResourceProperties('AWS::AppConfig::ConfigurationProfile', {
    Type: 'AWS.AppConfig.FeatureFlags',
    Validators: [Match.objectLike({ Type: 'JSON_SCHEMA' })],
  });
  template.hasResourceProperties('AWS::AppConfig::DeploymentStrategy', {
    GrowthFactor: 20,
    DeploymentDurationInMinutes: 10,
    FinalBakeTimeInMinutes: 10,
  });
  const [{ Properties }] = ofType('AWS::AppConfig::HostedConfigurationVersion');
  const content = JSON.parse(Properties.Content);
  expect(Object.keys(content.flags)).toEqual(Object.keys(content.values));
  expect(content.flags.windDown.attributes.operationsEnded).toEqual({ constraints: { type: 'string' } });
});

describe('alarms', () => {
  test('are all in the operator’s guide', () => {
    const headings = [...readFileSync('docs/operations.md', 'utf8').matchAll(/^### (\w+)$/gm)].map(([, id]) => id);
    const names = Object.keys(resources).flatMap((name) => /^(\w+)Alarm[0-9A-F]{8}$/.exec(name)?.[1] ?? []);
    expect(names).toHaveLength(ofType('AWS::CloudWatch::Alarm').length);
    expect(names.filter((name) => !headings.includes(name))).toEqual([]);
  });

  test.each(['ServerErrors', 'Latency', 'NothingAnswers', 'OldAnswers', 'OldHead', 'Throttles', 'RecorderMissing'])(
    '%s goes to the topic, and says what it means',
    (id) => {
      const [, alarm] = Object.entries(resources).find(([name]) => name.startsWith(`${id}Alarm`)) as [string, Json];
      expect(alarm.Properties.AlarmDescription.length).toBeGreaterThan(30);
      expect(alarm.Properties.AlarmActions).toEqual(alarm.Properties.OKActions);
      expect(resources[alarm.Properties.AlarmActions[0].Ref].Type).toBe('AWS::SNS::Topic');
      const missing = id === 'RecorderMissing' ? 'breaching' : 'notBreaching';
      expect(alarm.Properties.TreatMissingData).toBe(missing);
    },
  );

  test('are encrypted, and mailed to who asked for it', () => {
    template.hasResourceProperties('AWS::SNS::Topic', { KmsMasterKeyId: Match.anyValue() });
    template.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true });
    template.resourceCountIs('AWS::SNS::Subscription', 0);
    const mailed = synthesize({ alarmEmail: 'ops@example.org' });
    mailed.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.org' });
  });
});

test('a secret is named, granted and never written down', () => {
  const withSecret = synthesize({ secret: 'staking-data/rpc' }).toJSON();
  const lambdas = Object.values(withSecret.Resources).filter(({ Type }: Json) => Type === 'AWS::Lambda::Function');
  for (const { Properties } of lambdas as Json[]) {
    expect(Properties.Environment.Variables.SECRET_ID).toBe('staking-data/rpc');
    expect(Object.keys(Properties.Environment.Variables)).not.toContain('RPC_URLS');
  }
  expect(JSON.stringify(withSecret)).not.toContain('{{resolve:');
  expect(JSON.stringify(template.toJSON())).not.toMatch(/secretsmanager/);
});

test('two stages differ in every name', () => {
  const names = (text: string) => [...text.matchAll(/staking-data-[a-z]+/g)].map(([name]) => name);
  const [one, other] = ['blue', 'green'].map((stage) => names(JSON.stringify(synthesize({ stage }).toJSON())));
  expect(new Set(one)).toEqual(new Set(['staking-data-blue']));
  expect(new Set(other)).toEqual(new Set(['staking-data-green']));
});

test('outputs name the API and its documentation', () => {
  expect(Object.keys(template.toJSON().Outputs)).toEqual(expect.arrayContaining(['BaseUrl', 'DocsUrl']));
});

test('cdk-nag finds nothing that is not accepted for a reason', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
  const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
  new StakingDataStack(
    app,
    'Test',
    readSettings(() => undefined),
    site,
  );
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
  app.synth();
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  rmSync(outdir, { recursive: true });
  expect(pluginReports).toHaveLength(1);
  // Warnings do not fail a synthesis; here they do.
  expect(pluginReports[0].violations).toEqual([]);
  for (const { acknowledgedId, reason } of pluginReports[0].suppressedViolations) {
    expect([acknowledgedId, reason]).toEqual([expect.any(String), expect.stringMatching(/.{20,}/)]);
  }
});
