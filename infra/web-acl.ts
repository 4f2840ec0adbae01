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
 * Firewalls: one before the API, and with the edge one before that. The edge's counts what each client sends, hits included, by the
 * address that CloudFront itself sees: no header that a client could write is asked. The API's then counts only those who come past
 * the edge, and knows them by the lack of the edge's key.
 */

/** A block ends when the last five minutes are below the limit again. */
const RETRY_AFTER_SECONDS = 60;
/** The longest path with its parameters is below 200 characters, and the API takes no bodies. */
const MAX_PATH_BYTES = 512;
const MAX_QUERY_BYTES = 1_024;
const MAX_BODY_BYTES = 1_024;

/** The header by which the edge makes itself known to the API's firewall. */
export const EDGE_KEY_HEADER = 'x-origin-key';

/**
 * What is blocked gets a problem of ours, but for two things that a firewall cannot say: its type (it sends `application/json`) and
 * the request's own id.
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

/** AWS's own lists. What they block gets the API's own 403 (infra/gateway-responses.ts). */
const MANAGED: Rule[] = [
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

/** The firewall before the API. `edgeKey` is what the edge sends, if there is one; without `direct` nobody else comes in. */
export function protectApi(
  scope: Construct,
  api: RestApi,
  { stage, direct }: Settings,
  edgeKey: string | undefined,
): CfnWebACL {
  const passedBy = edgeKey ? notStatement(edgeKey) : undefined;
  const closed: Rule[] =
    passedBy && !direct ? [{ name: 'edge-only', action: block('refused'), statement: passedBy }] : [];
  const limits = edgeKey
    ? [perAddress(DIRECT_REQUESTS_PER_ADDRESS, passedBy)]
    : [perAddress(LISTS_PER_ADDRESS, OF_LISTS, 'lists-per-address'), perAddress(REQUESTS_PER_ADDRESS)];
  const acl = createAcl(scope, 'WebAcl', `staking-data-${stage}`, 'REGIONAL', [...closed, ...limits, SIZE, ...MANAGED]);
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

/** The firewall of the edge. What a managed list would refuse is left to the API's, which sees all that is not cached. */
export function createEdgeAcl(scope: Construct, { stage }: Settings): CfnWebACL {
  return createAcl(scope, 'EdgeWebAcl', `staking-data-${stage}-edge`, 'CLOUDFRONT', [
    perAddress(ASSETS_PER_ADDRESS, OF_ASSETS, 'assets-per-address'),
    perAddress(LISTS_PER_ADDRESS, OF_LISTS, 'lists-per-address'),
    perAddress(REQUESTS_PER_ADDRESS),
    SIZE,
  ]);
}

/** `name` is what its metrics are called: in them two stages must differ. */
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

/** Decoded before it is compared: S3 and API Gateway decode the path as well, so `/%61ssets/` is `/assets/`. */
const DECODED_PATH = { fieldToMatch: { uriPath: {} }, textTransformations: [{ priority: 0, type: 'URL_DECODE' }] };

const OF_ASSETS: Statement = {
  byteMatchStatement: { ...DECODED_PATH, positionalConstraint: 'STARTS_WITH', searchString: '/assets/' },
};

/** Lists that are sent whole unless a page is asked for. Paths at the API itself begin with the stage. */
const OF_LISTS: Statement = {
  regexMatchStatement: { ...DECODED_PATH, regexString: `(${LIST_PATHS.join('|')})/?$` },
};

function perAddress(limit: number, scopeDownStatement?: Statement, name = 'per-address'): Rule {
  return {
    name,
    action: block('limited'),
    statement: {
      rateBasedStatement: { aggregateKeyType: 'IP', limit, ...(scopeDownStatement && { scopeDownStatement }) },
    },
  };
}

/** True of requests that do not bring the edge's key. */
function notStatement(edgeKey: string): Statement {
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
  // Who is blocked can be looked up for three hours, after which AWS forgets it. A log would cost as much as the flood it is of.
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
