import { CfnOutput, DefaultStackSynthesizer, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { SiteFile } from '../site/site-file.ts';
import type { Topics } from './alarm-topic.ts';
import { createApi } from './api.ts';
import { createCacheTable } from './cache-table.ts';
import { DurableData } from './durable-data.ts';
import { createEdge, type Edge } from './edge.ts';
import { createEndpoints } from './endpoints.ts';
import { watch } from './monitoring.ts';
import { assetPrefix, logName, serviceName } from './names.ts';
import { createRecorders, type FunctionInputs } from './recorders.ts';
import { computeRelease } from './release.ts';
import { monthLog } from './service-function.ts';
import type { Settings } from './settings.ts';

interface StakingDataStackProps extends StackProps {
  /** The deployed commit, for an output of the stack. */
  commit?: string;
}

/** The whole service: tables, functions, API, CloudFront with pages, schedules, alarms. */
export class StakingDataStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    settings: Settings,
    site: readonly SiteFile[],
    { commit = 'unknown', ...props }: StakingDataStackProps = {},
  ) {
    const { stage } = settings;
    super(scope, id, { synthesizer: new DefaultStackSynthesizer({ bucketPrefix: assetPrefix(stage) }), ...props });
    Tags.of(this).add('service', 'staking-data');
    Tags.of(this).add('stage', stage);

    const inputs = createInputs(this, settings);
    const routes = createEndpoints(this, inputs);
    const api = createApi(this, settings, routes);
    const edge = createEdge(this, { api, site, settings, logGroup: inputs.logGroup });
    // A page may need responses that only this release's functions give.
    edge.pages.node.addDependency(...new Set(routes.map(({ fn }) => fn)));

    const recorder = createRecorders(this, inputs);
    const topics = watch(this, settings, { api, distribution: edge.distribution, recorder });
    addOutputs(this, settings, { api, edge, commit, topics });
  }
}

/** The tables, the secret, the log and the environment variables of all functions. */
function createInputs(scope: Construct, settings: Settings): FunctionInputs {
  const { stage, network, endsOn, alarmEmail, secret } = settings;
  const { history, ledger } = new DurableData(scope, settings);
  const tables = { cache: createCacheTable(scope), history, ledger };
  return {
    tables,
    // Its streams, and each line, name the function.
    logGroup: monthLog(scope, 'Logs', logName(settings)),
    // Created by the operator, so that its content never appears in a template.
    secret: secret ? existingSecret(scope, secret) : undefined,
    environment: {
      NETWORK: network,
      STAGE: stage,
      RELEASE: computeRelease(),
      CACHE_TABLE: tables.cache.tableName,
      HISTORY_TABLE: tables.history.tableName,
      LEDGER_TABLE: tables.ledger.tableName,
      POWERTOOLS_SERVICE_NAME: serviceName(settings),
      // Each custom metric costs 0.30 dollars a month, and only alarms read them.
      ...(!alarmEmail && { POWERTOOLS_METRICS_DISABLED: 'true' }),
      ...(endsOn && { ENDS_ON: endsOn }),
      ...(secret && { SECRET_ID: secret }),
    },
  };
}

function existingSecret(scope: Construct, nameOrArn: string): ISecret {
  return nameOrArn.startsWith('arn:')
    ? Secret.fromSecretCompleteArn(scope, 'Secret', nameOrArn)
    : Secret.fromSecretNameV2(scope, 'Secret', nameOrArn);
}

interface Deployed {
  api: RestApi;
  edge: Edge;
  commit: string;
  topics: Topics | undefined;
}

/** The URLs of the service, the topics of alarms and, with a domain, the target for its DNS record. */
function addOutputs(scope: Construct, { domain }: Settings, { api, edge, commit, topics }: Deployed): void {
  const { distributionDomainName } = edge.distribution;
  const baseUrl = `https://${domain ?? distributionDomainName}/`;
  const outputs: [name: string, value: string, description: string][] = [
    ['BaseUrl', baseUrl, 'URL of the service for clients'],
    ['DocsUrl', `${baseUrl}docs`, 'API reference'],
    ['ApiUrl', api.url, 'URL of API Gateway itself, which only CloudFront can use'],
    ['Commit', commit, 'The commit that is deployed'],
  ];
  if (topics) {
    outputs.push(
      ['AlarmTopic', topics.mail.topicArn, 'The topic of all alarms, to which alarmEmail is subscribed'],
      [
        'PageTopic',
        topics.page.topicArn,
        'The topic for a pager: one message per incident of availability, and one of data',
      ],
    );
  }
  if (domain) {
    outputs.push(['DnsTarget', distributionDomainName, 'Target for a CNAME or alias record of the domain']);
  }
  for (const [name, value, description] of outputs) new CfnOutput(scope, name, { value, description });
}
