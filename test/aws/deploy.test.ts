import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { buildSite } from '../../infra/site/site.ts';
import { TABLES } from '../../infra/stack/tables.ts';
import { TableStore } from '../../lib/cache/table.ts';
import { HistoryStore } from '../../lib/history/history-store.ts';
import { systemClock } from '../../lib/runtime/clock.ts';
import { GUARD_MS } from '../support/tables.ts';
import { recordingTelemetry } from '../support/telemetry.ts';
import { adaptAssembly, isCustom, type Json, readsFromS3, readTemplate, STACK, writeTemplate } from './assembly.ts';

/**
 * The stack without its edge, deployed by the real CDK CLI to moto. docs/aws-emulator.md lists what moto does not
 * support; that list is tested here as well.
 */

jest.setTimeout(300_000);

/** Descriptions of the functions behind custom resources. */
const CUSTOM = /^Deletes the versions/;
const RECORDER = 'Records the points of the history endpoints';
const ACCOUNT = '123456789012';
const REGION = 'eu-west-1';
const ENVIRONMENT = {
  ...process.env,
  AWS_ENDPOINT_URL: process.env.AWS_EMULATOR_URL,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
};

/** The template before it is adapted to moto. */
let template: Json;
let assembly: string;

const run = promisify(execFile);

async function cdk(...args: string[]): Promise<string> {
  const command = ['node_modules/aws-cdk/bin/cdk', ...args, '--app', assembly];
  const { stdout, stderr } = await run(process.execPath, command, { env: ENVIRONMENT, maxBuffer: 2 ** 26 });
  return stdout + stderr;
}

/** The output of the AWS CLI. */
async function aws(...args: string[]): Promise<Json> {
  const { stdout } = await run('aws', [...args, '--output', 'json'], { env: ENVIRONMENT, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}

const ofType = (type: string): [string, Json][] =>
  Object.entries<Json>(template.Resources).filter(([, { Type }]) => Type === type);

/** Physical names of the stack's resources, by logical ID. */
let deployed: Map<string, string>;

beforeAll(async () => {
  assembly = await mkdtemp(join(tmpdir(), 'assembly-'));
  // moto supports neither CloudFront nor CodeDeploy.
  const options = ['-c', 'edge=off', '-c', 'canary=off', '--output', assembly, '--quiet'];
  await run(process.execPath, ['node_modules/aws-cdk/bin/cdk', 'synth', ...options], { maxBuffer: 2 ** 26 });
  template = await readTemplate(assembly);
  await adaptAssembly(assembly);
  await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`);
  // moto cannot execute the change set that the CLI creates by default.
  await cdk('deploy', '--require-approval', 'never', '--method', 'direct');
  const { StackResourceSummaries } = await aws('cloudformation', 'list-stack-resources', '--stack-name', STACK);
  deployed = new Map(
    StackResourceSummaries.filter(({ ResourceType }: Json) => ResourceType).map((resource: Json) => [
      resource.LogicalResourceId,
      resource.PhysicalResourceId,
    ]),
  );
});
afterAll(() => rm(assembly, { recursive: true }));

test('all resources are deployed, except those that docs/aws-emulator.md lists', async () => {
  const document = await readFile('docs/aws-emulator.md', 'utf8');
  const listed = [...document.matchAll(/^\| `(AWS::\w+::\w+)`/gm)].map(([, type]) => type as string);
  const missing = Object.entries<Json>(template.Resources)
    .filter(([id, resource]) => !deployed.has(id) && !isCustom(resource) && !readsFromS3(resource))
    .map(([, { Type }]) => Type);
  expect(missing.length).toBeGreaterThan(0);
  expect([...new Set(missing)].sort()).toEqual(listed.toSorted());
});

test('the outputs are the URLs of the API and of its reference', async () => {
  const { Stacks } = await aws('cloudformation', 'describe-stacks', '--stack-name', STACK);
  expect(Stacks[0].StackStatus).toBe('CREATE_COMPLETE');
  const outputs = Object.fromEntries(Stacks[0].Outputs.map((output: Json) => [output.OutputKey, output.OutputValue]));
  expect(outputs.BaseUrl).toMatch(/^https:\/\/\w+\.execute-api\.eu-west-1\.amazonaws\.com\/\w+\/$/);
  expect(outputs.DocsUrl).toBe(`${outputs.BaseUrl}docs`);
});

describe('functions', () => {
  let functions: Json[];
  beforeAll(async () => {
    const { Functions: all } = await aws('lambda', 'list-functions');
    functions = all.filter(({ Description }: Json) => !CUSTOM.test(Description));
    expect(all).toHaveLength(functions.length + 1);
  });

  test('exist for each endpoint and the recorders, with bundles as code', () => {
    expect(functions).toHaveLength(Object.keys(ENDPOINTS).length + 2);
    for (const { FunctionName, Runtime, Handler, CodeSize } of functions) {
      expect({ FunctionName, Runtime, Handler }).toEqual({
        FunctionName,
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
      });
      expect(CodeSize).toBeGreaterThan(50_000);
    }
  });

  test('get the names of the tables', () => {
    const tables = ofType('AWS::DynamoDB::Table').map(([id]) => deployed.get(id));
    for (const { Environment } of functions) {
      const { CACHE_TABLE, HISTORY_TABLE, LEDGER_TABLE } = Environment.Variables;
      expect([CACHE_TABLE, HISTORY_TABLE, LEDGER_TABLE].sort()).toEqual(tables.toSorted());
    }
  });

  test('answer the paths of their endpoints', async () => {
    const { items: apis } = await aws('apigateway', 'get-rest-apis');
    const { items: resources } = await aws(
      'apigateway',
      'get-resources',
      ...['--rest-api-id', apis[0].id, '--embed', 'methods', '--limit', '500'],
    );
    const methods = resources.flatMap(({ path, resourceMethods = {} }: Json) =>
      Object.values<Json>(resourceMethods).map(({ httpMethod, methodIntegration }) => {
        const found = functions.find(({ FunctionArn }) =>
          methodIntegration.uri?.includes(`${FunctionArn}/invocations`),
        );
        return [path, httpMethod, found?.Description];
      }),
    );
    const served = methods.filter(([, , description]: Json) => description);
    expect(methods.length - served.length).toBe((await buildSite()).length);
    const wanted = Object.values(ENDPOINTS).map(({ path, summary }) => [path, 'ANY', summary]);
    expect(served.sort()).toEqual(wanted.sort());
  });

  test('include the recorder, which runs every hour', async () => {
    const [rule] = ofType('AWS::Events::Rule')
      .filter(([id]) => id.startsWith('RecorderSchedule'))
      .map(([id]) => deployed.get(id) as string);
    const { ScheduleExpression, State } = await aws('events', 'describe-rule', '--name', rule as string);
    const { Targets } = await aws('events', 'list-targets-by-rule', '--rule', rule as string);
    expect({ ScheduleExpression, State }).toEqual({ ScheduleExpression: 'cron(1 * * * ? *)', State: 'ENABLED' });
    const recorder = functions.find(({ FunctionArn }) => FunctionArn === Targets[0].Arn);
    expect(recorder?.Description).toBe(RECORDER);
  });
});

test('the pages are in the bucket, byte for byte', async () => {
  const bucket = `cdk-hnb659fds-assets-${ACCOUNT}-${REGION}`;
  const { Contents } = await aws('s3api', 'list-objects-v2', '--bucket', bucket);
  const etags = new Set(Contents.map(({ ETag }: Json) => JSON.parse(ETag)));
  const files = await buildSite();
  expect(files.length).toBeGreaterThan(5);
  for (const { path, body } of files) {
    const md5 = createHash('md5').update(body).digest('hex');
    expect([path, etags.has(md5)]).toEqual([path, true]);
  }
});

describe('the tables', () => {
  let client: DynamoDBClient;
  const nameOf = (prefix: 'Cache' | 'History') => {
    const [id] = ofType('AWS::DynamoDB::Table').find(([logicalId]) => logicalId.startsWith(prefix)) ?? [];
    return deployed.get(id as string) as string;
  };
  beforeAll(() => {
    client = new DynamoDBClient({
      endpoint: process.env.AWS_EMULATOR_URL as string,
      region: REGION,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
  });
  afterAll(() => client.destroy());

  test('accept leases and points, each only once', async () => {
    const telemetry = recordingTelemetry();
    const cache = new TableStore(client, nameOf('Cache'), telemetry, systemClock, GUARD_MS);
    expect(await cache.lease('key', undefined, 1_000)).toEqual(expect.any(String));
    expect(await cache.lease('key', undefined, 1_000)).toBeUndefined();
    expect(telemetry.lines).toEqual([]);
    const history = new HistoryStore(client, nameOf('History'), 'avalanche');
    const point = {
      timestamp: 1_700_000_000,
      block: { number: 1, timestamp: 1_699_999_999 },
      values: { avaxPerGgAvax: 2n ** 200n },
    };
    expect(await history.write('1h', point)).toBe(true);
    expect(await history.write('1h', point)).toBe(false);
    expect(await history.points('1h', point.timestamp, point.timestamp)).toEqual([point]);
  });

  test('accept the time-to-live attribute in the template', async () => {
    const [, table] = ofType('AWS::DynamoDB::Table').find(([id]) => deployed.get(id) === nameOf('Cache')) ?? [];
    const { TimeToLiveSpecification } = table.Properties;
    expect(TimeToLiveSpecification.AttributeName).toBe(TABLES.cache.ttlAttribute);
    await client.send(new UpdateTimeToLiveCommand({ TableName: nameOf('Cache'), TimeToLiveSpecification }));
    const { TimeToLiveDescription } = await aws('dynamodb', 'describe-time-to-live', '--table-name', nameOf('Cache'));
    expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: TABLES.cache.ttlAttribute });
  });
});

test('deploying a changed template updates the function', async () => {
  const changed = await readTemplate(assembly);
  const [id] = ofType('AWS::Lambda::Function').find(([, { Properties }]) => Properties.Description === RECORDER) as [
    string,
    Json,
  ];
  changed.Resources[id].Properties.MemorySize = 2_048;
  await writeTemplate(assembly, changed);
  // moto forgets parameters that are left at their defaults.
  await cdk('deploy', '--require-approval', 'never', '--method', 'direct', '--no-previous-parameters');
  const { Configuration } = await aws('lambda', 'get-function', '--function-name', deployed.get(id) as string);
  expect(Configuration.MemorySize).toBe(2_048);
});

test('deploying again changes nothing, and destroy deletes everything except history and the ledger', async () => {
  expect(await cdk('deploy', '--require-approval', 'never', '--method', 'direct')).toContain('no changes');
  await cdk('destroy', '--force');
  expect((await aws('lambda', 'list-functions')).Functions).toEqual([]);
  const { TableNames } = await aws('dynamodb', 'list-tables');
  expect(TableNames).toEqual([expect.stringContaining('HistoryTable'), expect.stringContaining('LedgerTable')]);
});
