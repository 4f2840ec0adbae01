/** The metrics of the alarms. */

import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { METRICS_NAMESPACE } from '../../lib/runtime/telemetry.ts';

/** The parts of the stack that have alarms. */
export interface Watched {
  api: RestApi;
  distribution: Distribution;
  /** The recorder of history. */
  recorder: IFunction;
  /** The dimension of the functions' custom metrics. */
  service: string;
}

export const PERIOD = Duration.minutes(5);
export const HOUR = Duration.hours(1);

/** Fewer failures in five minutes than these are no rate. */
const LEAST_SERVER_ERRORS = 5;
const LEAST_EDGE_ERRORS = 20;
const LEAST_CLIENT_ERRORS = 100;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics({ api, distribution, recorder, service }: Watched) {
  const own = (metricName: string, statistic: string, period = PERIOD) =>
    new Metric({ namespace: METRICS_NAMESPACE, metricName, statistic, period, dimensionsMap: { service } });
  // One of CloudFront's free metrics. The CDK's own lack the dimension `Region` and therefore have no data.
  const ofEdge = (metricName: string, statistic: string, period = PERIOD) =>
    new Metric({
      namespace: 'AWS/CloudFront',
      metricName,
      statistic,
      period,
      dimensionsMap: { DistributionId: distribution.distributionId, Region: 'Global' },
    });
  const edgeRate = (metricName: string, least: number) =>
    new MathExpression({
      expression: `IF(requests * rate / 100 >= ${least}, rate, 0)`,
      label: `${metricName}, percent`,
      period: PERIOD,
      usingMetrics: { requests: ofEdge('Requests', Stats.SUM), rate: ofEdge(metricName, Stats.AVERAGE) },
    });
  return {
    errorRate: new MathExpression({
      expression: `IF(errors >= ${LEAST_SERVER_ERRORS}, 100 * errors / requests, 0)`,
      label: '5xx of the API, percent',
      period: PERIOD,
      usingMetrics: {
        errors: api.metricServerError({ statistic: Stats.SUM, period: PERIOD }),
        requests: api.metricCount({ statistic: Stats.SUM, period: PERIOD }),
      },
    }),
    apiRequests: api.metricCount({ statistic: Stats.SUM, period: PERIOD }),
    latency: api.metricLatency({ statistic: Stats.p(90), period: PERIOD }),
    edgeErrors: edgeRate('5xxErrorRate', LEAST_EDGE_ERRORS),
    clientErrors: edgeRate('4xxErrorRate', LEAST_CLIENT_ERRORS),
    edgeRequests: ofEdge('Requests', Stats.SUM),
    edgeBytes: ofEdge('BytesDownloaded', Stats.SUM, HOUR),
    unanswered: own('CacheError', Stats.SUM),
    tableErrors: own('TableError', Stats.SUM),
    servedAge: own('ServedAge', Stats.MAXIMUM),
    headAge: own('HeadAge', Stats.MINIMUM),
    // Of all functions in the region, because they share the limit on concurrent executions.
    throttles: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: Stats.SUM, period: PERIOD }),
    recorded: new MathExpression({
      expression: 'runs - errors',
      label: 'successful runs of the recorder',
      period: HOUR,
      usingMetrics: {
        runs: recorder.metricInvocations({ period: HOUR }),
        errors: recorder.metricErrors({ period: HOUR }),
      },
    }),
    ledgerLag: own('LedgerLag', Stats.MAXIMUM),
    // The minimum: an hour in which each run found a mismatch.
    ledgerMismatch: own('LedgerMismatch', Stats.MINIMUM, HOUR),
    ledgerStuck: own('LedgerStuck', Stats.MINIMUM, HOUR),
  } satisfies Record<string, IMetric>;
}
