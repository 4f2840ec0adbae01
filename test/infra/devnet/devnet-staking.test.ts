import { describe, expect, it } from '@jest/globals';
import { id, parseEther, solidityPackedKeccak256 } from 'ethers';
import { revertOf } from './devnet-client.ts';
import { DAY, fromTheFounding, useFoundedProtocol } from './devnet-founded.ts';

const MAX_UINT = 2n ** 256n - 1n;
const W = 10n ** 18n;
const STAKER_NOT_FOUND = '0xe6215fab';
const INVALID_GGP_PRICE = '0xbb1c982c';
const INVALID_AMOUNT = '0x2c5211c6';

const founded = useFoundedProtocol();
const ada = () => founded.stage.people.ada;
const read = (method: string, ...args: unknown[]) => founded.client.read('Staking', method, args);

const stakerKey = (index: number, field: string) =>
  solidityPackedKeccak256(['string', 'int256', 'string'], ['staker.item', index, field]);
const setField = (field: string, value: bigint | number) =>
  founded.send('guardian', 'Storage', 'setUint', [stakerKey(0, field), value]);

describe('Staking', () => {
  fromTheFounding(founded);

  it('needs a price of GGP for effective and minimum stakes', async () => {
    expect(await revertOf(founded.client.read('Oracle', 'getGGPPriceInAVAX'))).toBe(INVALID_GGP_PRICE);
    expect(await revertOf(read('getEffectiveGGPStaked', ada()))).toBe(INVALID_GGP_PRICE);
    expect(await revertOf(read('getMinimumGGPStake', ada()))).toBe(INVALID_GGP_PRICE);
    expect(await read('getEffectiveRewardsRatio', ada())).toBe(0n);
    expect(await read('getCollateralizationRatio', ada())).toBe(MAX_UINT);
  });

  it.each(['getGGPStake', 'getAVAXStake', 'requireValidStaker'])('%s reverts for unknown stakers', async (getter) => {
    expect(await revertOf(read(getter, ada()))).toBe(STAKER_NOT_FOUND);
  });

  it.each([
    ['getAVAXAssigned', 0n],
    ['getAVAXValidating', 0n],
    ['getAVAXValidatingHighWater', 0n],
    ['getRewardsStartTime', 0n],
    ['getGGPRewards', 0n],
    ['getLastRewardsCycleCompleted', 0n],
    ['getIndexOf', -1n],
  ])('%s returns %s for unknown stakers', async (getter, answer) => {
    expect(await read(getter, ada())).toBe(answer);
  });

  it('accepts one wei more than the minimum, but not the minimum, at a price of 0.16753', async () => {
    const minimum = 596_908_016_474_661_254_700n;
    const args = [`0x${'ab'.repeat(20)}`, 15 * DAY, 20_000, parseEther('1000'), '0x'];
    const value = parseEther('1000');
    await founded.pushPrice('0.16753');
    await founded.stake('ada', minimum);
    const refused = founded.attempt('ada', 'MinipoolManagerV4', 'createMinipool', args, value);
    expect(await revertOf(refused)).toBe(id('InsufficientGGPCollateralization()').slice(0, 10));

    await founded.stake('ada', 1n);
    await founded.send('ada', 'MinipoolManagerV4', 'createMinipool', args, { value });
    expect(await read('getMinimumGGPStake', ada())).toBe(minimum);
    expect(await read('getCollateralizationRatio', ada())).toBe(parseEther('0.1'));
    expect(await read('getAVAXAssigned', ada())).toBe(parseEther('1000'));
  });

  it('rounds down at each step from GGP to effective GGP', async () => {
    const [price, staked, highWater] = [parseEther('0.16753'), 12_345_678_901_234_567_890_123n, parseEther('2000')];
    await setField('.ggpStaked', staked);
    await setField('.avaxValidatingHighWater', highWater);
    const ratio = (((staked * price) / W) * W) / highWater;
    const effective = (((highWater * ratio) / W) * W) / price;
    expect(await read('getEffectiveRewardsRatio', ada())).toBe(ratio);
    expect(await read('getEffectiveGGPStaked', ada())).toBe(effective);
    expect(staked - effective).toBe(3775n);
  });

  it('caps the effective ratio at 150 % of the high water mark', async () => {
    await setField('.avaxValidatingHighWater', parseEther('1000'));
    expect(await read('getEffectiveRewardsRatio', ada())).toBe(parseEther('1.5'));
  });

  it('counts nothing below 10 % collateral', async () => {
    await setField('.ggpStaked', 596_000_000_000_000_000_000n);
    expect(await read('getEffectiveRewardsRatio', ada())).toBe(0n);
    expect(await read('getEffectiveGGPStaked', ada())).toBe(0n);
  });

  it('returns what Storage contains under the documented keys', async () => {
    const [staker] = await read('getStakers', 0, 0);
    expect(staker.toObject()).toMatchObject({
      stakerAddr: ada(),
      avaxAssigned: parseEther('1000'),
      avaxStaked: parseEther('1000'),
      avaxValidating: 0n,
      avaxValidatingHighWater: parseEther('1000'),
      ggpStaked: 596_000_000_000_000_000_000n,
      rewardsStartTime: expect.any(BigInt),
      ggpLockedUntil: 0n,
    });
  });

  it('releases GGP only above 150 % and after the lock', async () => {
    const withdraw = () => revertOf(founded.attempt('ada', 'Staking', 'withdrawGGP', [1]));
    expect(await withdraw()).toBe(id('CannotWithdrawUnder150CollateralizationRatio()').slice(0, 10));
    await founded.send('guardian', 'Staking', 'setGGPLockedUntil', [ada(), founded.time + DAY]);
    expect(await withdraw()).toBe(id('GGPLocked()').slice(0, 10));
  });
});

describe('RewardsPool', () => {
  fromTheFounding(founded);

  it("mints the node operators' pools of the documented table, up to the cap of 22.5 M", async () => {
    await founded.send('guardian', 'RewardsPool', 'initialize', [0]);
    const pools = new Map<number, bigint>();
    for (let cycle = 1; cycle <= 56; cycle++) {
      await founded.send('keeper', 'RewardsPool', 'startRewardsCycle', [], { after: 30 * DAY });
      pools.set(cycle, await founded.client.read('ClaimNodeOp', 'getRewardsCycleTotal'));
    }
    expect(pools.get(1)).toBe(50_629_343_838_906_640_213_406n);
    expect(pools.get(2)).toBe(50_832_782_764_109_674_639_470n);
    expect(pools.get(5)).toBe(51_448_017_443_818_301_518_451n);
    expect(pools.get(23)).toBe(55_298_989_567_395_950_847_377n);
    expect(pools.get(40)).toBe(59_200_334_646_034_023_162_637n);
    expect(pools.get(55)).toBe(62_870_650_675_102_932_856_351n);
    expect(pools.get(56)).toBe(40_665_491_787_292_282_450_107n);
    expect(await founded.client.read('TokenGGP', 'totalSupply')).toBe(parseEther('22500000'));
  });

  it('then says that a cycle can start, but none can be started', async () => {
    await founded.passTo(founded.time + 30 * DAY);
    expect(await founded.client.read('RewardsPool', 'canStartRewardsCycle')).toBe(true);
    expect(await revertOf(founded.attempt('keeper', 'RewardsPool', 'startRewardsCycle'))).toBe(INVALID_AMOUNT);
    expect(await founded.client.read('RewardsPool', 'getRewardsCycleCount')).toBe(56n);
  });

  it('but ignores the cap in its view of inflation', async () => {
    const address = await founded.client.registered('RewardsPool');
    const [current, next] = await founded.client.readAt('RewardsPool', address, 'getInflationAmt');
    expect(current).toBe(parseEther('22500000'));
    expect(next).toBeGreaterThan(parseEther('22500000'));
  });
});

describe('ClaimNodeOp', () => {
  fromTheFounding(founded);

  it('pays exactly the share of the documented contract test', async () => {
    await founded.pushPrice('1');
    await founded.stake('ada', parseEther('100'));
    for (const field of ['.avaxAssigned', '.avaxValidating', '.avaxValidatingHighWater']) {
      await setField(field, parseEther('100'));
    }
    await setField('.rewardsStartTime', founded.time);
    const set = (name: string, value: bigint) => founded.send('guardian', 'Storage', 'setUint', [id(name), value]);
    await set('NOPClaim.RewardsCycleTotal', 47_247_734_062_418_964_737_913n);
    await set('RewardsPool.RewardsCycleCount', 1n);
    expect(await read('getEffectiveGGPStaked', ada())).toBe(parseEther('100'));
    expect(await founded.client.read('ClaimNodeOp', 'isEligible', [ada()])).toBe(false);
    await founded.passTo(founded.time + 15 * DAY);
    expect(await founded.client.read('ClaimNodeOp', 'isEligible', [ada()])).toBe(true);

    await founded.send('rialto', 'ClaimNodeOp', 'calculateAndDistributeRewards', [ada(), parseEther('200')]);
    expect(await read('getGGPRewards', ada())).toBe(23_623_867_031_209_482_368_956n);
    expect(await read('getLastRewardsCycleCompleted', ada())).toBe(1n);
  });
});
