import { ApiKey, type RestApi, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { PER_API, PER_API_WITHOUT_FIREWALL } from './limits.ts';
import { accept } from './nag.ts';
import type { Settings } from './settings.ts';

/** CloudFront's key, without which the API refuses requests, and the plan that limits all requests with it together. */
export function admitEdge(scope: Construct, api: RestApi, { firewall }: Settings): { key: string; plan: UsagePlan } {
  const secret = new Secret(scope, 'EdgeKey', {
    description: 'Key that CloudFront sends to the API',
    generateSecretString: { excludePunctuation: true, passwordLength: 40 },
  });
  accept(
    secret,
    'SMG4',
    "Someone who learns it escapes the firewall's limits per address, but not the plan's. To replace it, rename this construct.",
  );
  // Both services take plain text. The template has a reference, which CloudFormation resolves when it deploys.
  const key = secret.secretValue.unsafeUnwrap();
  const { rate, burst } = firewall ? PER_API : PER_API_WITHOUT_FIREWALL;
  const plan = new UsagePlan(scope, 'EdgePlan', {
    description: 'All requests to the API, which come through CloudFront',
    throttle: { rateLimit: rate, burstLimit: burst },
    apiStages: [{ stage: api.deploymentStage }],
  });
  plan.addApiKey(new ApiKey(scope, 'EdgeApiKey', { description: 'Of CloudFront', value: key }));
  return { key, plan };
}
