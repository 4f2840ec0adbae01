import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { root } from '../../functions/root.ts';
import { runCommand, untilPrinted } from '../infra/run.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * The commands in docs/contributing.md that use SAM CLI alone. The functions have no network and cannot read the chain.
 */

jest.setTimeout(300_000);

const run = promisify(execFile);

/** Replaces `cdk.out`, which other tests read. */
let assembly: string;
let env: NodeJS.ProcessEnv;
/** The commands in the document. */
let synth: string;
let startApi: string;
let invoke: string;

beforeAll(async () => {
  assembly = temporaryFolder('assembly');
  env = { ...process.env, CDK_OUTPUT: assembly, SAM_SKIP_PULL_IMAGE: '1', SAM_CLI_TELEMETRY: '0' };
  const page = await readFile('docs/contributing.md', 'utf8');
  const [, block = ''] = /^## SAM CLI$.*?^```sh\n(.*?)^```/ms.exec(page) ?? [];
  [synth = '', startApi = '', invoke = ''] = block.replaceAll('cdk.out', assembly).split('\n');
  await run('bash', ['-c', synth], { env, maxBuffer: 2 ** 26 });
});

const expectRoot = (body: unknown) => expect(root.response().safeParse(body).error).toBeUndefined();

test('sam local invoke prints the response of a function', async () => {
  const { stdout } = await run('bash', ['-c', invoke], { env });
  const { statusCode, body } = JSON.parse(stdout);
  expect(statusCode).toBe(200);
  expectRoot(JSON.parse(body));
});

test('sam local start-api serves the endpoints', async () => {
  const port = await freePort();
  const sam = runCommand('bash', ['-c', `exec ${startApi} --port ${port}`], env);
  await untilPrinted(sam, /Running on/);
  try {
    const response = await fetch(`http://localhost:${port}/`, { headers: { 'accept-encoding': 'identity' } });
    expect(response.status).toBe(200);
    expectRoot(await response.json());
    const bad = await fetch(`http://localhost:${port}/rewards/byStake?ggpStaked=x&avaxStaked=1`);
    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({ code: 'INVALID_REQUEST', detail: expect.stringMatching(/^ggpStaked /) });
  } finally {
    sam.child.kill('SIGINT');
    await sam.code;
  }
});
