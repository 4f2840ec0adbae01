import * as z from 'zod/mini';
import { model, tokens } from '../schemas.ts';

/** How an amount of GGP is split. */
export const distributionSchema = (of: string) =>
  model(
    'ClaimantAmounts',
    z.object({
      ClaimNodeOp: tokens('GGP', 'For node operators.'),
      ClaimProtocolDAO: tokens('GGP', 'For the treasury.'),
      MultisigManager: tokens('GGP', 'For the multisigs.'),
    }),
  ).check(z.describe(`${of} by claimant; what rounding leaves stays in the pool.`));
