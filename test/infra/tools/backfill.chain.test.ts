import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { newestBoundary } from '../../../lib/history/record-history.ts';
import { subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import { readPage } from '../../../lib/ledger/page.ts';
import { LedgerRecorder } from '../../../lib/ledger/record-ledger.ts';
import { DAY, HOUR } from '../../../lib/values/durations.ts';
import { forkDevnet } from '../../functions/devnet.ts';
import { LogChain, serve, staked } from '../../support/log-chain.ts';
import { startOnDevnet, type TestRuntime } from '../../support/runtime.ts';
import { deadUrl, stoppedAfterEach } from '../../support/servers.ts';
import { tablesForEachTest } from '../../support/tables.ts';
import { run } from '../run.ts';

/** `npm run backfill` as an operator runs it: in a process of its own, with a real table and a real chain. */

let runtime: TestRuntime;
let newest: number;

tablesForEachTest();
beforeEach(async () => {
  runtime = startOnDevnet();
  newest = newestBoundary(await runtime.opened.chain.head());
});

function start(args: string[], env: Record<string, string> = {}) {
  const onDevnet = { NETWORK: 'devnet', RPC_URLS: process.env.DEVNET_RPC_URL, MAX_HEAD_AGE_SECONDS: '0' };
  return run('infra/tools/backfill.ts', args, { ...process.env, ...onDevnet, ...env });
}

const range = (from: number, to = newest) => ['--from', String(from), '--to', String(to), '--interval', '1h'];
const recorded = (interval: '1h' | '1d' = '1h') => runtime.opened.history.timestamps(interval, 0, newest);

describe('a backfill', () => {
  test('records the missing points, and has nothing to do the second time', async () => {
    const first = start(range(newest - 20 * HOUR));
    expect(await first.code).toBe(0);
    expect(first.output.text).toMatch(/^devnet, 1h: 21 points, 0 already recorded\n/);
    expect(first.output.text).toMatch(/^100 % \(21 of 21\)$/m);
    expect(first.output.text).toMatch(/Done: 21 recorded in \d+\.\d s\.\n$/);
    expect(await recorded()).toHaveLength(21);

    const second = start(range(newest - 20 * HOUR));
    expect(await second.code).toBe(0);
    expect(second.output.text).toMatch(/21 points, 21 already recorded\nDone: 0 recorded/);
  });

  test('of days accepts dates, and ends at the newest boundary by default', async () => {
    const from = new Date((newest - 3 * DAY) * 1_000).toISOString().slice(0, 10);
    const { code, output } = start(['--from', from]);
    expect(await code).toBe(0);
    expect(output.text).toMatch(/^devnet, 1d: 4 points/);
    expect(await recorded('1d')).toHaveLength(4);
  });

  test('that is interrupted says so, and continues when it is run again', async () => {
    const first = start(range(newest - 50 * DAY));
    while ((await recorded()).length < 5) await sleep(20);
    first.child.kill('SIGINT');
    expect(await first.code).toBe(130);
    expect(first.output.text).toMatch(/Interrupted: \d+ recorded in .* left\. Run it again to continue\.\n$/);
    const before = await recorded();
    expect(before.length).toBeLessThan(1_201);

    const oldest = Math.min(...before) - 2 * HOUR;
    const second = start(range(oldest));
    expect(await second.code).toBe(0);
    expect(second.output.text).toContain(`${before.length} already recorded`);
    expect(await recorded()).toHaveLength((newest - oldest) / HOUR + 1);
  });

  test('rejects invalid arguments and settings in one line', async () => {
    const invalid: [string[], Record<string, string>, RegExp][] = [
      [[], {}, /^--from is required.*$/],
      [['--from', 'yesterday'], {}, /^--from: must be a date.*$/],
      [['--from', '2026-08-02', '--to', '2026-08-01'], {}, /^--from: must not be after --to$/],
      [['--from', '2026-08-01', '--interval', '5m'], {}, /^--interval: must be one of 1h, 1d$/],
      [['--until', '2026-08-01'], {}, /^Unknown option '--until'.*$/],
      [['--from', '2026-08-01'], { HISTORY_TABLE: '' }, /^HISTORY_TABLE: must be the name of a DynamoDB table.*$/],
      [['--ledger', '--from', '2026-08-01'], {}, /^--ledger: takes no other options$/],
      [['--all', '--ledger'], {}, /^--all: takes no other options$/],
    ];
    const runs = invalid.map(async ([args, env, message]) => {
      const { code, output } = start(args, env);
      expect([args, await code]).toEqual([args, 1]);
      expect(output.text.trimEnd()).toMatch(message);
    });
    await Promise.all(runs);
  });

  test('that cannot reach the chain says so in one line, without its URL', async () => {
    const url = await deadUrl();
    const { code, output } = start(range(newest - HOUR), { RPC_URLS: url });
    expect(await code).toBe(1);
    expect(output.text.trim().split('\n')).toHaveLength(1);
    expect(output.text).not.toContain(new URL(url).port);
  });
});

/** The devnet's third cycle runs. */
const RUNNING = /\nAll that is due is recorded\. The GGP of the rewards cycle .* it is recorded from 20\S+Z on\.\n$/;

describe('a backfill of everything', () => {
  test('brings empty tables to the whole past, kind by kind, and then has nothing to do', async () => {
    const hours = { HOURLY_START: String(newest - 5 * HOUR) };
    const first = start(['--all'], hours);
    expect([await first.code, first.output.text]).toEqual([0, expect.stringMatching(RUNNING)]);
    expect(first.output.text).toMatch(
      /ledger: \d+ blocks to index.+1d: \d+ points, 0 already recorded.+1h: .+distributions: 2 cycles/s,
    );
    const [days, hourly] = await Promise.all([recorded('1d'), recorded('1h')]);
    // From the protocol's first day on.
    expect(days.length).toBeGreaterThan(115);
    expect(hourly.length).toBeGreaterThanOrEqual(6);
    expect((await runtime.opened.history.of('distributions').timestamps('1d', 0, newest)).length).toBe(2);
    const second = start(['--all'], hours);
    expect([await second.code, second.output.text]).toEqual([
      0,
      expect.stringContaining('distributions: 0 cycles to record'),
    ]);
  });

  test('says what it could not get', async () => {
    const { code, output } = start(['--all'], { RPC_URLS: await deadUrl() });
    expect(await code).toBe(1);
    expect(output.text).not.toContain('Everything is recorded');
  });
});

describe('a backfill of the ledger', () => {
  const keep = stoppedAfterEach();
  /** A ledger without anything cached, as another process would open it. */
  const ledger = () => startOnDevnet().opened.ledger;
  /** The number of entries and the coverage, read page by page. */
  async function recorded() {
    let count = 0;
    for (let cursor: string | undefined; ; ) {
      const page = await readPage(ledger(), subjectOf.protocol, { limit: 200, cursor });
      count += page.entries.length;
      cursor = page.nextCursor;
      if (!cursor) return { count, coverage: page.coverage };
    }
  }

  test('records all events, and has nothing to do the second time', async () => {
    const first = start(['--ledger']);
    expect(await first.code).toBe(0);
    expect(first.output.text).toMatch(/^devnet, ledger: \d+ blocks to index\n/);
    expect(first.output.text).toMatch(/^100 % \(\d+ of \d+\), \d+ events$/m);
    const { count, coverage } = await recorded();
    expect(first.output.text).toMatch(new RegExp(`Done: ${count} events in [\\d.]+ s\\.\n$`));
    expect(coverage).toMatchObject({ fromBlock: 1, complete: true });

    const second = start(['--ledger']);
    expect(await second.code).toBe(0);
    expect(second.output.text).toMatch(/^devnet, ledger: 0 blocks to index\nDone: 0 events in [\d.]+ s\.\n$/);

    const again = start(['--again']);
    expect(await again.code).toBe(0);
    expect(again.output.text).toContain(`Done: ${count} events`);
    expect(again.output.text).toContain('Switched to the new events.');
    expect([(await recorded()).count, (await ledger().progress.read()).generation]).toEqual([count, 1]);

    const both = [start(['--again']), start(['--again'])];
    expect(await Promise.all(both.map(({ code }) => code))).toEqual([0, 0]);
    expect((await recorded()).count).toBe(count);
  });

  test('anew ends beside a recorder that goes on with each block', async () => {
    const fork = keep(await forkDevnet());
    await fork.rpc.send('evm_setIntervalMining', 1);
    const on = startOnDevnet({ RPC_URLS: fork.url });
    const recorder = new LedgerRecorder(on.opened.chain, on.opened.ledger);
    await recorder.run({ mayGoOn: () => true });
    const again = start(['--again'], { RPC_URLS: fork.url });
    let isDone = false;
    const code = again.code.finally(() => {
      isDone = true;
    });
    let blocks = 0;
    while (!isDone) {
      const onStep = ({ from, to }: { from: number; to: number }) => {
        blocks += to - from + 1;
      };
      await recorder.run({ mayGoOn: () => true, onStep });
      await sleep(200);
    }
    expect([await code, again.output.text]).toEqual([0, expect.stringContaining('Switched to the new events.')]);
    expect(blocks).toBeGreaterThan(5);
  });

  /** The state of a made chain does not follow from its events. */
  const DIFFERS = 1;

  test('that is interrupted continues when it is run again', async () => {
    const chain = new LogChain(60_000);
    chain.emitted = Array.from({ length: 600 }, (_, index) => staked(1 + index * 100, index));
    const searchedFrom = async () => (await ledger().progress.read()).blocks?.from ?? 60_000;
    // The provider waits for the interruption: on a busy machine, the backfill would be done before.
    const interruption = Promise.withResolvers<void>();
    const slow = keep(
      await serve(chain, {
        async isDown() {
          await sleep(30);
          if ((await searchedFrom()) <= 50_000) await interruption.promise;
          return false;
        },
      }),
    );
    const first = start(['--ledger'], { RPC_URLS: slow.url });
    while ((await searchedFrom()) > 50_000) await sleep(10);
    first.child.kill('SIGINT');
    interruption.resolve();
    expect(await first.code).toBe(130);
    expect(first.output.text).toMatch(/Interrupted: \d+ events in .* Run it again to continue\.\n$/);
    const { coverage } = await ledger().all(subjectOf.protocol);
    expect(coverage.fromBlock).toBeGreaterThan(1);

    const second = start(['--ledger'], { RPC_URLS: slow.url });
    expect(await second.code).toBe(DIFFERS);
    expect(second.output.text).toContain(`devnet, ledger: ${coverage.fromBlock - 1} blocks to index`);
    const { entries } = await ledger().all(subjectOf.protocol);
    expect(entries.map(({ block }) => block)).toEqual(chain.emitted.map(({ block }) => block));
  });

  test('retries until a provider recovers, and tries the others', async () => {
    const chain = new LogChain(10_000);
    chain.emitted = [staked(1, 1), staked(9_999, 2)];
    let failures = 2;
    const flaky = keep(
      await serve(chain, {
        refuse: () => (failures-- > 0 ? { code: -32_603, message: 'internal error' } : undefined),
      }),
    );
    const good = keep(await serve(chain));
    const { code, output } = start(['--ledger'], { RPC_URLS: `${await deadUrl()},${flaky.url},${good.url}` });
    expect(await code).toBe(DIFFERS);
    expect(output.text).toContain('Done: 2 events');
  });
});
