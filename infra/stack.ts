import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { LambdaIntegration } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { ENDPOINTS } from '../functions/index.ts';
import { createApi } from './api.ts';
import { FeatureFlags } from './feature-flags.ts';
import { proxyEvent } from './local/event.ts';
import { watch } from './monitoring.ts';
import { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';
import type { SiteFile } from './site.ts';
import { serveSite } from './static-site.ts';
import { TABLES } from './tables.ts';
import { protect } from './web-acl.ts';

/** A few boundaries take a second each; filling 90 days takes some runs. */
const RECORDER_TIMEOUT = Duration.minutes(5);

/** The whole service: tables, flags, functions, API, pages, schedule, alarms. */
export class StakingDataStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, site: readonly SiteFile[], props?: StackProps) {
    super(scope, id, props);
    const { stage, network, secret: secretName, historyStart, warm } = settings;
    const service = `staking-data-${stage}`;

    // On demand: traffic comes in bursts, and an idle table costs nothing. What is public needs no key of our own: DynamoDB's costs
    // nothing a request. Table and not TableV2, whose type is for replicas, and which emulators and importers do not know.
    const cacheTable = new Table(this, 'CacheTable', {
      billingMode: BillingMode.PAY_PER_REQUEST,
      partitionKey: { name: TABLES.cache.partitionKey, type: AttributeType.STRING },
      timeToLiveAttribute: TABLES.cache.ttlAttribute,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(cacheTable).acknowledge({
      id: 'AwsSolutions::AwsSolutions-DDB3',
      reason: 'A cache needs no point-in-time recovery: everything in it can be read from the chain again.',
    });
    const historyTable = new Table(this, 'HistoryTable', {
      billingMode: BillingMode.PAY_PER_REQUEST,
      partitionKey: { name: TABLES.history.partitionKey, type: AttributeType.STRING },
      sortKey: { name: TABLES.history.sortKey, type: AttributeType.NUMBER },
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // Old states may not be readable for ever: what is recorded outlives the stack.
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const flags = new FeatureFlags(this, stage);
    // It exists already; its content is no business of a template.
    const secret = secretName ? Secret.fromSecretNameV2(this, 'Secret', secretName) : undefined;

    const environment = {
      NETWORK: network,
      CACHE_TABLE: cacheTable.tableName,
      HISTORY_TABLE: historyTable.tableName,
      POWERTOOLS_SERVICE_NAME: service,
      ...(secretName && { SECRET_ID: secretName }),
    };

    const api = createApi(this, settings);
    const hot: LambdaFunction[] = [];
    for (const [file, endpoint] of Object.entries(ENDPOINTS)) {
      const readsFlags = endpoint.tag === 'Flags';
      const fn = new ServiceFunction(this, idOf(file), {
        file,
        description: endpoint.summary,
        environment: { ...environment, ...(readsFlags && { FLAGS_SOURCE: flags.source }) },
      });
      cacheTable.grant(fn, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
      if (endpoint.path.endsWith('/history')) historyTable.grant(fn, 'dynamodb:Query');
      if (readsFlags) flags.grantRead(fn);
      secret?.grantRead(fn);
      // ANY: the function itself answers HEAD, OPTIONS and, for the rest, 405. The console's test button needs no permission.
      const integration = new LambdaIntegration(fn, { allowTestInvoke: false });
      api.root.resourceForPath(endpoint.path).addMethod('ANY', integration);
      if (warm.includes(file))
        hot.push(new LambdaFunction(fn, { event: warmingEvent(endpoint.path), retryAttempts: 0 }));
    }
    if (hot.length > 0) {
      new Rule(this, 'WarmingSchedule', {
        description: 'Asks hot endpoints, so that the first client after a quiet time finds a fresh answer',
        schedule: Schedule.rate(Duration.minutes(1)),
        targets: hot,
      });
    }
    serveSite(this, api, site);
    protect(this, api);

    const recorder = new ServiceFunction(this, 'Recorder', {
      file: 'recorder',
      description: 'Records what the history endpoints answer',
      environment: { ...environment, ...(historyStart && { HISTORY_START: historyStart }) },
      timeout: RECORDER_TIMEOUT,
      // Two at once do no harm, and double the load on the endpoints.
      concurrency: 1,
    });
    historyTable.grant(recorder, 'dynamodb:Query', 'dynamodb:PutItem');
    // The addresses of contracts and pools are in the cache.
    cacheTable.grant(recorder, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
    secret?.grantRead(recorder);
    new Rule(this, 'RecorderSchedule', {
      description: 'A minute after each hour: by then its last block is known',
      schedule: Schedule.cron({ minute: '1' }),
      targets: [new LambdaFunction(recorder, { retryAttempts: 2, maxEventAge: Duration.minutes(30) })],
    });

    watch(this, { api, recorder, service, alarmEmail: settings.alarmEmail });

    new CfnOutput(this, 'BaseUrl', { value: api.url });
    new CfnOutput(this, 'DocsUrl', { value: api.urlForPath('/docs') });
  }
}

/** What API Gateway sends for a request without parameters. */
function warmingEvent(path: string): RuleTargetInput {
  const requestContext = { requestId: 'warming', path };
  return RuleTargetInput.fromObject({ ...proxyEvent(path, { method: 'GET', url: path, headers: {} }), requestContext });
}

/** `rewards/by-stake` is `RewardsByStake` in the template. */
function idOf(file: string): string {
  return file.replace(/(^|[/-])(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}
