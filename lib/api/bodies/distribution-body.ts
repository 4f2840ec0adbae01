import type { Claimant } from '../../rewards/inflation.ts';
import { object, unit } from '../fields.ts';
import { ggp, percent } from '../units.ts';

type Split = Readonly<Record<Claimant, bigint>>;

const amounts = object<Split>(
  'ClaimantAmounts',
  'An amount of GGP by claiming contract.',
)({
  ClaimNodeOp: ggp('Share of node operators.'),
  ClaimProtocolDAO: ggp('Share of the DAO treasury.'),
  MultisigManager: ggp('Share of the multisigs.'),
});

/** GGP wei by claimant. */
export const distribution = unit(
  (meaning) => amounts.schema(`${meaning} Each share is rounded down; the remainder stays in the rewards pool.`),
  amounts.json,
);

/** Fractions (1e18 = 100 %) by claimant. */
export const distributionPercent = object<Split>('ClaimantPercents')({
  ClaimNodeOp: percent('Share of node operators.'),
  ClaimProtocolDAO: percent('Share of the DAO treasury.'),
  MultisigManager: percent('Share of the multisigs.'),
});
