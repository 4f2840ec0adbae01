import { expect, test } from '@jest/globals';
import { Interface, id, solidityPackedKeccak256, ZeroAddress, zeroPadValue } from 'ethers';
import { NoState } from '../../../lib/chain/upstream/failures.ts';
import { fromTexts, knownEmitters, parseRegistry, registryCall, toTexts } from '../../../lib/ledger/registry.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';

/** The contracts whose logs are requested, in ethers' encoding. */

const MULTICALL = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
]);
const REGISTERED = ['ClaimNodeOp', 'MinipoolManager', 'Oracle', 'RewardsPool', 'Staking', 'TokenggAVAX', 'Vault'];
const addressOf = (place: number) => `0x${'ab'.repeat(19)}0${place}`;

const word = (address: string) => zeroPadValue(address, 32);
const GUARDIAN = word(addressOf(9));

/** The registry's answer, with one result for each contract, and the guardian. */
const answerOf = (data: readonly string[], guardian = GUARDIAN) =>
  MULTICALL.encodeFunctionResult('aggregate3', [[...data, guardian].map((returned) => [true, returned])]);

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

test('the registry at a block is asked for every contract that emits events', () => {
  const [block, tag] = [0x1234, '0x1234'];
  const { multicall3, storage } = NETWORKS.avalanche;
  const { method, params } = registryCall(NETWORKS.avalanche, block);
  const [{ to, data }, at] = params as [{ to: string; data: string }, string];
  expect([method, to, at]).toEqual(['eth_call', multicall3, tag]);
  const [calls] = MULTICALL.decodeFunctionData('aggregate3', data);
  const get = id('getAddress(bytes32)').slice(0, 10);
  expect(calls.map(({ target, callData }: Record<string, string>) => [target, callData])).toEqual(
    [
      ...REGISTERED.map(
        (name) => get + solidityPackedKeccak256(['string', 'string'], ['contract.address', name]).slice(2),
      ),
      id('getGuardian()').slice(0, 10),
    ].map((callData) => [storage, callData]),
  );
});

test('registered contracts are searched, and none before there was a registry', () => {
  const words = REGISTERED.map((_, place) => word(addressOf(place)));
  const registered = REGISTERED.map((name, place) => [addressOf(place), name]);
  expect([...parseRegistry(answerOf(words))]).toEqual(registered);
  expect([...parseRegistry(answerOf([word(ZeroAddress), ...words.slice(1)]))]).toEqual(registered.slice(1));
  expect([
    ...parseRegistry(
      answerOf(
        words.map(() => '0x'),
        '0x',
      ),
    ),
  ]).toEqual([]);
});

test('a registry of zeros, even its guardian, is what a node reads that lacks the state', () => {
  const zeros = REGISTERED.map(() => word(ZeroAddress));
  expect(() => parseRegistry(answerOf(zeros, word(ZeroAddress)))).toThrow(NoState);
  expect([...parseRegistry(answerOf(zeros))]).toEqual([]);
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
