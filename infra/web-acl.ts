import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

/** Requests of one address in five minutes: ten a second, all day. */
const REQUESTS_PER_ADDRESS = 3_000;
/** The longest path with its parameters is below 200 characters, and the API takes no bodies. */
const MAX_PATH_BYTES = 512;
const MAX_QUERY_BYTES = 1_024;
const MAX_BODY_BYTES = 1_024;

type Rule = Pick<CfnWebACL.RuleProperty, 'name' | 'statement' | 'action' | 'overrideAction'>;

const TOO_LARGE = [
  ['uriPath', MAX_PATH_BYTES],
  ['queryString', MAX_QUERY_BYTES],
  ['body', MAX_BODY_BYTES],
] as const;

const RULES: Rule[] = [
  {
    name: 'per-address',
    action: { block: {} },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: REQUESTS_PER_ADDRESS } },
  },
  {
    name: 'size',
    action: { block: {} },
    statement: {
      orStatement: {
        statements: TOO_LARGE.map(([part, size]) => ({
          sizeConstraintStatement: {
            fieldToMatch: { [part]: part === 'body' ? { oversizeHandling: 'MATCH' } : {} },
            comparisonOperator: 'GT',
            size,
            textTransformations: [{ priority: 0, type: 'NONE' }],
          },
        })),
      },
    },
  },
  {
    name: 'common',
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: 'AWSManagedRulesCommonRuleSet',
        // Scripts that name no agent are welcome here.
        ruleActionOverrides: [{ name: 'NoUserAgent_HEADER', actionToUse: { count: {} } }],
      },
    },
  },
  {
    name: 'known-bad-inputs',
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesKnownBadInputsRuleSet' },
    },
  },
];

/** A firewall in front of the API: what it blocks gets a 403 with our body (infra/gateway-responses.ts). */
export function protect(scope: Construct, api: RestApi): void {
  const acl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('web-acl'),
    rules: RULES.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visibility(rule.name) })),
  });
  new CfnWebACLAssociation(scope, 'WebAclAssociation', {
    webAclArn: acl.attrArn,
    resourceArn: Stack.of(scope).formatArn({
      service: 'apigateway',
      account: '',
      resource: `/restapis/${api.restApiId}/stages/${api.deploymentStage.stageName}`,
    }),
  });
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  // No samples: they would keep addresses.
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
