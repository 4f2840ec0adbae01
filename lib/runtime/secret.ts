import * as z from 'zod/mini';
import { givingUpAfter } from './aws.ts';
import { ApiError } from './errors.ts';

const TIMEOUT_MS = 1_500;

/** Reads a JSON object of strings from AWS Secrets Manager. Throws UPSTREAM_UNAVAILABLE if it cannot or has another shape. */
export async function readSecret(id: string): Promise<Record<string, string>> {
  try {
    // Loaded only where there is a secret, from Lambda's own SDK (infra/stack/bundling.ts).
    const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
    const client = new SecretsManagerClient(givingUpAfter(TIMEOUT_MS));
    const read = client.send(new GetSecretValueCommand({ SecretId: id }));
    // The secret is read every five minutes: no connection has to stay open for that.
    const { SecretString } = await read.finally(() => client.destroy());
    return z.record(z.string(), z.string()).parse(JSON.parse(SecretString ?? ''));
  } catch (error) {
    throw new ApiError('UPSTREAM_UNAVAILABLE', 'The service is not ready. Please try again shortly.', {
      // Not the error itself: a parser may quote its input.
      cause: new Error(`the secret could not be read (${error instanceof Error ? error.name : 'unknown'})`),
    });
  }
}
