import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { GATEWAY_ERRORS, gatewayResponse, SLOW_DOWN } from './gateway-responses.ts';
import {
  ASSETS_PER_ADDRESS,
  DIRECT_REQUESTS_PER_ADDRESS,
  LIST_PATHS,
  LISTS_PER_ADDRESS,
  REQUESTS_PER_ADDRESS,
} from './limits.ts';
import type { Settings } from './settings.ts';

/**
 * The firewalls: one in front of the API and, with the edge, one in front of CloudFront. The edge's firewall counts all
 * requests of a client, including cache hits, by the address that CloudFront itself sees, not by a header that clients
 * can set. The API's firewall then limits only requests that bypass the edge, which it recognises by the missing key.
 */

/** A block ends when the number of requests in the last five minutes is below the limit again. */
const RETRY_AFTER_SECONDS = 60;
/** The longest valid path with its parameters is below 200 characters, and the API accepts no bodies. */
const MAX_PATH_BYTES = 512;
const MAX_QUERY_BYTES = 1_024;
const MAX_BODY_BYTES = 1_024;

/** The header with which CloudFront proves to the API's firewall that a request comes from it. */
export const EDGE_KEY_HEADER = 'x-origin-key';

/**
 * Blocked requests get the same error responses as others, with two exceptions that WAF imposes: the content type is
 * `application/json`, and the request ID is a constant.
 */
const RESPONSES = {
  limited: gatewayResponse(
    { code: 'RATE_LIMITED', detail: SLOW_DOWN, retryAfterSeconds: RETRY_AFTER_SECONDS },
    'firewall',
  ),
  refused: gatewayResponse(
    GATEWAY_ERRORS.find(({ type }) => type === 'WAF_FILTERED') as (typeof GATEWAY_ERRORS)[number],
    'firewall',
  ),
};

type Rule = Pick<CfnWebACL.RuleProperty, 'name' | 'statement' | 'action' | 'overrideAction'>;
type Statement = CfnWebACL.StatementProperty;

const TOO_LARGE = [
  ['uriPath', MAX_PATH_BYTES],
  ['queryString', MAX_QUERY_BYTES],
  ['body', MAX_BODY_BYTES],
] as const;

const SIZE: Rule = {
  name: 'size',
  action: block('refused'),
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
};

/** AWS's managed rule groups. Requests they block get the API's 403 (infra/stack/gateway-responses.ts). */
const MANAGED: Rule[] = [
  {
    name: 'common',
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: 'AWSManagedRulesCommonRuleSet',
        // Scripts without a user agent are welcome.
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

/** The API's firewall. Without `direct`, it blocks requests that lack `edgeKey`. */
export function protectApi(
  scope: Construct,
  api: RestApi,
  { stage, direct }: Settings,
  edgeKey: string | undefined,
): CfnWebACL {
  const bypassesEdge = edgeKey ? lacksKey(edgeKey) : undefined;
  const edgeOnly: Rule[] =
    bypassesEdge && !direct ? [{ name: 'edge-only', action: block('refused'), statement: bypassesEdge }] : [];
  const limits = edgeKey ? [perAddress(DIRECT_REQUESTS_PER_ADDRESS, bypassesEdge)] : PER_ADDRESS;
  const rules = [...edgeOnly, ...limits, SIZE, ...MANAGED];
  const acl = createAcl(scope, 'WebAcl', `staking-data-${stage}`, 'REGIONAL', rules);
  new CfnWebACLAssociation(scope, 'WebAclAssociation', {
    webAclArn: acl.attrArn,
    resourceArn: Stack.of(scope).formatArn({
      service: 'apigateway',
      account: '',
      resource: `/restapis/${api.restApiId}/stages/${api.deploymentStage.stageName}`,
    }),
  });
  return acl;
}

/** The edge's firewall. The managed rules are left to the API's firewall, which sees everything that is not cached. */
export function createEdgeAcl(scope: Construct, { stage }: Settings): CfnWebACL {
  return createAcl(scope, 'EdgeWebAcl', `staking-data-${stage}-edge`, 'CLOUDFRONT', [...PER_ADDRESS, SIZE]);
}

/** `name` is the name of its metrics, so it must differ between stages. */
function createAcl(
  scope: Construct,
  id: string,
  name: string,
  reach: 'REGIONAL' | 'CLOUDFRONT',
  rules: Rule[],
): CfnWebACL {
  return new CfnWebACL(scope, id, {
    scope: reach,
    defaultAction: { allow: {} },
    visibilityConfig: visibility(name),
    rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visibility(`${name}-${rule.name}`) })),
    customResponseBodies: Object.fromEntries(
      Object.entries(RESPONSES).map(([name, { body }]) => [name, { contentType: 'APPLICATION_JSON', content: body }]),
    ),
  });
}

/** Decoded first, as S3 and API Gateway do: to them, `/%61ssets/` is `/assets/`. */
const DECODED_PATH = { fieldToMatch: { uriPath: {} }, textTransformations: [{ priority: 0, type: 'URL_DECODE' }] };

/** Matches anywhere in the path, because paths of the API itself begin with the stage. */
const IS_ASSET: Statement = {
  byteMatchStatement: { ...DECODED_PATH, positionalConstraint: 'CONTAINS', searchString: '/assets/' },
};

/** Matches the end of the path only, for the same reason. */
const IS_LIST: Statement = {
  regexMatchStatement: { ...DECODED_PATH, regexString: `(${LIST_PATHS.join('|')})/?$` },
};

/** The limits of each client, in the firewall that clients meet first. */
const PER_ADDRESS: Rule[] = [
  perAddress(ASSETS_PER_ADDRESS, IS_ASSET, 'assets-per-address'),
  perAddress(LISTS_PER_ADDRESS, IS_LIST, 'lists-per-address'),
  perAddress(REQUESTS_PER_ADDRESS),
];

function perAddress(limit: number, scopeDownStatement?: Statement, name = 'per-address'): Rule {
  return {
    name,
    action: block('limited'),
    statement: {
      rateBasedStatement: { aggregateKeyType: 'IP', limit, ...(scopeDownStatement && { scopeDownStatement }) },
    },
  };
}

/** Matches requests without the edge's key. */
function lacksKey(edgeKey: string): Statement {
  return {
    notStatement: {
      statement: {
        byteMatchStatement: {
          fieldToMatch: { singleHeader: { Name: EDGE_KEY_HEADER } },
          positionalConstraint: 'EXACTLY',
          searchString: edgeKey,
          textTransformations: [{ priority: 0, type: 'NONE' }],
        },
      },
    },
  };
}

function block(name: keyof typeof RESPONSES): CfnWebACL.RuleActionProperty {
  const { status, headers } = RESPONSES[name];
  const sent = Object.entries(headers).filter(([header]) => !['Content-Type', 'X-Request-Id'].includes(header));
  return {
    block: {
      customResponse: {
        responseCode: status,
        customResponseBodyKey: name,
        responseHeaders: sent.map(([header, value]) => ({ name: header, value })),
      },
    },
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  // AWS keeps a sample of the blocked requests for three hours. A full log would cost too much during a flood.
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
