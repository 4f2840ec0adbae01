/**
 * CloudFront in front of the API and the pages. Each edge location requests a fresh answer from the API once, and
 * serves an expired one while it requests it again, for as long as the API's `Cache-Control` allows.
 */

import { Duration, Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ENDPOINTS } from '../../functions/index.ts';
import {
  ALLOWED_METHODS,
  EXPOSED_HEADERS,
  PREFLIGHT_MAX_AGE_SECONDS,
  sunsetHeaders,
} from '../../lib/api/http/response.ts';
import type { SiteFile } from '../site/site-file.ts';
import { admitEdge } from './api.ts';
import { edgeRequestCode, HSTS_SECONDS } from './edge-function.ts';
import { accept } from './nag.ts';
import { edgeLogName } from './names.ts';
import { monthLog } from './service-function.ts';
import type { Settings } from './settings.ts';
import { publishSite } from './static-site.ts';
import { createFirewall } from './web-acl.ts';

/**
 * Path patterns that CloudFront does not cache. If the API responds with a 5xx, CloudFront serves a cached response of
 * any age instead, and old responses of these endpoints would be false. The star also matches a trailing slash.
 */
const UNCACHED_PATTERNS = Object.values(ENDPOINTS).flatMap(({ neverStale, path }) => (neverStale ? `${path}*` : []));

/**
 * Errors that CloudFront caches for ten seconds by default. The API's headers set how long each may be cached, except
 * while the API does not answer: then each edge location sends one request every two seconds, so that an outage does not
 * use up the functions' concurrency.
 */
const CACHED_ERRORS = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(httpStatus >= 502 ? 2 : 0),
}));

/** The cdk-nag rules that this distribution breaks on purpose, each with the reason. */
const ACCEPTED = [
  ['CFR1', 'The data is public in every country.'],
  ['CFR3', 'Access is logged with CfnDelivery (below), because standard logs would contain client addresses.'],
  ['CFR4', "Without a domain: CloudFront's own certificate takes TLS 1.0 and later, without a choice."],
] as const;
export function createEdge(
  scope: Construct,
  settings: Settings,
  api: RestApi,
  site: readonly SiteFile[],
  logGroup: LogGroup,
) {
  const { stage, domain, certificate } = settings;
  const { key, plan } = admitEdge(scope, api, settings);
  const { origin, content: pages } = publishSite(scope, stage, site, logGroup);
  const onRequest = new cloudfront.Function(scope, 'EdgeRequest', {
    comment: 'Normalises cache keys; answers preflights and unsupported methods itself',
    runtime: cloudfront.FunctionRuntime.JS_2_0,
    code: cloudfront.FunctionCode.fromInline(edgeRequestCode()),
  });
  const common = {
    viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    // All methods: the function answers those that are not read-only with our 405, instead of CloudFront's error page.
    allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
    responseHeadersPolicy: responseHeaders(scope, settings),
    functionAssociations: [{ eventType: cloudfront.FunctionEventType.VIEWER_REQUEST, function: onRequest }],
  };
  const fromApi = { ...common, origin: new RestApiOrigin(api, { customHeaders: { 'x-api-key': key } }) };
  const uncached = { ...fromApi, cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED };
  // Keyed by path only. Every file has a `Cache-Control`, which decides.
  const fromBucket = { ...common, origin, cachePolicy: cloudfront.CachePolicy.CACHING_OPTIMIZED };
  // One pattern for all assets, including those of past releases, and one for the reference in files.
  const pagePatterns = site.map(({ path }) =>
    path.replace(/^assets\/.*/, 'assets/*').replace(/^docs\/.*\.md$/, 'docs/*.md'),
  );
  const firewall = settings.firewall ? createFirewall(scope, settings) : undefined;
  const distribution = new cloudfront.Distribution(scope, 'Edge', {
    comment: `staking-data-${stage}`,
    httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
    // A single machine may have 2^64 IPv6 addresses, and the firewall's rate limits count each one separately.
    enableIpv6: false,
    ...(firewall && { webAclId: firewall.attrArn }),
    defaultBehavior: { ...fromApi, cachePolicy: apiCachePolicy(scope) },
    additionalBehaviors: Object.fromEntries([
      ...UNCACHED_PATTERNS.map((pattern) => [pattern, uncached] as const),
      ...pagePatterns.map((pattern) => [pattern, fromBucket] as const),
    ]),
    errorResponses: CACHED_ERRORS,
    ...(domain &&
      certificate && {
        domainNames: [domain],
        certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificate),
        minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
  });
  // The API accepts a key before CloudFront sends it. An old key is only deleted once no edge location sends it any more.
  distribution.node.addDependency(plan);
  logAccess(scope, distribution, stage);
  for (const [rule, reason] of ACCEPTED) accept(distribution, rule, reason);
  if (!firewall)
    accept(distribution, 'CFR2', 'The usage plan of API Gateway limits the cost of requests to a stage for tests.');
  Validations.of(distribution).acknowledge({
    id: 'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
    reason: "Only the bucket's root lists its files, and CloudFront asks the API for the root.",
  });
  return { distribution, pages };
}

/**
 * A policy can list at most ten query parameters, but the endpoints have more. The key therefore contains all of them,
 * except those that the function (infra/stack/edge-request.js) drops.
 */
function apiCachePolicy(scope: Construct): cloudfront.CachePolicy {
  return new cloudfront.CachePolicy(scope, 'ApiCache', {
    comment: 'The API: keyed by path, parameters, Accept and Accept-Encoding',
    // Cache-Control decides: responses without it, or with no-store, are not cached.
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    // The longest `stale-if-error`.
    maxTtl: Duration.days(1),
    queryStringBehavior: cloudfront.CacheQueryStringBehavior.all(),
    headerBehavior: cloudfront.CacheHeaderBehavior.allowList('Accept'),
    cookieBehavior: cloudfront.CacheCookieBehavior.none(),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
}

/**
 * Added to every response, including those that CloudFront generates. CORS headers and a Content-Security-Policy that
 * the API has set are kept.
 */
function responseHeaders(scope: Construct, { stage, endsOn }: Settings): cloudfront.ResponseHeadersPolicy {
  const end = Object.entries(sunsetHeaders(endsOn));
  const customHeaders = end.map(([header, value]) => ({ header, value, override: header !== 'Link' }));
  return new cloudfront.ResponseHeadersPolicy(scope, 'EdgeHeaders', {
    responseHeadersPolicyName: `staking-data-${stage}`,
    corsBehavior: {
      accessControlAllowOrigins: ['*'],
      accessControlAllowHeaders: ['*'],
      accessControlAllowMethods: ALLOWED_METHODS.split(','),
      accessControlExposeHeaders: EXPOSED_HEADERS,
      accessControlMaxAge: Duration.seconds(PREFLIGHT_MAX_AGE_SECONDS),
      accessControlAllowCredentials: false,
      originOverride: false,
    },
    // The API's links are more than this one.
    ...(customHeaders.length > 0 && { customHeadersBehavior: { customHeaders } }),
    securityHeadersBehavior: {
      strictTransportSecurity: {
        accessControlMaxAge: Duration.seconds(HSTS_SECONDS),
        includeSubdomains: true,
        override: true,
      },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: cloudfront.HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy: cloudfront.HeadersReferrerPolicy.NO_REFERRER, override: true },
      contentSecurityPolicy: { contentSecurityPolicy: "frame-ancestors 'none'", override: false },
    },
  });
}

/** One line per request, without the client's address, user agent, referrer and query. */
const ACCESS_LOG = [
  ...['date', 'time', 'x-edge-location', 'x-edge-request-id', 'cs-method', 'cs-uri-stem', 'cs-protocol-version'],
  ...['sc-status', 'sc-bytes', 'time-taken', 'x-edge-result-type', 'x-edge-detailed-result-type'],
];

function logAccess(scope: Construct, distribution: cloudfront.Distribution, stage: string): void {
  const log = monthLog(scope, 'EdgeLogs', edgeLogName({ stage }));
  const name = `staking-data-${stage}-edge`;
  const source = new CfnDeliverySource(scope, 'EdgeLogSource', {
    name,
    logType: 'ACCESS_LOGS',
    resourceArn: distribution.distributionArn,
  });
  const destination = new CfnDeliveryDestination(scope, 'EdgeLogDestination', {
    name,
    destinationResourceArn: log.logGroupArn,
    outputFormat: 'json',
  });
  new CfnDelivery(scope, 'EdgeLogDelivery', {
    deliverySourceName: name,
    deliveryDestinationArn: destination.attrArn,
    recordFields: ACCESS_LOG,
  }).addResourceDependency(source);
}
