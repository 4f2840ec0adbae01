import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { IdlePoller } from '../../../infra/local/idle-poller.ts';
import { nextRun } from '../../../infra/local/run-history-recorder.ts';

/** The polling of a local service for new blocks: slow while the service is idle, and immediate after a request. */

const HOUR_MS = 3_600_000;
const soon = () => new Promise((resolve) => setTimeout(resolve, 50, 'still waiting'));
let stopping: AbortController;
let signal: AbortSignal;
beforeEach(() => {
  stopping = new AbortController();
  signal = stopping.signal;
});
afterEach(() => stopping.abort());

test('a request ends the wait of a service that nobody asked, and makes the next ones short', async () => {
  const pace = new IdlePoller({ askedMs: 1, idleMs: HOUR_MS, attentionMs: HOUR_MS });
  const waiting = pace.rest(signal);
  expect(await Promise.race([waiting, soon()])).toBe('still waiting');
  pace.asked();
  expect(await waiting).toBe(true);
  expect(await pace.rest(signal)).toBe(true);
});

test('some time after the last request, it waits for longer again', async () => {
  const pace = new IdlePoller({ askedMs: 1, idleMs: HOUR_MS, attentionMs: 0 });
  pace.asked();
  expect(await Promise.race([pace.rest(signal), soon()])).toBe('still waiting');
});

test('a stop ends either wait', async () => {
  const pace = new IdlePoller({ askedMs: HOUR_MS, idleMs: HOUR_MS, attentionMs: HOUR_MS });
  const idle = pace.rest(signal);
  stopping.abort();
  expect(await idle).toBe(false);
  pace.asked();
  expect(await pace.rest(signal)).toBe(false);
});

test.each([
  ['before the full hour, even if it ends after it', -30_000, 0],
  ['within the minute in which its last block may not be known', 59_999, 0],
  ['later', 60_000, 1],
])('an hour is recorded a minute after it is full: a run that began %s', (_, began, hours) => {
  const full = 491_000 * HOUR_MS;
  expect(nextRun(full + began)).toBe(full + hours * HOUR_MS + 60_000);
});
