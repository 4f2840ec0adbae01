import { expect, test } from '@jest/globals';
import { knownEmitters } from '../../../lib/ledger/registry.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';

/** The contracts whose logs are requested. */

test('contracts that are not in the registry are known from the settings: the queue, and former managers', () => {
  const { withdrawQueue, pstAvax, xGgp, xAvax, assetLocker, timelock, former } = NETWORKS.avalanche;
  const named = {
    ...{ WithdrawQueue: [withdrawQueue], TokenpstAVAX: [pstAvax], xGGP: [xGgp], xAVAX: [xAvax] },
    ...{ AssetLocker: [assetLocker], Timelock: [timelock], ...former },
  };
  const expected = Object.entries(named).flatMap(([name, all]) => all.map((address) => [address?.toLowerCase(), name]));
  expect(Object.fromEntries(knownEmitters(NETWORKS.avalanche))).toEqual(Object.fromEntries(expected));
});
