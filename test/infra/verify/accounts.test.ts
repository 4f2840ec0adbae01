import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountsAddress } from '../../../functions/accounts/address.ts';
import { account } from '../../../infra/verify/accounts.ts';
import { type ChainSource, connectChain } from '../../../infra/verify/chain.ts';
import { createHandler } from '../../../lib/api/endpoint.ts';
import { type Chain, openChain } from '../../functions/devnet.ts';
import { send } from '../../support/events.ts';
import { recordLedger } from '../../support/recorded.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/** What `npm run verify` compares of accounts: right for everybody, and a difference of one wei is noticed. */

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients see them
type Body = any;

tablesForAllTests();
let chain: Chain;
let verifier: ChainSource;

beforeAll(async () => {
  chain = await openChain();
  verifier = await connectChain(43_112, process.env.DEVNET_RPC_URL);
  await recordLedger();
});
afterAll(() => {
  chain.rpc.close();
  verifier.close();
});

/** The fields in which a body is not what the contracts say. */
async function wrongIn(body: Body): Promise<string[]> {
  const figures = await account(body, verifier.at(body.block.number), (block) => verifier.at(block));
  return figures.filter(({ served, expected }) => served !== expected).map(({ field }) => field);
}

/** An amount with one wei more. */
const more = (amount: string) => `${BigInt(amount.replace('.', '')) + 1n}`.replace(/(.{18})$/, '.$1');

test('totals, GGP that can be withdrawn and requests that can be canceled are those of the contracts', async () => {
  const seen = new Set<string>();
  for (const address of Object.values(chain.people)) {
    const { body } = await send(createHandler(accountsAddress, startOnDevnet()), { params: { address } });
    expect([address, await wrongIn(body)]).toEqual([address, []]);
    for (const { what, amount } of body.availableNow) {
      if (!['withdrawGgp', 'cancelUnstake'].includes(what) || !/\.\d{18}$/.test(amount)) continue;
      seen.add(what);
      const lie = body.availableNow.map((one: Body) =>
        one.what === what ? { ...one, amount: more(one.amount) } : one,
      );
      expect(await wrongIn({ ...body, availableNow: lie })).toHaveLength(1);
    }
    if (!/\.\d{18}$/.test(body.totalAVAX)) continue;
    seen.add('totalAVAX');
    expect(await wrongIn({ ...body, totalAVAX: more(body.totalAVAX) })).toEqual(['totalAVAX']);
  }
  expect([...seen].toSorted()).toEqual(['cancelUnstake', 'totalAVAX', 'withdrawGgp']);
});
