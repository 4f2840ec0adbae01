/** The tables, as the stack deploys them and the embedded DynamoDB engine creates them. */
export const TABLES = {
  /** Responses and datasets. `expiresAt` is DynamoDB's TTL: garbage collection, days late. */
  cache: { partitionKey: 'pk', ttlAttribute: 'expiresAt' },
  /** Recorded points, written once. */
  history: { partitionKey: 'series', sortKey: { name: 'timestamp', type: 'N' } },
  /** Events, written once for each subject. */
  ledger: { partitionKey: 'subject', sortKey: { name: 'position', type: 'S' } },
} as const;
