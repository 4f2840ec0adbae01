import { describe, expect, it } from '@jest/globals';
import { getCreateAddress, parseEther, parseUnits } from 'ethers';
import { call } from '../../../infra/devnet/chain.ts';
import { abiOf } from '../../../infra/devnet/protocol.ts';
import { createContract } from '../../../infra/devnet/scenario/founding.ts';
import type { Client } from './devnet-client.ts';
import { DAY, fromTheFounding, useFoundedProtocol } from './devnet-founded.ts';

const founded = useFoundedProtocol();
const readAt: Client['readAt'] = (...args) => founded.client.readAt(...args);

describe('a Liquidity Book pair', () => {
  fromTheFounding(founded);

  const createPair = async (binStep: number, activeId: number): Promise<string> => {
    const { LBFactory, WAVAX, USDC } = founded.stage.protocol;
    await founded.send('keeper', 'LBFactory', 'createLBPair', [WAVAX.address, USDC.address, activeId, binStep]);
    const args = [USDC.address, WAVAX.address, binStep];
    const [{ LBPair }] = await readAt('LBFactory', LBFactory.address, 'getLBPairInformation', args);
    return LBPair;
  };

  it.each([
    [10, 8_388_609, 340_622_649_287_859_401_926_837_982_039_199_979_667n],
    [25, 8_388_607, 339_433_782_464_776_522_157_979_658_286_053_078_759n],
    [20, 8_376_042, 4_246_691_213_355_253_910_376_755_522n],
    [100, 8_385_000, 87_161_127_028_897_594_685_606n],
    [1, 8_388_608, 2n ** 128n],
  ])('with bin step %i has the documented price of bin %i', async (binStep, binId, price) => {
    const pair = await createPair(binStep, binId);
    expect((await readAt('LBPair', pair, 'getPriceFromId', [binId]))[0]).toBe(price);
    expect((await readAt('LBPair', pair, 'getActiveId'))[0]).toBe(BigInt(binId));
    expect((await readAt('LBPair', pair, 'getBinStep'))[0]).toBe(BigInt(binStep));
  });

  it('holds X above the active bin and Y below it, and swaps through the bins', async () => {
    const { protocol, people, artifacts } = founded.stage;
    const abi = abiOf(artifacts, 'LBPair');
    // 12.5 USD
    const activeId = 8_383_575;
    const pair = await createPair(50, activeId);
    const [x, y] = [parseEther('10'), parseUnits('125', 6)];
    await founded.mine([
      call(people.keeper, protocol.WAVAX, 'deposit', [], x * 10n),
      call(people.keeper, protocol.USDC, 'mint', [people.keeper, y * 10n]),
      call(people.keeper, protocol.WAVAX, 'approve', [pair, x * 10n]),
      call(people.keeper, protocol.USDC, 'approve', [pair, y * 10n]),
      call(people.keeper, { address: pair, abi }, 'addLiquidity', [3, x, y]),
    ]);
    expect((await readAt('LBPair', pair, 'getReserves')).toArray()).toEqual([x * 4n, y * 4n]);
    expect((await readAt('LBPair', pair, 'getBin', [activeId])).toArray()).toEqual([x, y]);
    expect((await readAt('LBPair', pair, 'getBin', [activeId + 3])).toArray()).toEqual([x, 0n]);
    expect((await readAt('LBPair', pair, 'getBin', [activeId - 3])).toArray()).toEqual([0n, y]);
    expect((await readAt('LBPair', pair, 'getBin', [activeId - 4])).toArray()).toEqual([0n, 0n]);

    // 1 WAVAX, less the base fee of 5000 · 50 · 1e10 = 0.25 %, at the active bin's price.
    const [price] = await readAt('LBPair', pair, 'getPriceFromId', [activeId]);
    const [left, out, fee] = await readAt('LBPair', pair, 'getSwapOut', [parseEther('1'), true]);
    expect([left, fee]).toEqual([0n, parseEther('0.0025')]);
    expect(out).toBe((parseEther('0.9975') * price) >> 128n);
    // More than all four bins with Y can pay.
    const [unsold, everything] = await readAt('LBPair', pair, 'getSwapOut', [parseEther('1000000'), true]);
    expect(everything).toBe(y * 4n);
    expect(unsold).toBeGreaterThan(parseEther('900000'));

    await founded.mine([call(people.keeper, { address: pair, abi }, 'moveTo', [activeId + 2])]);
    expect((await readAt('LBPair', pair, 'getActiveId'))[0]).toBe(BigInt(activeId + 2));
    const [boughtOut, paid] = await readAt('LBPair', pair, 'getBin', [activeId]);
    expect([boughtOut, paid]).toEqual([0n, y + ((x * price) >> 128n)]);
  });
});

describe('a Uniswap V3 pool', () => {
  fromTheFounding(founded);

  it('has the price root and tick for 9.80 USD, and follows a trade', async () => {
    const { protocol, people, artifacts } = founded.stage;
    const { UniswapV3Factory, WAVAX, USDC } = protocol;
    const abi = abiOf(artifacts, 'V3Pool');
    const pool = getCreateAddress({ from: UniswapV3Factory.address, nonce: 1 });
    const root = 248_023_379_960_013_994_414_542n;
    const fill = [WAVAX, USDC].map((token) => call(people.keeper, token, 'approve', [pool, 2n ** 256n - 1n]));
    await founded.mine([
      call(people.keeper, UniswapV3Factory, 'createPool', [USDC.address, WAVAX.address, 500]),
      call(people.keeper, WAVAX, 'deposit', [], parseEther('1000')),
      call(people.keeper, USDC, 'mint', [people.keeper, parseUnits('10000', 6)]),
      ...fill,
      call(people.keeper, { address: pool, abi }, 'initialize', [root, 10n ** 15n]),
    ]);
    const args = [WAVAX.address, USDC.address, 500];
    expect((await readAt('UniswapV3Factory', UniswapV3Factory.address, 'getPool', args))[0]).toBe(pool);
    const [sqrtPriceX96, tick] = await readAt('V3Pool', pool, 'slot0');
    expect((sqrtPriceX96 ** 2n * 10n ** 20n) / 2n ** 192n).toBe(979_999_999n);
    expect(Number(tick)).toBe(Math.floor(Math.log(9.8e-12) / Math.log(1.0001)));

    // To 9.31 USD: L · (√P − √P') of token1 comes out.
    const lower = (root * 975n) / 1000n;
    const held = () =>
      founded.client.rpc.send(
        'eth_call',
        { to: USDC.address, data: USDC.abi.encodeFunctionData('balanceOf', [pool]) },
        'latest',
      );
    const before = BigInt((await held()) as string);
    await founded.mine([call(people.keeper, { address: pool, abi }, 'moveTo', [lower])]);
    const change = before - BigInt((await held()) as string);
    expect(change).toBe((10n ** 15n * root) / 2n ** 96n - (10n ** 15n * lower) / 2n ** 96n);
    const [, newTick] = await readAt('V3Pool', pool, 'slot0');
    expect(Number(newTick)).toBe(Math.floor(Math.log(9.8e-12 * 0.975 ** 2) / Math.log(1.0001)));
  });
});

describe('TwapGGP', () => {
  fromTheFounding(founded);

  it('rounds down twice for spot and average, as in the documented example', async () => {
    const { protocol, artifacts, people } = founded.stage;
    const { TokenGGP, WAVAX, JoeFactory } = protocol;
    const abi = abiOf(artifacts, 'V2Pair');
    const pair = getCreateAddress({ from: JoeFactory.address, nonce: 1 });
    const [reserve0, reserve1] = [parseEther('1000000'), parseEther('7145')];
    await founded.mine([
      call(people.guardian, JoeFactory, 'createPair', [WAVAX.address, TokenGGP.address]),
      call(people.guardian, WAVAX, 'deposit', [], reserve1),
      call(people.guardian, WAVAX, 'approve', [pair, reserve1]),
      call(people.guardian, TokenGGP, 'approve', [pair, reserve0]),
      call(people.guardian, { address: pair, abi }, 'addLiquidity', [reserve0, reserve1]),
      createContract('TwapGGP', founded.stage, [pair]),
    ]);
    const twap = async (method: string) => (await readAt('TwapGGP', protocol.TwapGGP.address, method))[0];
    expect((await readAt('V2Pair', pair, 'token0'))[0]).toBe(TokenGGP.address);
    expect(await twap('ggpSpotPriceInAVAX')).toBe(7_144_999_999_999_999n);
    await founded.passTo(founded.time + DAY);
    expect(await twap('ggpTwapPriceInAVAX')).toBe(7_144_999_999_999_999n);
    await founded.send('keeper', 'TwapGGP', 'update');
    expect(await twap('price0Average')).toBe(37_098_961_054_231_343_405_850_396_272_277n);
    expect(await twap('blockTimestampLast')).toBe(BigInt(founded.time));
  });
});
