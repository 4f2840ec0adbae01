import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { dynamoDB } from '../../lib/tables/dynamodb.ts';
import { GUARD_MS } from '../support/guard.ts';
import { killAfterWrites } from '../support/kills.ts';
import { LogChain, serve, staked } from '../support/log-chain.ts';
import { startContainer } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';

/** A process that is killed at any of its writes, and run again, leaves what an undisturbed one leaves. */

const tables = tablesForAllTests();
const keep = stoppedAfterEach();

/** All items of a table, however they are ordered. */
async function itemsOf(TableName: string): Promise<string[]> {
  const client = dynamoDB(GUARD_MS);
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  client.destroy();
  return Items.map((item) => JSON.stringify(item, sorted)).sort();
}

/** Neither the attributes of an item nor the members of a set have an order. */
function sorted(name: string, value: unknown): unknown {
  if (name === 'SS') return (value as string[]).toSorted();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

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
