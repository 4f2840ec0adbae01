import { CfnOutput, RemovalPolicy, Size, Stack, type StackProps } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, ResponseType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { ENDPOINTS } from '../functions/index.ts';
import type { NetworkName } from '../lib/chain/networks.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { GATEWAY_ERRORS, gatewayResponse } from './gateway-responses.ts';
import { TABLES } from './tables.ts';

export interface StakingDataStackProps extends StackProps {
  stage: string;
  network: Exclude<NetworkName, 'devnet'>;
}

/** Requests a second and in a burst, over all clients, before API Gateway answers 429. */
const THROTTLE = { throttlingRateLimit: 200, throttlingBurstLimit: 400 };
/** Bodies from this size on are compressed for clients whose function answer was not. */
const COMPRESS_FROM_BYTES = 1_000;

/** The whole service: tables, functions, API. */
export class StakingDataStack extends Stack {
  constructor(scope: Construct, id: string, { stage, network, ...props }: StakingDataStackProps) {
    super(scope, id, props);

    const cacheTable = new TableV2(this, 'CacheTable', {
      partitionKey: { name: TABLES.cache.partitionKey, type: AttributeType.STRING },
      timeToLiveAttribute: TABLES.cache.ttlAttribute,
      // Everything in it can be read from the chain again.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const historyTable = new TableV2(this, 'HistoryTable', {
      partitionKey: { name: TABLES.history.partitionKey, type: AttributeType.STRING },
      sortKey: { name: TABLES.history.sortKey, type: AttributeType.NUMBER },
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // Old states may not be readable for ever: what is recorded outlives the stack.
      removalPolicy: RemovalPolicy.RETAIN,
    });

    const api = new RestApi(this, 'Api', {
      restApiName: `staking-data-${stage}`,
      description: `Staking data of ${network}`,
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(COMPRESS_FROM_BYTES),
      // Lambda answers with gzip bytes: every type may be binary.
      binaryMediaTypes: ['*/*'],
      deployOptions: { stageName: stage, ...THROTTLE },
    });
    for (const [file, endpoint] of Object.entries(ENDPOINTS)) {
      const fn = new EndpointFunction(this, idOf(file), {
        file,
        description: endpoint.summary,
        environment: {
          NETWORK: network,
          CACHE_TABLE: cacheTable.tableName,
          HISTORY_TABLE: historyTable.tableName,
          POWERTOOLS_SERVICE_NAME: `staking-data-${stage}`,
        },
      });
      cacheTable.grant(fn, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
      // ANY: the function itself answers HEAD, OPTIONS and, for the rest, 405.
      api.root.resourceForPath(endpoint.path).addMethod('ANY', new LambdaIntegration(fn));
    }
    for (const error of GATEWAY_ERRORS) addGatewayResponse(api, error);

    new CfnOutput(this, 'BaseUrl', { value: api.url });
  }
}

/** `rewards/by-stake` is `RewardsByStake` in the template. */
function idOf(file: string): string {
  return file.replace(/(^|[/-])(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}

function addGatewayResponse(api: RestApi, error: (typeof GATEWAY_ERRORS)[number]): void {
  const { status, headers, body } = gatewayResponse(error, '$context.requestId');
  api.addGatewayResponse(error.type, {
    type: ResponseType.of(error.type),
    statusCode: String(status),
    // API Gateway wants literal values in quotes.
    responseHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, literal(value)])),
    templates: { 'application/json': body },
  });
}

function literal(value: string): string {
  return value.startsWith('$') ? value.replace('$', '') : `'${value}'`;
}
