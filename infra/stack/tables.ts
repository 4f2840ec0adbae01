/** The tables, as the stack and the local DynamoDB engine create them. */
export const TABLES = {
  /** Responses and datasets. `expiresAt` is only for DynamoDB's garbage collection, which may be days late. */
  cache: { partitionKey: 'pk', ttlAttribute: 'expiresAt' },
  /** Recorded points, each written once. */
  history: { partitionKey: 'series', sortKey: { name: 'timestamp', type: 'N' } },
  /** The protocol's events, each written once per subject. */
  ledger: { partitionKey: 'subject', sortKey: { name: 'position', type: 'S' } },
} as const;
