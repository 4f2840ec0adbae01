import { RemovalPolicy, Size, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import { GATEWAY_ERRORS, gatewayResponse } from './gateway-responses.ts';
import { BURST_PER_ENDPOINT, REQUESTS_PER_ENDPOINT } from './limits.ts';
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

/** The REST API, without its routes. */
export function createApi(scope: Construct, { stage, network, domain, certificate, edge }: Settings): Api {
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
      throttlingRateLimit: REQUESTS_PER_ENDPOINT,
      throttlingBurstLimit: BURST_PER_ENDPOINT,
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      accessLogDestination: new LogGroupLogDestination(accessLog),
      tracingEnabled: true,
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
  // The stack has an output of its own for this URL, ApiUrl.
  api.node.tryRemoveChild('Endpoint');
  // Otherwise API Gateway would create its execution log itself, and never delete an entry.
  api.deploymentStage.node.addDependency(
    monthLog(scope, 'ExecutionLogs', `API-Gateway-Execution-Logs_${api.restApiId}/${stage}`),
  );
  traceOnePerSecond(scope, stage);
  for (const error of GATEWAY_ERRORS) addGatewayResponse(api, error);
  for (const [rule, reason] of ACCEPTED) {
    Validations.of(api).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  }
  return { api, accessLog };
}

function monthLog(scope: Construct, id: string, logGroupName?: string): LogGroup {
  return new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** At most one trace per second. The default rule also traces 5 % of all other requests: $1,200 a month at full load. */
function traceOnePerSecond(scope: Construct, stage: string): void {
  new CfnSamplingRule(scope, 'Traces', {
    samplingRule: {
      ruleName: `staking-data-${stage}`,
      version: 1,
      priority: 1_000,
      reservoirSize: 1,
      fixedRate: 0,
      serviceName: `staking-data-${stage}/${stage}`,
      serviceType: 'AWS::ApiGateway::Stage',
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      resourceArn: '*',
    },
  });
}

function addGatewayResponse(api: RestApi, error: (typeof GATEWAY_ERRORS)[number]): void {
  const { status, headers, body } = gatewayResponse(error, '$context.requestId');
  api.addGatewayResponse(error.type, {
    type: ResponseType.of(error.type),
    statusCode: String(status),
    responseHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, literal(value)])),
    templates: { 'application/json': body },
  });
}

/** A header value in API Gateway's syntax: literals are quoted, context variables (`$context.…`) have no `$`. */
export function literal(value: string): string {
  return value.startsWith('$') ? value.replace('$', '') : `'${value}'`;
}
