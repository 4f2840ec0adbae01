import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountsAddress } from '../../../functions/accounts/address.ts';
import { account } from '../../../infra/verify/accounts.ts';
import { type ChainAt, type ChainSource, connectChain } from '../../../infra/verify/chain.ts';
import { chainForAllTests } from '../../functions/devnet.ts';
import { type Body, sendTo } from '../../support/events.ts';
import { recordLedger } from '../../support/recorded.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { tablesForAllTests } from '../../support/tables.ts';
import { alter } from './lies.ts';

/** Comparison of accounts by `npm run verify`: correct for everybody, and a difference of one wei is detected. */

tablesForAllTests();
const chain = chainForAllTests();
let verifier: ChainSource;

beforeAll(async () => {
  verifier = await connectChain(43_112, process.env.DEVNET_RPC_URL);
  await recordLedger();
});
afterAll(() => {
  verifier.close();
});

/** Returns the fields in which a body differs from the contracts. */
async function wrongIn(body: Body, chain: ChainAt): Promise<string[]> {
  const figures = await account(body, chain, verifier);
  return figures.filter(({ served, expected }) => served !== expected).map(({ field }) => field);
}

/** The places of all values in a body. */
function placesIn(value: Body, place: string[] = []): string[][] {
  if (typeof value !== 'object') return [place];
  return Object.entries(value).flatMap(([name, part]) => placesIn(part, [...place, name]));
}

/** The body with another value at a place: one wei more, if it is an amount. */
function lyingAt([name = '', ...rest]: string[], body: Body): Body {
  if (name !== '') return Object.assign(Array.isArray(body) ? [] : {}, body, { [name]: lyingAt(rest, body[name]) });
  if (typeof body === 'boolean') return !body;
  const other = alter(body);
  return other === body ? `${body}0` : other;
}

test('every field is what the contracts say, for everybody, and a lie in any is noticed', async () => {
  const noticed = new Set<string>();
  for (const address of Object.values(chain.people)) {
    const { body } = await sendTo(accountsAddress, startOnDevnet(), { params: { address } });
    const at = verifier.at(body.block.number);
    expect([address, await wrongIn(body, at)]).toEqual([address, []]);
    for (const place of placesIn(body)) {
      const [part = '', index = ''] = place;
      const what = part === 'availableNow' ? body.availableNow[Number(index)]?.what : '';
      const name = `${what} ${place.filter((each) => !/^\d+$/.test(each)).join('.')}`;
      // The block is compared by the caller, whose account it is depends on what was asked, and texts are no figures.
      if (['block', 'address'].includes(part) || /title|detail/.test(name) || noticed.has(name)) continue;
      noticed.add(name);
      expect([name, await wrongIn(lyingAt(place, body), at)]).not.toEqual([name, []]);
    }
  }
  expect([...noticed]).toEqual(
    expect.arrayContaining([
      ' totalUSD',
      ' ggAvax.redemption.reason',
      ' locked.until',
      'cancelUnstake availableNow.call.arguments',
    ]),
  );
});
