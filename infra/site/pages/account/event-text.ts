/** Events in words. */

import { declarationOf, ENTRY_TYPES } from '../../../../lib/ledger/events/entry-types.ts';
import { UNITS, type UnitDeclaration } from '../../../../lib/values/units.ts';
import type { Entry } from './bodies.ts';

/** The title of an event: `Minipool: launched`. */
export function titleOf({ type, status }: Entry): string {
  // A page that was loaded before an upgrade does not know the types that are new.
  return `${ENTRY_TYPES[type]?.label ?? type}${typeof status === 'string' ? `: ${status}` : ''}`;
}

/** Fields with amounts, the most relevant first. */
const AMOUNTS = ['assets', 'baseAmt', 'expectedAssets', 'rewardsAmt', 'price', 'totalAmt', 'amount', 'shares'] as const;

/** The most relevant amount of an event. Undefined if it has none. */
export function amountIn(entry: Entry): { amount: string; unit: string } | undefined {
  // A transfer shows its ggAVAX, as wallets do, not its value.
  const field = entry.type === 'ggAvaxTransferred' ? 'shares' : AMOUNTS.find((name) => name in entry);
  const unit = field && ENTRY_TYPES[entry.type] && declarationOf(entry.type).fields[field]?.unit;
  if (!unit) return undefined;
  const { symbol = '' }: UnitDeclaration = UNITS[unit];
  return { amount: entry[field] as string, unit: symbol };
}
