import { CfnOutput, DefaultStackSynthesizer, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { SiteFile } from '../site/site-file.ts';
import { watch } from './alarms.ts';
import { createApi } from './api.ts';
import { createTables } from './create-tables.ts';
import { createEdge } from './edge.ts';
import { createEndpoints, createRecorders, type FunctionInputs } from './functions.ts';
import { assetPrefix, serviceName } from './names.ts';
import { computeRelease, readCommit } from './release.ts';
import { monthLog } from './service-function.ts';
import type { Settings } from './settings.ts';
import { createSymptoms } from './symptoms.ts';

/** The whole service: tables, functions, API, CloudFront with pages, schedules, alarms. */
export class StakingDataStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, site: readonly SiteFile[], props: StackProps = {}) {
    const { stage } = settings;
    super(scope, id, { synthesizer: new DefaultStackSynthesizer({ bucketPrefix: assetPrefix(stage) }), ...props });
    Tags.of(this).add('service', 'staking-data');
    Tags.of(this).add('stage', stage);

    const inputs = createInputs(this, settings);
    const routes = createEndpoints(this, inputs);
    const api = createApi(this, settings, routes);
    const edge = createEdge(this, settings, api, site, inputs.logGroup);
    // A page may need responses that only this release's functions give.
    edge.pages.node.addDependency(...new Set(routes.map(({ fn }) => fn)));

    const recorder = createRecorders(this, inputs);
    const topics = watch(this, settings, createSymptoms(settings, api, edge.distribution, recorder));
    const { domain } = settings;
    const { distributionDomainName } = edge.distribution;
    const baseUrl = `https://${domain ?? distributionDomainName}/`;
    const outputs: [name: string, value: string | undefined, description: string][] = [
      ['BaseUrl', baseUrl, 'URL of the service for clients'],
      ['DocsUrl', `${baseUrl}docs`, 'API reference'],
      ['ApiUrl', api.url, 'URL of API Gateway itself, which only CloudFront can use'],
      ['Commit', readCommit(import.meta.dirname), 'The commit that is deployed'],
      ['AlarmTopic', topics?.mail.topicArn, 'The topic of all alarms, to which alarmEmail is subscribed'],
      ['PageTopic', topics?.page.topicArn, 'The topic for a pager: one message per incident of availability or data'],
      ['DnsTarget', domain && distributionDomainName, 'Target for a CNAME or alias record of the domain'],
    ];
    for (const [name, value, description] of outputs) if (value) new CfnOutput(this, name, { value, description });
  }
}

/** The tables, the secret, the log and the environment variables of all functions. */
function createInputs(scope: Construct, settings: Settings): FunctionInputs {
  const { stage, network, endsOn, alarmEmail, secret } = settings;
  const tables = createTables(scope, settings);
  return {
    tables,
    // Its streams, and each line, name the function.
    logGroup: monthLog(scope, 'Logs', serviceName(settings)),
    // Created by the operator, so that its content never appears in a template.
    secret: secret?.startsWith('arn:')
      ? Secret.fromSecretCompleteArn(scope, 'Secret', secret)
      : secret
        ? Secret.fromSecretNameV2(scope, 'Secret', secret)
        : undefined,
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
