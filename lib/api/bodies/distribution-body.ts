import * as z from 'zod/mini';
import type { Claimant } from '../../rewards/inflation.ts';
import { formatAmount, percentFrom } from '../../values/amounts.ts';
import { model, percent, tokens } from '../schemas.ts';

/** How an amount of GGP is split between the claiming contracts. */

export const distributionSchema = (meaning: string) =>
  model(
    'ClaimantAmounts',
    z.object({
      ClaimNodeOp: tokens('GGP', 'Share of node operators.'),
      ClaimProtocolDAO: tokens('GGP', 'Share of the DAO treasury.'),
      MultisigManager: tokens('GGP', 'Share of the multisigs.'),
    }),
    'An amount of GGP by claiming contract.',
  ).check(z.describe(`${meaning} Each share is rounded down; the remainder stays in the rewards pool.`));

/** The body for GGP wei by claimant. */
export function distributionBody({
  ClaimNodeOp,
  ClaimProtocolDAO,
  MultisigManager,
}: Readonly<Record<Claimant, bigint>>) {
  return {
    ClaimNodeOp: formatAmount(ClaimNodeOp),
    ClaimProtocolDAO: formatAmount(ClaimProtocolDAO),
    MultisigManager: formatAmount(MultisigManager),
  };
}

export const distributionPercentSchema = (meaning: string) =>
  model(
    'ClaimantPercents',
    z.object({
      ClaimNodeOp: percent('Share of node operators.'),
      ClaimProtocolDAO: percent('Share of the DAO treasury.'),
      MultisigManager: percent('Share of the multisigs.'),
    }),
  ).check(z.describe(meaning));

/** The body for fractions (1e18 = 100 %) by claimant. */
export function distributionPercentBody({
  ClaimNodeOp,
  ClaimProtocolDAO,
  MultisigManager,
}: Readonly<Record<Claimant, bigint>>) {
  return {
    ClaimNodeOp: percentFrom(ClaimNodeOp),
    ClaimProtocolDAO: percentFrom(ClaimProtocolDAO),
    MultisigManager: percentFrom(MultisigManager),
  };
}
