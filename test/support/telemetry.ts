import type { Telemetry } from '../../lib/telemetry.ts';

interface Line {
  level: 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, unknown>;
}

/** Telemetry that keeps what it was told. */
export interface RecordingTelemetry extends Telemetry {
  lines: Line[];
  counts: string[];
  /** `endpoint outcome`, in order. */
  attempts: string[];
}

export function recordingTelemetry(): RecordingTelemetry {
  const lines: Line[] = [];
  const counts: string[] = [];
  const attempts: string[] = [];
  const log = (level: Line['level']) => (message: string, fields: Record<string, unknown>) => {
    lines.push({ level, message, fields });
  };
  return {
    lines,
    counts,
    attempts,
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    count: (metric) => counts.push(metric),
    record: () => {},
    attempt: (endpoint, outcome) => attempts.push(`${endpoint} ${outcome}`),
    flush: () => {},
  };
}
