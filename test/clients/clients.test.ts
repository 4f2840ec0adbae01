import { execFile, spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startService } from './service.ts';

/**
 * Third-party tools that use the OpenAPI document, against the service of `npm start`. Needs
 * the programs in test/clients/requirements.txt.
 */

/** The longest that Schemathesis may take. */
const PATIENCE_MS = 560_000;

jest.setTimeout(PATIENCE_MS + 10_000);

const execute = promisify(execFile);
const CASES = 3_000;
/** Per endpoint and phase; endpoints without parameters have fewer. */
const MAX_EXAMPLES = 20;

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
