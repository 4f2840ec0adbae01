import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { nameSources } from './source-map.ts';

/**
 * The service's reports: structured log lines and CloudWatch metrics (EMF), as JSON on standard output.
 */
export interface Telemetry {
  /** One line about normal work. */
  info(message: string, fields: Record<string, unknown>): void;
  /** A problem that was handled but deserves a look: a slow table, a failed provider. */
  warn(message: string, fields: Record<string, unknown>): void;
  /** A defect or an outage. */
  error(message: string, fields: Record<string, unknown>): void;
  /** Adds one to a counter. */
  count(metric: 'CacheHit' | 'CacheStale' | 'CacheMiss' | 'CacheError' | 'LeaseLost' | 'TableError'): void;
  /**
   * Records a value: `UpstreamMs` in milliseconds, `LedgerLag` in blocks, `LedgerStuck` 1 or 0, `LedgerMismatch` a number
   * of figures, the others in seconds.
   */
  record(
    metric: 'HeadAge' | 'ServedAge' | 'UpstreamMs' | 'LedgerLag' | 'LedgerStuck' | 'LedgerMismatch',
    value: number,
  ): void;
  /** Counts one attempt at an upstream provider; `provider` is a name such as `rpc-1`, never a URL. */
  attempt(provider: string, outcome: string): void;
  /** Writes the metrics of this request. */
  flush(): void;
}

const UNITS: Record<string, (typeof MetricUnit)[keyof typeof MetricUnit]> = {
  UpstreamMs: MetricUnit.Milliseconds,
  LedgerMismatch: MetricUnit.Count,
  LedgerLag: MetricUnit.Count,
  LedgerStuck: MetricUnit.Count,
};

/** The CloudWatch namespace of all metrics. */
export const METRICS_NAMESPACE = 'StakingDataService';

/**
 * The outcomes of attempts that are metrics of their own: each metric costs money, and a provider could invent any number
 * of codes. The log has all outcomes.
 */
const OUTCOMES = [
  ...[
    'ok',
    'timeout',
    'network',
    'lagging',
    'incomplete',
    'no_state',
    'wrong_chain',
    'rejected',
    'too_large',
    'malformed',
    'oversized',
  ],
  ...['http_401', 'http_403', 'http_429', 'rpc_429', 'rpc_-32005', 'rpc_-32603'],
];

/** An outcome as a dimension: its own name, or `http_other`, `rpc_other`, `other`. */
export function outcomeName(outcome: string): string {
  return OUTCOMES.includes(outcome) ? outcome : `${/^(?:http|rpc)_/.exec(outcome)?.[0] ?? ''}other`;
}

/** Telemetry through Powertools. The service name, which tells stages apart, is in POWERTOOLS_SERVICE_NAME. */
export function powertoolsTelemetry(): Telemetry {
  const logger = new Logger();
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE });
  return {
    info: (message, fields) => logger.info(message, fields),
    warn: (message, fields) => logger.warn(message, fields),
    error: (message, fields) => {
      if (fields.error instanceof Error) nameSources(fields.error);
      logger.error(message, fields);
    },
    count: (metric) => metrics.addMetric(metric, MetricUnit.Count, 1),
    record: (metric, value) => metrics.addMetric(metric, UNITS[metric] ?? MetricUnit.Seconds, value),
    attempt: (provider, outcome) =>
      metrics
        .singleMetric()
        .addDimensions({ provider, outcome: outcomeName(outcome) })
        .addMetric('RpcAttempt', MetricUnit.Count, 1),
    // Without metrics to publish, Powertools would write a warning.
    flush: () => {
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}
