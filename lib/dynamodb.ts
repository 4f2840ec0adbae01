import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { givingUpAfter } from './aws.ts';

/**
 * The SDK's own defaults. What is not told here it looks for in the files of a developer's machine: in a function, two reads that fail
 * and a dozen errors at each cold start.
 */
const DEFAULTS = {
  defaultsMode: 'legacy',
  retryMode: 'standard',
  maxAttempts: 3,
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  accountIdEndpointMode: 'preferred',
  authSchemePreference: [],
  endpointDiscoveryEnabled: false,
  ignoreConfiguredEndpointUrls: true,
  disableClockSkewCorrection: false,
  userAgentAppId: async () => undefined,
} satisfies DynamoDBClientConfig;

/** A DynamoDB client that gives up on a request after this time. */
export function dynamoDB(timeoutMs: number, config: DynamoDBClientConfig = {}): DynamoDBClient {
  // By the SDK's own names, for emulators.
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = process.env.AWS_ENDPOINT_URL } = process.env;
  const client = new DynamoDBClient({
    ...DEFAULTS,
    ...(endpoint && { endpoint }),
    ...config,
    ...givingUpAfter(timeoutMs),
  });
  // It walks through every request and response for a log that nobody keeps: a tenth of the time that a page of rows takes.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
