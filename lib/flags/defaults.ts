import type { Flags } from './document.ts';

/**
 * The flags while none has been set (`npm run flags`). The protocol is being wound down: operations ended on 2026-08-15,
 * withdrawals continue until the end of the year (Hypha's announcement of July 2026).
 */
export const DEFAULT_FLAGS = {
  version: 'default',
  /** Time of the last edit of this document, unix seconds. */
  updatedAt: 1_795_219_200,
  flags: {
    ggAvaxDeposits: { enabled: false },
    ggpRewardsClaims: { enabled: true },
    minipoolCreation: { enabled: false },
    windDown: { enabled: true, operationsEnded: '2026-08-15', withdrawalsUntil: '2026-12-31' },
    withdrawQueue: { enabled: true },
  } as Flags,
};
