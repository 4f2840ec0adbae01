/** The metrics behind the alarms and the CloudWatch dashboard. */

import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../lib/runtime/telemetry.ts';
import type { DailyArchives } from './daily-archives.ts';
import type { Edge } from './edge.ts';

export interface Watched {
  api: RestApi;
  accessLog: LogGroup;
  edge: Edge | undefined;
  archives: DailyArchives | undefined;
  /** A frozen stage has none. */
  recorder: IFunction | undefined;
  /** The dimension of the functions' custom metrics. */
  service: string;
}

export const PERIOD = Duration.minutes(5);
const HOUR = Duration.hours(1);

export type Metrics = ReturnType<typeof metricsOf>;

export function metricsOf(scope: Construct, { api, accessLog, edge, recorder, service }: Watched) {
  const own = (metricName: string, statistic: string, period = PERIOD) =>
    new Metric({ namespace: METRICS_NAMESPACE, metricName, statistic, period, dimensionsMap: { service } });
  const limited = new MetricFilter(scope, 'RateLimitedFilter', {
    logGroup: accessLog,
    filterPattern: FilterPattern.stringValue('$.error', '=', 'THROTTLED'),
    // A filter can only use fields of the log line as dimensions, so the stage is part of the namespace.
    metricNamespace: `${METRICS_NAMESPACE}/${service}`,
    metricName: 'RateLimited',
  });
  return {
    errorRate: api.metricServerError({ statistic: Stats.AVERAGE, period: PERIOD }),
    edgeErrors: edge && ofEdge(edge.distribution, '5xxErrorRate', Stats.AVERAGE),
    edgeRequests: edge && ofEdge(edge.distribution, 'Requests', Stats.SUM),
    edgeBytes: edge && ofEdge(edge.distribution, 'BytesDownloaded', Stats.SUM),
    latency: api.metricLatency({ statistic: Stats.p(90), period: PERIOD }),
    requests: api.metricCount({ period: PERIOD }),
    unanswered: own('CacheError', Stats.SUM),
    tableErrors: own('TableError', Stats.SUM),
    servedAge: own('ServedAge', Stats.MAXIMUM),
    headAge: own('HeadAge', Stats.MINIMUM),
    upstream: own('UpstreamMs', Stats.p(90)),
    hits: own('CacheHit', Stats.SUM),
    misses: own('CacheMiss', Stats.SUM),
    stale: own('CacheStale', Stats.SUM),
    leasesLost: own('LeaseLost', Stats.SUM),
    limited: limited.metric({ statistic: Stats.SUM, period: PERIOD }),
    blocked: edge?.firewall && blockedBy(edge.firewall),
    // Of all functions in the region, because they share the limit on concurrent executions.
    throttles: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: Stats.SUM, period: PERIOD }),
    recorded: recorder && successfulRuns(recorder),
    historyLag: own('HistoryLag', Stats.MAXIMUM, HOUR),
    ledgerLag: own('LedgerLag', Stats.MAXIMUM),
    // Of every run: an hour in which each one contradicted.
    ledgerMismatch: own('LedgerMismatch', Stats.MINIMUM, HOUR),
    ledgerStuck: own('LedgerStuck', Stats.MINIMUM, HOUR),
    // Only behind an edge are there archives.
    archiveAge: edge && own('ArchiveAge', Stats.MAXIMUM, HOUR),
  } satisfies Record<string, IMetric | undefined>;
}

function successfulRuns(recorder: IFunction): MathExpression {
  return new MathExpression({
    expression: 'runs - errors',
    label: 'successful runs of the recorder',
    period: HOUR,
    usingMetrics: {
      runs: recorder.metricInvocations({ period: HOUR }),
      errors: recorder.metricErrors({ period: HOUR }),
    },
  });
}

/** One of CloudFront's free metrics. The CDK's own lack the dimension `Region` and therefore have no data. */
function ofEdge({ distributionId }: Distribution, metricName: string, statistic: string): Metric {
  return new Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    statistic,
    period: PERIOD,
    dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
  });
}

function blockedBy(firewall: CfnWebACL): Metric {
  const { metricName } = firewall.visibilityConfig as CfnWebACL.VisibilityConfigProperty;
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    statistic: Stats.SUM,
    period: PERIOD,
    dimensionsMap: { WebACL: metricName, Rule: 'ALL' },
  });
}
