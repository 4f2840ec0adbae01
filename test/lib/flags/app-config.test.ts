import { createHash } from 'node:crypto';
import type { AppConfigDataClient } from '@aws-sdk/client-appconfigdata';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppConfigFlags } from '../../../lib/flags/app-config.ts';
import { FLAG_KEY, parseFlags } from '../../../lib/flags/document.ts';
import { type TestClock, testClock } from '../../support/clock.ts';

/** A session with AppConfig, with a fake client and a clock that tests move by hand. */

interface Answer {
  text?: string;
  label?: string;
  pollSeconds?: number;
  failure?: Error;
}

let clock: TestClock;
/** What the client was asked, in order: `start`, or `poll <token>`. */
let asked: string[];
let answer: Answer;
let source: AppConfigFlags;

beforeEach(() => {
  clock = testClock();
  asked = [];
  answer = { text: '{"a":{"enabled":true}}', label: 'v1' };
  let tokens = 0;
  const client = {
    async send({ input }: { input: Record<string, unknown> }) {
      const token = input.ConfigurationToken;
      asked.push(token ? `poll ${token}` : 'start');
      if (answer.failure) throw answer.failure;
      if (!token) return { InitialConfigurationToken: `token-${++tokens}` };
      return {
        NextPollConfigurationToken: `token-${++tokens}`,
        NextPollIntervalInSeconds: answer.pollSeconds,
        Configuration: answer.text === undefined ? undefined : Buffer.from(answer.text),
        VersionLabel: answer.label,
      };
    },
  };
  source = new AppConfigFlags(client as unknown as AppConfigDataClient, 'app/env/profile', clock);
});

describe('a session', () => {
  test('is started once, and each poll uses the token of the previous one', async () => {
    for (let poll = 0; poll < 3; poll++) {
      await source.latest();
      clock.skip(30_000);
    }
    expect(asked).toEqual(['start', 'poll token-1', 'poll token-2', 'poll token-3']);
  });

  test.each([
    [undefined, 30_000],
    [60, 60_000],
    [45, 45_000],
  ])('with a poll interval of %s s is polled after %d ms, and not before', async (pollSeconds, ms) => {
    Object.assign(answer, { pollSeconds });
    await source.latest();
    clock.skip(ms - 1);
    await source.latest();
    expect(asked).toHaveLength(2);
    clock.skip(1);
    await source.latest();
    expect(asked).toHaveLength(3);
  });

  test('that fails is started again after 30 s', async () => {
    await source.latest();
    clock.skip(30_000);
    answer.failure = new Error('down');
    await expect(source.latest()).rejects.toThrow('down');
    answer.failure = undefined;
    clock.skip(29_999);
    expect((await source.latest()).version).toBe('v1');
    expect(asked).toHaveLength(3);
    clock.skip(1);
    await source.latest();
    expect(asked.slice(3)).toEqual(['start', 'poll token-3']);
  });

  test('that has never answered has no document, and is not asked again at once', async () => {
    answer.failure = new Error('down');
    await expect(source.latest()).rejects.toThrow('down');
    await expect(source.latest()).rejects.toThrow('no document yet');
    expect(asked).toEqual(['start']);
    expect(source.lastGood).toBeUndefined();
  });
});

describe('a document', () => {
  test.each([undefined, ''])('stays the same while the answer is %j', async (text) => {
    await source.latest();
    clock.skip(30_000);
    Object.assign(answer, { text, label: 'v2' });
    expect(await source.latest()).toEqual({ version: 'v1', flags: { a: { enabled: true } } });
  });

  test.each([undefined, ''])('with the label %j has a hash of its content as its version', async (label) => {
    Object.assign(answer, { label });
    const hash = createHash('sha256').update('{"a":{"enabled":true}}').digest('hex');
    expect((await source.latest()).version).toBe(hash.slice(0, 12));
  });

  test('that is broken is rejected each time, and the last good one is kept', async () => {
    const good = await source.latest();
    clock.skip(30_000);
    Object.assign(answer, { text: '{"a":', label: 'v2' });
    await expect(source.latest()).rejects.toThrow(SyntaxError);
    await expect(source.latest()).rejects.toThrow(SyntaxError);
    expect(source.lastGood).toEqual(good);
    clock.skip(30_000);
    Object.assign(answer, { text: '{"b":{"enabled":false}}', label: 'v3' });
    expect(await source.latest()).toEqual({ version: 'v3', flags: { b: { enabled: false } } });
    expect(source.lastGood?.version).toBe('v3');
  });

  test.each<[string, boolean]>([
    ['{}', true],
    ['{"a":{"enabled":false}}', true],
    ['{"a":{"enabled":true,"s":"x","n":1.5,"b":false,"strings":["x"],"numbers":[1]}}', true],
    [`{"${'a'.repeat(64)}":{"enabled":true}}`, true],
    [`{"${'a'.repeat(65)}":{"enabled":true}}`, false],
    ['{"A":{"enabled":true}}', false],
    ['{"1a":{"enabled":true}}', false],
    ['{"a b":{"enabled":true}}', false],
    ['{"a":{}}', false],
    ['{"a":{"enabled":"yes"}}', false],
    ['{"a":{"enabled":true,"o":{}}}', false],
    ['{"a":{"enabled":true,"mixed":[1,"x"]}}', false],
    ['{"a":{"enabled":true,"none":null}}', false],
    ['{"a":{"_variants":[]}}', false],
    ['[]', false],
    ['null', false],
  ])('%s is valid: %s', (text, isDocument) => {
    if (isDocument) expect(parseFlags(text)).toEqual(JSON.parse(text));
    else expect(() => parseFlags(text)).toThrow();
  });

  test("has keys by AppConfig's rules", () => {
    for (const key of ['a', 'aB', 'a_b', 'a-b', 'a1', 'z'.repeat(64)]) expect(key).toMatch(FLAG_KEY);
    for (const key of ['', 'A', '_a', '-a', 'a.b', 'ä', 'a\n', 'z'.repeat(65)]) expect(key).not.toMatch(FLAG_KEY);
  });
});
