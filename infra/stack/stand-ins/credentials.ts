import { fromEnv } from '@aws-sdk/credential-provider-env';

/** Stands in for `@aws-sdk/credential-provider-node` in bundles: Lambda passes credentials in the environment. */
export const defaultProvider = () => fromEnv();
