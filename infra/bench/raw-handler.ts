import { request } from 'node:http';
import { Logger } from '@aws-lambda-powertools/logger';
import {
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import cors from '@middy/http-cors';

/** A request to an upstream as it goes out: a POST if it has a body. */
interface UpstreamRequest {
  url: string;
  body?: string;
}

/** Or a query of the history or the ledger. */
export type RawRequest = UpstreamRequest | { query: QueryCommandInput };

/**
 * The baseline of cold starts (`npm run bench:cold`): a handler with the same SDK, logger and middy that makes an
 * endpoint's requests to upstreams and the table one after another, and does nothing else. The requests were recorded
 * beforehand (RAW_REQUESTS), the answer is cut out of the text, and nothing is validated.
 */

const REQUESTS: RawRequest[] = JSON.parse(process.env.RAW_REQUESTS as string);
const logger = new Logger();
const client = new DynamoDBClient({});
const TableName = process.env.CACHE_TABLE as string;
const Key = { pk: { S: 'raw' } };

export const handler = middy()
  .use(cors({ origin: '*' }))
  .handler(async () => {
    await client.send(new GetItemCommand({ TableName, Key }));
    await write();
    await client.send(new GetItemCommand({ TableName, Key }));
    let text = '';
    for (const asked of REQUESTS) {
      text = 'query' in asked ? JSON.stringify(await client.send(new QueryCommand(asked.query))) : await send(asked);
    }
    const body = JSON.stringify({ value: text.slice(-66) });
    await write(body);
    logger.info('request');
    return { statusCode: 200, body };
  });

function write(body = '') {
  return client.send(
    new UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression: 'SET body = :body',
      ExpressionAttributeValues: { ':body': { S: body } },
    }),
  );
}

function send({ url, body }: UpstreamRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method: body ? 'POST' : 'GET', headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(text);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
