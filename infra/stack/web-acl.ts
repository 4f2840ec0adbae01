/**
 * The firewall in front of CloudFront. It counts all requests of a client, including cache hits, by the address that
 * CloudFront itself sees, not by a header that clients can set. AWS's managed rules are not in it: they look for attacks
 * on databases, shells and pages that take input, and this API only takes parameters of strict forms.
 */

import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { sunsetHeaders } from '../../lib/api/http/sunset.ts';
import { gatewayResponse, REJECTED, SLOW_DOWN } from './gateway-responses.ts';
import {
  ARCHIVE_PATH,
  ASSET_PATHS,
  ASSETS_PER_ADDRESS,
  DEAR_PATHS,
  DEAR_PER_ADDRESS,
  MAX_QUERY_BYTES,
  REQUESTS_PER_ADDRESS,
} from './limits.ts';
import type { Settings } from './settings.ts';

/** A block ends when the number of requests in the last five minutes is below the limit again. */
const RETRY_AFTER_SECONDS = 60;
/** The longest valid path is below 200 characters, and the API accepts no bodies. */
const MAX_PATH_BYTES = 512;
const MAX_BODY_BYTES = 1_024;

/**
 * Blocked requests get the same error responses as others, with two exceptions that WAF imposes: the content type is
 * `application/json`, and the request ID is a constant.
 */
const RESPONSES = {
  limited: gatewayResponse(
    { code: 'RATE_LIMITED', detail: SLOW_DOWN, retryAfterSeconds: RETRY_AFTER_SECONDS },
    'firewall',
  ),
  refused: gatewayResponse({ code: 'FORBIDDEN', detail: REJECTED }, 'firewall'),
};

type Rule = Pick<CfnWebACL.RuleProperty, 'name' | 'statement' | 'action'>;
type Statement = CfnWebACL.StatementProperty;

const TOO_LARGE = [
  ['uriPath', MAX_PATH_BYTES],
  ['queryString', MAX_QUERY_BYTES],
  ['body', MAX_BODY_BYTES],
] as const;

const IS_TOO_LARGE = anyOf(
  TOO_LARGE.map(([part, size]) => ({
    sizeConstraintStatement: {
      fieldToMatch: { [part]: part === 'body' ? { oversizeHandling: 'MATCH' } : {} },
      comparisonOperator: 'GT',
      size,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  })),
);

/** Decoded and without dot segments, as CloudFront and its origins see it: `/x/../%61ssets/` is `/assets/`. */
const PATH = {
  fieldToMatch: { uriPath: {} },
  textTransformations: ['URL_DECODE', 'NORMALIZE_PATH'].map((type, priority) => ({ priority, type })),
};

const IS_ASSET = anyOf(ASSET_PATHS.map(beginsWith));

/** WAF's limit on a pattern is 512 characters. */
const PATHS_PER_PATTERN = 12;

const IS_DEAR = anyOf([
  beginsWith(ARCHIVE_PATH),
  ...Array.from({ length: Math.ceil(DEAR_PATHS.length / PATHS_PER_PATTERN) }, (_, index) =>
    isOneOf(DEAR_PATHS.slice(index * PATHS_PER_PATTERN, (index + 1) * PATHS_PER_PATTERN)),
  ),
]);

function beginsWith(searchString: string): Statement {
  return { byteMatchStatement: { ...PATH, positionalConstraint: 'STARTS_WITH', searchString } };
}

function isOneOf(paths: readonly string[]): Statement {
  const regexString = `^(${paths.map((path) => path.replaceAll(/\{\w+\}/g, '[^/]+')).join('|')})/?$`;
  return { regexMatchStatement: { ...PATH, regexString } };
}

function anyOf(statements: Statement[]): Statement {
  return { orStatement: { statements } };
}

/** The firewall. The stage is part of the names of its metrics, which must differ between stages. */
export function createFirewall(scope: Construct, { stage, endsOn }: Settings): CfnWebACL {
  const end = sunsetHeaders(endsOn);
  const name = `staking-data-${stage}-edge`;
  const rules = [
    perAddress('assets-per-address', end, ASSETS_PER_ADDRESS, IS_ASSET),
    perAddress('dear-per-address', end, DEAR_PER_ADDRESS, IS_DEAR),
    perAddress('per-address', end, REQUESTS_PER_ADDRESS),
    { name: 'size', action: block('refused', end), statement: IS_TOO_LARGE },
  ];
  return new CfnWebACL(scope, 'EdgeWebAcl', {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(name),
    rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: visibility(`${name}-${rule.name}`) })),
    customResponseBodies: Object.fromEntries(
      Object.entries(RESPONSES).map(([name, { body }]) => [name, { contentType: 'APPLICATION_JSON', content: body }]),
    ),
  });
}

function perAddress(name: string, end: Record<string, string>, limit: number, scopeDownStatement?: Statement): Rule {
  return {
    name,
    action: block('limited', end),
    statement: {
      rateBasedStatement: { aggregateKeyType: 'IP', limit, ...(scopeDownStatement && { scopeDownStatement }) },
    },
  };
}

function block(name: keyof typeof RESPONSES, end: Record<string, string>): CfnWebACL.RuleActionProperty {
  const { status, headers } = RESPONSES[name];
  const sent = Object.entries({ ...headers, ...end }).filter(
    ([header]) => !['Content-Type', 'X-Request-Id'].includes(header),
  );
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
