import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { LocalServer } from '../../../infra/local/listen.ts';
import { startServer } from '../../support/servers.ts';

/** The custom resource of the flags, with a server that stands in for AppConfig and CloudFormation. */

let server: LocalServer;
let versions: number[];
let answers: Record<string, string>[];
let contentTypes: (string | undefined)[];
let isBroken: boolean;
/** How the URL for the answer responds. */
let status: number;
/** Versions per page of AppConfig's list. */
const PAGE = 2;
const before = { ...process.env };

beforeAll(async () => {
  server = await startServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    let body = '';
    for await (const chunk of request) body += chunk;
    if (pathname === '/answer') {
      answers.push(JSON.parse(body));
      contentTypes.push(request.headers['content-type']);
      response.writeHead(status).end();
      return;
    }
    const version = /^\/applications\/app\/configurationprofiles\/flags\/hostedconfigurationversions(?:\/(\d+))?$/.exec(
      pathname,
    );
    if (!version || isBroken) {
      response.writeHead(400, { 'x-amzn-errortype': 'BadRequestException' }).end('{"Message":"no"}');
    } else if (request.method === 'DELETE') {
      versions = versions.filter((number) => number !== Number(version[1]));
      response.writeHead(204).end();
    } else {
      // The token is an offset, so versions that are deleted between pages make the next page skip others.
      const from = Number(searchParams.get('next_token') ?? 0);
      const Items = versions.slice(from, from + PAGE).map((VersionNumber) => ({ VersionNumber }));
      response.end(JSON.stringify({ Items, ...(from + PAGE < versions.length && { NextToken: `${from + PAGE}` }) }));
    }
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_APPCONFIG: server.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});
afterAll(async () => {
  process.env = before;
  await server.stop();
});
beforeEach(() => {
  versions = [1, 2, 7];
  answers = [];
  contentTypes = [];
  isBroken = false;
  status = 200;
});

const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'FlagVersionsEnd' };

async function runFlagVersions(RequestType: 'Create' | 'Update' | 'Delete'): Promise<void> {
  const { handler } = await import('../../../infra/stack/custom/flag-versions.ts');
  const ResourceProperties = { ServiceToken: '', ApplicationId: 'app', ConfigurationProfileId: 'flags' };
  const event = { ...ids, RequestType, ResourceProperties, ResponseURL: `${server.url}/answer` };
  await handler(event as unknown as CloudFormationCustomResourceEvent);
}

describe('versions of the flags', () => {
  test('are all deleted with the stack', async () => {
    await runFlagVersions('Delete');
    expect(versions).toEqual([]);
    expect(answers).toEqual([{ ...ids, Status: 'SUCCESS', PhysicalResourceId: 'FlagVersionsEnd' }]);
    // The signature of the URL does not cover a Content-Type.
    expect(contentTypes).toEqual([undefined]);
  });

  test.each(['Create', 'Update'] as const)('are kept on %s', async (type) => {
    await runFlagVersions(type);
    expect(versions).toEqual([1, 2, 7]);
    expect(answers).toMatchObject([{ Status: 'SUCCESS' }]);
  });

  test('that cannot be deleted are reported as a failure, so that CloudFormation does not wait', async () => {
    isBroken = true;
    await runFlagVersions('Delete');
    expect(answers).toMatchObject([{ Status: 'FAILED', Reason: expect.any(String) }]);
  });

  test('an answer that is not accepted is an error, so that Lambda runs the function again', async () => {
    status = 503;
    await expect(runFlagVersions('Delete')).rejects.toThrow('the answer was refused with 503');
    status = 200;
    await runFlagVersions('Delete');
    expect(answers).toMatchObject([{ Status: 'SUCCESS' }, { Status: 'SUCCESS' }]);
  });
});
