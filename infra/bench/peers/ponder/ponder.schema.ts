import { index, onchainTable } from 'ponder';

export const entry = onchainTable(
  'entry',
  (t) => ({
    id: t.text().primaryKey(),
    type: t.text().notNull(),
    block: t.integer().notNull(),
    timestamp: t.integer().notNull(),
    transactionHash: t.hex().notNull(),
    logIndex: t.integer().notNull(),
    args: t.jsonb().notNull(),
  }),
  (table) => ({ order: index().on(table.block, table.logIndex) }),
);
