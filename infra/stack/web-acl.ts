/**
 * The firewall in front of CloudFront. It counts all requests of a client, including cache hits, by the address that
 * CloudFront sees, not by a header that clients can set. It has none of AWS's managed rules: those look for attacks on
 * databases, shells and forms, and this API only takes parameters of strict forms. It has no limit of size: CloudFront
 * accepts at most 8 kB of URL, and its function refuses methods that have a body.
 */

import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { sunsetHeaders } from '../../lib/api/http/response.ts';
import { chunked } from '../../lib/values/arrays.ts';
import { gatewayResponse, SLOW_DOWN } from './gateway-responses.ts';
import { EXPENSIVE_PATHS, EXPENSIVE_PER_ADDRESS, LARGE_FILES, REQUESTS_PER_ADDRESS } from './limits.ts';
import type { Settings } from './settings.ts';

/**
 * Blocked requests get the API's own error response, with two exceptions that WAF imposes: the content type is
 * `application/json`, and the request ID is a constant. A block ends when there are fewer requests than the limit again.
 */
const LIMITED = gatewayResponse({ code: 'RATE_LIMITED', detail: SLOW_DOWN, retryAfterSeconds: 60 }, 'firewall');

/** Decoded and without dot segments, as CloudFront and its origins see it: `/x/../%61ssets/` is `/assets/`. */
const PATH = {
  fieldToMatch: { uriPath: {} },
  textTransformations: ['URL_DECODE', 'NORMALIZE_PATH'].map((type, priority) => ({ priority, type })),
};

/** WAF's limit on a pattern is 512 characters. */
const PATHS_PER_PATTERN = 12;

const PATTERNS = chunked(EXPENSIVE_PATHS, PATHS_PER_PATTERN).map((paths) =>
  paths.map((path) => path.replaceAll(/\{\w+\}/g, '[^/]+')).join('|'),
);

const IS_EXPENSIVE: CfnWebACL.StatementProperty[] = [
  ...LARGE_FILES.map((searchString) => ({
    byteMatchStatement: { ...PATH, positionalConstraint: 'STARTS_WITH', searchString },
  })),
  ...PATTERNS.map((paths) => ({ regexMatchStatement: { ...PATH, regexString: `^(${paths})/?$` } })),
];

/** The firewall. The stage is part of the names of its metrics, which must differ between stages. */
export function createFirewall(scope: Construct, { stage, endsOn }: Settings): CfnWebACL {
  const name = `staking-data-${stage}-edge`;
  const responseHeaders = Object.entries({ ...LIMITED.headers, ...sunsetHeaders(endsOn) })
    .filter(([header]) => !['Content-Type', 'X-Request-Id'].includes(header))
    .map(([header, value]) => ({ name: header, value }));
  const customResponse = { responseCode: LIMITED.status, customResponseBodyKey: 'limited', responseHeaders };
  const limits = {
    'expensive-per-address': {
      limit: EXPENSIVE_PER_ADDRESS,
      scopeDownStatement: { orStatement: { statements: IS_EXPENSIVE } },
    },
    'per-address': { limit: REQUESTS_PER_ADDRESS },
  };
  return new CfnWebACL(scope, 'EdgeWebAcl', {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(name),
    rules: Object.entries(limits).map(([rule, limit], priority) => ({
      name: rule,
      statement: { rateBasedStatement: { aggregateKeyType: 'IP', ...limit } },
      action: { block: { customResponse } },
      priority,
      visibilityConfig: visibility(`${name}-${rule}`),
    })),
    customResponseBodies: { limited: { contentType: 'APPLICATION_JSON', content: LIMITED.body } },
  });
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  // AWS keeps a sample of the blocked requests for three hours. A full log would cost too much during a flood.
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
