import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toBeHex } from 'ethers';
import { health } from '../../functions/health.ts';
import { readGgAvax } from '../../lib/contracts/gg-avax.ts';
import { checkLedger } from '../../lib/ledger/check-ledger.ts';
import { CHECKS } from '../../lib/ledger/checks.ts';
import type { Log } from '../../lib/ledger/contract-events.ts';
import { placeIn } from '../../lib/ledger/log-reader.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { LEDGER } from '../../lib/tables/table-schemas.ts';
import { openChain } from '../functions/devnet.ts';
import { sendTo } from '../support/events.ts';
import { openStore } from '../support/log-chain.ts';
import { MemoryTable, type SeriesRows } from '../support/memory-table.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { startServer, stoppedAfterEach } from '../support/servers.ts';

/** Providers with false responses about the devnet's events, beside honest ones. All are real sockets. */

const keep = stoppedAfterEach();

/** Returns the logs that a liar sends instead of a log: none, the log itself, or others. */
type Lie = (log: Log) => Log[];

const flipLast = (word: string) => `${word.slice(0, -1)}${word.endsWith('1') ? '2' : '1'}`;

const LIES: [name: string, lie: Lie][] = [
  ['omits', () => []],
  ['repeats in another place', (log) => [log, { ...log, logIndex: toBeHex(Number(log.logIndex) + 1_000) }]],
  ['alters the last value of', (log) => [log.data === '0x' ? log : { ...log, data: flipLast(log.data) }]],
  ['gives to another transaction', (log) => [{ ...log, transactionHash: flipLast(log.transactionHash) }]],
];

/** The responses of the devnet, kept in memory: its state does not change. */
const known = new Map<string, unknown>();
const { rpc } = await openChain();
afterAll(() => rpc.close());

async function honestAnswer(method: string, params: unknown[]): Promise<unknown> {
  const key = JSON.stringify([method, params]);
  if (!known.has(key)) known.set(key, await rpc.send(method, ...params).catch((error: Error) => error));
  return known.get(key);
}

type Sent = { method: string; params: unknown[]; id: number };
type Liar = { lie?: Lie } & { [Fault in 'isConsistent' | 'isPruned' | 'altersSupply']?: boolean };

/**
 * A provider that lies about a log of each kind of event, in receipts, too, if it is consistent; without a lie, an honest one.
 * It may have no state before its newest block, or another total supply of ggAVAX.
 */
async function provider({ lie, isConsistent, isPruned, altersSupply }: Liar = {}): Promise<string> {
  const told = (logs: Log[]) => logs.flatMap((log) => (isOfEachKind(log) ? (lie?.(log) ?? [log]) : [log]));
  const answer = async ({ method, params, id }: Sent) => {
    const result = await honestAnswer(method, params);
    const answerOf = (change: object) => ({ jsonrpc: '2.0', id, result, ...change });
    const isPast = method === 'eth_call' && params[1] !== 'latest';
    if (isPruned && isPast)
      return answerOf({ result: undefined, error: { code: -32_000, message: 'missing trie node' } });
    if (altersSupply && isPast) return answerOf({ result: String(result).replaceAll(supply, flipLast(supply)) });
    if (method === 'eth_getLogs') return answerOf({ result: told(result as Log[]) });
    const isLied = method === 'eth_getTransactionReceipt' && isConsistent && result;
    return answerOf(isLied ? { result: { ...result, logs: told((result as { logs: Log[] }).logs) } } : {});
  };
  const server = keep(
    await startServer(async (request, response) => {
      const sent = (await json(request)) as Sent | Sent[];
      response.end(JSON.stringify(Array.isArray(sent) ? await Promise.all(sent.map(answer)) : await answer(sent)));
    }),
  );
  return server.url;
}

/** A container with these providers, in this order, whose ledger has been recorded once. */
async function recordFrom(...urls: string[]) {
  const rows: SeriesRows = new Map();
  const tables = { CACHE_TABLE: 'no-cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger' };
  const ledger = openStore(new MemoryTable(LEDGER, rows), 1);
  const on = startOnDevnet({ RPC_URLS: urls.join(','), ...tables }, undefined, { ledger });
  const recorder = new LedgerRecorder(on.opened.chain, ledger);
  await recorder.run({ mayGoOn: () => true });
  return { on, recorder, rows };
}

/** The rows of all entries: those of the protocol, and the copies for every participant. */
function entryRows(rows: SeriesRows): string[] {
  const ofEntries = [...rows.values()].flat().filter(({ txHash }) => txHash !== undefined);
  return ofEntries.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
}

let honest: Awaited<ReturnType<typeof recordFrom>>;
/** One log of each kind of event: the middle one. */
let places = new Set<string>();
const isOfEachKind = (log: Log) => places.has(placeIn(log));
/** The total supply of ggAVAX, as a word. */
let supply = '';
beforeAll(async () => {
  honest = await recordFrom(await provider());
  supply = toBeHex((await readGgAvax(await honest.on.opened.chain.latest())).totalSupply ?? 0n, 32).slice(2);
  const logs = [...known].flatMap(([key, logs]) => (key.startsWith('["eth_getLogs"') ? (logs as Log[]) : []));
  const kinds = Map.groupBy(logs, ({ address, topics }) => `${address} ${topics[0]}`);
  places = new Set([...kinds.values()].map((own) => placeIn(own[Math.floor(own.length / 2)] as Log)));
  expect(places.size).toBeGreaterThan(20);
});

describe.each(['first of two', 'second of three'])('a provider that is the %s, and', (place) => {
  test.each(LIES.flatMap(([name, lie]) => [false, true].map((isConsistent) => [name, isConsistent, lie] as const)))(
    '%s a log of each kind of event (also in receipts: %s), changes nothing, or stops two by name',
    async (_name, isConsistent, lie) => {
      const [liar, fair, other] = [await provider({ lie, isConsistent }), await provider(), await provider()];
      const isOfTwo = place === 'first of two';
      const { on, rows } = await recordFrom(...(isOfTwo ? [liar, fair] : [fair, liar, other]));
      const { body } = await sendTo(health, on);
      if (isOfTwo && body.ledger.disputed) {
        expect(body).toMatchObject({ status: 'degraded', ledger: { disputed: { providers: ['rpc-1', 'rpc-2'] } } });
      } else expect([body.ledger.sources, entryRows(rows)]).toEqual([2, entryRows(honest.rows)]);
    },
  );
});

test('what only one provider can read rests on one source, and is compared with nothing', async () => {
  const { on, recorder, rows } = await recordFrom(await provider({ isPruned: true }), await provider());
  expect((await on.opened.ledger.progress.read()).coverage).toBeUndefined();
  await recorder.run({ mayGoOn: () => true });
  expect((await on.opened.ledger.progress.latest()).coverage).toMatchObject({ sources: 1, complete: true });
  expect(entryRows(rows)).toEqual(entryRows(honest.rows));
  const { ledger } = on.opened;
  const known = { contract: 'Staking', view: 'getGGPStake', ledger: '1', chain: '2', block: 3 };
  await ledger.progress.updateDoubts(0, (doubts) => ({ ...doubts, mismatches: [known] }));
  await expect(checkLedger({ ...on.opened, recorder })).rejects.toThrow('fewer than 2 providers answer');
  expect((await ledger.progress.doubts()).mismatches).toEqual([known]);
});

test('a figure that two providers return differently is named, and a third one decides', async () => {
  const urls = [await provider(), await provider({ altersSupply: true })];
  const two = await recordFrom(...urls);
  expect(await checkLedger({ ...two.on.opened, ...two })).toEqual([
    { contract: 'TokenggAVAX', view: 'totalSupply', ledger: expect.any(String), block: expect.any(Number) },
  ]);
  const three = await recordFrom(...urls, await provider());
  expect(await checkLedger({ ...three.on.opened, ...three })).toEqual([]);
});

test('an honest ledger has no mismatch, and one that lacks an event of each kind has one of each figure', async () => {
  const fair = await recordFrom(await provider());
  expect(await checkLedger({ ...fair.on.opened, ...fair })).toEqual([]);
  const lying = await recordFrom(await provider({ lie: () => [] }));
  const found = (await checkLedger({ ...lying.on.opened, ...lying })) ?? [];
  const viewsOf = (figures: readonly { contract: string; view: string }[]) =>
    new Set(figures.map(({ contract, view }) => `${contract} ${view}`));
  expect(viewsOf(found)).toEqual(viewsOf(CHECKS));
  const { body } = await sendTo(health, lying.on);
  expect(body).toMatchObject({ status: 'degraded', ledger: { mismatches: expect.any(Array) } });
});
