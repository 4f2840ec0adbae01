import { describe, expect, it } from '@jest/globals';
import { encodeBytes32String, id, parseEther, ZeroHash } from 'ethers';
import { PANIC_ARITHMETIC, revertOf } from './devnet-client.ts';
import { DAY, fromTheFounding, useFoundedProtocol } from './devnet-founded.ts';

const MAX_UINT = 2n ** 256n - 1n;
const NODE = `0x${'ab'.repeat(20)}`;

const founded = useFoundedProtocol();
const address = () => founded.stage.protocol.MinipoolManagerV4.address;
const read = async (method: string, ...args: unknown[]) =>
  (await founded.client.readAt('MinipoolManagerV4', address(), method, args))[0];

const creation = (node: string, days: number) => [node, days * DAY, 20_000, parseEther('1000'), '0x'];
const create = (who: 'ada' | 'boris', node: string, days: number) =>
  founded.send(who, 'MinipoolManagerV4', 'createMinipool', creation(node, days), { value: parseEther('1000') });
const byRialto = (method: string, args: unknown[], options?: { value?: bigint; after?: number }) =>
  founded.send('rialto', 'MinipoolManagerV4', method, args, options);
const selector = (error: string) => id(`${error}()`).slice(0, 10);

async function launch(node: string): Promise<number> {
  await byRialto('claimAndInitiateStaking', [node]);
  await byRialto('recordStakingStart', [node, ZeroHash, founded.time]);
  return founded.time - 1;
}

describe('a minipool', () => {
  fromTheFounding(founded);

  it('splits a reward of 4.407836686 AVAX as documented for a commission of 15 %', async () => {
    await founded.pushPrice('0.02');
    await founded.stake('ada', parseEther('10000'));
    await founded.send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: parseEther('5000') });
    await founded.setting('MinipoolNodeCommissionFeePct', parseEther('0.15'));
    await create('ada', NODE, 15);
    const start = await launch(NODE);
    expect(await read('getTotalAVAXLiquidStakerAmt')).toBe(parseEther('1000'));
    const reward = 4_407_836_686_000_000_000n;
    const value = parseEther('2000') + reward;
    await byRialto('recordStakingEnd', [NODE, start + 15 * DAY, reward], { value, after: 15 * DAY });

    const mp = await read('getMinipool', 0);
    expect(mp.toObject()).toMatchObject({
      status: 3n,
      endTime: BigInt(start + 15 * DAY),
      avaxTotalRewardAmt: reward,
      avaxLiquidStakerRewardAmt: 1_873_330_591_550_000_000n,
      avaxNodeOpRewardAmt: 2_534_506_094_450_000_000n,
    });
    const vault = (name: string) => founded.client.read('Vault', 'balanceOf', [name]);
    expect(await vault('MinipoolManager')).toBe(parseEther('1000') + mp.avaxNodeOpRewardAmt);
    expect(await vault('ClaimProtocolDAO')).toBe(mp.avaxLiquidStakerRewardAmt / 10n);
    expect(await read('getTotalAVAXLiquidStakerAmt')).toBe(0n);
  });

  it('can be registered by another owner after the previous one has withdrawn, and keeps its index', async () => {
    await founded.stake('boris', parseEther('10000'));
    const hijack = founded.attempt(
      'boris',
      'MinipoolManagerV4',
      'createMinipool',
      creation(NODE, 30),
      parseEther('1000'),
    );
    expect(await revertOf(hijack)).toBe(selector('InvalidStateTransition'));

    await founded.send('ada', 'MinipoolManagerV4', 'withdrawMinipoolFunds', [NODE]);
    await create('boris', NODE, 30);
    expect((await read('getMinipool', 0)).toObject()).toMatchObject({
      index: 0n,
      owner: founded.stage.people.boris,
      status: 0n,
      duration: BigInt(30 * DAY),
      startTime: 0n,
      avaxTotalRewardAmt: 0n,
    });
    expect(await read('getMinipoolCount')).toBe(1n);
  });

  it('is refunded when canceled after the moratorium, and keeps its amounts', async () => {
    const { boris } = founded.stage.people;
    const early = founded.attempt('boris', 'MinipoolManagerV4', 'cancelMinipool', [NODE]);
    expect(await revertOf(early)).toBe(selector('CancellationTooEarly'));
    await founded.send('boris', 'MinipoolManagerV4', 'cancelMinipool', [NODE], { after: 5 * DAY });
    expect((await read('getMinipool', 0)).toObject()).toMatchObject({
      status: 5n,
      avaxNodeOpAmt: parseEther('1000'),
      avaxLiquidStakerAmt: parseEther('1000'),
      errorCode: ZeroHash,
    });
    expect(await founded.client.read('Staking', 'getAVAXStake', [boris])).toBe(0n);
    expect(await founded.client.read('Staking', 'getRewardsStartTime', [boris])).toBe(0n);
  });

  it('gets the error code EC1 if the next cycle comes too late for its duration', async () => {
    await create('ada', NODE, 30);
    const start = await launch(NODE);
    const args = [NODE, start + 15 * DAY, 0];
    await byRialto('recordStakingEndThenMaybeCycle', args, { value: parseEther('2000'), after: 16 * DAY + 1 });
    expect((await read('getMinipool', 0)).toObject()).toMatchObject({
      status: 3n,
      errorCode: encodeBytes32String('EC1'),
    });
  });

  it('expects 4.109589041095890410 AVAX of 1,000 in 15 days at 10 %, worth 205.47 GGP at 0.02', async () => {
    expect(await read('getExpectedAVAXRewardsAmt', 15 * DAY, parseEther('1000'))).toBe(4_109_589_041_095_890_410n);
    expect(await read('calculateGGPSlashAmt', 4_109_589_041_095_890_410n)).toBe(205_479_452_054_794_520_500n);
    // Ada was slashed this much for the reward of 0 in the test above.
    expect((await read('getMinipool', 0)).ggpSlashAmt).toBe(205_479_452_054_794_520_500n);
    expect(
      await founded.client.read('Vault', 'balanceOfToken', ['ProtocolDAO', founded.stage.protocol.TokenGGP.address]),
    ).toBe(205_479_452_054_794_520_500n);
  });
});

describe('pages of minipools', () => {
  fromTheFounding(founded);
  const nodes = Array.from({ length: 5 }, (_, index) => `0x${`${index + 1}`.repeat(40)}`);
  const page = async (status: number, offset: bigint | number, limit: bigint | number) => {
    const minipools = await read('getMinipools', status, offset, limit);
    return Array.from(minipools as { index: bigint }[], ({ index }) => Number(index));
  };

  it('are cut by raw index, before the status filter', async () => {
    await founded.pushPrice('0.02');
    await founded.stake('ada', parseEther('50000'));
    for (const node of nodes) await create('ada', node, 15);
    for (const node of nodes.slice(1, 3)) await byRialto('cancelMinipoolByMultisig', [node, encodeBytes32String('E1')]);
    expect(await page(0, 0, 0)).toEqual([0, 3, 4]);
    expect(await page(0, 0, 3)).toEqual([0]);
    expect(await page(0, 1, 2)).toEqual([]);
    expect(await page(5, 0, 2)).toEqual([1]);
    expect(await page(0, 3, 100)).toEqual([3, 4]);
    expect(await page(0, 5, 0)).toEqual([]);
  });

  it('panic beyond the end, and revert for a status that does not exist', async () => {
    expect(await revertOf(page(0, 6, 0))).toBe(PANIC_ARITHMETIC);
    expect(await revertOf(page(0, 1, MAX_UINT))).toBe(PANIC_ARITHMETIC);
    expect(await revertOf(founded.client.read('Staking', 'getStakers', [2, 0]))).toBe(PANIC_ARITHMETIC);
    expect(await revertOf(page(7, 0, 0))).toBe('0x');
  });
});
