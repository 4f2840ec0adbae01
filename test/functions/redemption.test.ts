import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { ggAvax } from '../../functions/gg-avax.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { type Body, bodyFrom } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { proxyTo } from '../support/rpc-providers.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { act, balanceOf, type Fork, forkDevnet, leaveWAVAX, pause, removeView, undoneAfterEach } from './devnet.ts';

/** The redeemable amounts of the API, compared with transactions that redeem them. */

const [V2, V3, LIVE] = [2, 3, 4];
/** The API reports amounts of the block; the transaction that proves them is in the next one, at the same time. */
const SAME_TIME = 0;

tablesForAllTests();
const keep = stoppedAfterEach();
let chain: Fork;
let token: string;

beforeAll(async () => {
  await recordLedger();
  chain = await forkDevnet();
  await chain.rpc.send('anvil_setBlockTimestampInterval', SAME_TIME);
  token = await chain.registered('TokenggAVAX');
});
undoneAfterEach(() => chain);
afterAll(() => chain.stop());

async function upgradeTo(version: number): Promise<void> {
  expect(await act(chain, chain.people.guardian, 'TokenggAVAX', 'upgradeTo(uint8)', [version])).toBe(true);
}

/** A container without a cache of its own: every answer is new. */
const container = (url = chain.url) => startOnDevnet({ RPC_URLS: url, CACHE_TABLE: 'no-cache' });

const positionOf = (address: string, runtime = container()): Promise<Body> =>
  bodyFrom(ggAvaxAddress, runtime, { params: { address } });
const poolNow = async (): Promise<Body> => (await bodyFrom(ggAvax, container())).redemption;

/** AVAX wei that a real redemption pays; undefined if the chain refuses it. Nothing is left of it. */
async function redeemed(holder: string, shares: bigint): Promise<bigint | undefined> {
  const snapshot = await chain.rpc.send('evm_snapshot');
  const before = await balanceOf(chain, holder, 'AVAX');
  const isPaid = await act(chain, holder, 'TokenggAVAX', 'redeemAVAX(uint256)', [shares]);
  const paid = isPaid ? (await balanceOf(chain, holder, 'AVAX')) - before : undefined;
  await chain.rpc.send('evm_revert', snapshot);
  return paid;
}

test('a token that only the queue may use names the reason, and who has nothing has another', async () => {
  const { bruno } = chain.people;
  expect((await positionOf(`0x${'7'.repeat(40)}`)).redemption).toMatchObject({
    ...{ open: true, ggAvax: '0', avax: '0', reason: 'NO_BALANCE' },
  });
  await upgradeTo(V3);
  expect((await positionOf(bruno)).redemption).toMatchObject({ open: false, ggAvax: '0', avax: '0', reason: 'CLOSED' });
  expect(await redeemed(bruno, 1_000n)).toBeUndefined();
});

describe('a pool that cannot pay everything', () => {
  const LEFT = parseEther('500');

  test.each([V2, LIVE])('is redeemed as far as it goes, to the wei (version %d)', async (version) => {
    await upgradeTo(version);
    await leaveWAVAX(chain, LEFT);
    const { redemption } = await positionOf(chain.people.alba);
    expect(redemption).toEqual({ open: true, ggAvax: expect.any(String), avax: expect.any(String) });
    const shares = parseEther(redemption.ggAvax);
    const paid = (await redeemed(chain.people.alba, shares)) as bigint;
    expect(redemption.avax).toBe(formatAmount(paid));
    // One wei of ggAVAX is worth more than one of AVAX.
    expect(LEFT - paid).toBeLessThan(2n);
    expect(await redeemed(chain.people.alba, shares + 1n)).toBeUndefined();
    expect(await poolNow()).toEqual({ open: true, availableAVAX: '500' });
  });

  test.each([
    [V2, true, 0n],
    [LIVE, true, 0n],
    [LIVE, true, 1n],
    [V3, false, 0n],
  ])('has nothing to redeem once it is empty (version %d, open: %s, %d wei left)', async (version, open, left) => {
    await upgradeTo(version);
    await leaveWAVAX(chain, left);
    const { redemption } = await positionOf(chain.people.bruno);
    const reason = open ? 'NO_LIQUIDITY' : 'CLOSED';
    expect(redemption).toMatchObject({ open, ggAvax: formatAmount(left), avax: formatAmount(left), reason });
    expect(await poolNow()).toMatchObject({ open, availableAVAX: formatAmount(left), reason });
    if (left > 0n) expect(await redeemed(chain.people.bruno, left)).toBe(left);
  });
});

describe('a paused token', () => {
  test('is redeemed all the same, if its code lets it', async () => {
    await pause(chain, 'TokenggAVAX');
    const { redemption } = await positionOf(chain.people.alba);
    expect(redemption).toMatchObject({ open: true });
    expect(await redeemed(chain.people.alba, parseEther(redemption.ggAvax))).toBe(parseEther(redemption.avax));
  });

  test('is not, if it does not', async () => {
    await act(chain, chain.people.guardian, 'TokenggAVAX', 'setPauseStopsRedemption(bool)', [true]);
    await pause(chain, 'TokenggAVAX');
    expect((await positionOf(chain.people.alba)).redemption).toMatchObject({
      ...{ open: false, ggAvax: '0', avax: '0', reason: 'PAUSED' },
    });
    expect(await redeemed(chain.people.alba, 1_000n)).toBeUndefined();
    expect(await poolNow()).toMatchObject({ open: false, availableAVAX: '0', reason: 'PAUSED' });
  });
});

describe('what the chain does not tell is left out', () => {
  test('of a token without redeemAVAX', async () => {
    await removeView(chain, token, 'redeemAVAX(uint256)');
    expect(await positionOf(chain.people.alba)).not.toHaveProperty('redemption');
    const [held] = await chain.readAt(DEVNET_ADDRESSES.WAVAX, 'balanceOf', [token]);
    expect(await poolNow()).toEqual({ availableAVAX: formatAmount(held) });
  });

  const isFrom = ({ params }: { params: unknown[] }) => Object.hasOwn(Object(params[0]), 'from');
  const refusal = { code: -32_602, message: 'from is not supported' };

  test.each([
    ['refuses calls from others', (id: number) => ({ jsonrpc: '2.0', id, error: refusal })],
    ['does not answer calls from others', () => undefined],
  ])('by a provider that %s', async (_, answer) => {
    const picky = keep(
      await proxyTo(chain.url, (answers, requests) =>
        requests.flatMap((request, index) => (isFrom(request) ? (answer(request.id) ?? []) : answers[index])),
      ),
    );
    const body = await positionOf(chain.people.alba, container(picky.url));
    expect(body).not.toHaveProperty('redemption');
    expect(body.avax).toBe(formatAmount(await chain.read('TokenggAVAX', 'convertToAssets', [parseEther(body.ggAvax)])));
  });
});
