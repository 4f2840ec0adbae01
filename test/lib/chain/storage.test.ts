import { expect, test } from '@jest/globals';
import { concat, id, keccak256, toBeHex, toUtf8Bytes, ZeroAddress } from 'ethers';
import { addressKey, isRegistered, NOTHING_REGISTERED, recordKey } from '../../../lib/chain/storage.ts';
import { addresses } from '../../support/contracts.ts';

/** Keys of the protocol's storage contract, packed as its contracts pack them. */

const packed = (list: string, index: number, field: string) =>
  keccak256(concat([toUtf8Bytes(`${list}.item`), toBeHex(index, 32), toUtf8Bytes(`.${field}`)]));

test('the key of a record is made of its list, its index in 32 bytes, and the name of its field', () => {
  expect(recordKey('minipool', 7, 'owner')).toBe(packed('minipool', 7, 'owner'));
  expect(recordKey('staker', 300n, 'ggpRewards')).toBe(packed('staker', 300, 'ggpRewards'));
});

test('the key of a contract is made of its name, and an address of zero means that it is not registered', () => {
  expect(addressKey('Staking')).toBe(id('contract.addressStaking'));
  expect(isRegistered({ addresses }, 'Staking')).toBe(true);
  expect(isRegistered({ addresses: { ...addresses, Staking: ZeroAddress } }, 'Staking')).toBe(false);
  expect(isRegistered({ addresses: NOTHING_REGISTERED }, 'Vault')).toBe(false);
});
