import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';
import { startServer } from './servers.ts';

/** A server that keeps objects as S3 does, as far as archives need it, and refuses those whose checksum is wrong. */

export interface S3Object {
  body: Buffer;
  headers: Record<string, string>;
}

export interface S3Server {
  client: S3Client;
  /** By bucket and key: `bucket/archive/2025-01-03/README.md`. */
  objects: Map<string, S3Object>;
  /** The requests in order: `PUT …`, `COPY …`, `GET …`. */
  requests: string[];
  /** True if the server refuses a request. */
  refuse: (request: string) => boolean;
  stop(): Promise<void>;
}

export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, S3Object>();
  const server = await startServer(async (request, response) => {
    const { method, headers } = request;
    const key = decodeURIComponent(new URL(request.url ?? '', 'http://localhost').pathname.slice(1));
    const body = await buffer(request);
    const source = headers['x-amz-copy-source'];
    const name = `${source ? 'COPY' : method} ${key}`;
    s3.requests.push(name);
    if (s3.refuse(name)) return response.writeHead(503).end();
    if (source) {
      objects.set(key, objects.get(decodeURIComponent(String(source))) as S3Object);
      return response.end('<CopyObjectResult/>');
    }
    if (method === 'PUT') {
      const isWhole = headers['x-amz-checksum-sha256'] === hash('sha256', body, 'base64');
      if (isWhole) objects.set(key, { body, headers: headers as Record<string, string> });
      return response.writeHead(isWhole ? 200 : 400).end();
    }
    if (method === 'DELETE') return response.writeHead(objects.delete(key) ? 204 : 404).end();
    const prefix = new URL(request.url ?? '', 'http://localhost').searchParams.get('prefix');
    if (prefix !== null) {
      const keys = [...objects.keys()].filter((name) => name.startsWith(`${key}${prefix}`)).sort();
      const contents = keys.map((name) => `<Contents><Key>${name.slice(key.length)}</Key></Contents>`);
      return response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`);
    }
    const object = objects.get(key);
    return object ? response.end(object.body) : response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new S3Client({ endpoint: server.url, region: 'us-east-1', forcePathStyle: true, credentials });
  const s3: S3Server = {
    client,
    objects,
    requests: [],
    refuse: () => false,
    stop() {
      client.destroy();
      return server.stop();
    },
  };
  return s3;
}
