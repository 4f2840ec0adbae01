import * as z from 'zod/mini';
import { givingUpAfter } from './aws.ts';
import { ApiError } from './http/errors.ts';

/** Environment variables that nobody should see, such as endpoints with a key in their URL. */
const Variables = z.record(z.string(), z.string());

const TIMEOUT_MS = 1_500;

/**
 * The variables in a secret of AWS Secrets Manager: a JSON object of texts. Read before a process's first answer, and every few minutes. Throws
 * UPSTREAM_UNAVAILABLE if it cannot be read or is something else.
 */
export async function readSecret(id: string): Promise<Record<string, string>> {
  try {
    // Loaded only where there is a secret, from Lambda's own SDK (infra/bundling.ts).
    const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
    const client = new SecretsManagerClient(givingUpAfter(TIMEOUT_MS));
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    return Variables.parse(JSON.parse(SecretString ?? ''));
  } catch (error) {
    throw new ApiError('UPSTREAM_UNAVAILABLE', 'The service is not ready. Please try again shortly.', {
      // Not the error itself: a parser may quote what it was given.
      cause: new Error(`the secret could not be read (${error instanceof Error ? error.name : 'unknown'})`),
    });
  }
}
