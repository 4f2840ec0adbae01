/** The symptoms for which alarms are raised. docs/alarms.md has the remedy for each one. */

import type { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { HOUR, type Metrics, PERIOD } from './metrics.ts';

export interface Symptom {
  id: string;
  /** The symptom and its likely cause, for operators who read the e-mail. */
  description: string;
  metric: IMetric;
  threshold: number;
  /** The number of periods that must be above the threshold, and of how many; by default two of three. */
  periods?: [number, number];
  comparison?: ComparisonOperator;
  /** Raised also while there is no data: its recorder does not run. */
  ifMissing?: true;
  /** Somebody has to act at once, at any hour. */
  pages?: true;
  /** For a percentile: the alarm keeps its state while there are too few samples for one. */
  fewSamples?: 'ignore';
}

/** The time in which a flood may cost as much as a month. */
const BUDGET_HOURS = 48;
/** A request that reaches the API and is a hit (`npm run cost`); a miss costs about twice as much. */
const API_REQUEST_DOLLARS = 5.2e-6;
/** CloudFront with its function and the firewall: a request, and a byte below 10 TB a month (infra/bench/prices.ts). */
const EDGE_REQUEST_DOLLARS = 1.7e-6;
const EDGE_BYTE_DOLLARS = 0.085e-9;

/** The number of units in a period that would use up the month's budget in {@link BUDGET_HOURS}. */
function toLimit(budget: number, period: Duration, unitDollars: number): number {
  return Math.round((budget / (BUDGET_HOURS * 3_600)) * (period.toSeconds() / unitDollars));
}

const SPENT = `that they would use up the month's budget in ${BUDGET_HOURS} hours.`;

/** `budget` is in dollars a month. */
export function createSymptoms(metrics: Metrics, budget: number): Symptom[] {
  return [
    {
      id: 'ServerErrors',
      pages: true,
      description: 'More than 5 % of the requests to the API got a 5xx.',
      metric: metrics.errorRate,
      threshold: 5,
    },
    // Failures in front of the API do not show in the API's metrics.
    {
      id: 'EdgeErrors',
      pages: true,
      description: 'More than 5 % of the responses of CloudFront, pages included, are 5xx.',
      metric: metrics.edgeErrors,
      threshold: 5,
    },
    {
      id: 'NothingAnswers',
      pages: true,
      description: 'A source cannot be read and no cached answer is left: clients get a 503.',
      metric: metrics.unanswered,
      threshold: 5,
    },
    {
      id: 'RecorderMissing',
      pages: true,
      description:
        'The recorder has not succeeded for two hours: history has gaps, and those of validators cannot be filled later.',
      metric: metrics.recorded,
      threshold: 1,
      periods: [2, 2],
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      ifMissing: true,
    },
    {
      id: 'LedgerMismatch',
      pages: true,
      description: 'The ledger and the contracts have differed for an hour: answers from the ledger are marked.',
      metric: metrics.ledgerMismatch,
      threshold: 0,
      periods: [1, 1],
    },
    {
      id: 'ClientErrors',
      description:
        'More than 50 % of the responses of CloudFront are 4xx: clients send bad requests, or a release refuses good ones.',
      metric: metrics.clientErrors,
      threshold: 50,
      periods: [3, 3],
    },
    {
      id: 'Throttles',
      description: "Lambda throttles functions: the region's concurrent executions are used up.",
      metric: metrics.throttles,
      threshold: 10,
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
      id: 'Latency',
      description: 'One API request in ten takes more than 2 seconds.',
      metric: metrics.latency,
      threshold: 2_000,
      periods: [3, 3],
      // At night, three cold starts can be one request in ten.
      fewSamples: 'ignore',
    },
    {
      id: 'TableErrors',
      description:
        'The cache table fails or is slow. Answers are correct, but every container reads the chain for itself.',
      metric: metrics.tableErrors,
      threshold: 20,
    },
    {
      id: 'ApiRequests',
      description: `So many requests reach API Gateway ${SPENT}`,
      metric: metrics.apiRequests,
      threshold: toLimit(budget, PERIOD, API_REQUEST_DOLLARS),
      periods: [3, 3],
    },
    {
      id: 'EdgeRequests',
      description: `CloudFront gets so many requests ${SPENT}`,
      metric: metrics.edgeRequests,
      threshold: toLimit(budget, PERIOD, EDGE_REQUEST_DOLLARS),
      periods: [3, 3],
    },
    {
      id: 'EdgeBytes',
      description: `CloudFront sends so many bytes ${SPENT}`,
      metric: metrics.edgeBytes,
      threshold: toLimit(budget, HOUR, EDGE_BYTE_DOLLARS),
      periods: [3, 3],
    },
    {
      id: 'LedgerLag',
      description: 'The ledger is more than 5,000 blocks behind the chain, or its recorder does not run.',
      metric: metrics.ledgerLag,
      threshold: 5_000,
      periods: [3, 3],
      ifMissing: true,
    },
    {
      id: 'LedgerStuck',
      description: "History is incomplete, and the ledger's recorder has indexed nothing more for three hours.",
      metric: metrics.ledgerStuck,
      threshold: 1,
      periods: [3, 3],
      comparison: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    },
  ];
}
