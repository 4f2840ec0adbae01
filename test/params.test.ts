import { describe, expect, test } from '@jest/globals';
import { choices } from '../lib/params.ts';

describe('choices', () => {
  const statuses = choices(['open', 'half open', 'shut'], 'States to keep.');

  test.each([
    ['shut', ['shut']],
    ['shut,open', ['open', 'shut']],
    ['open, half open', ['open', 'half open']],
    ['open,open', ['open']],
  ])('%j is %j: once each, in their own order, so that equal wishes are one cache key', (text, expected) => {
    expect(statuses.parse(text)).toEqual(expected);
  });

  test.each(['', 'Open', 'open,', 'open;shut', 'ajar', 'open,ajar'])('refuses %j and says what it takes', (text) => {
    const { error } = statuses.safeParse(text);
    expect(error?.issues[0]?.message).toBe('must be one or more of open, half open, shut, separated by commas');
  });
});
