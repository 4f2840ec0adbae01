import {
  Aspects,
  CfnOutput,
  DefaultStackSynthesizer,
  Duration,
  RemovalPolicy,
  Stack,
  type StackProps,
  Tags,
} from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { ENDPOINTS } from '../../functions/index.ts';
import type { Source } from '../../lib/api/definition.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import { proxyEvent } from '../local/event.ts';
import type { SiteFile } from '../site/site-file.ts';
import { createTopics, type Topics, watchSpending } from './alarm-topic.ts';
import { addRoute, createApi } from './api.ts';
import { DailyArchives } from './daily-archives.ts';
import { DurableData } from './durable-data.ts';
import { createEdge, type Edge } from './edge.ts';
import { watch } from './monitoring.ts';
import { accept } from './nag.ts';
import { assetPrefix, pascalCase } from './names.ts';
import { createLedgerRecorder, createRecorder, NO_RETRY } from './recorders.ts';
import { releaseOf } from './release.ts';
import { functionLog, functionRole, ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';
import { serveSite } from './static-site.ts';
import { TABLES } from './tables.ts';

interface StakingDataStackProps extends StackProps {
  /** What is deployed, for an output of the stack. */
  commit?: string;
}

/** The whole service: tables, functions, API, pages, schedule, alarms. */
export class StakingDataStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    settings: Settings,
    site: readonly SiteFile[],
    { commit = 'unknown', ...props }: StakingDataStackProps = {},
  ) {
    const { stage, network, archive, endsOn } = settings;
    const warm = archive ? [] : settings.warm;
    super(scope, id, { synthesizer: new DefaultStackSynthesizer({ bucketPrefix: assetPrefix(stage) }), ...props });
    const service = `staking-data-${stage}`;
    Tags.of(this).add('service', 'staking-data');
    Tags.of(this).add('stage', stage);
    Aspects.of(this).add({
      visit: (node) => {
        if (node instanceof CfnFunction) node.architectures = [settings.architecture];
      },
    });

    const { history, ledger } = new DurableData(this, settings);
    const tables = { cache: createCacheTable(this), history, ledger };
    // Created by the operator, so that its content never appears in a template.
    const secretName = archive ? undefined : settings.secret;
    const secret = secretName ? existingSecret(this, secretName) : undefined;

    const environment = {
      NETWORK: network,
      STAGE: stage,
      RELEASE: releaseOf(),
      CACHE_TABLE: tables.cache.tableName,
      HISTORY_TABLE: tables.history.tableName,
      LEDGER_TABLE: tables.ledger.tableName,
      POWERTOOLS_SERVICE_NAME: service,
      ...(endsOn && { ENDS_ON: endsOn }),
      ...(secretName && { SECRET_ID: secretName }),
    };

    const { api, accessLog } = createApi(this, settings, site);
    const topics = createTopics(this, settings);
    // Endpoints that read the same sources share a role: one for each would be a quarter more resources.
    const roleOf = (reads: readonly Source[]): Role => {
      const id = pascalCase(['cache', ...reads, 'role'].join('-'));
      const known = this.node.tryFindChild(id);
      if (known) return known as Role;
      const role = functionRole(this, id);
      tables.cache.grant(role, 'dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
      if (reads.includes('history')) tables.history.grant(role, 'dynamodb:Query');
      if (reads.includes('ledger')) tables.ledger.grant(role, 'dynamodb:GetItem', 'dynamodb:Query');
      if (reads.includes('flags')) tables.history.grant(role, 'dynamodb:GetItem');
      if (secret) secret.grantRead(role);
      return role;
    };
    // Endpoints share a log: its streams, and each line, name the function.
    const logGroup = functionLog(this, 'EndpointsLogs');
    const functions: ServiceFunction[] = [];
    const hot: LambdaFunction[] = [];
    for (const [file, endpoint] of Object.entries(ENDPOINTS)) {
      const { reads = [] } = endpoint;
      const fn = new ServiceFunction(this, pascalCase(file), {
        source: `functions/${file}`,
        description: endpoint.summary,
        environment,
        role: roleOf(reads),
        logGroup,
      });
      addRoute(api, settings, endpoint.path, fn);
      // One resource more instead of a function more: the root lists the endpoints, and so knows which path is meant.
      if (endpoint.path === '/') addRoute(api, settings, OTHER_PATHS, fn, 'OtherPaths');
      functions.push(fn);
      if (warm.includes(file)) {
        fn.configureAsyncInvoke(NO_RETRY);
        hot.push(new LambdaFunction(fn, { event: warmingEvent(endpoint.path), ...NO_RETRY }));
      }
    }
    if (hot.length > 0) {
      new Rule(this, 'WarmingSchedule', {
        description: 'Requests the endpoints named by the option warm, so that nobody waits for a cold start there',
        schedule: Schedule.rate(Duration.minutes(1)),
        targets: hot,
      });
    }
    const archives = settings.edge ? new DailyArchives(this, stage) : undefined;
    const edge = archives ? createEdge(this, { api, site, settings, archives }) : undefined;
    if (!edge) serveSite(this, settings, api, site);
    // A page may need what only this release's functions answer.
    edge?.pages.node.addDependency(...functions);

    // Nothing is left to record once the service is frozen.
    const recorder = archive ? undefined : createRecorder(this, { environment, tables, secret });
    if (!archive) createLedgerRecorder(this, { environment, tables, secret });
    if (!archive) archives?.record({ environment, tables, secret, commit });

    watch(this, topics, settings, { api, accessLog, edge, archives, recorder, service });
    watchSpending(this, topics.mail, settings);
    addOutputs(this, settings, { api, edge, commit, topics });
  }
}

function createCacheTable(scope: Construct): Table {
  // On demand, because traffic comes in bursts and an idle table costs nothing. Public data needs no key of our own,
  // and requests with DynamoDB's key are free. Table rather than TableV2, which is meant for replicas and not
  // supported by emulators and importers. The maximum units per second are about ten times what it needs, and cap the
  // bill (docs/costs.md).
  const cache = new Table(scope, 'CacheTable', {
    billingMode: BillingMode.PAY_PER_REQUEST,
    partitionKey: { name: TABLES.cache.partitionKey, type: AttributeType.STRING },
    timeToLiveAttribute: TABLES.cache.ttlAttribute,
    maxReadRequestUnits: 2_000,
    maxWriteRequestUnits: 1_000,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  accept(cache, 'DDB3', 'A cache needs no point-in-time recovery: its sources can be read again.');
  return cache;
}

interface Deployed {
  api: RestApi;
  edge: Edge | undefined;
  commit: string;
  topics: Topics;
}

/** The URLs of the service and, with a domain, the target for its DNS record. */
function addOutputs(scope: Construct, { domain }: Settings, { api, edge, commit, topics }: Deployed): void {
  const ownUrl = domain ? `https://${domain}/` : undefined;
  const baseUrl = ownUrl ?? (edge ? `https://${edge.distribution.distributionDomainName}/` : api.url);
  const outputs: [name: string, value: string, description: string][] = [
    ['BaseUrl', baseUrl, 'URL of the service for clients'],
    ['DocsUrl', `${baseUrl}docs`, 'API reference'],
    ['ApiUrl', api.url, edge ? 'URL of API Gateway itself, which only the edge can use' : 'URL of API Gateway itself'],
    ['Commit', commit, 'The commit that is deployed'],
    ['AlarmTopic', topics.mail.topicArn, 'The topic of alarms that can wait until the morning'],
    ['PageTopic', topics.page.topicArn, 'The topic of alarms that wake somebody'],
  ];
  if (domain) {
    const target = edge?.distribution.distributionDomainName ?? (api.domainName?.domainNameAliasDomainName as string);
    outputs.push(['DnsTarget', target, 'Target for a CNAME or alias record of the domain']);
  }
  for (const [name, value, description] of outputs) new CfnOutput(scope, name, { value, description });
}

function existingSecret(scope: Construct, nameOrArn: string): ISecret {
  return nameOrArn.startsWith('arn:')
    ? Secret.fromSecretCompleteArn(scope, 'Secret', nameOrArn)
    : Secret.fromSecretNameV2(scope, 'Secret', nameOrArn);
}

/** The event that API Gateway would send for a request without parameters. */
function warmingEvent(path: string): RuleTargetInput {
  const requestContext = { requestId: 'warming', path };
  return RuleTargetInput.fromObject({ ...proxyEvent(path, { method: 'GET', url: path, headers: {} }), requestContext });
}
