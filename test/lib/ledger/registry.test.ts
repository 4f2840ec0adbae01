import { expect, test } from '@jest/globals';
import { fromTexts, knownEmitters, toTexts } from '../../../lib/ledger/registry.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';

/** The contracts whose logs are requested. */

const addressOf = (place: number) => `0x${'ab'.repeat(19)}0${place}`;

test('contracts that are not in the registry are known from the settings: the queue, and former managers', () => {
  const {
    withdrawQueue,
    pstAvax = '',
    xGgp = '',
    xAvax = '',
    assetLocker = '',
    timelock = '',
    former,
  } = NETWORKS.avalanche;
  expect(Object.fromEntries(knownEmitters(NETWORKS.avalanche))).toEqual({
    [withdrawQueue.toLowerCase()]: 'WithdrawQueue',
    [pstAvax.toLowerCase()]: 'TokenpstAVAX',
    [xGgp.toLowerCase()]: 'xGGP',
    [xAvax.toLowerCase()]: 'xAVAX',
    [assetLocker.toLowerCase()]: 'AssetLocker',
    [timelock.toLowerCase()]: 'Timelock',
    ...Object.fromEntries(former.MinipoolManager.map((address) => [address.toLowerCase(), 'MinipoolManager'])),
    ...Object.fromEntries(former.Staking.map((address) => [address.toLowerCase(), 'Staking'])),
  });
});

test('contracts are stored as name and address', () => {
  const emitters = new Map([
    [addressOf(1), 'Staking'],
    [addressOf(2), 'Oracle'],
  ] as const);
  const texts = [`Staking#${addressOf(1)}`, `Oracle#${addressOf(2)}`];
  expect(toTexts(emitters)).toEqual(texts);
  expect(fromTexts(texts)).toEqual(emitters);
});
