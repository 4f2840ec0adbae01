import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Interface, id, parseEther } from 'ethers';
import fc from 'fast-check';
import { activity } from '../../functions/activity.ts';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { health } from '../../functions/health.ts';
import { holders } from '../../functions/holders.ts';
import { rewardsAddress } from '../../functions/rewards/address.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { exportArchive } from '../../lib/archive/export.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import { readBalance, readTotals } from '../../lib/contracts/gg-avax.ts';
import { auditIfDue, auditLedger } from '../../lib/ledger/audit.ts';
import type { EntryType } from '../../lib/ledger/events/entry-types.ts';
import { type Entry, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { LedgerStore, ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { listHolders } from '../../lib/ledger/list-holders.ts';
import type { Mismatch } from '../../lib/ledger/mismatches.ts';
import { LEDGER } from '../../lib/tables/forms.ts';
import { MemoryTable } from '../../lib/tables/memory-table.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { type Fork, forkDevnet, openChain, pass, setMinipool, setStaker, transact } from '../functions/devnet.ts';
import { sendTo } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { proxyTo } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { startServer, stoppedAfterEach } from '../support/servers.ts';
import { startTables } from '../support/tables.ts';

/** Providers that leave out logs, and a ledger that is compared with the contracts. */

const keep = stoppedAfterEach();
const GOOD = process.env.DEVNET_RPC_URL as string;
const mayGoOn = () => true;

interface Log {
  topics: string[];
  blockNumber: string;
  logIndex: string;
}
type IsLeftOut = (log: Log) => boolean;

/** A provider whose answers lack these logs. */
async function without(isLeftOut: IsLeftOut, upstream = GOOD) {
  return keep(
    await proxyTo(upstream, (answers, requests) =>
      answers.map((answer, index) => {
        const { result } = answer as { result: Log[] };
        if (requests[index]?.method !== 'eth_getLogs') return answer;
        return { ...(answer as object), result: result.filter((log) => !isLeftOut(log)) };
      }),
    ),
  );
}

const tablesOf = ({ opened }: TestRuntime) => ({ chain: chainOf(opened), ledger: ledgerOf(opened), mayGoOn });
const audited = async (on: TestRuntime) => {
  const audit = await auditLedger(tablesOf(on));
  await listHolders(tablesOf(on));
  return audit as NonNullable<typeof audit>;
};

/** Entries of these types, or of all, up to a block: as text, as some are bigints. */
async function entriesOf({ opened }: TestRuntime, to: number, types?: readonly EntryType[]): Promise<string[]> {
  const ledger = ledgerOf(opened);
  const { fromBlock: from } = await ledger.progress.coverage();
  const entries = await ledger.between(subjectOf.protocol, { from, to });
  const text = (entry: Entry) => JSON.stringify(Object.entries(entry).map(String).sort());
  return entries.filter(({ type }) => !types || types.includes(type)).map(text);
}

const nameOf = ({ contract, view, key = '' }: Mismatch) => `${view} (${contract}) ${key}`.trim();

/** A new ledger, recorded from these providers in this order. */
async function recordFrom(...urls: string[]): Promise<TestRuntime> {
  keep(await startTables());
  const on = startOnDevnet({ RPC_URLS: urls.join(','), CACHE_TABLE: 'no-cache' });
  // The engine of the tables would take most of the time.
  ledgerOf.replace(on.opened, new LedgerStore(new MemoryTable(LEDGER), on.opened.config.network.name));
  await recordLedger(on);
  return on;
}

/** These are the balances that the contract had at a block, and they are all. */
async function expectHolders({ opened }: TestRuntime, held: { address: string; ggAvax: string }[], block: number) {
  const state = await chainOf(opened).at(block);
  for (const { address, ggAvax } of held) expect(ggAvax).toBe(formatAmount(await readBalance(state, address)));
  const sum = held.reduce((sum, { ggAvax }) => sum + parseEther(ggAvax), 0n);
  expect(sum).toBe((await readTotals(state)).totalSupply);
}

const DEPOSIT = new Interface(['function depositAVAX() payable']);
const TRANSFER = id('Transfer(address,address,uint256)');
/** What is checked entry by entry, or nearly so. */
const CHECKED: EntryType[] = ['ggAvaxDeposited', 'ggAvaxWithdrawn', 'ggAvaxTransferred', 'ggpStaked', 'ggpWithdrawn'];

let whole: { to: number; all: string[]; checked: string[] };
beforeAll(async () => {
  const tables = await startTables();
  const on = startOnDevnet();
  await recordLedger(on);
  const counting = await proxyTo(GOOD);
  const { block, mismatches, provenAt } = await audited(startOnDevnet({ RPC_URLS: counting.url }));
  await counting.stop();
  expect(mismatches).toEqual([]);
  expect(provenAt).toEqual(block);
  // The contracts, what they say in two steps, the times of two blocks; and one for the list of holders.
  expect(counting.requests.length).toBeLessThanOrEqual(6);
  const to = block.number;
  whole = { to, all: await entriesOf(on, to), checked: await entriesOf(on, to, CHECKED) };
  await tables.stop();
});

describe('with a healthy provider beside it, one that', () => {
  test.each<[string, IsLeftOut, EntryType[] | undefined]>([
    ['answers nothing', () => true, undefined],
    [
      'leaves out every third transfer',
      ({ topics, logIndex }) => topics[0] === TRANSFER && Number(logIndex) % 3 === 0,
      undefined,
    ],
    [
      'leaves out deposits, so that their mints look like transfers',
      ({ topics }) => topics[0] === id('Deposit(address,address,uint256,uint256)'),
      undefined,
    ],
    ['leaves out stakes', ({ topics }) => topics[0] === id('GGPStaked(address,uint256)'), undefined],
    [
      'leaves out what claims took from the Vault',
      ({ topics }) => topics[0] === id('TokenWithdrawn(bytes32,address,uint256)'),
      undefined,
    ],
    [
      'leaves out requests',
      ({ topics }) => topics[0] === id('UnstakeRequested(uint256,address,uint256,uint256,uint48)'),
      undefined,
    ],
  ])('%s is found out, and the ledger is whole again', async (_, isLeftOut) => {
    const liar = await without(isLeftOut);
    const on = await recordFrom(liar.url, GOOD);
    expect(await entriesOf(on, whole.to)).not.toEqual(whole.all);
    const { mismatches, providers } = await audited(on);
    expect([mismatches, Object.keys(providers)]).toEqual([[], ['rpc-1']]);
    expect(await entriesOf(on, whole.to)).toEqual(whole.all);
    const { body } = await sendTo(health, on);
    expect(body.ledger).not.toHaveProperty('mismatches');
  });
});

test('alone, it is named, nothing that needs the whole past is told, and all is well once it tells the truth', async () => {
  let lies = true;
  const liar = await without(
    ({ topics, logIndex, blockNumber }) =>
      lies &&
      topics[0] === TRANSFER &&
      Number(logIndex) % 3 === 0 &&
      topics[1] !== topics[2] &&
      Number(blockNumber) > whole.to / 2,
  );
  const on = await recordFrom(liar.url);
  const { block, mismatches, provenAt } = await audited(on);
  expect(mismatches.map(nameOf)).toContainEqual(expect.stringMatching(/^balanceOf \(TokenggAVAX\) 0x/));
  expect(provenAt?.number).toBeLessThan(block.number);
  const { coverage, ...held } = (await sendTo(holders, on)).body;
  expect(coverage).toMatchObject({ complete: false, confirmedBlock: provenAt?.number, toBlock: provenAt?.number });
  await expectHolders(on, held.holders, coverage.toBlock);

  const list = await sendTo(holders, on, { query: { format: 'csv' } });
  expect(list.status).toBe(503);
  const chain = await openChain();
  const { body } = await sendTo(ggAvaxAddress, on, { params: { address: chain.people.alba } });
  chain.rpc.close();
  expect(body).toMatchObject({ reasons: { rewardsAVAX: 'NOT_CONFIRMED', since: 'NOT_CONFIRMED' } });
  const state = await sendTo(health, on);
  expect(state.body).toMatchObject({
    status: 'degraded',
    ledger: {
      mismatches: mismatches
        .slice(0, 10)
        .map(({ agreedAt: _, block: blockNumber, ...one }) => ({ ...one, blockNumber })),
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  await expect(exportArchive(on.opened, folder, 'commit')).rejects.toThrow('are not what the contracts say');

  lies = false;
  expect((await audited(on)).mismatches).toEqual([]);
  expect(await entriesOf(on, whole.to)).toEqual(whole.all);
  const after = startOnDevnet({ CACHE_TABLE: 'no-cache' });
  ledgerOf.replace(after.opened, ledgerOf(on.opened));
  expect((await sendTo(holders, after)).body.coverage.complete).toBe(true);
});

describe('on a chain that goes on,', () => {
  let fork: Fork;
  beforeAll(async () => {
    fork = await forkDevnet();
  });
  afterAll(() => fork.stop());
  afterEach(() => void jest.restoreAllMocks());
  const settle = async () => {
    for (let block = 0; block < 2; block += 1) await pass(fork, 130);
  };

  test.each([
    ['healed with another provider', true],
    ['named without one', false],
  ])(
    'what a provider leaves out for ever once the past is searched is %s, by the audit of the next day',
    async (_, isHelped) => {
      const { number } = await fork.block('latest');
      const liar = await without(({ blockNumber }) => Number(blockNumber) > number, fork.url);
      const on = await recordFrom(liar.url, ...(isHelped ? [fork.url] : []));
      const auditing = { ...tablesOf(on), telemetry: on.telemetry };
      expect((await auditIfDue(auditing))?.mismatches).toEqual([]);

      const data = DEPOSIT.encodeFunctionData('depositAVAX');
      const to = await fork.registered('TokenggAVAX');
      const from = fork.people.guardian;
      expect(await transact(fork, { from, to, data, value: '0xde0b6b3a7640000' })).toBe(true);
      const deposit = await fork.block('latest');
      for (let run = 0; run < 2; run += 1) {
        await pass(fork, 130);
        await recordLedger(on);
      }
      expect((await auditIfDue(auditing))?.mismatches).toEqual([]);

      const { now } = Date;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + 86_400_000);
      const audit = await auditIfDue(auditing);
      const names = audit?.mismatches.map(nameOf);
      const deposits = await entriesOf(on, deposit.number, ['ggAvaxDeposited']);
      const isKnown = deposits.some((entry) => entry.includes(`"block,${deposit.number}"`));
      if (isHelped) expect([names, isKnown, Object.keys(audit?.providers ?? {})]).toEqual([[], true, ['rpc-1']]);
      else {
        expect([names?.includes(`balanceOf (TokenggAVAX) ${from.toLowerCase()}`), isKnown]).toEqual([true, false]);
        expect(audit?.provenAt?.number).toBe(deposit.number - 1);
      }
    },
  );

  test('what the guardian wrote without an event is named where it concerns, and all else goes on', async () => {
    const stakerOf = async (index: number) =>
      ((await fork.read('Staking', 'getStaker', [index])) as unknown as { stakerAddr: string }).stakerAddr;
    const [staker, another] = [await stakerOf(0), await stakerOf(1)];
    await setStaker(fork, 0, 'ggpStaked', 1n);
    await pass(fork, 4_000);
    await settle();
    const on = await recordFrom(fork.url);
    const { mismatches } = await audited(on);
    const view = { contract: 'Staking', view: 'getGGPStake', key: staker.toLowerCase() };
    expect(mismatches).toMatchObject([{ ...view, chain: '1' }]);
    const isComplete = async (endpoint: Endpoint, params: Record<string, string> = {}) =>
      (await sendTo(endpoint, on, { params })).body.coverage.complete;
    expect(await isComplete(activity)).toBe(false);
    expect(await isComplete(holders)).toBe(true);
    expect(await isComplete(ggAvaxAddress, { address: staker })).toBe(true);
    expect(await isComplete(rewardsAddress, { address: staker })).toBe(false);
    expect(await isComplete(rewardsAddress, { address: another })).toBe(true);
    const folder = mkdtempSync(join(tmpdir(), 'audit-'));
    const { ledger } = await exportArchive(on.opened, folder, 'commit');
    expect(ledger.mismatches).toEqual(mismatches);
  });

  test('what the guardian wrote in many places hides nothing that can be healed', async () => {
    for (let index = 0; index < 12; index += 1) await setMinipool(fork, index, 'status', 6);
    await settle();
    const missing = [id('TokenWithdrawn(bytes32,address,uint256)'), id('GGPPriceUpdated(uint256,uint256)')];
    const liar = await without(({ topics }) => missing.includes(topics[0] as string), fork.url);
    const on = await recordFrom(liar.url, fork.url);
    const namesOf = async () => (await audited(on)).mismatches.map(nameOf);
    const first = await namesOf();
    expect(first.filter((what) => /MinipoolManager/.test(what)).length).toBeGreaterThan(10);
    expect(first.filter((what) => /Vault/.test(what))).toEqual([]);
    expect(first).toContainEqual(expect.stringContaining('Oracle'));
    expect((await namesOf()).filter((what) => /Oracle/.test(what))).toEqual([]);
  });
});

describe('any logs that are left out are found again, or named,', () => {
  /** The devnet stands still: what it has answered once is answered from memory. */
  async function remembering() {
    const known = new Map<string, unknown>();
    const { rpc } = await openChain();
    const answer = async ({ method, params, id }: { method: string; params: unknown[]; id: number }) => {
      const key = JSON.stringify([method, params]);
      if (!known.has(key)) known.set(key, await rpc.send(method, ...params));
      return { jsonrpc: '2.0', id, result: known.get(key) };
    };
    const server = await startServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const sent = JSON.parse(text);
      response.end(JSON.stringify(Array.isArray(sent) ? await Promise.all(sent.map(answer)) : await answer(sent)));
    });
    keep({
      async stop() {
        await server.stop();
        rpc.close();
      },
    });
    return server.url;
  }
  const placeOf = ({ blockNumber, logIndex }: Log) => `${Number(blockNumber)} ${Number(logIndex)}`;

  test.each([
    ['with a healthy provider', true],
    ['without one', false],
  ])('%s', async (_, isHelped) => {
    const url = await remembering();
    const places = new Set<string>();
    const seen = await without((log) => !places.add(placeOf(log)), url);
    await recordFrom(seen.url);
    await fc.assert(
      fc.asyncProperty(fc.subarray([...places]), async (kept) => {
        const answered = new Set(kept);
        const liar = await without((log) => !answered.has(placeOf(log)), url);
        const on = await recordFrom(liar.url, ...(isHelped ? [url] : []));
        const { mismatches } = await audited(on);
        if (mismatches.length === 0) expect(await entriesOf(on, whole.to, CHECKED)).toEqual(whole.checked);
        if (isHelped) expect(mismatches).toEqual([]);
        await liar.stop();
      }),
      { numRuns: 10, interruptAfterTimeLimit: 120_000 },
    );
  });
});
