import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { ENDPOINTS } from '../functions/index.ts';
import { ALLOWED_METHODS, PREFLIGHT_MAX_AGE_SECONDS } from '../lib/endpoint.ts';
import { EXPOSED_HEADERS, SECURITY_HEADERS } from '../lib/http/response.ts';
import { edgeRequestCode } from './edge-function.ts';
import type { Settings } from './settings.ts';
import type { SiteFile } from './site.ts';
import { publishSite } from './static-site.ts';
import { createEdgeAcl, EDGE_KEY_HEADER } from './web-acl.ts';

/**
 * CloudFront in front of the API and the pages. What is fresh is asked of the API once per place, and what has expired is served
 * while it is asked again, for as long as the API's `Cache-Control` says.
 */

interface EdgeProps {
  api: RestApi;
  site: readonly SiteFile[];
  settings: Settings;
}

export interface Edge {
  distribution: Distribution;
  firewall: CfnWebACL;
  /** What tells the API's firewall that a request comes from here; the template has only a reference to it. */
  key: string;
}

/** Longest that anything of the API is kept, stale or not: its `stale-if-error`. */
const API_KEPT = Duration.days(1);
const ASSETS_KEPT = Duration.days(365);
const HSTS_SECONDS = Number(/max-age=(\d+)/.exec(SECURITY_HEADERS['Strict-Transport-Security'])?.[1]);

/**
 * When the API answers with a 5xx, CloudFront sends what it has kept instead, however old that is. Of endpoints whose old answers would
 * be lies it keeps nothing. With a star for the slash that somebody may write behind.
 */
const NOT_KEPT = Object.values(ENDPOINTS).flatMap(({ momentary, path }) => (momentary ? `${path}*` : []));

/** Errors that CloudFront would keep for ten seconds of its own accord: the API's own headers say how long each is kept. */
const KEEP_AS_TOLD = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/** One line a request, without the address, agent, referrer or query of who sent it. */
const ACCESS_LOG = [
  'date',
  'time',
  'x-edge-location',
  'x-edge-request-id',
  'cs-method',
  'cs-uri-stem',
  'cs-protocol-version',
  'sc-status',
  'sc-bytes',
  'time-taken',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
];

/** Rules of cdk-nag that this distribution breaks on purpose. */
const ACCEPTED = [
  ['CFR1', 'The data is public everywhere.'],
  ['CFR3', 'Access is logged with CfnDelivery (below), because standard logs would contain the addresses of clients.'],
  ['CFR4', "CloudFront's default certificate, used without a custom domain, offers no choice of TLS versions."],
] as const;

export function createEdge(scope: Construct, { api, site, settings }: EdgeProps): Edge {
  const { stage, domain, certificate } = settings;
  const key = createKey(scope);
  const common = {
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    // All: what is not read-only gets a 405 of ours from the function, instead of a page of CloudFront's.
    allowedMethods: AllowedMethods.ALLOW_ALL,
    responseHeadersPolicy: responseHeaders(scope, stage),
    functionAssociations: [
      {
        eventType: FunctionEventType.VIEWER_REQUEST,
        function: new EdgeFunction(scope, 'EdgeRequest', {
          comment: 'Normalises requests to one cache key per answer; answers preflights and 405 itself',
          runtime: FunctionRuntime.JS_2_0,
          code: FunctionCode.fromInline(edgeRequestCode()),
        }),
      },
    ],
  };
  const fromApi = { ...common, origin: new RestApiOrigin(api, { customHeaders: { [EDGE_KEY_HEADER]: key } }) };
  const fromBucket: BehaviorOptions = {
    ...common,
    origin: S3BucketOrigin.withOriginAccessControl(publishSite(scope, site), {
      // With the second a file that is not there is a 404.
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
    }),
    cachePolicy: new CachePolicy(scope, 'PagesCache', {
      comment: 'Pages and assets: by path only',
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.minutes(5),
      maxTtl: ASSETS_KEPT,
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    }),
  };
  const firewall = createEdgeAcl(scope, settings);
  const distribution = new Distribution(scope, 'Edge', {
    comment: `staking-data-${stage}`,
    httpVersion: HttpVersion.HTTP2_AND_3,
    // A single machine may have 2^64 IPv6 addresses, and the firewall would give each of them a limit of its own.
    enableIpv6: false,
    webAclId: firewall.attrArn,
    defaultBehavior: { ...fromApi, cachePolicy: apiCachePolicy(scope) },
    additionalBehaviors: Object.fromEntries<BehaviorOptions>([
      ...NOT_KEPT.map((pattern) => [pattern, { ...fromApi, cachePolicy: CachePolicy.CACHING_DISABLED }] as const),
      ...patternsOf(site).map((pattern) => [pattern, fromBucket] as const),
    ]),
    errorResponses: KEEP_AS_TOLD.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    ...(domain &&
      certificate && {
        domainNames: [domain],
        certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificate),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
  });
  logAccess(scope, distribution, stage);
  for (const [rule, reason] of ACCEPTED) {
    Validations.of(distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  }
  return { distribution, firewall, key };
}

/** A text that nobody knows but CloudFront and the firewall. */
function createKey(scope: Construct): string {
  const secret = new Secret(scope, 'EdgeKey', {
    description: 'CloudFront sends it to the API, whose firewall recognises CloudFront by it',
    generateSecretString: { excludePunctuation: true, passwordLength: 40 },
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason:
      "Whoever learns it escapes the API firewall's limit per address, but not the API's throttle. To replace it, rename this construct.",
  });
  // Both places take plain text; CloudFormation puts it in when it deploys.
  return secret.secretValue.unsafeUnwrap();
}

/** The paths of the bucket: each page, and all assets together, those of the release before included. */
export function patternsOf(site: readonly SiteFile[]): string[] {
  return [...new Set(site.map(({ path }) => path.replace(/^assets\/.*/, 'assets/*')))];
}

/**
 * By path, parameters and what may come back. A policy may name ten parameters and the endpoints know more, so the function has
 * left only those in the query, and all that is left counts.
 */
function apiCachePolicy(scope: Construct): CachePolicy {
  return new CachePolicy(scope, 'ApiCache', {
    comment: 'The API: path, known parameters, Accept and Accept-Encoding',
    // As Cache-Control says: what has none, or no-store, is not kept.
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: API_KEPT,
    queryStringBehavior: CacheQueryStringBehavior.all(),
    headerBehavior: CacheHeaderBehavior.allowList('Accept'),
    cookieBehavior: CacheCookieBehavior.none(),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
}

/** On every response, those that CloudFront makes itself included. What the API has said stays. */
function responseHeaders(scope: Construct, stage: string): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, 'EdgeHeaders', {
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
    securityHeadersBehavior: {
      strictTransportSecurity: {
        accessControlMaxAge: Duration.seconds(HSTS_SECONDS),
        includeSubdomains: true,
        override: true,
      },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      contentSecurityPolicy: { contentSecurityPolicy: "frame-ancestors 'none'", override: false },
    },
  });
}

function logAccess(scope: Construct, distribution: Distribution, stage: string): void {
  const log = new LogGroup(scope, 'EdgeLogs', {
    // Groups below this name need no entry of their own in the account's short list of who may write.
    logGroupName: `/aws/vendedlogs/staking-data-${stage}/edge`,
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const source = new CfnDeliverySource(scope, 'EdgeLogSource', {
    name: `staking-data-${stage}-edge`,
    logType: 'ACCESS_LOGS',
    resourceArn: distribution.distributionArn,
  });
  const destination = new CfnDeliveryDestination(scope, 'EdgeLogDestination', {
    name: `staking-data-${stage}-edge`,
    destinationResourceArn: log.logGroupArn,
    outputFormat: 'json',
  });
  const delivery = new CfnDelivery(scope, 'EdgeLogDelivery', {
    deliverySourceName: source.name,
    deliveryDestinationArn: destination.attrArn,
    recordFields: ACCESS_LOG,
  });
  delivery.addResourceDependency(source);
}
