import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** A DynamoDB client that gives up on a request after this time: the SDK's own `requestTimeout` alone only warns. */
export function dynamoDB(timeoutMs: number, config: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({
    ...config,
    requestHandler: { connectionTimeout: timeoutMs, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
  });
  // It walks through every request and response for a log that nobody keeps: a tenth of the time that a page of rows takes.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
