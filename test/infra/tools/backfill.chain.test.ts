import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { newestBoundary } from '../../../lib/history/record-history.ts';
import { subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import { LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import { LedgerRecorder } from '../../../lib/ledger/record-ledger.ts';
import { DAY, HOUR } from '../../../lib/values/durations.ts';
import { forkDevnet } from '../../functions/devnet.ts';
import { cover, LogChain, serve, staked } from '../../support/log-chain.ts';
import { proxyTo } from '../../support/rpc-providers.ts';
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

/** The exit code of a whole run, and its output from the next line on. */
async function backfill(args: string[], env: Record<string, string> = {}): Promise<string> {
  const { code, output } = start(args, env);
  return `${await code}\n${output.text}`;
}

const range = (from: number, to = newest) => ['--from', String(from), '--to', String(to), '--interval', '1h'];
const recorded = (interval: '1h' | '1d' = '1h') => runtime.opened.history.timestamps(interval, 0, newest);

describe('a backfill', () => {
  test('records the missing points, and has nothing to do the second time', async () => {
    const output = await backfill(range(newest - 20 * HOUR));
    expect(output).toMatch(/^0\ndevnet, 1h: 21 points, 0 already recorded\n/);
    expect(output).toMatch(/\n100 % \(21 of 21\)\nDone: 21 recorded in \d+\.\d s\.\n$/);
    expect(await recorded()).toHaveLength(21);
    const again = await backfill(range(newest - 20 * HOUR));
    expect(again).toMatch(/^0\n.+21 points, 21 already recorded\nDone: 0 recorded/);
  });

  test('of days accepts dates, and ends at the newest boundary by default', async () => {
    const from = new Date((newest - 3 * DAY) * 1_000).toISOString().slice(0, 10);
    expect(await backfill(['--from', from])).toMatch(/^0\ndevnet, 1d: 4 points/);
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
    expect(await backfill(range(oldest))).toMatch(new RegExp(`^0\\n.+ ${before.length} already recorded\n`));
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
      const [code, text, ...others] = (await backfill(args, env)).trimEnd().split('\n');
      expect([args, code, text, others]).toEqual([args, '1', expect.stringMatching(message), []]);
    });
    await Promise.all(runs);
  });

  test('that cannot reach the chain says so in one line, without its URL, and not that all is recorded', async () => {
    const RPC_URLS = await deadUrl();
    const output = await backfill(range(newest - HOUR), { RPC_URLS });
    expect(output).toMatch(/^1\n.+\n$/);
    expect(output).not.toContain(new URL(RPC_URLS).port);
    expect(await backfill(['--all'], { RPC_URLS })).not.toMatch(/^0|is recorded/);
  });
});

test('a backfill of everything brings empty tables to the whole past, kind by kind, and then has nothing to do', async () => {
  const hours = { HOURLY_START: String(newest - 5 * HOUR) };
  const output = await backfill(['--all'], hours);
  expect(output).toMatch(/^0\n.+ledger: \d+ blocks to .+1d: \d+ points, 0 already .+1h: .+distributions: 2 cycles/s);
  // The devnet's third cycle runs.
  expect(output).toMatch(/\nAll that is due is recorded\. The GGP of the .* it is recorded from 20\S+Z on\.\n$/);
  const [days, hourly] = await Promise.all([recorded('1d'), recorded('1h')]);
  // From the protocol's first day on.
  expect(days.length).toBeGreaterThan(115);
  expect(hourly.length).toBeGreaterThanOrEqual(6);
  expect((await runtime.opened.history.of('distributions').timestamps('1d', 0, newest)).length).toBe(2);
  await runtime.opened.ledger.progress.updateDoubts(0, (doubts) => ({ ...doubts, refused: [{ cycle: 22 }] }));
  const unknown = 'The GGP that rewards cycle 22 paid to stakers is unknown: its figures disagree\\.';
  expect(await backfill(['--all'], hours)).toMatch(
    new RegExp(`^0\n.*distributions: 0 cycles to record\n.*\n${unknown}\n`, 's'),
  );
});

describe('a backfill of the ledger', () => {
  const keep = stoppedAfterEach();
  /** A ledger without anything cached, as another process would open it. */
  const ledger = () => startOnDevnet().opened.ledger;
  const recorded = () => ledger().all(subjectOf.protocol);

  test('records all events, and has nothing to do the second time', async () => {
    const first = await backfill(['--ledger']);
    const { entries, coverage } = await recorded();
    expect(first).toMatch(/^0\ndevnet, ledger: \d+ blocks to index\n(.*\n)*100 % \(\d+ of \d+\), \d+ events\n/);
    expect(first).toMatch(new RegExp(`Done: ${entries.length} events in [\\d.]+ s\\.\n$`));
    expect(coverage).toMatchObject({ fromBlock: 1, complete: true });

    const second = await backfill(['--ledger']);
    expect(second).toMatch(/^0\ndevnet, ledger: 0 blocks to index\nDone: 0 events in [\d.]+ s\.\n$/);
    const again = await backfill(['--again']);
    expect(again).toMatch(new RegExp(`^0\n.*Done: ${entries.length} events.*\nSwitched to the new events\\.\n`, 's'));
    expect([await recorded(), (await ledger().progress.read()).generation]).toMatchObject([{ entries }, 1]);

    const both = await Promise.all([backfill(['--again']), backfill(['--again'])]);
    expect(both).toEqual(both.map(() => expect.stringMatching(/^0\n/)));
    expect((await recorded()).entries).toEqual(entries);
  });

  test('anew begins from the start, and says so, if what was begun rests on one provider, but two keep old states now', async () => {
    const begun = new LedgerStore(ledger().table, 1);
    await cover(begun, 100, 200, 0, { sources: 1, generation: 1 });
    const url = process.env.DEVNET_RPC_URL as string;
    const again = start(['--again'], { RPC_URLS: [url, keep(await proxyTo(url)).url].join() });
    expect([await again.code, again.output.text]).toEqual([
      0,
      expect.stringMatching(/it begins from the start\.\n.*Switched/s),
    ]);
    expect(await ledger().progress.read()).toMatchObject({ generation: 2, sources: 2 });
  });

  test('anew ends beside a recorder that goes on with each block', async () => {
    const fork = keep(await forkDevnet());
    await fork.rpc.send('evm_setIntervalMining', 1);
    const on = startOnDevnet({ RPC_URLS: fork.url });
    const recorder = new LedgerRecorder(on.opened.chain, on.opened.ledger);
    await recorder.run({ mayGoOn: () => true });
    const again = start(['--again'], { RPC_URLS: fork.url });
    let blocks = 0;
    while (again.child.exitCode === null) {
      const onStep = ({ from, to }: { from: number; to: number }) => {
        blocks += to - from + 1;
      };
      await recorder.run({ mayGoOn: () => true, onStep });
      await sleep(200);
    }
    expect([await again.code, again.output.text]).toEqual([0, expect.stringContaining('Switched to the new events.')]);
    expect(blocks).toBeGreaterThan(5);
  });

  test('that is interrupted continues when it is run again', async () => {
    const chain = new LogChain(60_000);
    chain.emitted = Array.from({ length: 600 }, (_, index) => staked(1 + index * 100, index));
    const searchedFrom = async () => (await ledger().progress.read()).blocks?.from ?? 60_000;
    // The provider waits for the interruption: on a busy machine, the backfill would be done before.
    const interruption = Promise.withResolvers<void>();
    const isDown = async () => {
      await sleep(30);
      if ((await searchedFrom()) <= 50_000) await interruption.promise;
      return false;
    };
    const slow = keep(await serve(chain, { isDown }));
    const first = start(['--ledger'], { RPC_URLS: slow.url });
    while ((await searchedFrom()) > 50_000) await sleep(10);
    first.child.kill('SIGINT');
    interruption.resolve();
    expect(await first.code).toBe(130);
    expect(first.output.text).toMatch(/Interrupted: \d+ events in .* Run it again to continue\.\n$/);
    const { coverage } = await recorded();
    expect(coverage.fromBlock).toBeGreaterThan(1);

    // It ends with 1: the state of a made chain does not follow from its events.
    const second = await backfill(['--ledger'], { RPC_URLS: slow.url });
    expect(second).toMatch(new RegExp(`^1\ndevnet, ledger: ${coverage.fromBlock - 1} blocks to index\n`));
    const { entries } = await recorded();
    expect(entries.map(({ block }) => block)).toEqual(chain.emitted.map(({ block }) => block));
  });

  test('retries until a provider recovers, and tries the others', async () => {
    const chain = new LogChain(10_000);
    chain.emitted = [staked(1, 1), staked(9_999, 2)];
    let failures = 2;
    const refuse = () => (failures-- > 0 ? { code: -32_603, message: 'internal error' } : undefined);
    const flaky = keep(await serve(chain, { refuse }));
    const good = keep(await serve(chain));
    const RPC_URLS = `${await deadUrl()},${flaky.url},${good.url}`;
    expect(await backfill(['--ledger'], { RPC_URLS })).toMatch(/^1\n.*\nDone: 2 events/s);
  });
});
