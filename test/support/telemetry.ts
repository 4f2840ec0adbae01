import type { Telemetry } from '../../lib/runtime/telemetry.ts';

interface Line {
  level: 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, unknown>;
}

/** Telemetry that records what it is given. */
export interface RecordingTelemetry extends Telemetry {
  lines: Line[];
  counts: string[];
  /** `<provider> <outcome>`, in order. */
  attempts: string[];
  /** Metrics and their values, in order. */
  records: [metric: string, value: number][];
  /** Number of times that the metrics were flushed. */
  flushes: number;
}

export function recordingTelemetry(): RecordingTelemetry {
  const log = (level: Line['level']) => (message: string, fields: Record<string, unknown>) => {
    recording.lines.push({ level, message, fields });
  };
  const recording: RecordingTelemetry = {
    lines: [],
    counts: [],
    attempts: [],
    records: [],
    flushes: 0,
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    count: (metric) => recording.counts.push(metric),
    record: (metric, value) => recording.records.push([metric, value]),
    attempt: (provider, outcome) => recording.attempts.push(`${provider} ${outcome}`),
    flush: () => {
      recording.flushes++;
    },
  };
  return recording;
}
