import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import type { LocalServer } from '../../../infra/devnet/listen.ts';
import { startServer } from '../../support/servers.ts';

/** The custom resource of the pages, with a server that stands in for S3 and CloudFormation. */

let server: LocalServer;
let keys: string[];
let answers: Record<string, string>[];
let contentTypes: (string | undefined)[];
let isBroken: boolean;
/** The status of responses to the answer's URL. */
let status: number;
const before = { ...process.env };

beforeAll(async () => {
  server = await startServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    let body = '';
    for await (const chunk of request) body += chunk;
    if (pathname === '/answer') {
      answers.push(JSON.parse(body));
      contentTypes.push(request.headers['content-type']);
      response.writeHead(status).end();
    } else if (isBroken) {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>no</Message></Error>');
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
  });
});
afterAll(async () => {
  process.env = before;
  await server.stop();
});
beforeEach(() => {
  keys = ['docs', 'dashboard', 'assets/old.js'];
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
