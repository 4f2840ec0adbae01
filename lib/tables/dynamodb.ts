import { ConditionalCheckFailedException, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { givingUpAfter } from '../runtime/aws.ts';

/**
 * The SDK's own defaults, spelled out. For options that are not set it looks into a developer's configuration files,
 * which in a function costs two failed reads and a dozen errors: 5 ms of the 29 that a container's first request takes.
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

/** A DynamoDB client; each attempt at a request times out after `timeoutMs`. */
export function dynamoDB(timeoutMs: number, config: DynamoDBClientConfig = {}): DynamoDBClient {
  // The SDK's own variables, for emulators.
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = process.env.AWS_ENDPOINT_URL } = process.env;
  const client = new DynamoDBClient({
    ...DEFAULTS,
    ...(endpoint && { endpoint }),
    ...config,
    ...givingUpAfter(timeoutMs),
  });
  // This middleware copies every answer for a logger that logs nothing: almost half of the work of reading rows.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** False if the command's condition did not hold; every other failure is thrown. */
export async function conditional(sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
