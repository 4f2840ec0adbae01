import { RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AwsIntegration,
  type CfnRestApi,
  type Deployment,
  EndpointType,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { sunsetHeaders } from '../../lib/api/http/sunset.ts';
import type { SiteFile } from '../site/site-file.ts';
import { type GatewayError, gatewayErrors, gatewayResponse } from './gateway-responses.ts';
import { PER_ASSET_WITHOUT_EDGE, PER_ENDPOINT, PER_ENDPOINT_WITHOUT_EDGE, type Throttle } from './limits.ts';
import { accept } from './nag.ts';
import type { Settings } from './settings.ts';

/** API Gateway compresses bodies from this size on, if the function has not. */
const COMPRESS_FROM_BYTES = 1_000;

/** One line per request. Without client addresses and queries, it holds no personal data. */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  integrationMs: '$context.integrationLatency',
  bytes: '$context.responseLength',
  waf: '$context.waf.status',
  error: '$context.error.responseType',
};

/** The cdk-nag rules that this API breaks on purpose. */
const ACCEPTED = [
  ['APIG2', 'Functions validate their parameters and name the invalid ones, which API Gateway would not.'],
  ['APIG3', 'The firewall is in front of CloudFront; without that, the throttle limits what requests may cost.'],
  ['APIG4', 'The API is public and read-only.'],
  ['COG4', 'The API is public and read-only.'],
  [
    'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    'The role is for the logging of API Gateway in the whole account, and this AWS managed policy is made for it.',
  ],
] as const;

export interface Api {
  api: RestApi;
  /** One line per request that reaches the API. */
  accessLog: LogGroup;
}

/** The REST API, without its routes. Without the edge, it will serve the files of `site`. */
export function createApi(scope: Construct, settings: Settings, site: readonly SiteFile[]): Api {
  const { stage, network, domain, certificate, edge } = settings;
  const accessLog = monthLog(scope, 'AccessLogs');
  const api = new RestApi(scope, 'Api', {
    restApiName: `staking-data-${stage}`,
    description: `Staking data of GoGoPool / Hypha on ${network}`,
    endpointTypes: [EndpointType.REGIONAL],
    minCompressionSize: Size.bytes(COMPRESS_FROM_BYTES),
    // Functions return gzipped bodies, and pages consist of files of any type.
    binaryMediaTypes: ['*/*'],
    // An account has one such role per region: it must outlive this stack.
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    deployOptions: {
      stageName: stage,
      ...methodSettings(edge ? PER_ENDPOINT : PER_ENDPOINT_WITHOUT_EDGE),
      ...(!edge && { methodOptions: assetSettings(site) }),
      accessLogDestination: new LogGroupLogDestination(accessLog),
      accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
    },
    ...(domain &&
      certificate &&
      !edge && {
        domainName: {
          domainName: domain,
          certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificate),
          securityPolicy: SecurityPolicy.TLS_1_2,
        },
      }),
  });
  const own = api.node.defaultChild as CfnRestApi;
  // TLS 1.2 and later. By default, an API's own URL takes TLS 1.0, too.
  own.securityPolicy = SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09;
  own.endpointAccessMode = 'BASIC';
  // The stack has an output of its own for this URL, ApiUrl.
  api.node.tryRemoveChild('Endpoint');
  // Otherwise API Gateway would create its execution log itself, and never delete an entry.
  api.deploymentStage.node.addDependency(
    monthLog(scope, 'ExecutionLogs', `API-Gateway-Execution-Logs_${api.restApiId}/${stage}`),
  );
  for (const error of gatewayErrors(edge)) addGatewayResponse(api, error, endOf(settings));
  for (const [rule, reason] of ACCEPTED) {
    accept(api, rule, reason);
  }
  return { api, accessLog };
}

/** API Gateway applies a throttle to each method on its own. */
function methodSettings({ rate, burst }: Throttle): MethodDeploymentOptions {
  return {
    throttlingRateLimit: rate,
    throttlingBurstLimit: burst,
    loggingLevel: MethodLoggingLevel.ERROR,
    dataTraceEnabled: false,
  };
}

function assetSettings(site: readonly SiteFile[]): Record<string, MethodDeploymentOptions> {
  const assets = site.filter(({ path }) => path.startsWith('assets/'));
  return Object.fromEntries(assets.map(({ path }) => [`/${path}/GET`, methodSettings(PER_ASSET_WITHOUT_EDGE)]));
}

/**
 * Routes all methods of a path to a function, which answers HEAD and OPTIONS itself, and others with 405. Behind the
 * edge, requests need CloudFront's key. `permission` is the name of the function's permission.
 */
export function addRoute(
  api: RestApi,
  { stage, edge }: Settings,
  path: string,
  fn: LambdaFunction,
  permission = 'Route',
): void {
  const integration = new AwsIntegration({
    proxy: true,
    service: 'lambda',
    path: `2015-03-31/functions/${fn.functionArn}/invocations`,
  });
  api.root.resourceForPath(path).addMethod('ANY', integration, { apiKeyRequired: edge });
  fn.addPermission(permission, {
    principal: new ServicePrincipal('apigateway.amazonaws.com'),
    sourceArn: api.arnForExecuteApi('*', path.replaceAll(/\{[^}]+\}/g, '*'), stage),
  });
  // Functions, and the permissions to invoke them, come before the deployment that calls them. CDK's LambdaIntegration
  // has it the other way round: its permissions refer to the stage.
  (api.latestDeployment as Deployment).node.addDependency(fn);
}

function monthLog(scope: Construct, id: string, logGroupName?: string): LogGroup {
  return new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** What the API's own answers, without a function, say about its end. API Gateway's URLs begin with the stage. */
export function endOf({ stage, domain, edge, endsOn }: Settings): Record<string, string> {
  return sunsetHeaders(endsOn, domain || edge ? '' : `/${stage}`);
}

function addGatewayResponse(api: RestApi, error: GatewayError, end: Record<string, string>): void {
  const { status, headers, body } = gatewayResponse(error, '$context.requestId');
  api.addGatewayResponse(error.type, {
    type: ResponseType.of(error.type),
    statusCode: String(status),
    responseHeaders: Object.fromEntries(
      Object.entries({ ...headers, ...end }).map(([name, value]) => [name, literal(value)]),
    ),
    templates: { 'application/json': body },
  });
}

/** A header value in API Gateway's syntax: literals are quoted, context variables (`$context.…`) have no `$`. */
export function literal(value: string): string {
  return value.startsWith('$') ? value.replace('$', '') : `'${value}'`;
}
