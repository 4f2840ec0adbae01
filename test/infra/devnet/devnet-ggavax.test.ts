import { describe, expect, it } from '@jest/globals';
import { encodeBytes32String, id, parseEther, ZeroAddress } from 'ethers';
import { revertOf } from './devnet-client.ts';
import { DAY, fromTheFounding, useFoundedProtocol } from './devnet-founded.ts';

const MAX_UINT = 2n ** 256n - 1n;
const NODE = `0x${'ab'.repeat(20)}`;

const founded = useFoundedProtocol();
const read = (method: string, args: unknown[] = []) => founded.client.read('TokenggAVAX', method, args);

/** Sends WAVAX to the vault, as rewards that the next sync finds. */
async function reward(avax: bigint): Promise<void> {
  await founded.send('bruno', 'WAVAX', 'deposit', [], { value: avax });
  await founded.send('bruno', 'WAVAX', 'transfer', [founded.stage.protocol.TokenggAVAX.address, avax]);
}

describe('ggAVAX streams rewards', () => {
  fromTheFounding(founded);
  const SYNC = 1_763_600_000;
  const END = 1_764_806_400;

  it('as in the documented example: 1,000 AVAX over 13.963 days', async () => {
    await founded.send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: parseEther('500000') });
    await reward(parseEther('1000'));
    await founded.send('keeper', 'TokenggAVAX', 'syncRewards', [], { after: SYNC - founded.time });

    expect(await read('lastRewardsAmt')).toBe(parseEther('1000'));
    expect(await read('lastSync')).toBe(BigInt(SYNC));
    expect(await read('rewardsCycleEnd')).toBe(BigInt(END));
    expect(await read('totalAssets')).toBe(parseEther('500000'));
    await founded.passTo(SYNC + DAY);
    expect((await read('totalAssets')) / 10n ** 12n).toBe(500_071_618_037n);
    await founded.passTo((SYNC + END) / 2);
    expect(await read('totalAssets')).toBe(parseEther('500500'));
    await founded.passTo(END + 3 * DAY);
    expect(await read('totalAssets')).toBe(parseEther('501000'));
    expect(await read('totalReleasedAssets')).toBe(parseEther('500000'));
  });

  it('without a jump at the next sync', async () => {
    await founded.send('keeper', 'TokenggAVAX', 'syncRewards');
    expect(await read('totalAssets')).toBe(parseEther('501000'));
    expect(await read('lastRewardsAmt')).toBe(0n);
    expect(await read('totalReleasedAssets')).toBe(parseEther('501000'));
  });

  it('and rejects a sync before the stream has ended, and from unauthorized accounts', async () => {
    const sync = (who: 'keeper' | 'alba') => revertOf(founded.attempt(who, 'TokenggAVAX', 'syncRewards'));
    expect(await sync('keeper')).toBe(id('SyncError()').slice(0, 10));
    expect(await sync('alba')).toContain(id('AccessControlUnauthorizedAccount(address,bytes32)').slice(0, 10));
  });
});

describe('ggAVAX converts', () => {
  fromTheFounding(founded);

  it('1:1 while there are no shares', async () => {
    expect(await read('convertToAssets', [123])).toBe(123n);
    expect(await read('convertToShares', [123])).toBe(123n);
  });

  it('1e18 with the supply and assets of mainnet block 95,044,397, exactly to the wei', async () => {
    const [supply, assets] = [330_852_108_293_688_375_779_301n, 395_844_636_186_841_582_735_523n];
    await founded.send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: supply });
    await reward(assets - supply);
    await founded.send('keeper', 'TokenggAVAX', 'syncRewards');
    await founded.passTo(founded.time + 15 * DAY);

    expect(await read('totalAssets')).toBe(assets);
    expect(await read('convertToAssets', [10n ** 18n])).toBe(1_196_439_817_864_062_440n);
    expect(await read('previewRedeem', [10n ** 18n])).toBe(1_196_439_817_864_062_440n);
    expect(await read('previewDeposit', [10n ** 18n])).toBe(835_813_038_874_988_682n);
    // These two round up.
    expect(await read('previewWithdraw', [10n ** 18n])).toBe(835_813_038_874_988_683n);
    expect(await read('previewMint', [10n ** 18n])).toBe(1_196_439_817_864_062_441n);
  });

  it('while paused, too, but accepts no deposits', async () => {
    const assets = await read('totalAssets');
    await founded.send('guardian', 'Ocyticus', 'pauseEverything');
    expect(await founded.client.read('ProtocolDAO', 'getContractPaused', ['TokenggAVAX'])).toBe(true);
    expect(await revertOf(read('previewDeposit', [1]))).toBe('0xab35696f');
    expect(await revertOf(read('previewMint', [1]))).toBe('0xab35696f');
    expect(await read('previewDeposit', [0])).toBe(0n);
    expect(await read('maxDeposit', [ZeroAddress])).toBe(0n);
    expect(await read('maxMint', [ZeroAddress])).toBe(0n);
    expect(await read('totalAssets')).toBe(assets);
    expect(await read('previewRedeem', [10n ** 18n])).toBe(1_196_439_817_864_062_440n);
  });

  it('and accepts deposits again when resumed, which leaves the multisigs disabled', async () => {
    await founded.send('guardian', 'Ocyticus', 'resumeEverything');
    expect(await read('maxDeposit', [ZeroAddress])).toBe(MAX_UINT);
    const next = founded.client.read('MultisigManager', 'requireNextActiveMultisig');
    expect(await revertOf(next)).toBe(id('NoEnabledMultisigFound()').slice(0, 10));
  });
});

describe('ggAVAX lends to staking', () => {
  fromTheFounding(founded);

  it('everything except the reserve', async () => {
    await founded.send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: parseEther('10000') });
    expect(await read('amountAvailableForStaking')).toBe(parseEther('9000'));
    await founded.send('rialto', 'MinipoolManagerV4', 'withdrawForDelegation', [parseEther('9000'), NODE]);
    expect(await read('amountAvailableForStaking')).toBe(0n);
    expect(await read('stakingTotalAssets')).toBe(parseEther('9000'));
    expect(await read('totalAssets')).toBe(parseEther('10000'));
    expect(await read('maxWithdraw', [founded.stage.people.alba])).toBe(parseEther('1000'));
    expect(await read('maxRedeem', [founded.stage.people.alba])).toBe(parseEther('1000'));
  });

  it('and takes FeeBips of a reward for the treasury', async () => {
    const args = [parseEther('9000'), parseEther('10'), NODE];
    await founded.send('rialto', 'MinipoolManagerV4', 'depositFromDelegation', args, { value: parseEther('9010') });
    expect(await founded.client.read('Vault', 'balanceOf', ['ClaimProtocolDAO'])).toBe(parseEther('1'));
    await founded.send('keeper', 'TokenggAVAX', 'syncRewards');
    expect(await read('lastRewardsAmt')).toBe(parseEther('9'));
  });
});

describe('ggAVAX takes donations', () => {
  fromTheFounding(founded);

  it('and values them at the rate after the burn', async () => {
    const shares = parseEther('100');
    await founded.send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: parseEther('10000') });
    const before = await read('convertToAssets', [shares]);
    await founded.send('alba', 'TokenggAVAX', 'donateYield', [shares, encodeBytes32String('COMMUNITY')]);
    const after = await read('convertToAssets', [shares]);

    const topics = [id('YieldDonated(bytes32,address,uint256,uint256)')];
    const { address } = founded.stage.protocol.TokenggAVAX;
    const [log] = (await founded.client.rpc.send('eth_getLogs', { address, topics })) as { data: string }[];
    expect(BigInt(`0x${log?.data.slice(66)}`)).toBe(after);
    expect(after).toBeGreaterThan(before);
  });
});
