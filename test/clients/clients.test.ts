import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { type Bodies, ENDPOINTS } from '../../functions/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startRecorder } from './recorder.ts';
import { rustCalls } from './rust-calls.ts';
import { startService } from './service.ts';

/**
 * `npm run test:clients`: third-party tools that use the OpenAPI document, against the service of `npm start`. Needs
 * the programs in test/clients/requirements.txt, and the compilers of Go, Java and Rust.
 */

/** Schemathesis is stopped before the ten minutes are over that `.ci/run` allows for a repeated file. */
const PATIENCE_MS = 560_000;

jest.setTimeout(PATIENCE_MS + 10_000);

const execute = promisify(execFile);
const CASES = 5_000;
/** Per endpoint and phase; endpoints without parameters have fewer. */
const MAX_EXAMPLES = 100;

let folder: string;
let service: Awaited<ReturnType<typeof startService>>;
let url: string;

beforeAll(async () => {
  folder = temporaryFolder('clients');
  service = await startService(/Ctrl-C/);
  url = service.url;
});
afterAll(() => service.stop());

test('a Python client is generated without warnings, and works', async () => {
  const document = await (await fetch(`${url}/openapi.json`)).text();
  await writeFile(join(folder, 'openapi.json'), document);
  const args = ['generate', '--path', 'openapi.json', '--meta', 'none', '--output-path', 'staking_client'];
  const { stdout } = await execute('openapi-python-client', args, { cwd: folder });
  expect(stdout).toBe('Generating staking_client\n');
  // One model per named schema, one enum per constant, and at most a few that the generator had to name itself.
  const named = Object.keys(JSON.parse(document).components.schemas).length;
  const constants = [...document.matchAll(/"const":/g)].length;
  expect((await readdir(join(folder, 'staking_client/models'))).length).toBeLessThan(named + constants + 24);
  const run = await execute('python3', [resolve('test/clients/client.py'), url], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: folder },
  });
  expect(JSON.parse(run.stdout)).toEqual({
    eligible: [true, true, true],
    sorted: true,
    minipools: true,
    history: [5, true],
    reward: expect.stringMatching(/^\d+(\.\d+)?$/),
    block: expect.any(Number),
    supply: expect.any(Number),
    missing: [404, true, 'STAKER_NOT_FOUND'],
  });
});

/** An example in the guide, which calls the service here. */
async function example(name: string): Promise<string> {
  const guide = await readFile('infra/site/pages/guide/guide.md', 'utf8');
  const [, code = ''] = new RegExp(`^\`\`\`\\w+ ${name}\\n([\\s\\S]*?)\\n\`\`\`$`, 'm').exec(guide) ?? [];
  return code.replaceAll('http://localhost:3000', url);
}

test('the Python client in the guide is generated as it says, and works', async () => {
  const [install, generate = ''] = (await example('pyinstall')).split('\n');
  expect(install).toBe('pip install openapi-python-client');
  const own = temporaryFolder('guide');
  await execute('sh', ['-c', generate], { cwd: own });
  await writeFile(join(own, 'example.py'), await example('pyclient'));
  const { stdout } = await execute('python3', ['example.py'], { cwd: own });
  const { stakers, total } = (await (await fetch(`${url}/stakers?eligible=true&limit=3`)).json()) as {
    stakers: { ggpStaked: string }[];
    total: number;
  };
  const staked = stakers.reduce((sum, { ggpStaked }) => sum + parseEther(ggpStaked), 0n);
  expect(stakers).toHaveLength(3);
  // Python keeps the zeros at the end of a sum.
  const [, of, amount = ''] = /^3 of (\d+) have staked ([\d.]+) GGP\n$/.exec(stdout) ?? [];
  expect([of, parseEther(amount)]).toEqual([String(total), staked]);
});

/** Generates a client with the command in the guide. Returns its folder. */
async function generate(name: string): Promise<string> {
  const own = temporaryFolder(name);
  // The generator runs for seconds only, which full compilation makes longer.
  const env = { ...process.env, JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1' };
  await execute('sh', ['-c', await example(name)], { cwd: own, env });
  return join(own, 'staking-client');
}

/** Runs a program that calls endpoints, and prints the bodies as it has read them. Returns these, and the bodies that were sent. */
async function readBy(program: string, ...options: string[]) {
  const get = async (path: string) => (await fetch(url + path)).json();
  const { minipools } = (await get('/minipools?limit=1')) as Bodies['/minipools'];
  const { flags } = (await get('/flags')) as Bodies['/flags'];
  const [{ owner, nodeID } = { owner: '', nodeID: '' }] = minipools;
  const recorder = await startRecorder(url);
  const args = [...options, recorder.url, owner, nodeID, Object.keys(flags)[0] as string];
  const { stdout } = await execute(program, args, { maxBuffer: 1e8 }).finally(recorder.stop);
  const read: unknown[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { read, sent: recorder.bodies };
}

/** The values that the programs for Java and Rust print last, in types of their languages, of the bodies sent last. */
function typedValues(sent: unknown[]) {
  const [page, { activity }, { code }] = sent.slice(-3) as [Bodies['/stakers'], Bodies['/activity'], { code: string }];
  const amounts = activity.map((event) => {
    if (event.type === 'ggpStaked') return event.amount;
    if (event.type === 'ggAvaxDeposited') return event.assets;
    throw new Error(event.type);
  });
  expect(new Set(activity.map(({ type }) => type)).size).toBe(2);
  expect(page.stakers).toHaveLength(2);
  return [
    [page.stakers.map(({ ggpStaked }) => ggpStaked), page.total, page.block.timestamp, page.nextCursor],
    amounts,
    code,
  ];
}

const COUNT = Object.keys(ENDPOINTS).length;
/** Without calendars: clients for Java and Rust read text only if it is text/plain. */
const JSON_COUNT = Object.values(ENDPOINTS).filter(({ formats }) => !('ics' in formats)).length;

test('a Go client, generated as the guide says, compiles and reads all of every answer', async () => {
  const client = await generate('go');
  await mkdir(join(client, 'calls'));
  await copyFile('test/clients/client.go', join(client, 'calls/main.go'));
  // Go's own installer does not change the PATH.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/local/go/bin`, GOFLAGS: '-mod=mod' };
  await execute('go', ['build', '-o', 'call', './calls'], { cwd: client, env });
  const { read, sent } = await readBy(join(client, 'call'));
  expect(sent).toHaveLength(COUNT);
  // Calendars are text in the document, but Go asks for JSON.
  expect(read.map((body) => (typeof body === 'string' ? JSON.parse(body) : body))).toEqual(sent);
});

test('a Java client, generated as the guide says, compiles and reads all of every JSON answer', async () => {
  const client = await generate('java');
  // The generator's own file has the libraries that its clients need, but for one annotation.
  const find = "import importlib.resources as r; print(r.files('openapi_generator_cli') / 'openapi-generator.jar')";
  const libraries = (await execute('python3', ['-c', find])).stdout.trim();
  const source = join(client, 'src/main/java');
  const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.java'));
  const sources = [
    ...files.map((name) => join(source, name)),
    ...['Client', 'Generated'].map((name) => resolve(`test/clients/${name}.java`)),
  ];
  const options = ['-J-XX:TieredStopAtLevel=1', '-proc:none', '-parameters', '-nowarn', '-cp', libraries, '-d', client];
  await execute('javac', [...options, ...sources]);
  const { read, sent } = await readBy('java', '-XX:TieredStopAtLevel=1', '-cp', `${libraries}:${client}`, 'Client');
  expect(sent).toHaveLength(JSON_COUNT + 3);
  expect(read).toEqual([...sent.slice(0, -3), ...typedValues(sent)]);
});

test('a Rust client, generated as the guide says, compiles and reads all of every JSON answer', async () => {
  const client = await generate('rust');
  await copyFile('test/clients/client.rs', join(client, 'src/main.rs'));
  await writeFile(join(client, 'src/calls.rs'), await rustCalls(join(client, 'src/apis')));
  // Without TLS and what debuggers need, it is compiled sooner.
  const env = { ...process.env, CARGO_PROFILE_DEV_DEBUG: '0', CARGO_INCREMENTAL: '0', CARGO_TARGET_DIR: 'target' };
  await execute('cargo', ['build', '--quiet', '--no-default-features'], { cwd: client, env });
  const { read, sent } = await readBy(join(client, 'target/debug/openapi'));
  expect(sent).toHaveLength(JSON_COUNT + 3);
  expect(read).toEqual([...sent.slice(0, -3).map(declared), ...typedValues(sent)]);
});

/** A body without attributes of flags, which the document allows but does not name. */
function declared(body: unknown) {
  if (typeof body !== 'object' || body === null || !('flags' in body)) return body;
  const flags = Object.entries((body as Bodies['/flags']).flags).map(([key, { enabled }]) => [key, { enabled }]);
  return { ...body, flags: Object.fromEntries(flags) };
}

test('the pandas example in the guide works', async () => {
  await writeFile(join(folder, 'example.py'), await example('pandas'));
  const { stdout } = await execute('python3', ['example.py'], { cwd: folder });
  const { counts } = (await (await fetch(`${url}/minipools`)).json()) as { counts: Record<string, number> };
  for (const [status, count] of Object.entries(counts))
    expect(stdout).toMatch(new RegExp(`^${status} +${count} +\\d`, 'm'));
  expect(stdout).toMatch(/the latest was created on \d{4}-\d\d-\d\d\n$/);
});

test('the bridge to language models in the guide has a tool for each endpoint', async () => {
  const bridge = spawn('sh', ['-c', await example('mcp')], { env: { ...process.env, npm_config_yes: 'true' } });
  const send = (message: object) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answers = createInterface(bridge.stdout)[Symbol.asyncIterator]();
  const answer = async () => JSON.parse(String((await answers.next()).value)).result;
  const client = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  send({ id: 1, method: 'initialize', params: client });
  expect(await answer()).toMatchObject({ capabilities: { tools: {} } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  const { tools } = await answer();
  bridge.kill();
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
  const called = tools.map((tool: { 'x-original-path': string }) => tool['x-original-path']);
  expect(called.sort()).toEqual(Object.keys(paths).sort());
});

test(`Schemathesis finds no failures in at least ${CASES} requests, with all its checks`, async () => {
  const report = join(folder, 'report.json');
  const run = execute(
    'schemathesis',
    [
      ...['--config-file', resolve('test/clients/schemathesis.toml'), 'run', `${url}/openapi.json`],
      ...['--checks', 'all', '--max-examples', String(MAX_EXAMPLES), '--continue-on-failure', '--no-color'],
      ...['--workers', '2'],
      ...['--report', 'json', '--report-json-path', report],
    ],
    {
      cwd: folder,
      env: { ...process.env, SCHEMATHESIS_HOOKS: resolve('test/clients/hooks.py') },
      maxBuffer: 1e8,
      timeout: PATIENCE_MS,
    },
  );
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  const { exit_code, test_cases } = JSON.parse(await readFile(report, 'utf8'));
  expect([exit_code, test_cases.with_failures, exit_code === 0 ? '' : stdout]).toEqual([0, 0, '']);
  expect(test_cases.generated).toBeGreaterThanOrEqual(CASES);
});
