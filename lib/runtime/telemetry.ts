import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** Log lines and CloudWatch metrics (EMF) on standard output. Metrics cost money, so only alarms have some. */
export interface Telemetry {
  info(message: string, fields: Record<string, unknown>): void;
  /** A problem that was handled but deserves a look: a slow table, a failed provider. */
  warn(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
  /** Counts requests that no source answers, and failures of the cache table. */
  count(metric: 'CacheError' | 'TableError'): void;
  /** Records a value: `LedgerLag` in blocks, `LedgerStuck` 1 or 0, `LedgerMismatch` a number of figures, the others in seconds. */
  record(metric: 'HeadAge' | 'ServedAge' | 'LedgerLag' | 'LedgerStuck' | 'LedgerMismatch', value: number): void;
  /** For debugging; `provider` is a name such as `rpc-1`, never a URL. */
  attempt(provider: string, outcome: string): void;
  flush(): void;
}

export const METRICS_NAMESPACE = 'StakingDataService';

/** Telemetry through Powertools. The service name, which tells stages apart, is in POWERTOOLS_SERVICE_NAME. */
export function powertoolsTelemetry(): Telemetry {
  const logger = new Logger();
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE });
  return {
    info: (message, fields) => logger.info(message, fields),
    warn: (message, fields) => logger.warn(message, fields),
    error: (message, fields) => logger.error(message, fields),
    count: (metric) => metrics.addMetric(metric, MetricUnit.Count, 1),
    record: (metric, value) =>
      metrics.addMetric(metric, metric.startsWith('Ledger') ? MetricUnit.Count : MetricUnit.Seconds, value),
    attempt: (provider, outcome) => logger.debug('upstream attempt', { provider, outcome }),
    // Without metrics to publish, Powertools would write a warning.
    flush: () => {
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}
