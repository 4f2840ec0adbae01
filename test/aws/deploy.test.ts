import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { buildSite } from '../../infra/site/site.ts';
import { TABLES } from '../../infra/stack/tables.ts';
import { newApp, newStack } from '../../infra/stack/template.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import { TableStore } from '../../lib/cache/table.ts';
import { HistoryStore } from '../../lib/history/history-store.ts';
import { systemClock } from '../../lib/runtime/clock.ts';
import { DynamoTable } from '../../lib/tables/dynamo-table.ts';
import { HISTORY } from '../../lib/tables/table-schemas.ts';
import { GUARD_MS } from '../support/guard.ts';
import { EVERYTHING } from '../support/stack.ts';
import { recordingTelemetry } from '../support/telemetry.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  adaptAssembly,
  DISTRIBUTION,
  isCustom,
  type Json,
  readTemplate,
  STACK,
  STAGE,
  withGeneratedNames,
  writeTemplate,
} from './assembly.ts';

/**
 * The stack, deployed by the real CDK CLI to moto. docs/aws-emulator.md lists the resources that moto skips; that
 * list is tested here as well.
 */

jest.setTimeout(300_000);

const RECORDER = 'Records the points of the history endpoints';
const ACCOUNT = '123456789012';
const REGION = 'us-east-1';
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
  const command = ['node_modules/aws-cdk/bin/cdk', ...args];
  const { stdout, stderr } = await run(process.execPath, command, { env: ENVIRONMENT, maxBuffer: 2 ** 26 });
  return stdout + stderr;
}

/** The table that the guide's commands restore. */
const HISTORY_COPY = `staking-data-${STAGE}-history-2`;

/** The bucket that `cdk destroy` retains. */

/** moto cannot execute the change set that the CLI creates by default. */
const FOR_MOTO = ['--require-approval', 'never', '--method', 'direct'];
/** It forgets parameters that are left at their defaults. */
const FOR_UPDATES = [...FOR_MOTO, '--no-previous-parameters'];

const deploy = (app = assembly, options = FOR_UPDATES) => cdk('deploy', '--app', app, ...options);

/** The commands of the operator's guide in the section with this heading, for this stack and its stage. */
async function commandsOf(heading: string): Promise<string[]> {
  const guide = await readFile('docs/operations.md', 'utf8');
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const commands = blocks.flatMap((block) => block.replaceAll(/ +# .*$/gm, '').split(/(?<!\\)\n(?![ }])/));
  return commands.map((command) => command.replaceAll('prod', STAGE).trim()).filter(Boolean);
}

/** The output of a command as it is in the guide. */
async function shell(command: string): Promise<string> {
  const { stdout } = await run('bash', ['-c', command], { env: ENVIRONMENT });
  return stdout;
}

/** An assembly of the stack with these options and empty bundles, for moto. */
async function assemblyWith(options: Record<string, string>): Promise<string> {
  const outdir = temporaryFolder('assembly');
  const app = newApp({ outdir });
  newStack(app, { stage: STAGE, ...options }, await buildSite());
  app.synth();
  await adaptAssembly(outdir);
  return outdir;
}

/** Physical names of the stack's resources, by logical ID. */
async function deployedNames(): Promise<Map<string, string>> {
  const { StackResourceSummaries } = await aws('cloudformation', 'list-stack-resources', '--stack-name', STACK);
  const created = StackResourceSummaries.filter(({ ResourceType }: Json) => ResourceType);
  return new Map(created.map((resource: Json) => [resource.LogicalResourceId, resource.PhysicalResourceId]));
}

/** The values of an environment variable of the deployed functions that have it. */
async function environmentOf(name: string): Promise<Set<string>> {
  const { Functions: all } = await aws('lambda', 'list-functions');
  return new Set(all.flatMap(({ Environment }: Json) => Environment?.Variables?.[name] ?? []));
}

/** The output of the AWS CLI, undefined if the command prints nothing. */
async function aws(...args: string[]): Promise<Json> {
  const { stdout } = await run('aws', [...args, '--output', 'json'], { env: ENVIRONMENT, maxBuffer: 2 ** 26 });
  return stdout === '' ? undefined : JSON.parse(stdout);
}

const ofType = (type: string): [string, Json][] =>
  Object.entries<Json>(template.Resources).filter(([, { Type }]) => Type === type);

/** Physical names of the stack's resources, by logical ID. */
let deployed: Map<string, string>;

beforeAll(async () => {
  assembly = temporaryFolder('assembly');
  await cdk('synth', '-c', `stage=${STAGE}`, '--output', assembly, '--quiet');
  template = await readTemplate(assembly);
  await adaptAssembly(assembly);
  await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`, '--app', assembly);
  await deploy();
  deployed = await deployedNames();
});

test('all resources are deployed, except those that docs/aws-emulator.md lists', async () => {
  const document = await readFile('docs/aws-emulator.md', 'utf8');
  const listed = [...document.matchAll(/^\| `(AWS::\w+::\w+)`/gm)].map(([, type]) => type as string);
  const missing = Object.entries<Json>(template.Resources)
    .filter(([id, resource]) => !deployed.has(id) && !isCustom(resource))
    .map(([, { Type }]) => Type);
  expect(missing.length).toBeGreaterThan(0);
  expect([...new Set(missing)].sort()).toEqual(listed.toSorted());
});

test('the outputs are the URLs of the API and of its reference', async () => {
  const { Stacks } = await aws('cloudformation', 'describe-stacks', '--stack-name', STACK);
  expect(Stacks[0].StackStatus).toBe('CREATE_COMPLETE');
  const outputs = Object.fromEntries(Stacks[0].Outputs.map((output: Json) => [output.OutputKey, output.OutputValue]));
  expect(outputs.BaseUrl).toBe(`https://${DISTRIBUTION}/`);
  expect(outputs.DocsUrl).toBe(`${outputs.BaseUrl}docs`);
  expect(outputs.ApiUrl).toMatch(/^https:\/\/\w+\.execute-api\.us-east-1\.amazonaws\.com\/\w+\/$/);
});

describe('functions', () => {
  let functions: Json[];
  beforeAll(async () => {
    const { Functions: all } = await aws('lambda', 'list-functions');
    // All but the upload of the pages.
    functions = all.filter(({ Environment }: Json) => Environment?.Variables.CACHE_TABLE);
  });

  test('exist for each endpoint and the recorders, with bundles as code', () => {
    expect(functions).toHaveLength(Object.keys(ENDPOINTS).length + 3);
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
    expect(methods).toHaveLength(served.length);
    const wanted = Object.values(ENDPOINTS).flatMap(({ path, summary }) =>
      // The root also answers all other paths, with a 404.
      [path, ...(path === '/' ? [OTHER_PATHS] : [])].map((resource) => [resource, 'ANY', summary]),
    );
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

const client = new DynamoDBClient({
  endpoint: process.env.AWS_EMULATOR_URL as string,
  region: REGION,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});
afterAll(() => client.destroy());

const POINT = {
  timestamp: 1_700_000_000,
  block: { number: 1, timestamp: 1_699_999_999 },
  values: { avaxPerGgAvax: 2n ** 200n },
};
const historyIn = (table: string) => new HistoryStore(new DynamoTable(client, table, HISTORY), 'avalanche');
const pointsIn = (table: string) => historyIn(table).points('1h', POINT.timestamp, POINT.timestamp);

describe('the tables', () => {
  const nameOf = (prefix: 'Cache' | 'DurableHistory') => {
    const [id] = ofType('AWS::DynamoDB::Table').find(([logicalId]) => logicalId.startsWith(prefix)) ?? [];
    return deployed.get(id as string) as string;
  };

  test('accept leases and points, each only once', async () => {
    const telemetry = recordingTelemetry();
    const cache = new TableStore(client, nameOf('Cache'), telemetry, systemClock, GUARD_MS);
    expect(await cache.lease('key', undefined, 1_000)).toEqual(expect.any(String));
    expect(await cache.lease('key', undefined, 1_000)).toBeUndefined();
    expect(telemetry.lines).toEqual([]);
    const history = historyIn(nameOf('DurableHistory'));
    expect(await history.write('1h', POINT)).toBe(true);
    expect(await history.write('1h', POINT)).toBe(false);
    expect(await pointsIn(nameOf('DurableHistory'))).toEqual([POINT]);
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

test('the guide’s check before a deployment finds a secret, and fails for a misspelt name', async () => {
  const [create = '', check = ''] = await commandsOf('Choose RPC providers');
  await shell(create);
  expect(await shell(check)).toMatch(/^"arn:aws:secretsmanager:us-east-1:.+:staking-data\/ci-/);
  await expect(shell(check.replace('data/ci', 'data/ic'))).rejects.toThrow(/ResourceNotFound/);
});

test('a release updates the functions, and the guide’s one command brings the one before it back', async () => {
  const releases = temporaryFolder('releases');
  await cp(assembly, join(releases, 'old'), { recursive: true });
  await cp(assembly, join(releases, 'new'), { recursive: true });
  const changed = await readTemplate(join(releases, 'new'));
  const [id] = ofType('AWS::Lambda::Function').find(([, { Properties }]) => Properties.Description === RECORDER) as [
    string,
    Json,
  ];
  changed.Resources[id].Properties.MemorySize = 2_048;
  await writeTemplate(join(releases, 'new'), changed);
  await deploy(join(releases, 'new'));
  const memory = async () =>
    (await aws('lambda', 'get-function', '--function-name', deployed.get(id) as string)).Configuration.MemorySize;
  expect(await memory()).toBe(2_048);
  const [command = ''] = await commandsOf('Roll back');
  await shell(`${command.replace('releases/<commit>', join(releases, 'old'))} ${FOR_UPDATES.join(' ')}`);
  expect(await memory()).toBe(1_024);
});

test('deploying again changes nothing', async () => {
  expect(await deploy(assembly, FOR_MOTO)).toContain('no changes');
});

test('a table that the guide’s commands have restored is protected, and used instead of the stack’s own', async () => {
  const commands = await commandsOf('Restore');
  for (const command of commands.filter((text) => text.startsWith('aws '))) await shell(command);
  const copy = HISTORY_COPY;
  const { Table } = await aws('dynamodb', 'describe-table', '--table-name', copy);
  expect(Table.DeletionProtectionEnabled).toBe(true);
  const { ContinuousBackupsDescription } = await aws('dynamodb', 'describe-continuous-backups', '--table-name', copy);
  expect(ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus).toBe('ENABLED');
  const [, option = ''] = /-c (historyTable=\S+)/.exec(commands.at(-1) as string) ?? [];
  const app = await assemblyWith(Object.fromEntries([option.split('=')]));
  await deploy(app);
  expect(await environmentOf('HISTORY_TABLE')).toEqual(new Set([copy]));
  expect(await environmentOf('LEDGER_TABLE')).toEqual(new Set(['staking-data-ci-ledger']));
  expect(await pointsIn(copy)).toEqual([POINT]);
  expect(await pointsIn('staking-data-ci-history')).toEqual([POINT]);
});

test('a stage with every option set is deployed', async () => {
  const app = await assemblyWith({ ...EVERYTHING, historyTable: HISTORY_COPY, stage: STAGE });
  await deploy(app);
  expect(await environmentOf('ENDS_ON')).toEqual(new Set([EVERYTHING.endsOn]));
  const { Stacks } = await aws('cloudformation', 'describe-stacks', '--stack-name', STACK);
  const outputs = Stacks[0].Outputs.map((output: Json) => output.OutputKey);
  expect(outputs).toEqual(expect.arrayContaining(['DnsTarget', 'PageTopic']));
});

test('destroy deletes everything except history and the ledger', async () => {
  await cdk('destroy', '--force', '--app', assembly);
  expect((await aws('lambda', 'list-functions')).Functions).toEqual([]);
  const { TableNames } = await aws('dynamodb', 'list-tables');
  expect(TableNames.toSorted()).toEqual([
    'staking-data-ci-history',
    'staking-data-ci-history-2',
    'staking-data-ci-ledger',
  ]);
});

describe('a stage from before the tables had fixed names', () => {
  let old: string;
  let names: string[];
  beforeAll(async () => {
    old = await assemblyWith({});
    await writeTemplate(old, withGeneratedNames(await readTemplate(old)));
    await deploy(old);
    const listing = (await commandsOf('Upgrade')).find((command) => command.includes('list-stack-resources')) as string;
    names = JSON.parse(await shell(`${listing} --output json`)).toSorted();
  });
  const named = (part: string) => names.find((name) => name.includes(part)) as string;

  test('shows its tables by the guide’s command', () => {
    expect(names).toEqual([
      expect.stringMatching(/^StakingData-ci-CacheTable/),
      expect.stringMatching(/^StakingData-ci-HistoryTable/),
      expect.stringMatching(/^StakingData-ci-LedgerTable/),
    ]);
  });

  test('keeps its tables in use, and every row, when it is upgraded with the options historyTable and ledgerTable', async () => {
    const [history, ledger] = [named('History'), named('Ledger')];
    await historyIn(history).write('1h', POINT);
    const app = await assemblyWith({ historyTable: history, ledgerTable: ledger });
    await deploy(app);
    expect(await pointsIn(history)).toEqual([POINT]);
    expect(await environmentOf('HISTORY_TABLE')).toEqual(new Set([history]));
    expect(await environmentOf('LEDGER_TABLE')).toEqual(new Set([ledger]));
    expect([...(await deployedNames()).values()].filter((name) => name === history || name === ledger)).toEqual([]);
    // Not even the end of the stack takes them along.
    await cdk('destroy', '--force', '--app', app);
    expect((await aws('dynamodb', 'list-tables')).TableNames).toEqual(expect.arrayContaining([history, ledger]));
    expect(await pointsIn(history)).toEqual([POINT]);
  });
});
