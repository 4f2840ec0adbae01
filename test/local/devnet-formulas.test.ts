import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeBytes32String, id, parseEther, solidityPackedKeccak256, ZeroHash } from 'ethers';
import { type Anvil, startAnvil } from '../../infra/local/devnet/anvil.ts';
import { type BlockWriter, call, create, createBlockWriter } from '../../infra/local/devnet/chain.ts';
import { compileContracts } from '../../infra/local/devnet/compile.ts';
import { abiOf, type ContractName, describeProtocol } from '../../infra/local/devnet/protocol.ts';
import { createContract, foundProtocol, type Stage } from '../../infra/local/devnet/scenario/founding.ts';
import { ACCOUNTS, namePeople } from '../../infra/local/devnet/scenario/people.ts';
import { type Client, createClient, PANIC_ARITHMETIC, revertOf } from './devnet-client.ts';

/**
 * The stand-ins against known points of the protocol's own documentation, tests and receipts. Every group of tests starts
 * from the protocol as it is founded, without the scenario.
 */

const START = 1_763_000_000;
const DAY = 86_400;
const NODE = `0x${'ab'.repeat(20)}`;
const MAX_UINT = 2n ** 256n - 1n;

let anvil: Anvil;
let client: Client;
let stage: Stage;
let writer: BlockWriter;
let time: number;

/** One transaction in a block of its own, some seconds later. */
async function send(
  who: keyof Stage['people'],
  name: ContractName,
  method: string,
  args: readonly unknown[] = [],
  { value = 0n, after = 1 } = {},
): Promise<void> {
  time += after;
  await writer.mine(time, [call(stage.people[who], stage.protocol[name], method, args, value)]);
  await writer.finish();
}

async function passTo(timestamp: number): Promise<void> {
  time = timestamp;
  await writer.mine(time, []);
  await writer.finish();
}

const setting = (name: string, value: bigint | number) =>
  send('guardian', 'Storage', 'setUint', [id(`ProtocolDAO.${name}`), value]);
const stakerKey = (index: number, field: string) =>
  solidityPackedKeccak256(['string', 'int256', 'string'], ['staker.item', index, field]);

async function stake(who: keyof Stage['people'], ggp: bigint): Promise<void> {
  const { TokenGGP, Staking } = stage.protocol;
  const { guardian, [who]: staker } = stage.people;
  time += 1;
  await writer.mine(time, [
    call(guardian, TokenGGP, 'transfer', [staker, ggp]),
    call(staker, TokenGGP, 'approve', [Staking.address, ggp]),
    call(staker, Staking, 'stakeGGP', [ggp]),
  ]);
  await writer.finish();
}

const pushPrice = (price: string) => send('rialto', 'Oracle', 'setGGPPriceInAVAX', [parseEther(price), time]);
const createMinipool = (who: keyof Stage['people'], days: number, node = NODE) =>
  send(who, 'MinipoolManagerV4', 'createMinipool', [node, days * DAY, 20_000, parseEther('1000'), '0x'], {
    value: parseEther('1000'),
  });

beforeAll(async () => {
  anvil = await startAnvil({ args: [...ACCOUNTS, '--chain-id', '43112', '--timestamp', `${START}`] });
  client = createClient(anvil.url);
  const artifacts = await compileContracts();
  const people = namePeople((await client.rpc.send('eth_accounts')) as string[]);
  stage = { artifacts, protocol: describeProtocol(artifacts), people };
  writer = createBlockWriter(client.rpc);
  time = START + 100;
  await writer.mine(time, foundProtocol(stage, parseEther('18000000')));
  await writer.finish();
}, 60_000);

afterAll(async () => {
  client?.rpc.close();
  await anvil?.stop();
});

/** Runs every test of a group on the founded protocol, whatever the tests before did. */
function onFoundedProtocol() {
  let snapshot: unknown;
  beforeAll(async () => {
    snapshot = await client.rpc.send('evm_snapshot');
    writer = createBlockWriter(client.rpc);
    time = START + 100;
  });
  afterAll(async () => {
    await client.rpc.send('evm_revert', snapshot);
  });
}

describe('ggAVAX', () => {
  describe('streams rewards', () => {
    onFoundedProtocol();

    it('as in the documented example: 1,000 AVAX over 13.963 days', async () => {
      await send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: parseEther('500000') });
      await send('bruno', 'WAVAX', 'deposit', [], { value: parseEther('1000') });
      await send('bruno', 'WAVAX', 'transfer', [stage.protocol.TokenggAVAX.address, parseEther('1000')]);
      time = 1_763_599_999;
      await send('keeper', 'TokenggAVAX', 'syncRewards');

      expect(await client.read('TokenggAVAX', 'lastRewardsAmt')).toBe(parseEther('1000'));
      expect(await client.read('TokenggAVAX', 'lastSync')).toBe(1_763_600_000n);
      expect(await client.read('TokenggAVAX', 'rewardsCycleEnd')).toBe(1_764_806_400n);
      expect(await client.read('TokenggAVAX', 'totalAssets')).toBe(parseEther('500000'));
      await passTo(1_763_600_000 + DAY);
      const day1 = await client.read('TokenggAVAX', 'totalAssets');
      expect(day1 / 10n ** 12n).toBe(500_071_618_037n);
      await passTo((1_763_600_000 + 1_764_806_400) / 2);
      expect(await client.read('TokenggAVAX', 'totalAssets')).toBe(parseEther('500500'));
      await passTo(1_764_806_400 + 3 * DAY);
      expect(await client.read('TokenggAVAX', 'totalAssets')).toBe(parseEther('501000'));
      expect(await client.read('TokenggAVAX', 'totalReleasedAssets')).toBe(parseEther('500000'));
    });

    it('without a jump at the next sync', async () => {
      await send('keeper', 'TokenggAVAX', 'syncRewards');
      expect(await client.read('TokenggAVAX', 'totalAssets')).toBe(parseEther('501000'));
      expect(await client.read('TokenggAVAX', 'lastRewardsAmt')).toBe(0n);
    });

    it('and refuses a sync before the stream has ended', async () => {
      const { keeper } = stage.people;
      const sync = stage.protocol.TokenggAVAX.abi.encodeFunctionData('syncRewards');
      const early = client.rpc.send(
        'eth_call',
        { from: keeper, to: stage.protocol.TokenggAVAX.address, data: sync },
        'latest',
      );
      expect(await revertOf(early)).toBe(id('SyncError()').slice(0, 10));
    });
  });

  describe('converts', () => {
    onFoundedProtocol();

    it('1e18 at the supply and assets of mainnet block 95,044,397 to the wei', async () => {
      const [supply, assets] = [330_852_108_293_688_375_779_301n, 395_844_636_186_841_582_735_523n];
      await send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: supply });
      await send('bruno', 'WAVAX', 'deposit', [], { value: assets - supply });
      await send('bruno', 'WAVAX', 'transfer', [stage.protocol.TokenggAVAX.address, assets - supply]);
      await send('keeper', 'TokenggAVAX', 'syncRewards');
      await passTo(time + 15 * DAY);

      expect(await client.read('TokenggAVAX', 'totalAssets')).toBe(assets);
      expect(await client.read('TokenggAVAX', 'convertToAssets', [10n ** 18n])).toBe(1_196_439_817_864_062_440n);
      expect(await client.read('TokenggAVAX', 'previewDeposit', [10n ** 18n])).toBe(835_813_038_874_988_682n);
      expect(await client.read('TokenggAVAX', 'previewWithdraw', [10n ** 18n])).toBe(835_813_038_874_988_683n);
      expect(await client.read('TokenggAVAX', 'previewMint', [10n ** 18n])).toBe(1_196_439_817_864_062_441n);
    });

    it('and keeps answering while paused, except for deposits', async () => {
      const assets = await client.read('TokenggAVAX', 'totalAssets');
      await send('guardian', 'Ocyticus', 'pauseEverything');
      expect(await revertOf(client.read('TokenggAVAX', 'previewDeposit', [1]))).toBe('0xab35696f');
      expect(await revertOf(client.read('TokenggAVAX', 'previewMint', [1]))).toBe('0xab35696f');
      expect(await client.read('TokenggAVAX', 'previewDeposit', [0])).toBe(0n);
      expect(await client.read('TokenggAVAX', 'maxDeposit', [NODE])).toBe(0n);
      expect(await client.read('TokenggAVAX', 'maxMint', [NODE])).toBe(0n);
      expect(await client.read('TokenggAVAX', 'totalAssets')).toBe(assets);
      expect(await client.read('TokenggAVAX', 'previewRedeem', [10n ** 18n])).toBe(1_196_439_817_864_062_440n);
      expect(await client.read('ProtocolDAO', 'getContractPaused', ['TokenggAVAX'])).toBe(true);
      expect(await revertOf(client.read('MultisigManager', 'requireNextActiveMultisig'))).toBe(
        id('NoEnabledMultisigFound()').slice(0, 10),
      );
      await send('guardian', 'Ocyticus', 'resumeEverything');
      expect(await client.read('TokenggAVAX', 'maxDeposit', [NODE])).toBe(MAX_UINT);
      expect(
        (await client.readAt('MultisigManager', await client.registered('MultisigManager'), 'getMultisig', [0]))[1],
      ).toBe(false);
    });
  });

  describe('lends to staking', () => {
    onFoundedProtocol();

    it('all but the reserve', async () => {
      await send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: parseEther('10000') });
      expect(await client.read('TokenggAVAX', 'amountAvailableForStaking')).toBe(parseEther('9000'));
      await send('rialto', 'MinipoolManagerV4', 'withdrawForDelegation', [parseEther('9000'), NODE]);
      expect(await client.read('TokenggAVAX', 'amountAvailableForStaking')).toBe(0n);
      expect(await client.read('TokenggAVAX', 'stakingTotalAssets')).toBe(parseEther('9000'));
      expect(await client.read('TokenggAVAX', 'totalAssets')).toBe(parseEther('10000'));
      expect(await client.read('TokenggAVAX', 'maxWithdraw', [stage.people.alba])).toBe(parseEther('1000'));
      expect(await client.read('TokenggAVAX', 'maxRedeem', [stage.people.alba])).toBe(parseEther('1000'));
    });

    it('and takes FeeBips of a reward for the treasury', async () => {
      const args = [parseEther('9000'), parseEther('10'), NODE];
      await send('rialto', 'MinipoolManagerV4', 'depositFromDelegation', args, { value: parseEther('9010') });
      expect(await client.read('Vault', 'balanceOf', ['ClaimProtocolDAO'])).toBe(parseEther('1'));
      await send('keeper', 'TokenggAVAX', 'syncRewards');
      expect(await client.read('TokenggAVAX', 'lastRewardsAmt')).toBe(parseEther('9'));
    });
  });
});

describe('Staking', () => {
  onFoundedProtocol();

  it('needs a price for everything that is valued', async () => {
    const { ada } = stage.people;
    expect(await revertOf(client.read('Oracle', 'getGGPPriceInAVAX'))).toBe('0xbb1c982c');
    expect(await revertOf(client.read('Staking', 'getEffectiveGGPStaked', [ada]))).toBe('0xbb1c982c');
    expect(await revertOf(client.read('Staking', 'getMinimumGGPStake', [ada]))).toBe('0xbb1c982c');
    expect(await client.read('Staking', 'getEffectiveRewardsRatio', [ada])).toBe(0n);
    expect(await client.read('Staking', 'getCollateralizationRatio', [ada])).toBe(MAX_UINT);
  });

  it('answers zeros for somebody who never staked, or refuses', async () => {
    const { ada } = stage.people;
    for (const getter of ['getGGPStake', 'getAVAXStake', 'requireValidStaker']) {
      expect(await revertOf(client.read('Staking', getter, [ada]))).toBe('0xe6215fab');
    }
    for (const getter of ['getAVAXAssigned', 'getAVAXValidating', 'getGGPRewards', 'getRewardsStartTime']) {
      expect(await client.read('Staking', getter, [ada])).toBe(0n);
    }
    expect(await client.read('Staking', 'getIndexOf', [ada])).toBe(-1n);
  });

  it('accepts one wei more than the minimum, but not the minimum, at p = 0.16753', async () => {
    const { ada } = stage.people;
    const minimum = 596_908_016_474_661_254_700n;
    await pushPrice('0.16753');
    await stake('ada', minimum);
    const { MinipoolManagerV4 } = stage.protocol;
    const args = [NODE, 15 * DAY, 20_000, parseEther('1000'), '0x'];
    const attempt = client.rpc.send(
      'eth_call',
      {
        from: ada,
        to: MinipoolManagerV4.address,
        data: MinipoolManagerV4.abi.encodeFunctionData('createMinipool', args),
        value: `0x${parseEther('1000').toString(16)}`,
      },
      'latest',
    );
    expect(await revertOf(attempt)).toBe(id('InsufficientGGPCollateralization()').slice(0, 10));

    await stake('ada', 1n);
    await createMinipool('ada', 15);
    expect(await client.read('Staking', 'getMinimumGGPStake', [ada])).toBe(minimum);
    expect(await client.read('Staking', 'getCollateralizationRatio', [ada])).toBe(parseEther('0.1'));
  });

  it('floors three times on the way from GGP to effective GGP', async () => {
    const { ada } = stage.people;
    const [price, staked, highWater] = [parseEther('0.16753'), 12_345_678_901_234_567_890_123n, parseEther('2000')];
    await send('guardian', 'Storage', 'setUint', [stakerKey(0, '.ggpStaked'), staked]);
    await send('guardian', 'Storage', 'setUint', [stakerKey(0, '.avaxValidatingHighWater'), highWater]);
    const W = 10n ** 18n;
    const ratio = (((staked * price) / W) * W) / highWater;
    const effective = (((highWater * ratio) / W) * W) / price;
    expect(await client.read('Staking', 'getEffectiveRewardsRatio', [ada])).toBe(ratio);
    expect(await client.read('Staking', 'getEffectiveGGPStaked', [ada])).toBe(effective);
    expect(staked - effective).toBe(3775n);
  });

  it('caps the effective ratio at 150 % of the high water mark', async () => {
    const { ada } = stage.people;
    await send('guardian', 'Storage', 'setUint', [stakerKey(0, '.avaxValidatingHighWater'), parseEther('1000')]);
    expect(await client.read('Staking', 'getEffectiveRewardsRatio', [ada])).toBe(parseEther('1.5'));
  });

  it('counts nothing under 10 % collateral', async () => {
    const { ada } = stage.people;
    await send('guardian', 'Storage', 'setUint', [stakerKey(0, '.ggpStaked'), 596_000_000_000_000_000_000n]);
    expect(await client.read('Staking', 'getEffectiveRewardsRatio', [ada])).toBe(0n);
    expect(await client.read('Staking', 'getEffectiveGGPStaked', [ada])).toBe(0n);
  });

  it('keeps its data under the documented keys', async () => {
    const key = stakerKey(0, '.avaxValidatingHighWater');
    const { Storage } = stage.protocol;
    expect((await client.readAt('Storage', Storage.address, 'getUint', [key]))[0]).toBe(parseEther('1000'));
  });
});

describe('GGP rewards', () => {
  describe('inflation', () => {
    onFoundedProtocol();

    it("mints the node operators' pools of the documented table, up to the cap of 22.5 M", async () => {
      await send('guardian', 'RewardsPool', 'initialize', [0]);
      const pools = new Map<number, bigint>();
      for (let cycle = 1; cycle <= 56; cycle++) {
        await send('keeper', 'RewardsPool', 'startRewardsCycle', [], { after: 30 * DAY });
        pools.set(cycle, await client.read('ClaimNodeOp', 'getRewardsCycleTotal'));
      }
      expect(pools.get(1)).toBe(50_629_343_838_906_640_213_406n);
      expect(pools.get(2)).toBe(50_832_782_764_109_674_639_470n);
      expect(pools.get(5)).toBe(51_448_017_443_818_301_518_451n);
      expect(pools.get(23)).toBe(55_298_989_567_395_950_847_377n);
      expect(pools.get(40)).toBe(59_200_334_646_034_023_162_637n);
      expect(pools.get(55)).toBe(62_870_650_675_102_932_856_351n);
      expect(pools.get(56)).toBe(40_665_491_787_292_282_450_107n);
      expect(await client.read('TokenGGP', 'totalSupply')).toBe(parseEther('22500000'));
    }, 30_000);

    it('and then cannot start a cycle although it says so', async () => {
      await passTo(time + 30 * DAY);
      expect(await client.read('RewardsPool', 'canStartRewardsCycle')).toBe(true);
      const { RewardsPool } = stage.protocol;
      const data = RewardsPool.abi.encodeFunctionData('startRewardsCycle');
      expect(await revertOf(client.rpc.send('eth_call', { to: RewardsPool.address, data }, 'latest'))).toBe(
        '0x2c5211c6',
      );
      expect(await client.read('RewardsPool', 'getRewardsCycleCount')).toBe(56n);
    });

    it('while the view ignores the cap', async () => {
      const address = await client.registered('RewardsPool');
      const [current, next] = await client.readAt('RewardsPool', address, 'getInflationAmt');
      expect(current).toBe(parseEther('22500000'));
      expect(next).toBeGreaterThan(parseEther('22500000'));
    });
  });

  describe('a distribution', () => {
    onFoundedProtocol();

    it('pays the share of the documented contract test to the wei', async () => {
      await pushPrice('1');
      await stake('ada', parseEther('100'));
      for (const field of ['.avaxAssigned', '.avaxValidating', '.avaxValidatingHighWater']) {
        await send('guardian', 'Storage', 'setUint', [stakerKey(0, field), parseEther('100')]);
      }
      await send('guardian', 'Storage', 'setUint', [stakerKey(0, '.rewardsStartTime'), time]);
      await send('guardian', 'Storage', 'setUint', [id('NOPClaim.RewardsCycleTotal'), 47_247_734_062_418_964_737_913n]);
      await send('guardian', 'Storage', 'setUint', [id('RewardsPool.RewardsCycleCount'), 1]);
      const { ada } = stage.people;
      expect(await client.read('Staking', 'getEffectiveGGPStaked', [ada])).toBe(parseEther('100'));
      expect(await client.read('ClaimNodeOp', 'isEligible', [ada])).toBe(false);
      await passTo(time + 15 * DAY);
      expect(await client.read('ClaimNodeOp', 'isEligible', [ada])).toBe(true);

      await send('rialto', 'ClaimNodeOp', 'calculateAndDistributeRewards', [ada, parseEther('200')]);
      expect(await client.read('Staking', 'getGGPRewards', [ada])).toBe(23_623_867_031_209_482_368_956n);
      expect(await client.read('Staking', 'getLastRewardsCycleCompleted', [ada])).toBe(1n);
    });
  });
});

describe('MinipoolManager', () => {
  describe('a cycle', () => {
    onFoundedProtocol();

    it('shares 4.407836686 AVAX as documented for a commission of 15 %', async () => {
      await pushPrice('0.02');
      await stake('ada', parseEther('10000'));
      await send('alba', 'TokenggAVAX', 'depositAVAX', [], { value: parseEther('5000') });
      await setting('MinipoolNodeCommissionFeePct', parseEther('0.15'));
      await createMinipool('ada', 15);
      await send('rialto', 'MinipoolManagerV4', 'claimAndInitiateStaking', [NODE]);
      await send('rialto', 'MinipoolManagerV4', 'recordStakingStart', [NODE, ZeroHash, time]);
      const reward = 4_407_836_686_000_000_000n;
      const start = time - 1;
      time += 15 * DAY;
      const args = [NODE, start + 15 * DAY, reward];
      await send('rialto', 'MinipoolManagerV4', 'recordStakingEnd', args, { value: parseEther('2000') + reward });

      const [mp] = await client.readAt(
        'MinipoolManagerV4',
        stage.protocol.MinipoolManagerV4.address,
        'getMinipool',
        [0],
      );
      expect(mp.status).toBe(3n);
      expect(mp.avaxTotalRewardAmt).toBe(reward);
      expect(mp.avaxLiquidStakerRewardAmt).toBe(1_873_330_591_550_000_000n);
      expect(mp.avaxNodeOpRewardAmt).toBe(2_534_506_094_450_000_000n);
      expect(await client.read('Vault', 'balanceOf', ['MinipoolManager'])).toBe(
        parseEther('1000') + mp.avaxNodeOpRewardAmt,
      );
      expect(await client.read('Vault', 'balanceOf', ['ClaimProtocolDAO'])).toBe(mp.avaxLiquidStakerRewardAmt / 10n);
    });

    it('expects 4.109589041095890410 AVAX of 1,000 in 15 days at 10 %', async () => {
      const args = [15 * DAY, parseEther('1000')];
      expect(await client.read('MinipoolManager', 'getExpectedAVAXRewardsAmt', args)).toBe(4_109_589_041_095_890_410n);
      expect(await client.read('MinipoolManager', 'calculateGGPSlashAmt', [4_109_589_041_095_890_410n])).toBe(
        205_479_452_054_794_520_500n,
      );
    });

    it('is not refused to another owner once the last one has withdrawn, and keeps the index', async () => {
      await stake('boris', parseEther('10000'));
      const { boris } = stage.people;
      const { MinipoolManagerV4 } = stage.protocol;
      const data = MinipoolManagerV4.abi.encodeFunctionData('createMinipool', [
        NODE,
        15 * DAY,
        20_000,
        parseEther('1000'),
        '0x',
      ]);
      const value = `0x${parseEther('1000').toString(16)}`;
      const attempt = client.rpc.send(
        'eth_call',
        { from: boris, to: MinipoolManagerV4.address, data, value },
        'latest',
      );
      expect(await revertOf(attempt)).toBe(id('InvalidStateTransition()').slice(0, 10));

      await send('ada', 'MinipoolManagerV4', 'withdrawMinipoolFunds', [NODE]);
      await createMinipool('boris', 30);
      const mp = await client.read('MinipoolManager', 'getMinipool', [0]).catch(() => undefined);
      // The registered manager is the one of 21 fields; reading it with today's struct must not pass for an answer.
      expect(mp?.owner).not.toBe(boris);
      const [older] = await client.readAt('MinipoolManagerV4', MinipoolManagerV4.address, 'getMinipool', [0]);
      expect(older.toObject()).toMatchObject({
        index: 0n,
        owner: boris,
        status: 0n,
        duration: BigInt(30 * DAY),
        avaxTotalRewardAmt: 0n,
      });
      expect(await client.read('MinipoolManager', 'getMinipoolCount')).toBe(1n);
    });

    it('is refunded when canceled, after the moratorium, and keeps its amounts', async () => {
      const { boris } = stage.people;
      const { MinipoolManagerV4 } = stage.protocol;
      const data = MinipoolManagerV4.abi.encodeFunctionData('cancelMinipool', [NODE]);
      const early = client.rpc.send('eth_call', { from: boris, to: MinipoolManagerV4.address, data }, 'latest');
      expect(await revertOf(early)).toBe(id('CancellationTooEarly()').slice(0, 10));
      await send('boris', 'MinipoolManagerV4', 'cancelMinipool', [NODE], { after: 5 * DAY });
      const [mp] = await client.readAt('MinipoolManagerV4', MinipoolManagerV4.address, 'getMinipool', [0]);
      expect(mp.toObject()).toMatchObject({ status: 5n, avaxNodeOpAmt: parseEther('1000'), errorCode: ZeroHash });
      expect(await client.read('Staking', 'getAVAXStake', [boris])).toBe(0n);
      expect(await client.read('Staking', 'getRewardsStartTime', [boris])).toBe(0n);
    });
  });

  describe('pages', () => {
    onFoundedProtocol();
    const nodes = Array.from({ length: 5 }, (_, index) => `0x${`${index + 1}`.repeat(40)}`);
    const page = async (status: number, offset: bigint | number, limit: bigint | number) => {
      const address = stage.protocol.MinipoolManagerV4.address;
      const [minipools] = await client.readAt('MinipoolManagerV4', address, 'getMinipools', [status, offset, limit]);
      return minipools.map((mp: { index: bigint }) => Number(mp.index));
    };

    it('by raw index, before the status filter', async () => {
      await pushPrice('0.02');
      await stake('ada', parseEther('50000'));
      for (const node of nodes) await createMinipool('ada', 15, node);
      const code = encodeBytes32String('E1');
      for (const node of nodes.slice(1, 3)) {
        await send('rialto', 'MinipoolManagerV4', 'cancelMinipoolByMultisig', [node, code]);
      }
      expect(await page(0, 0, 0)).toEqual([0, 3, 4]);
      expect(await page(0, 0, 3)).toEqual([0]);
      expect(await page(0, 1, 2)).toEqual([]);
      expect(await page(5, 0, 2)).toEqual([1]);
      expect(await page(0, 3, 100)).toEqual([3, 4]);
      expect(await page(0, 5, 0)).toEqual([]);
    });

    it('and panic beyond the end', async () => {
      expect(await revertOf(page(0, 6, 0))).toBe(PANIC_ARITHMETIC);
      expect(await revertOf(page(0, 1, MAX_UINT))).toBe(PANIC_ARITHMETIC);
      const { Staking } = stage.protocol;
      expect(await revertOf(client.readAt('Staking', Staking.address, 'getStakers', [2, 0]))).toBe(PANIC_ARITHMETIC);
      expect(await revertOf(page(7, 0, 0))).toBe('0x');
    });
  });
});

describe('exchanges', () => {
  onFoundedProtocol();

  it.each([
    [20, 8_388_608, 2n ** 128n],
    [10, 8_388_609, 340_622_649_287_859_401_926_837_982_039_199_979_667n],
    [25, 8_388_607, 339_433_782_464_776_522_157_979_658_286_053_078_759n],
    [20, 8_376_042, 4_246_691_213_355_253_910_376_755_522n],
    [100, 8_385_000, 87_161_127_028_897_594_685_606n],
  ])('price of a Liquidity Book bin: step %i, id %i', async (binStep, binId, price) => {
    const { LBFactory, WAVAX, USDC } = stage.protocol;
    await send('keeper', 'LBFactory', 'createLBPair', [WAVAX.address, USDC.address, binId, binStep]);
    const [info] = await client.readAt('LBFactory', LBFactory.address, 'getLBPairInformation', [
      USDC.address,
      WAVAX.address,
      binStep,
    ]);
    expect((await client.readAt('LBPair', info.LBPair, 'getPriceFromId', [binId]))[0]).toBe(price);
    expect((await client.readAt('LBPair', info.LBPair, 'getActiveId'))[0]).toBe(BigInt(binId));
  });

  it('price root of a V3 pool at 9.80 USD, and its tick', async () => {
    const { artifacts, people, protocol } = stage;
    const abi = abiOf(artifacts, 'V3Pool');
    const root = 248_023_379_960_013_994_414_542n;
    const pool = create(
      people.keeper,
      artifacts.V3Pool?.bytecode ?? '',
      abi,
      [protocol.WAVAX.address, protocol.USDC.address, 500, 10],
      'pool',
    );
    const { to, hash } = await deployed(pool);
    const opening = call(people.keeper, { address: to, abi }, 'initialize', [root, 0]);
    time += 1;
    await writer.mine(time, [opening]);
    await writer.finish();
    expect(hash).toMatch(/^0x/);
    const [sqrtPriceX96, tick] = await client.readAt('V3Pool', to, 'slot0');
    expect((sqrtPriceX96 ** 2n * 10n ** 20n) / 2n ** 192n).toBe(979_999_999n);
    expect(Number(tick)).toBe(Math.floor(Math.log(9.8e-12) / Math.log(1.0001)));
  });

  it("floors twice in the TWAP contract's spot price", async () => {
    const { protocol, artifacts, people } = stage;
    const abi = abiOf(artifacts, 'V2Pair');
    await send('keeper', 'JoeFactory', 'createPair', [protocol.WAVAX.address, protocol.TokenGGP.address]);
    const [pair] = await client.readAt('V2Factory', protocol.JoeFactory.address, 'getPair', [
      protocol.TokenGGP.address,
      protocol.WAVAX.address,
    ]);
    const [reserve0, reserve1] = [parseEther('1000000'), parseEther('7145')];
    time += 1;
    await writer.mine(time, [
      call(people.guardian, protocol.WAVAX, 'deposit', [], reserve1),
      call(people.guardian, protocol.WAVAX, 'approve', [pair, reserve1]),
      call(people.guardian, protocol.TokenGGP, 'approve', [pair, reserve0]),
      call(people.guardian, { address: pair, abi }, 'addLiquidity', [reserve0, reserve1]),
      createContract('TwapGGP', stage, [pair]),
    ]);
    await writer.finish();
    const twap = (method: string) => client.readAt('TwapGGP', protocol.TwapGGP.address, method);
    expect((await client.readAt('V2Pair', pair, 'token0'))[0]).toBe(protocol.TokenGGP.address);
    expect((await twap('ggpSpotPriceInAVAX'))[0]).toBe(7_144_999_999_999_999n);
    await passTo(time + DAY);
    expect((await twap('ggpTwapPriceInAVAX'))[0]).toBe(7_144_999_999_999_999n);
    await send('keeper', 'TwapGGP', 'update');
    expect((await twap('price0Average'))[0]).toBe(37_098_961_054_231_343_405_850_396_272_277n);
    expect((await twap('blockTimestampLast'))[0]).toBe(BigInt(time));
  });
});

/** Where a creation put its contract. */
async function deployed(creation: ReturnType<typeof create>): Promise<{ to: string; hash: string }> {
  const nonce = (await client.rpc.send('eth_getTransactionCount', creation.from, 'latest')) as string;
  time += 1;
  await writer.mine(time, [creation]);
  await writer.finish();
  const { transactions } = await client.block('latest');
  const receipt = (await client.rpc.send('eth_getTransactionReceipt', transactions[0])) as { contractAddress: string };
  return { to: receipt.contractAddress, hash: nonce };
}
