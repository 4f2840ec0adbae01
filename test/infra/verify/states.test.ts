import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/addresses.ts';
import { createRoutes, startGateway } from '../../../infra/local/gateway.ts';
import { verify } from '../../../infra/verify/verify.ts';
import { DAY } from '../../../lib/values/durations.ts';
import { WAD } from '../../../lib/values/wad.ts';
import {
  act,
  type Fork,
  forkDevnet,
  pass,
  pause,
  pauseContracts,
  setMinipool,
  setOraclePrice,
  setPool,
  setSetting,
  setStaker,
  silence,
  undoneAfterEach,
} from '../../functions/devnet.ts';
import { recordLedger } from '../../support/recorded.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/**
 * Money in states that the protocol reaches seldom, or only when it is wound down: compared with the contracts by the
 * code of `npm run verify`.
 */

const [LAUNCHED, STAKING, FINISHED] = [1, 2, 4];

const tables = tablesForAllTests();
let chain: Fork;

beforeAll(async () => {
  chain = await forkDevnet();
});
afterAll(() => chain.stop());
undoneAfterEach(() => chain);

async function setSettings(settings: Record<string, bigint>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await setSetting(chain, name, value);
}

/** Ends all minipools, and sets the AVAX in minipools to zero. */
async function endMinipools(): Promise<void> {
  for (const status of [LAUNCHED, STAKING]) {
    const minipools = await chain.read('MinipoolManager', 'getMinipools', [status, 0, 0]);
    for (const { index } of minipools) await setMinipool(chain, index, 'status', FINISHED);
  }
  const count = Number(await chain.read('Staking', 'getStakerCount'));
  for (let index = 0; index < count; index++) {
    for (const field of ['avaxStaked', 'avaxAssigned', 'avaxValidating', 'avaxValidatingHighWater'])
      await setStaker(chain, index, field, 0n);
  }
  await setPool(chain, { stakingTotalAssets: 0n });
}

/** Removes the code at the price feed's address. */
async function removeFeed(): Promise<void> {
  await chain.rpc.send('anvil_setCode', DEVNET_ADDRESSES.AvaxUsdFeed, '0x');
  await chain.rpc.send('evm_mine');
}

const NOBODY_HOLDS = { totalSupply: 0n, lastRewardsAmt: 0n, totalReleasedAssets: 0n };
/** Derived from events: writing into storage emits none. */
const SUPPLY_CHANGED = ['/holders'];

/** Sends a transaction, which must succeed. */
async function send(from: string, contract: string, signature: string, args: unknown[]): Promise<void> {
  expect(await act(chain, from, contract, signature, args)).toBe(true);
}

/** Takes all WAVAX from the pool. */
async function emptyPool(): Promise<void> {
  const token = await chain.registered('TokenggAVAX');
  const { WAVAX } = DEVNET_ADDRESSES;
  const [held] = await chain.readAt(WAVAX, 'balanceOf', [token]);
  await send(token, WAVAX, 'transfer(address,uint256)', [chain.people.guardian, held]);
}

async function stopRedemption(): Promise<void> {
  await send(chain.people.guardian, 'TokenggAVAX', 'setPauseStopsRedemption(bool)', [true]);
  await pause(chain, 'TokenggAVAX');
}

const BEYOND = {
  FeeBips: 20_000n,
  TargetGGAVAXReserveRate: 3n * WAD,
  MinCollateralizationRatio: 2n * WAD,
  MaxCollateralizationRatio: WAD / 20n,
  'ClaimingContractPct.ClaimNodeOp': WAD,
};

/** The states, the function that reaches each, and the endpoints that differ then. */
const STATES: [name: string, reach: () => Promise<unknown>, unlike?: readonly string[]][] = [
  ['only the queue can redeem ggAVAX', () => send(chain.people.guardian, 'TokenggAVAX', 'upgradeTo(uint8)', [3])],
  ['a pause stops redemptions', stopRedemption],
  ['all of the pool is staked', emptyPool],
  ['nothing is staked, and no cycle has started for 200 days', () => endMinipools().then(() => pass(chain, 200 * DAY))],
  ['every contract that can be paused is', () => pauseContracts(chain)],
  ['nobody holds ggAVAX', () => endMinipools().then(() => setPool(chain, NOBODY_HOLDS)), SUPPLY_CHANGED],
  ['the whole pool belongs to one wei of ggAVAX', () => setPool(chain, { totalSupply: 1n }), SUPPLY_CHANGED],
  ['the oracle has no price', () => setOraclePrice(chain, 0n)],
  ['the price of GGP is one wei', () => setOraclePrice(chain, 1n)],
  ['settings are beyond all bounds', () => setSettings(BEYOND)],
  ['the price feed is gone', removeFeed],
  ['the oracle does not answer', () => silence(chain, 'Oracle')],
  [
    'the rewards pool and the DAO do not answer',
    () => silence(chain, 'RewardsPool').then(() => silence(chain, 'ProtocolDAO')),
  ],
];

test.each(STATES)('all answers are those of the contracts if %s', async (_, reach, unlike = []) => {
  await reach();
  await tables.renew();
  // What the shared devnet has, and what was added since.
  await recordLedger();
  const runtime = startOnDevnet({ RPC_URLS: chain.url });
  await recordLedger(runtime);
  const gateway = await startGateway({ port: 0, routes: createRoutes(runtime) });
  const rows = (await verify(gateway.url, chain.url)).filter(({ path }) => !unlike.includes(path));
  await gateway.stop();
  const wrong = rows.flatMap(({ url, faults, failure }) =>
    [...faults, failure ?? []].flat().map((fault) => `${url}: ${fault}`),
  );
  expect(wrong).toEqual([]);
  expect(rows.reduce((sum, { figures }) => sum + figures, 0)).toBeGreaterThan(100);
  expect(runtime.telemetry.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
