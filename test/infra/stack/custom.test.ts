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

describe('the gate of the archives', () => {
  const open = { Sid: 'Read', Effect: 'Allow', Principal: { Service: 'cloudfront.amazonaws.com' } };
  let policy: { Version: string; Statement: { Sid: string }[] };
  let s3: LocalServer;
  beforeAll(async () => {
    s3 = await startServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      expect(request.url).toMatch(/^\/archives\/?\?policy/);
      if (request.method === 'PUT') policy = JSON.parse(body);
      response.end(request.method === 'PUT' ? '' : JSON.stringify(policy));
    });
    process.env.AWS_ENDPOINT_URL_S3 = s3.url.replace('127.0.0.1', 'localhost');
    process.env.ARCHIVE_BUCKET = 'archives';
    process.env.ARCHIVE_FILES = 'arn:aws:s3:::archives/*';
    policy = { Version: '2012-10-17', Statement: [open] };
  });
  afterAll(() => s3.stop());

  test('denies CloudFront the files while the alarm is raised, and leaves all else as it is', async () => {
    const { handler } = await import('../../../infra/stack/custom/archive-gate.ts');
    const turn = async (value: 'ALARM' | 'OK') => {
      await handler({ alarmData: { state: { value } } });
      return policy;
    };
    const closed = {
      Sid: 'ArchivesClosed',
      Effect: 'Deny',
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Action: 's3:GetObject',
      Resource: 'arn:aws:s3:::archives/*',
    };
    for (let times = 0; times < 2; times++)
      expect(await turn('ALARM')).toEqual({ Version: '2012-10-17', Statement: [open, closed] });
    expect(await turn('OK')).toEqual({ Version: '2012-10-17', Statement: [open] });
  });
});
