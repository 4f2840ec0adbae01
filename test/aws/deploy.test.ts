import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { CloudFormationCustomResourceEvent as Event } from 'aws-lambda';
import { ENDPOINTS } from '../../functions/index.ts';
import { startAvalancheApi } from '../../infra/devnet/avalanche-api.ts';
import { startDevnet } from '../../infra/devnet/devnet.ts';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { TABLE_NAMES } from '../../infra/local/dynamodb.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import { TableStore } from '../../lib/cache/table.ts';
import { HistoryStore } from '../../lib/history/history-store.ts';
import { readConfig } from '../../lib/runtime/config.ts';
import { createContext } from '../../lib/runtime/context.ts';
import { DynamoTable } from '../../lib/tables/dynamo-table.ts';
import { HISTORY } from '../../lib/tables/table-schemas.ts';
import { startServer } from '../support/servers.ts';
import { recordingTelemetry } from '../support/telemetry.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  adaptAssembly,
  DISTRIBUTION,
  isCustom,
  type Json,
  readTemplate,
  SKIPPED,
  STACK,
  STAGE,
  writeTemplate,
} from './assembly.ts';
import { startMoto } from './moto.ts';

/** The stack, deployed by the real CDK CLI to moto, with the commands of docs/operations.md; not permissions, quotas and names. */

jest.setTimeout(300_000);

const RECORDER = 'Records the points of the history endpoints';
const ACCOUNT = '123456789012';
const REGION = 'us-east-1';
/** moto cannot execute the change set that the CLI creates by default, and forgets parameters that are left at their defaults. */
const FOR_MOTO = ['--require-approval', 'never', '--method', 'direct', '--no-previous-parameters'];
const OPTIONS = ['-c', `stage=${STAGE}`, '-c', 'alarmEmail=ops@example.org', '-c', 'endsOn=2099-12-31'];
/** The table that the guide's commands restore. */
const HISTORY_COPY = `staking-data-${STAGE}-history-2`;

let moto: LocalServer;
let env: NodeJS.ProcessEnv;
/** The template before it is adapted to moto. */
let template: Json;
let assembly: string;
/** Physical names of the stack's resources, by logical ID. */
let deployed: Map<string, string>;
let client: DynamoDBClient;

const run = promisify(execFile);

async function cdk(...args: string[]): Promise<string> {
  const command = ['node_modules/aws-cdk/bin/cdk', ...args];
  const { stdout, stderr } = await run(process.execPath, command, { env, maxBuffer: 2 ** 26 });
  return stdout + stderr;
}

/** The output of the AWS CLI, undefined if the command prints nothing. */
async function aws(...args: string[]): Promise<Json> {
  const { stdout } = await run('aws', [...args, '--output', 'json'], { env, maxBuffer: 2 ** 26 });
  return stdout === '' ? undefined : JSON.parse(stdout);
}

/** The output of a command as it is in the guide. */
const shell = async (command: string) => (await run('bash', ['-c', command], { env })).stdout;

/** The commands of the operator's guide in the section with this heading, for this stage. */
async function commandsOf(heading: string): Promise<string[]> {
  // Those of a list are indented.
  const guide = (await readFile('docs/operations.md', 'utf8')).replaceAll(/^ {3}/gm, '');
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const commands = blocks.flatMap((block) => block.replaceAll(/ +# .*$/gm, '').split(/(?<!\\)\n(?![ }])/));
  return commands.map((command) => command.replaceAll('prod', STAGE).trim()).filter(Boolean);
}

const functions = async (): Promise<Json[]> => (await aws('lambda', 'list-functions')).Functions;
const variableOf = async (name: string) =>
  new Set((await functions()).flatMap(({ Environment }) => Environment?.Variables?.[name] ?? []));

beforeAll(async () => {
  moto = await startMoto();
  env = {
    ...process.env,
    AWS_ENDPOINT_URL: moto.url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
  };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new DynamoDBClient({ endpoint: moto.url, region: REGION, credentials });
  assembly = temporaryFolder('assembly');
  await cdk('synth', ...OPTIONS, '--output', assembly, '--quiet');
  template = await readTemplate(assembly);
  await adaptAssembly(assembly);
  await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`, '--app', assembly);
  await cdk('deploy', '--app', assembly, ...FOR_MOTO);
  const { StackResourceSummaries } = await aws('cloudformation', 'list-stack-resources', '--stack-name', STACK);
  const created = StackResourceSummaries.filter(({ ResourceType }: Json) => ResourceType);
  deployed = new Map(created.map((resource: Json) => [resource.LogicalResourceId, resource.PhysicalResourceId]));
});
afterAll(async () => {
  client?.destroy();
  await moto?.stop();
});

test('all resources are deployed, except those that moto skips, with the outputs', async () => {
  const missing = Object.entries<Json>(template.Resources)
    .filter(([id, resource]) => !deployed.has(id) && !isCustom(resource))
    .map(([, { Type }]) => Type);
  expect([...new Set(missing)].sort()).toEqual(SKIPPED.toSorted());
  const { Stacks } = await aws('cloudformation', 'describe-stacks', '--stack-name', STACK);
  const outputs = Object.fromEntries(Stacks[0].Outputs.map((output: Json) => [output.OutputKey, output.OutputValue]));
  expect(outputs).toMatchObject({ BaseUrl: `https://${DISTRIBUTION}/`, DocsUrl: `https://${DISTRIBUTION}/docs` });
});

test('functions have bundles and the names of the tables, and answer the paths of their endpoints', async () => {
  const own = (await functions()).filter(({ Environment }) => Environment?.Variables.CACHE_TABLE);
  expect(own).toHaveLength(Object.keys(ENDPOINTS).length + 2);
  const tables = [...deployed.entries()].filter(([id]) => /Table[0-9A-F]{8}$/.test(id)).map(([, name]) => name);
  for (const { Runtime, CodeSize, Environment } of own) {
    // Zipped: its own bundle, and no other function's.
    expect([Runtime, CodeSize > 50_000, CodeSize < 500_000]).toEqual(['nodejs24.x', true, true]);
    const { CACHE_TABLE, HISTORY_TABLE, LEDGER_TABLE } = Environment.Variables;
    expect([CACHE_TABLE, HISTORY_TABLE, LEDGER_TABLE].sort()).toEqual(tables.toSorted());
  }
  const { items: apis } = await aws('apigateway', 'get-rest-apis');
  const options = ['--rest-api-id', apis[0].id, '--embed', 'methods', '--limit', '500'];
  const { items } = await aws('apigateway', 'get-resources', ...options);
  const served = items.flatMap(({ path, resourceMethods = {} }: Json) =>
    Object.values<Json>(resourceMethods).map(({ httpMethod, methodIntegration: { uri } }) => {
      const found = own.find(({ FunctionArn }) => uri.includes(`${FunctionArn}/invocations`));
      return `${httpMethod} ${path} ${found?.Description}`;
    }),
  );
  const wanted = Object.values(ENDPOINTS).flatMap(({ path, summary }) =>
    [path, ...(path === '/' ? [OTHER_PATHS] : [])].map((each) => `ANY ${each} ${summary}`),
  );
  expect(served.sort()).toEqual(wanted.sort());
});

test('the pages are copied to their bucket with their headers and deleted with the stack, and CloudFormation is told', async () => {
  const { Properties } = Object.values<Json>(template.Resources).find(isCustom);
  const Bucket = deployed.get(Properties.Bucket.Ref);
  const { Files } = Properties;
  const answers: Json[] = [];
  let status = 200;
  const server = await startServer(async (request, response) => {
    // The signature of the URL does not cover a Content-Type.
    answers.push({ type: request.headers['content-type'], ...((await json(request)) as object) });
    response.writeHead(status).end();
  });
  // By its address, S3's client leaves the bucket out of the host, which not every machine can resolve.
  Object.assign(process.env, env, { AWS_ENDPOINT_URL_S3: moto.url.replace('localhost', '127.0.0.1') });
  const { handler } = await import('../../infra/stack/custom/pages.ts');
  const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'PagesContent' };
  const send = (RequestType: string, properties = { Bucket, Files }) =>
    handler({ ...ids, RequestType, ResponseURL: server.url, ResourceProperties: properties } as unknown as Event);
  const keys = async () =>
    (await aws('s3api', 'list-objects-v2', '--bucket', String(Bucket)))?.Contents?.map(({ Key }: Json) => Key) ?? [];
  await send('Create');
  expect(await keys()).toEqual(Files.map(({ Key }: Json) => Key).sort());
  const { Key, ContentType, CacheControl } = Files[0];
  const head = await aws('s3api', 'head-object', '--bucket', String(Bucket), '--key', Key);
  expect(head).toMatchObject({ ContentType, CacheControl });
  await send('Delete');
  expect(await keys()).toEqual([]);
  await send('Delete', { Bucket: 'no-such-bucket', Files });
  const done = { type: undefined, ...ids, PhysicalResourceId: 'PagesContent', Status: 'SUCCESS' };
  expect(answers).toEqual([done, done, { ...done, Status: 'FAILED', Reason: expect.any(String) }]);
  // Lambda then runs it again.
  status = 503;
  await expect(send('Delete')).rejects.toThrow('the answer was refused with 503');
  await server.stop();
});

const POINT = {
  timestamp: 1_700_000_000,
  block: { number: 1, timestamp: 1_699_999_999 },
  values: { avaxPerGgAvax: 2n ** 200n },
};
const historyIn = (table: string) => new HistoryStore(new DynamoTable(client, table, HISTORY), 'avalanche');
const pointsIn = (table: string) => historyIn(table).points('1h', POINT.timestamp, POINT.timestamp);
test('the tables accept leases and points, each only once', async () => {
  const [, cacheTable = ''] = [...deployed].find(([id]) => id.startsWith('CacheTable')) ?? [];
  const config = readConfig({ ...TABLE_NAMES, CACHE_TABLE: cacheTable });
  const cache = new TableStore(client, createContext(config, recordingTelemetry()));
  expect(await cache.lease('key', undefined, 600_000)).toEqual(expect.any(String));
  expect(await cache.lease('key', undefined, 600_000)).toBeUndefined();
  const history = historyIn(`staking-data-${STAGE}-history`);
  expect(await history.write('1h', POINT)).toBe(true);
  expect(await history.write('1h', POINT)).toBe(false);
});

// moto skips the topic's policy, which test/infra/stack/alarms.test.ts has.
test('reminders of the end are sent to the topic of alarms, 30 and 7 days before it and the day after', async () => {
  const { Rules } = await aws('events', 'list-rules');
  const reminders = Rules.filter(({ ScheduleExpression }: Json) => ScheduleExpression?.startsWith('cron(0 9 '));
  const days = reminders.map(({ ScheduleExpression }: Json) => ScheduleExpression.slice(9, -1)).sort();
  expect(days).toEqual(['1 1 ? 2100', '1 12 ? 2099', '24 12 ? 2099']);
  const { Topics } = await aws('sns', 'list-topics');
  for (const { Name } of reminders) {
    const { Targets } = await aws('events', 'list-targets-by-rule', '--rule', Name);
    expect(Targets).toEqual([expect.objectContaining({ Input: expect.stringContaining('operations.md#end') })]);
    expect(Topics).toContainEqual({ TopicArn: Targets[0].Arn });
    expect(Targets[0].Arn).toMatch(/Alarm/);
  }
});

test('the AWS CLI accepts each command in the guide, with its options and the form of their values', async () => {
  const guide = (await readFile('docs/operations.md', 'utf8')).replaceAll(/\\\n */g, '');
  const all = guide.match(/(?<=^ *|`|\$\(|&& )aws (?:'[^']*'|"[^"]*"|[^\n`&#'")])+/gm) ?? [];
  // `logs tail` needs version 2. Other tests run the commands for files, secrets, and the copy of a table.
  const commands = all.filter((command) => !/^aws (logs|s3|s3api|secretsmanager) |history-2/.test(command));
  expect(commands.length).toBeGreaterThan(20);
  // Nothing listens there: a command that tries to connect has been parsed. One without options names those it requires.
  const nowhere = { ...env, AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_MAX_ATTEMPTS: '1' };
  for (const command of commands.map((text) => text.replaceAll(/<\w+>|\$name|…/g, `arn:aws:iam::${ACCOUNT}:x`)))
    await expect(run('bash', ['-c', command], { env: nowhere })).rejects.toThrow(/Could not connect|are required/);
});

test('the guide’s check before a deployment finds a secret, and fails for a misspelt name', async () => {
  const [create = '', check = ''] = await commandsOf('Choose RPC providers');
  await shell(create);
  expect(await shell(check)).toMatch(/^"arn:aws:secretsmanager:us-east-1:.+:staking-data\/ci-/);
  await expect(shell(check.replace('data/ci', 'data/ic'))).rejects.toThrow(/ResourceNotFound/);
});

test('a release updates the functions, and the guide’s one command brings the one before it back', async () => {
  const releases = temporaryFolder('releases');
  for (const name of ['old', 'new']) await cp(assembly, join(releases, name), { recursive: true });
  const changed = await readTemplate(join(releases, 'new'));
  const [id = ''] = Object.keys(changed.Resources).filter(
    (name) => changed.Resources[name].Properties?.Description === RECORDER,
  );
  changed.Resources[id].Properties.MemorySize = 2_048;
  await writeTemplate(join(releases, 'new'), changed);
  await cdk('deploy', '--app', join(releases, 'new'), ...FOR_MOTO);
  const memory = async () => (await functions()).find(({ Description }) => Description === RECORDER)?.MemorySize;
  expect(await memory()).toBe(2_048);
  const [command = ''] = await commandsOf('Roll back');
  await shell(`${command.replace('releases/<commit>', join(releases, 'old'))} ${FOR_MOTO.join(' ')}`);
  expect(await memory()).toBe(1_024);
});

test('a table that the guide’s commands have restored is protected, and used instead of the stack’s own', async () => {
  const commands = await commandsOf('Restore');
  for (const command of commands.filter((text) => text.startsWith('aws '))) await shell(command);
  const { Table } = await aws('dynamodb', 'describe-table', '--table-name', HISTORY_COPY);
  expect(Table.DeletionProtectionEnabled).toBe(true);
  const [, option = ''] = /-c (historyTable=\S+)/.exec(commands.at(-1) as string) ?? [];
  const other = temporaryFolder('assembly');
  await cdk('synth', ...OPTIONS, '-c', option, '--output', other, '--quiet');
  await adaptAssembly(other);
  await cdk('deploy', '--app', other, ...FOR_MOTO);
  expect(await variableOf('HISTORY_TABLE')).toEqual(new Set([HISTORY_COPY]));
  expect(await variableOf('LEDGER_TABLE')).toEqual(new Set([`staking-data-${STAGE}-ledger`]));
  expect(await pointsIn(HISTORY_COPY)).toEqual([POINT]);
});

// test/infra/archive/rehearsal.test.ts has the export that is not refused.
test('the guide’s end indexes the events of the stage, and its export names what the tables lack', async () => {
  const devnet = await startDevnet({ live: false, historyDays: 2 });
  const api = await startAvalancheApi(devnet);
  const names = { HISTORY_TABLE: HISTORY_COPY, LEDGER_TABLE: `staking-data-${STAGE}-ledger` };
  const urls = { RPC_URLS: devnet.url, P_CHAIN_URLS: api.pChainUrl, DATA_API_URL: api.dataApiUrl };
  const onDevnet = { ...env, ...names, ...urls, NETWORK: 'devnet', AWS_ENDPOINT_URL_DYNAMODB: moto.url };
  const npm = (...args: string[]) => run('npm', ['run', '--silent', ...args], { env: onDevnet });
  const { stdout } = await npm('backfill', '--', '--ledger');
  expect(stdout).toMatch(/\nDone: 1\d{3} events/);
  const refusal = await npm('export', '--', join(temporaryFolder('export'), 'archive')).catch(({ stderr }) => stderr);
  for (const lack of [/^- The GGP of the rewards cycle /m, /^- \d+ of the daily points /m, /^- \d+ of the hourly /m])
    expect(refusal).toMatch(lack);
  for (const part of [api, devnet]) await part.stop();
});

test('the guide’s end publishes the files, and deletes everything except history and the ledger', async () => {
  const commands = (await commandsOf('End')).filter((command) => /^(aws|npx cdk) /.test(command));
  // moto does not know those between.
  const [publish = '', , , destroy, secret = ''] = commands;
  const folder = temporaryFolder('archive');
  await cp('docs', folder, { recursive: true });
  await aws('s3api', 'create-bucket', '--bucket', 'archive');
  await shell(publish.replace('sync archive', `sync ${folder}`).replace('<bucket>', 'archive'));
  const { Contents } = await aws('s3api', 'list-objects-v2', '--bucket', 'archive');
  expect(Contents.map(({ Key }: Json) => Key)).toContain('archive.md');
  await shell(`${destroy} --force --app ${assembly}`);
  expect(await functions()).toEqual([]);
  await shell(secret);
  expect((await aws('secretsmanager', 'list-secrets')).SecretList).toEqual([]);
  const { TableNames } = await aws('dynamodb', 'list-tables');
  expect(TableNames.toSorted()).toEqual(['history', 'history-2', 'ledger'].map((name) => `staking-data-ci-${name}`));
});
