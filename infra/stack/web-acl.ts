/**
 * The firewall in front of CloudFront. It counts all requests of a client, including cache hits, by the address that
 * CloudFront sees, not by a header that clients can set. It has none of AWS's managed rules: those look for attacks on
 * databases, shells and forms, and this API only takes parameters of strict forms. It has no limit of size: CloudFront
 * accepts at most 8 kB of URL, and its function refuses methods that have a body.
 */

import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { sunsetHeaders } from '../../lib/api/http/sunset.ts';
import { gatewayResponse, SLOW_DOWN } from './gateway-responses.ts';
import { EXPENSIVE_PATHS, EXPENSIVE_PER_ADDRESS, LARGE_FILES, REQUESTS_PER_ADDRESS } from './limits.ts';
import type { Settings } from './settings.ts';

/** A block ends when the number of requests in the rule's window is below the limit again. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Blocked requests get the API's own error response, with two exceptions that WAF imposes: the content type is
 * `application/json`, and the request ID is a constant.
 */
const LIMITED = gatewayResponse(
  { code: 'RATE_LIMITED', detail: SLOW_DOWN, retryAfterSeconds: RETRY_AFTER_SECONDS },
  'firewall',
);

type Rule = Pick<CfnWebACL.RuleProperty, 'name' | 'statement'>;
type Statement = CfnWebACL.StatementProperty;

/** Decoded and without dot segments, as CloudFront and its origins see it: `/x/../%61ssets/` is `/assets/`. */
const PATH = {
  fieldToMatch: { uriPath: {} },
  textTransformations: ['URL_DECODE', 'NORMALIZE_PATH'].map((type, priority) => ({ priority, type })),
};

/** WAF's limit on a pattern is 512 characters. */
const PATHS_PER_PATTERN = 12;

const IS_EXPENSIVE = anyOf([
  ...LARGE_FILES.map(beginsWith),
  ...Array.from({ length: Math.ceil(EXPENSIVE_PATHS.length / PATHS_PER_PATTERN) }, (_, index) =>
    isOneOf(EXPENSIVE_PATHS.slice(index * PATHS_PER_PATTERN, (index + 1) * PATHS_PER_PATTERN)),
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
  const name = `staking-data-${stage}-edge`;
  const rules: Rule[] = [
    perAddress('expensive-per-address', { limit: EXPENSIVE_PER_ADDRESS, scopeDownStatement: IS_EXPENSIVE }),
    perAddress('per-address', { limit: REQUESTS_PER_ADDRESS }),
  ];
  return new CfnWebACL(scope, 'EdgeWebAcl', {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(name),
    rules: rules.map((rule, priority) => ({
      ...rule,
      action: block(sunsetHeaders(endsOn)),
      priority,
      visibilityConfig: visibility(`${name}-${rule.name}`),
    })),
    customResponseBodies: { limited: { contentType: 'APPLICATION_JSON', content: LIMITED.body } },
  });
}

type RateLimit = Omit<CfnWebACL.RateBasedStatementProperty, 'aggregateKeyType'>;

function perAddress(name: string, limit: RateLimit): Rule {
  return { name, statement: { rateBasedStatement: { aggregateKeyType: 'IP', ...limit } } };
}

function block(end: Record<string, string>): CfnWebACL.RuleActionProperty {
  const sent = Object.entries({ ...LIMITED.headers, ...end }).filter(
    ([header]) => !['Content-Type', 'X-Request-Id'].includes(header),
  );
  return {
    block: {
      customResponse: {
        responseCode: LIMITED.status,
        customResponseBodyKey: 'limited',
        responseHeaders: sent.map(([header, value]) => ({ name: header, value })),
      },
    },
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  // AWS keeps a sample of the blocked requests for three hours. A full log would cost too much during a flood.
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
