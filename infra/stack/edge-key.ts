import { ApiKey, type RestApi, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { PER_API } from './limits.ts';
import { accept } from './nag.ts';

/**
 * CloudFront's key, without which the API answers nobody, and the plan that limits all requests with it together.
 */
export function admitEdge(scope: Construct, api: RestApi): { key: string; plan: UsagePlan } {
  const secret = new Secret(scope, 'EdgeKey', {
    description: 'The key with which CloudFront asks the API',
    generateSecretString: { excludePunctuation: true, passwordLength: 40 },
  });
  accept(
    secret,
    'SMG4',
    "Someone who learns it escapes the firewall's limits per address, but not the plan's. To replace it, rename this construct.",
  );
  // Both services take plain text. The template has a reference, which CloudFormation resolves when it deploys.
  const key = secret.secretValue.unsafeUnwrap();
  const plan = new UsagePlan(scope, 'EdgePlan', {
    description: 'All requests to the API, which come through CloudFront',
    throttle: { rateLimit: PER_API.rate, burstLimit: PER_API.burst },
    apiStages: [{ stage: api.deploymentStage }],
  });
  plan.addApiKey(new ApiKey(scope, 'EdgeApiKey', { description: 'Of CloudFront', value: key }));
  return { key, plan };
}
