import { beforeAll, describe, expect, it } from '@jest/globals';
import { encodeBytes32String, getAddress, id, parseEther, toBeHex, toQuantity } from 'ethers';
import { call } from '../../../infra/devnet/chain.ts';
import { CREATION_ORDER } from '../../../infra/devnet/protocol.ts';
import { createContract } from '../../../infra/devnet/scenario/founding.ts';
import { revertOf } from './devnet-client.ts';
import { DAY, fromTheFounding, useFoundedProtocol } from './devnet-founded.ts';

/**
 * The withdrawal queue, with numbers worked out by hand. The published WithdrawQueue and TokenggAVAX (V3) gave the
 * same, to the wei, when they were taken through these steps on 2026-11-25.
 *
 * Alba has 10,000 ggAVAX, asks for 1,000 and 2,000 of them, and the pool earns 500 AVAX: 10,500 AVAX belong to them.
 */

const founded = useFoundedProtocol();
const OTHER = getAddress(`0x${'b'.repeat(40)}`);
const SOURCE = encodeBytes32String('DELEGATION');
/** Storage slot of the pool's released assets. */
const RELEASED_SLOT = toBeHex(10, 32);

const read = (method: string, args: unknown[] = []): Promise<bigint> =>
  founded.client.read('TokenggAVAX', method, args);
const shares = () => read('balanceOf', [founded.stage.people.alba]);
const queueAddress = () => founded.stage.protocol.WithdrawQueue.address;
const view = (method: string, args: unknown[] = []) =>
  founded.client.readAt('WithdrawQueue', queueAddress(), method, args);

/** Returns the ABI words in the non-indexed part of the newest event with this signature. */
async function said(signature: string): Promise<bigint[]> {
  const logs = await founded.client.rpc.send('eth_getLogs', { fromBlock: '0x0', topics: [id(signature)] });
  const { data } = (logs as { data: string }[]).at(-1) ?? { data: '0x' };
  return (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}

async function refusal(who: 'alba' | 'bruno' | 'rialto', method: string, args: unknown[]): Promise<string> {
  return (await revertOf(founded.attempt(who, 'WithdrawQueue', method, args))).slice(0, 10);
}
const error = (signature: string) => id(signature).slice(0, 10);

async function openTwoRequests(): Promise<void> {
  const { stage } = founded;
  const { people, protocol } = stage;
  const { TokenggAVAX, WithdrawQueue } = protocol;
  const grant = (role: string) => call(people.guardian, TokenggAVAX, 'grantRole', [id(role), WithdrawQueue.address]);
  // The contracts that come before it are not needed.
  const place = CREATION_ORDER.findIndex(([name]) => name === 'WithdrawQueue');
  await founded.client.rpc.send('anvil_setNonce', people.deployer, toQuantity(place));
  await founded.mine([
    createContract('WithdrawQueue', stage),
    call(people.guardian, TokenggAVAX, 'upgradeTo', [3]),
    ...['STAKER_ROLE', 'WITHDRAW_QUEUE_ROLE'].map(grant),
  ]);
  await founded.send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: parseEther('10000') });
  await founded.send('alba', 'TokenggAVAX', 'approve', [WithdrawQueue.address, 2n ** 256n - 1n]);
  await founded.send('alba', 'WithdrawQueue', 'requestUnstake', [parseEther('1000'), 30 * DAY]);
  await founded.send('alba', 'WithdrawQueue', 'requestUnstake', [parseEther('2000'), 3 * DAY]);
  await founded.send('bruno', 'WAVAX', 'deposit', [], { value: parseEther('500') });
  await founded.send('bruno', 'WAVAX', 'transfer', [TokenggAVAX.address, parseEther('500')]);
  await founded.send('keeper', 'TokenggAVAX', 'syncRewards');
  // The stream ends.
  await founded.passTo(founded.time + 15 * DAY);
}

const serve = () => founded.send('rialto', 'WithdrawQueue', 'depositFromStaking', [0, 0, SOURCE]);

describe('the queue returns', () => {
  fromTheFounding(founded);
  beforeAll(openTwoRequests);

  it('on cancelling what the promised AVAX buys, and burns the rest', async () => {
    const before = await shares();
    await founded.send('alba', 'WithdrawQueue', 'cancelRequest', [0]);
    // 1,000 · 10,000 / 10,500, rounded down.
    expect((await shares()) - before).toBe(952_380_952_380_952_380_952n);
    // The burnt shares, and their value after burning: 47.619… · 10,500 / 9,952.380…
    expect(await said('YieldDonated(bytes32,address,uint256,uint256)')).toEqual([
      47_619_047_619_047_619_048n,
      50_239_234_449_760_765_550n,
    ]);
  });

  it('once it is served, no more than what was promised', async () => {
    await serve();
    // 2,000 · 10,500 / 9,952.380…
    expect(await said('Withdraw(address,address,address,uint256,uint256)')).toEqual([
      2_110_047_846_889_952_153_110n,
      parseEther('2000'),
    ]);
    expect(await view('totalAllocatedFunds')).toEqual([parseEther('2000')]);
    // The surplus, and the fee of 10 % on it.
    expect(await said('DepositedAdditionalYield(bytes32,address,uint256,uint256)')).toEqual([
      110_047_846_889_952_153_110n,
      11_004_784_688_995_215_311n,
    ]);
  });

  it('after the expiration of a served request what its AVAX buys then', async () => {
    const before = await shares();
    await founded.passTo(founded.time + 10 * DAY);
    await founded.send('bruno', 'WithdrawQueue', 'reclaimExpiredRequest', [1]);
    // 2,000 · 9,952.380… / 10,500: serving it has not changed the rate.
    expect((await shares()) - before).toBe(1_895_691_609_977_324_263_038n);
  });
});

describe('the queue serves', () => {
  fromTheFounding(founded);
  beforeAll(openTwoRequests);

  /** Returns the revert of serving if `released` AVAX (wei) are released and 500 AVAX more have been streamed. */
  async function refusalWith(released: bigint): Promise<string> {
    const { rpc } = founded.client;
    const snapshot = await rpc.send('evm_snapshot');
    const { address } = founded.stage.protocol.TokenggAVAX;
    await rpc.send('anvil_setStorageAt', address, RELEASED_SLOT, toBeHex(released, 32));
    await rpc.send('evm_mine');
    const revert = await revertOf(founded.attempt('rialto', 'WithdrawQueue', 'depositFromStaking', [0, 0, SOURCE]));
    await rpc.send('evm_revert', snapshot);
    return revert;
  }

  it('nobody, once a request is worth less than it was promised', async () => {
    // 9,999.9 AVAX belong to 10,000 ggAVAX.
    expect(await refusalWith(parseEther('9499.9'))).toBe(error('InvalidRedemptionAmount()'));
  });

  it('the oldest first, as far as the AVAX goes', async () => {
    // All but the reserve of 10 %: 1,050 AVAX, which is what the first request's shares bring.
    await founded.send('rialto', 'MinipoolManagerV4', 'withdrawForDelegation', [parseEther('9450'), OTHER]);
    await serve();
    expect(await view('getAllFulfilledRequests')).toEqual([[0n]]);
    expect(await view('getAllPendingRequests')).toEqual([[1n]]);
  });
});

describe('the queue refuses', () => {
  fromTheFounding(founded);
  beforeAll(openTwoRequests);

  it.each([
    ['nothing', 'alba', 'requestUnstake', [0, 3 * DAY], 'ZeroShares()'],
    ['more time than it gives', 'alba', 'requestUnstake', [1, 61 * DAY], 'InvalidExpirationDelay()'],
    ['more than one has', 'bruno', 'requestUnstake', [1, 3 * DAY], 'InsufficientTokenBalance()'],
    ['dust for others', 'alba', 'requestUnstakeOnBehalfOf', [parseEther('0.009'), OTHER, 0], 'MinimumSharesNotMet()'],
    ['to cancel what is not there', 'alba', 'cancelRequest', [9], 'RequestNotFound()'],
    ['to cancel for others', 'bruno', 'cancelRequest', [0], 'NotYourRequest()'],
    ['to pay too early', 'alba', 'claimUnstake', [0], 'RequestNotFulfilled()'],
    ['to return too early', 'alba', 'reclaimExpiredRequest', [0], 'RequestNotExpired()'],
    ['to return what is not there', 'alba', 'reclaimExpiredRequest', [9], 'RequestNotFound()'],
    ['AVAX that does not add up', 'rialto', 'depositFromStaking', [1, 0, SOURCE], 'InvalidYieldAmounts()'],
  ] as const)('%s', async (_, who, method, args, reason) => {
    expect(await refusal(who, method, [...args])).toBe(error(reason));
  });
});
