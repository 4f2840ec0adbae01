import { expect, test } from '@jest/globals';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { itemsOf } from '../lib/archive/sample.ts';
import { killAfterWrites } from '../support/kills.ts';
import { LogChain, serve, staked } from '../support/log-chain.ts';
import { startContainer } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';

/** A process that is killed at any of its writes, and run again, leaves what an undisturbed one leaves. */

const tables = tablesForAllTests();
const keep = stoppedAfterEach();

const bothTables = async () => ({ ledger: await itemsOf('ledger'), history: await itemsOf('history') });

/**
 * Kills a run at its first write, another run in empty tables at its second, and so on. A further run finishes each.
 */
async function killAtEachWrite(run: () => Promise<unknown>): Promise<number> {
  await tables.renew();
  await run();
  const undisturbed = await bothTables();
  for (let kills = 0; ; kills++) {
    await tables.renew();
    if (!(await killAfterWrites(kills, run))) return kills;
    await run();
    expect([kills, await bothTables()]).toEqual([kills, undisturbed]);
  }
}

test('an indexing of the past, killed at each of its writes, ends with the same rows', async () => {
  const chain = new LogChain(1_200);
  chain.emitted = Array.from({ length: 60 }, (_, index) => staked(index * 20, index));
  const servers = [keep(await serve(chain)), keep(await serve(chain))];
  const RPC_URLS = servers.map(({ url }) => url).join();
  const kills = await killAtEachWrite(async () => {
    const { opened } = startContainer({ NETWORK: 'devnet', RPC_URLS, MAX_HEAD_AGE_SECONDS: '0' });
    await new LedgerRecorder(opened.chain, opened.ledger).run({ mayGoOn: () => true });
  });
  expect(kills).toBeGreaterThan(10);
});
