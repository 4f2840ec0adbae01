import { RemovalPolicy, Size } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { sunsetHeaders } from '../../lib/api/http/response.ts';
import { GATEWAY_ERRORS, gatewayResponse } from './gateway-responses.ts';
import { PER_API, PER_API_WITHOUT_FIREWALL, PER_ENDPOINT } from './limits.ts';
import { accept } from './nag.ts';
import { monthLog } from './service-function.ts';
import type { Settings } from './settings.ts';

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
  integrationError: '$context.integrationErrorMessage',
};

/** The cdk-nag rules that this API breaks on purpose, each with the reason. */
const ACCEPTED = [
  ['APIG2', 'Functions validate their parameters and name the invalid ones, which API Gateway would not.'],
  ['APIG3', 'The firewall is in front of CloudFront; without one, the usage plan limits the cost of requests.'],
  ['APIG4', 'The API is public and read-only.'],
  ['APIG6', 'The access log has the errors of integrations; functions log their own.'],
  ['COG4', 'The API is public and read-only.'],
  [
    'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    'The role is for the logging of API Gateway in the whole account, and this AWS managed policy is made for it.',
  ],
] as const;

/** A path of the API and the function that serves it. */
export interface Route {
  path: string;
  fn: LambdaFunction;
}

/** The REST API with its routes. Requests need CloudFront's key. */
export function createApi(scope: Construct, settings: Settings, routes: readonly Route[]): apigateway.RestApi {
  const { stage, network, endsOn } = settings;
  const api = new apigateway.RestApi(scope, 'Api', {
    restApiName: `staking-data-${stage}`,
    description: `Staking data of GoGoPool / Hypha on ${network}`,
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    // For bodies that the function has not compressed.
    minCompressionSize: Size.bytes(1_000),
    // Functions return gzipped bodies.
    binaryMediaTypes: ['*/*'],
    // An account has one such role per region: it must outlive this stack.
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    deployOptions: {
      stageName: stage,
      // API Gateway applies this throttle to each method on its own.
      throttlingRateLimit: PER_ENDPOINT.rate,
      throttlingBurstLimit: PER_ENDPOINT.burst,
      accessLogDestination: new apigateway.LogGroupLogDestination(monthLog(scope, 'AccessLogs')),
      accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
    },
  });
  const own = api.node.defaultChild as apigateway.CfnRestApi;
  // TLS 1.2 and later. By default, an API's own URL accepts TLS 1.0, too.
  own.securityPolicy = apigateway.SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09;
  own.endpointAccessMode = 'BASIC';
  // The stack has an output of its own for this URL, ApiUrl.
  api.node.tryRemoveChild('Endpoint');
  for (const { type, ...error } of GATEWAY_ERRORS) {
    const { status, headers, body } = gatewayResponse(error, '$context.requestId');
    const sent = Object.entries({ ...headers, ...sunsetHeaders(endsOn) });
    api.addGatewayResponse(type, {
      type: apigateway.ResponseType.of(type),
      statusCode: String(status),
      // Literals are quoted, context variables have no `$`.
      responseHeaders: Object.fromEntries(
        sent.map(([name, value]) => [name, value.startsWith('$') ? value.slice(1) : `'${value}'`]),
      ),
      templates: { 'application/json': body },
    });
  }
  for (const [rule, reason] of ACCEPTED) accept(api, rule, reason);
  addRoutes(api, routes);
  return api;
}

/**
 * Routes all methods of each path to its function, which answers HEAD and OPTIONS itself, and others with 405. API Gateway
 * invokes all functions with one role; a permission for each function would be 50 resources more.
 */
function addRoutes(api: apigateway.RestApi, routes: readonly Route[]): void {
  const functions = [...new Set(routes.map(({ fn }) => fn))];
  const role = new Role(api, 'InvokeRole', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
  const resources = functions.map(({ functionArn }) => functionArn);
  role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources }));
  for (const { path, fn } of routes) {
    const integration = new apigateway.AwsIntegration({
      proxy: true,
      service: 'lambda',
      path: `2015-03-31/functions/${fn.functionArn}/invocations`,
      options: { credentialsRole: role },
    });
    api.root.resourceForPath(path).addMethod('ANY', integration, { apiKeyRequired: true });
  }
  // Functions, and the permission to invoke them, exist before the deployment that calls them.
  (api.latestDeployment as apigateway.Deployment).node.addDependency(role, ...functions);
}

/** CloudFront's key, without which the API refuses requests, and the plan that limits all requests with it together. */
export function admitEdge(
  scope: Construct,
  api: apigateway.RestApi,
  { firewall }: Settings,
): { key: string; plan: apigateway.UsagePlan } {
  const secret = new Secret(scope, 'EdgeKey', {
    description: 'Key that CloudFront sends to the API',
    generateSecretString: { excludePunctuation: true, passwordLength: 40 },
  });
  accept(
    secret,
    'SMG4',
    "Someone who learns it escapes the firewall's limits per address, but not the plan's. To replace it, rename this construct.",
  );
  // Both services take plain text. The template has a reference, which CloudFormation resolves when it deploys.
  const key = secret.secretValue.unsafeUnwrap();
  const { rate, burst } = firewall ? PER_API : PER_API_WITHOUT_FIREWALL;
  const plan = new apigateway.UsagePlan(scope, 'EdgePlan', {
    description: 'All requests to the API, which come through CloudFront',
    throttle: { rateLimit: rate, burstLimit: burst },
    apiStages: [{ stage: api.deploymentStage }],
  });
  plan.addApiKey(new apigateway.ApiKey(scope, 'EdgeApiKey', { description: 'Of CloudFront', value: key }));
  return { key, plan };
}
