import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { LocalServer } from '../../../infra/local/listen.ts';
import { startServer } from '../../support/servers.ts';

/** The functions beside the service, with a server that stands in for S3 and CloudFormation. */

let server: LocalServer;
let keys: string[];
let policy: { Version: string; Statement: object[] };
let answers: Record<string, string>[];
let contentTypes: (string | undefined)[];
let isBroken: boolean;
/** How the URL for the answer responds. */
let status: number;
const before = { ...process.env };

const OPEN = { Sid: 'Read', Effect: 'Allow', Principal: { Service: 'cloudfront.amazonaws.com' } };

beforeAll(async () => {
  server = await startServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    let body = '';
    for await (const chunk of request) body += chunk;
    if (pathname === '/answer') {
      answers.push(JSON.parse(body));
      contentTypes.push(request.headers['content-type']);
      response.writeHead(status).end();
    } else if (isBroken) {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>no</Message></Error>');
    } else if (searchParams.has('policy')) {
      expect(pathname).toMatch(/^\/archives\/?$/);
      if (request.method === 'PUT') policy = JSON.parse(body);
      response.end(request.method === 'PUT' ? '' : JSON.stringify(policy));
    } else if (request.method === 'POST') {
      keys = keys.filter((key) => !body.includes(`<Key>${key}</Key>`));
      response.end('<DeleteResult/>');
    } else {
      const contents = keys.slice(0, 2).map((key) => `<Contents><Key>${key}</Key></Contents>`);
      response.end(
        `<ListBucketResult><IsTruncated>${keys.length > 2}</IsTruncated>${contents.join('')}</ListBucketResult>`,
      );
    }
  });
  Object.assign(process.env, {
    // By its address, S3's client would leave the bucket out of the host.
    AWS_ENDPOINT_URL_S3: server.url.replace('localhost', '127.0.0.1'),
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    ARCHIVE_BUCKET: 'archives',
    ARCHIVE_FILES: 'arn:aws:s3:::archives/*',
  });
});
afterAll(async () => {
  process.env = before;
  await server.stop();
});
beforeEach(() => {
  keys = ['docs', 'dashboard', 'assets/old.js'];
  policy = { Version: '2012-10-17', Statement: [OPEN] };
  answers = [];
  contentTypes = [];
  isBroken = false;
  status = 200;
});

const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'PagesContent' };

async function deletePages(): Promise<void> {
  const { handler } = await import('../../../infra/stack/custom/pages.ts');
  const ResourceProperties = { ServiceToken: '', Bucket: 'pages', Files: [] };
  const event = { ...ids, RequestType: 'Delete', ResourceProperties, ResponseURL: `${server.url}/answer` };
  await handler(event as unknown as CloudFormationCustomResourceEvent);
}

describe('the pages', () => {
  test('are all deleted with the stack', async () => {
    await deletePages();
    expect(keys).toEqual([]);
    expect(answers).toEqual([{ ...ids, Status: 'SUCCESS', PhysicalResourceId: 'PagesContent' }]);
    // The signature of the URL does not cover a Content-Type.
    expect(contentTypes).toEqual([undefined]);
  });

  test('that cannot be deleted are reported as a failure, so that CloudFormation does not wait', async () => {
    isBroken = true;
    await deletePages();
    expect(answers).toMatchObject([{ Status: 'FAILED', Reason: expect.any(String) }]);
  });

  test('an answer that is not accepted is an error, so that Lambda runs the function again', async () => {
    status = 503;
    await expect(deletePages()).rejects.toThrow('the answer was refused with 503');
    status = 200;
    await deletePages();
    expect(answers).toMatchObject([{ Status: 'SUCCESS' }, { Status: 'SUCCESS' }]);
  });
});

test('the gate of the archives denies CloudFront the files while the alarm is raised, and leaves all else as it is', async () => {
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
    expect(await turn('ALARM')).toEqual({ Version: '2012-10-17', Statement: [OPEN, closed] });
  expect(await turn('OK')).toEqual({ Version: '2012-10-17', Statement: [OPEN] });
});
