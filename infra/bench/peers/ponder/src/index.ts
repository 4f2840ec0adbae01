/**
 * The other peer of `npm run bench:peers`: an app of Ponder with PGlite, as its documentation shows it. It runs in a folder of its
 * own, in which these packages are installed.
 */

import { ponder } from 'ponder:registry';
import { entry } from 'ponder:schema';

const signatures: string[] = JSON.parse(process.env.EVENTS).map((event: string) => event.replace('event ', ''));
const nameOf = (signature: string) => signature.split('(')[0];

for (const signature of signatures) {
  const name = nameOf(signature);
  const isOverloaded = signatures.some((other) => other !== signature && nameOf(other) === name);
  ponder.on(`Protocol:${isOverloaded ? signature : name}`, async ({ event, context }) => {
    await context.db.insert(entry).values({
      id: event.id,
      type: name,
      block: Number(event.block.number),
      timestamp: Number(event.block.timestamp),
      transactionHash: event.transaction.hash,
      logIndex: event.log.logIndex,
      args: Object.fromEntries(Object.entries(event.args).map(([key, value]) => [key, String(value)])),
    });
  });
}
