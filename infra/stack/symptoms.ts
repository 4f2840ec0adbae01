/** What alarms are raised for. */

import { ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { type Metrics, PERIOD } from './metrics.ts';

export interface Symptom {
  id: string;
  /** The symptom and its likely cause, for operators who read the e-mail. */
  description: string;
  metric: IMetric;
  threshold: number;
  /** How many periods must be above the threshold, and of how many; by default two of three. */
  periods?: [number, number];
  comparison?: ComparisonOperator;
  missing?: TreatMissingData;
  /** Whether somebody has to act at once, at any hour. */
  wakes?: boolean;
  /** For a percentile: the alarm keeps its state while there are too few samples for one. */
  fewSamples?: 'ignore';
}

/** How long a flood may last until it has cost what a month may. */
const BUDGET_HOURS = 48;
/** CloudFront with its function and the firewall: a request, and a byte below 10 TB a month (infra/bench/prices.ts). */
const EDGE_REQUEST_DOLLARS = 1.7e-6;
const EDGE_BYTE_DOLLARS = 0.085e-9;

/** `budget` is in dollars a month. */
export function symptomsOf(metrics: Metrics, budget: number): Symptom[] {
  const perPeriod = budget / (BUDGET_HOURS * (3_600 / PERIOD.toSeconds()));
  return [
    {
      id: 'ServerErrors',
      wakes: true,
      description: 'More than 1 % of the requests to the API got a 5xx.',
      metric: metrics.errorRate,
      threshold: 0.01,
    },
    // Failures in front of the API do not show in the API's metrics.
    ...symptomOf(metrics.edgeErrors, {
      id: 'EdgeErrors',
      wakes: true,
      description: 'More than 5 % of the responses of CloudFront, pages included, are 5xx.',
      threshold: 5,
    }),
    {
      id: 'Latency',
      description: 'One API request in ten takes more than 2 seconds.',
      metric: metrics.latency,
      threshold: 2_000,
      periods: [3, 3],
      // At night, three cold starts can be one request in ten.
      fewSamples: 'ignore',
    },
    {
      id: 'NothingAnswers',
      wakes: true,
      description: 'A source cannot be read and no cached answer is left: clients get a 503.',
      metric: metrics.unanswered,
      threshold: 5,
    },
    {
      id: 'OldAnswers',
      description: 'Answers more than 30 minutes old are served, because their source cannot be read.',
      metric: metrics.servedAge,
      threshold: 1_800,
    },
    {
      id: 'OldHead',
      description:
        'Even the newest block read is more than 10 minutes old: RPC providers lag, or the chain has stopped.',
      metric: metrics.headAge,
      threshold: 600,
    },
    {
      id: 'TableErrors',
      description:
        'The cache table fails or is slow. Answers are correct, but every container reads the chain for itself.',
      metric: metrics.tableErrors,
      threshold: 20,
    },
    {
      id: 'Throttles',
      wakes: true,
      description: "Lambda throttles functions: the region's concurrent executions are used up.",
      metric: metrics.throttles,
      threshold: 10,
    },
    {
      id: 'RateLimited',
      description:
        "Many requests get a 429 from the API: one client sends too much, or all together reach an endpoint's limit.",
      metric: metrics.limited,
      threshold: 500,
    },
    ...symptomOf(metrics.edgeRequests, {
      id: 'EdgeRequests',
      description: `CloudFront gets so many requests that they alone would use up the month's budget in ${BUDGET_HOURS} hours.`,
      threshold: Math.round(perPeriod / EDGE_REQUEST_DOLLARS),
      periods: [3, 3],
    }),
    ...symptomOf(metrics.edgeBytes, {
      id: 'EdgeBytes',
      description: `CloudFront sends so much that it alone would use up the month's budget in ${BUDGET_HOURS} hours. Archives are closed for a day.`,
      threshold: Math.round(perPeriod / EDGE_BYTE_DOLLARS),
      // Any of a day: so the alarm, and with it the archives' gate, stays for one.
      periods: [3, 86_400 / PERIOD.toSeconds()],
    }),
    ...symptomOf(metrics.recorded, {
      id: 'RecorderMissing',
      wakes: true,
      description:
        'The recorder has not succeeded for two hours: history has gaps, of which those of validators stay for good.',
      threshold: 1,
      periods: [2, 2],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      // Before the first run, no alarm is due. If the data ends later, INSUFFICIENT_DATA is notified, too.
      missing: TreatMissingData.MISSING,
    }),
    {
      id: 'HistoryLag',
      description: 'The recorder runs, but the newest point of history is more than three hours old.',
      metric: metrics.historyLag,
      threshold: 3 * 3_600,
      periods: [2, 2],
    },
    {
      id: 'LedgerLag',
      description:
        'The ledger is more than 5,000 blocks behind the chain or, if data is insufficient, its recorder fails.',
      metric: metrics.ledgerLag,
      threshold: 5_000,
      periods: [3, 3],
      missing: TreatMissingData.MISSING,
    },
    {
      id: 'LedgerMismatch',
      wakes: true,
      description:
        'For an hour, the ledger and the contracts have said different things: answers made from it are marked.',
      metric: metrics.ledgerMismatch,
      threshold: 0,
      periods: [1, 1],
    },
    {
      id: 'LedgerStuck',
      description: "The ledger's past is not whole, and no run of its recorder in three hours has found more of it.",
      metric: metrics.ledgerStuck,
      threshold: 1,
      periods: [3, 3],
      comparison: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    },
    ...symptomOf(metrics.archiveAge, {
      id: 'ArchiveMissing',
      description:
        "The newest archive is more than 26 hours old: the day's is missing. If data is insufficient, its recorder fails.",
      threshold: 26 * 3_600,
      periods: [2, 2],
      missing: TreatMissingData.MISSING,
    }),
  ];
}

/** A symptom of something that not every stage has. */
function symptomOf(metric: IMetric | undefined, symptom: Omit<Symptom, 'metric'>): Symptom[] {
  return metric ? [{ ...symptom, metric }] : [];
}
