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
import { REQUESTS_IN_BURST, REQUESTS_PER_SECOND } from './limits.ts';
import type { Settings } from './settings.ts';

/** Bodies from this size on are compressed for clients whose answer was not. */
const COMPRESS_FROM_BYTES = 1_000;

/** One line a request. No address of a client and no query: nothing in it is personal. */
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

/** Rules of cdk-nag that this API breaks on purpose. */
const ACCEPTED = [
  ['APIG2', 'Functions validate their parameters and name the invalid one; API Gateway would not.'],
  ['APIG4', 'The API is public and read-only.'],
  ['COG4', 'The API is public and read-only.'],
  [
    'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    "API Gateway's logging role belongs to the account, and this AWS managed policy is made for it.",
  ],
] as const;

export interface Api {
  api: RestApi;
  /** A line for each request that reaches the API. */
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
    // Functions answer with gzip bytes, and pages may be of any type.
    binaryMediaTypes: ['*/*'],
    // One per account and region: it must outlive this stack.
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    deployOptions: {
      stageName: stage,
      throttlingRateLimit: REQUESTS_PER_SECOND,
      throttlingBurstLimit: REQUESTS_IN_BURST,
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
  // The stack names it ApiUrl.
  api.node.tryRemoveChild('Endpoint');
  // API Gateway would make its log of errors itself, without an end.
  api.deploymentStage.node.addDependency(
    monthLog(scope, 'ExecutionLogs', `API-Gateway-Execution-Logs_${api.restApiId}/${stage}`),
  );
  traceOneASecond(scope, stage);
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

/** At most one trace a second, where AWS's own rule would add one request in twenty: at full load that would be $140 a month. */
function traceOneASecond(scope: Construct, stage: string): void {
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

/** API Gateway wants literal values in quotes. */
export function literal(value: string): string {
  return value.startsWith('$') ? value.replace('$', '') : `'${value}'`;
}
