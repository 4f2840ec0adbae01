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
import type { Construct } from 'constructs';
import { GATEWAY_ERRORS, gatewayResponse } from './gateway-responses.ts';
import type { Settings } from './settings.ts';

/** Requests a second and in a burst, over all clients, before API Gateway answers 429: also the guard of the bill. */
const THROTTLE = { throttlingRateLimit: 200, throttlingBurstLimit: 400 };
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
  ['APIG2', 'Functions validate what they take, and name the parameter that is wrong; API Gateway would not.'],
  ['APIG4', 'The API is public and read-only.'],
  ['COG4', 'The API is public and read-only.'],
  [
    'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    "API Gateway's logging role is the account's, and AWS's own policy is made for it.",
  ],
] as const;

/** The REST API, without its routes. */
export function createApi(scope: Construct, { stage, network, domain, certificate }: Settings): RestApi {
  const api = new RestApi(scope, 'Api', {
    restApiName: `staking-data-${stage}`,
    description: `Staking data of ${network}`,
    endpointTypes: [EndpointType.REGIONAL],
    minCompressionSize: Size.bytes(COMPRESS_FROM_BYTES),
    // Functions answer with gzip bytes, and pages may be of any type.
    binaryMediaTypes: ['*/*'],
    // One per account and region: it must outlive this stack.
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    deployOptions: {
      stageName: stage,
      ...THROTTLE,
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      accessLogDestination: new LogGroupLogDestination(
        new LogGroup(scope, 'AccessLogs', { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY }),
      ),
      accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
    },
    ...(domain &&
      certificate && {
        domainName: {
          domainName: domain,
          certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificate),
          securityPolicy: SecurityPolicy.TLS_1_2,
        },
      }),
  });
  for (const error of GATEWAY_ERRORS) addGatewayResponse(api, error);
  for (const [rule, reason] of ACCEPTED) {
    Validations.of(api).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  }
  return api;
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
