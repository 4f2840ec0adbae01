import { beforeAll, expect, test } from '@jest/globals';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/addresses.ts';
import type { Chain as ServiceChain } from '../../../lib/chain/chain.ts';
import { readValues } from '../../../lib/history/point.ts';
import { DAY } from '../../../lib/values/durations.ts';
import { chainForAllTests, newestHour } from '../../functions/devnet.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/** The values of a point, compared with the contracts at its block. */

tablesForAllTests();
const chain = chainForAllTests();
let service: ServiceChain;

beforeAll(async () => {
  service = startOnDevnet().opened.chain;
});

/** AVAX wei that the contracts held at a block: the pool's, operators' own, their rewards, and for withdrawals. */
async function avaxHeld(block: number): Promise<bigint> {
  const [stakers, withdrawable] = await Promise.all([
    chain.read('Staking', 'getStakers', [0, 0], block),
    chain.read('MinipoolManager', 'getMinipools', [3, 0, 0], block),
  ]);
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  // There was no queue at first.
  const { WithdrawQueue } = DEVNET_ADDRESSES;
  const hasQueue = (await chain.rpc.send('eth_getCode', WithdrawQueue, `0x${block.toString(16)}`)) !== '0x';
  const [forWithdrawals] = hasQueue ? await chain.readAt(WithdrawQueue, 'totalAllocatedFunds', [], block) : [0n];
  return sum([
    await chain.read('TokenggAVAX', 'totalAssets', [], block),
    ...stakers.map(({ avaxStaked }: { avaxStaked: bigint }) => avaxStaked),
    ...withdrawable.map(({ avaxNodeOpRewardAmt }: { avaxNodeOpRewardAmt: bigint }) => avaxNodeOpRewardAmt),
    forWithdrawals,
  ]);
}

test("values are the contracts' own, to the wei, at the last block before the boundary", async () => {
  const last = await newestHour(chain);
  for (const timestamp of [last, last - 30 * DAY, last - 60 * DAY]) {
    const [block] = await service.blocksAt([timestamp], await service.head());
    if (!block) throw new Error('no block');
    const values = await readValues(service, block);
    const read = (contract: Parameters<typeof chain.read>[0], name: string, args: unknown[] = []) =>
      chain.read(contract, name, args, block.number);
    expect(values.totalAssets).toBe(await read('TokenggAVAX', 'totalAssets'));
    expect(values.totalSupply).toBe(await read('TokenggAVAX', 'totalSupply'));
    expect(values.stakingTotalAssets).toBe(await read('TokenggAVAX', 'stakingTotalAssets'));
    expect(values.avaxPerGgAvax).toBe(await read('TokenggAVAX', 'convertToAssets', [10n ** 18n]));
    expect(values.totalGGPStaked).toBe(await read('Staking', 'getTotalGGPStake'));
    expect(values.minipoolsStaking).toBeGreaterThan(0n);
    const [price] = await chain.readAt(await chain.registered('Oracle'), 'getGGPPriceInAVAX', [], block.number);
    expect(values.ggpOraclePriceInAVAX).toBe(price);
    // Without GGP, the total value locked is what is held in AVAX.
    const { valueLocked = 0n, totalGGPStaked = 0n } = values;
    expect(valueLocked - (totalGGPStaked * price) / 10n ** 18n).toBe(await avaxHeld(block.number));
    // The next block is after the boundary.
    const next = await chain.block(block.number + 1);
    expect(block.timestamp).toBeLessThanOrEqual(timestamp);
    expect(next.timestamp).toBeGreaterThan(timestamp);
  }
});

test('values are those of the contracts that existed at that block: not of later pools, and none before the protocol', async () => {
  const last = await newestHour(chain);
  const head = await service.head();
  const valuesAt = async (daysAgo: number) => {
    const [block] = await service.blocksAt([last - daysAgo * DAY], head);
    return block && readValues(service, block);
  };
  const early = await valuesAt(80);
  expect(early).toMatchObject({
    avaxPerGgAvax: expect.any(BigInt),
    valueLocked: expect.any(BigInt),
    minipoolsStaking: expect.any(BigInt),
    'tj.ggpInAVAX': expect.any(BigInt),
  });
  expect(early?.['uniswap.avaxInUSD']).toBeUndefined();
  expect(await valuesAt(1)).toMatchObject({ 'uniswap.avaxInUSD': expect.any(BigInt) });

  const genesis = await readValues(service, { number: 0, timestamp: 0 });
  expect(Object.values(genesis).filter((value) => value !== undefined)).toEqual([]);
});
