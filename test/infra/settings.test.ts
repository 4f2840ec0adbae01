import { expect, test } from '@jest/globals';
import { readSettings } from '../../infra/settings.ts';

/** What an operator may choose. */

test.each<[Record<string, string>, RegExp]>([
  [{ stage: 'Prod!' }, /^-c stage=… must be lower-case/],
  [{ network: 'devnet' }, /^-c network=… must be avalanche or fuji/],
  [{ domain: 'api.example.org' }, /need each other/],
  [{ warm: 'prices,stakers/address' }, /^-c warm.* may name prices, /],
  [{ alarmEmail: 'me' }, /^-c alarmEmail=… must be an e-mail address/],
])('context %j is refused', (context, message) => {
  expect(() => readSettings((name) => context[name])).toThrow(message);
});
