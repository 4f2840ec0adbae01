import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../lib/telemetry.ts';

interface Watched {
  api: RestApi;
  recorder: IFunction;
  /** The dimension of the functions' own metrics. */
  service: string;
  alarmEmail?: string | undefined;
}

interface Symptom {
  id: string;
  /** What people notice, and what to look at: operators read it in the e-mail. */
  description: string;
  metric: IMetric;
  threshold: number;
  /** So many of the last so many periods. */
  periods: [number, number];
  comparison?: ComparisonOperator;
  missing?: TreatMissingData;
}

const PERIOD = Duration.minutes(5);

/** Alarms on what users notice, not on causes; docs/operations.md says what to do on each. */
export function watch(scope: Construct, { api, recorder, service, alarmEmail }: Watched): void {
  const own = (metricName: string, statistic: string) =>
    new Metric({
      namespace: METRICS_NAMESPACE,
      metricName,
      statistic,
      period: PERIOD,
      dimensionsMap: { service },
    });
  const metrics = {
    errorRate: api.metricServerError({ statistic: Stats.AVERAGE, period: PERIOD }),
    latency: api.metricLatency({ statistic: Stats.p(90), period: PERIOD }),
    requests: api.metricCount({ period: PERIOD }),
    unanswered: own('CacheError', Stats.SUM),
    servedAge: own('ServedAge', Stats.MAXIMUM),
    headAge: own('HeadAge', Stats.MINIMUM),
    upstream: own('UpstreamMs', Stats.p(90)),
    hits: own('CacheHit', Stats.SUM),
    misses: own('CacheMiss', Stats.SUM),
    stale: own('CacheStale', Stats.SUM),
    leasesLost: own('LeaseLost', Stats.SUM),
    // Without a function's name: the pool of concurrent executions is the region's, too.
    throttles: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: Stats.SUM, period: PERIOD }),
    recorded: new MathExpression({
      expression: 'runs - errors',
      label: 'runs of the recorder that succeeded',
      period: Duration.hours(1),
      usingMetrics: {
        runs: recorder.metricInvocations({ period: Duration.hours(1) }),
        errors: recorder.metricErrors({ period: Duration.hours(1) }),
      },
    }),
  };

  const topic = createTopic(scope, alarmEmail);
  for (const symptom of symptomsOf(metrics)) addAlarm(scope, topic, symptom);
  addDashboard(scope, service, metrics);
}

function symptomsOf(metrics: Record<string, IMetric>): Symptom[] {
  const { errorRate, latency, unanswered, servedAge, headAge, throttles, recorded } = metrics as Record<string, Metric>;
  return [
    {
      id: 'ServerErrors',
      description: 'More than 1 % of the requests are answered with a 5xx.',
      metric: errorRate as IMetric,
      threshold: 0.01,
      periods: [2, 3],
    },
    {
      id: 'Latency',
      description: 'One request in ten takes longer than 2 s.',
      metric: latency as IMetric,
      threshold: 2_000,
      periods: [3, 3],
    },
    {
      id: 'NothingAnswers',
      description: 'All upstream endpoints fail and nothing is left to serve: requests get a 503.',
      metric: unanswered as IMetric,
      threshold: 5,
      periods: [2, 3],
    },
    {
      id: 'OldAnswers',
      description: 'Answers older than half an hour go out: their source cannot be read.',
      metric: servedAge as IMetric,
      threshold: 1_800,
      periods: [2, 3],
    },
    {
      id: 'OldHead',
      description:
        'Even the newest block that is answered is ten minutes old: endpoints lag, or the chain stands still.',
      metric: headAge as IMetric,
      threshold: 600,
      periods: [2, 3],
    },
    {
      id: 'Throttles',
      description: "Functions are throttled: the region's concurrent executions are used up.",
      metric: throttles as IMetric,
      threshold: 10,
      periods: [2, 3],
    },
    {
      id: 'RecorderMissing',
      description: 'No run of the recorder has succeeded for two hours: history gets holes that later runs must fill.',
      metric: recorded as IMetric,
      threshold: 1,
      periods: [2, 2],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      missing: TreatMissingData.BREACHING,
    },
  ];
}

function addAlarm(scope: Construct, topic: Topic, { id, description, metric, threshold, ...symptom }: Symptom): void {
  const [datapointsToAlarm, evaluationPeriods] = symptom.periods;
  const alarm = new Alarm(scope, `${id}Alarm`, {
    alarmDescription: description,
    metric,
    threshold,
    datapointsToAlarm,
    evaluationPeriods,
    comparisonOperator: symptom.comparison ?? ComparisonOperator.GREATER_THAN_THRESHOLD,
    // Without requests there is nobody to notice.
    treatMissingData: symptom.missing ?? TreatMissingData.NOT_BREACHING,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
}

function createTopic(scope: Construct, email: string | undefined): Topic {
  // AWS's own key for SNS does not let CloudWatch publish.
  const masterKey = new Key(scope, 'AlarmKey', {
    enableKeyRotation: true,
    description: 'Alarms of the staking data service',
  });
  masterKey.grantEncryptDecrypt(new ServicePrincipal('cloudwatch.amazonaws.com'));
  const topic = new Topic(scope, 'Alarms', { masterKey, enforceSSL: true });
  if (email) topic.addSubscription(new EmailSubscription(email));
  return topic;
}

function addDashboard(scope: Construct, service: string, metrics: Record<string, IMetric>): void {
  const graphs: [string, string[]][] = [
    ['Requests', ['requests']],
    ['5xx, part of all', ['errorRate']],
    ['Latency, p90 (ms)', ['latency', 'upstream']],
    ['Where answers came from', ['hits', 'stale', 'misses', 'unanswered']],
    ['Age of answers and of their blocks (s)', ['servedAge', 'headAge']],
    ['Leases lost and throttles', ['leasesLost', 'throttles']],
    ['Runs of the recorder', ['recorded']],
  ];
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName: service });
  dashboard.addWidgets(
    ...graphs.map(
      ([title, names]) => new GraphWidget({ title, width: 8, left: names.map((name) => metrics[name] as IMetric) }),
    ),
  );
}
