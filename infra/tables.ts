/** The two tables, as the stack deploys them and the embedded DynamoDB engine creates them. */
export const TABLES = {
  /** Responses and datasets. `expiresAt` is DynamoDB's TTL: garbage collection, days late. */
  cache: { partitionKey: 'pk', ttlAttribute: 'expiresAt' },
  /** Recorded points, written once. `timestamp` is a number. */
  history: { partitionKey: 'series', sortKey: 'timestamp' },
} as const;
