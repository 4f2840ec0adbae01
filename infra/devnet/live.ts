import { setTimeout as sleep } from 'node:timers/promises';
import { parseUnits } from 'ethers';
import { type Anvil, startAnvil } from './anvil.ts';
import { call, createBlockWriter } from './chain.ts';
import { connect, type Rpc } from './rpc.ts';
import { DAY, LAST_DAY } from './scenario/calendar.ts';
import type { Stage } from './scenario/founding.ts';
import type { Present } from './scenario/history.ts';
import { readExchangeRate } from './scenario/liquid-staking.ts';

/**
 * Time in seconds for which the live node keeps a state. It cannot keep all states: each one holds the hashes of all
 * earlier blocks, so memory would grow with the square of time. With a block every 20 seconds, a week takes about 2 GB.
 */
const STATES_KEPT_FOR = 3_600;

/**
 * Lets time go on from where the history ends: a second node, forked from the history's after one more block, mines a block every
 * `blockTime` seconds in which pools, feed and oracle move. The history's node mines no more, so all of the history stays readable
 * for as long as the devnet runs; the live node hands every question about it on.
 */
export async function goLive(
  options: Stage & Present & { history: Anvil; blockTime: number; onProgress: (line: string) => void },
): Promise<Anvil> {
  const { protocol, people, market, exchanges, history, blockTime, onProgress } = options;
  const past = createBlockWriter(options.rpc);
  await past.mine(await nextTimestamp(options.rpc), [exchanges.move(LAST_DAY, market.prices)]);
  await past.finish();

  const anvil = await startAnvil({ keepStates: Math.ceil(STATES_KEPT_FOR / blockTime), forkOf: history.url });
  const rpc = connect(anvil.url);
  const step = async () => {
    // A new writer each time: it reads the nonces again, because a failed step leaves wrong ones.
    const writer = createBlockWriter(rpc);
    const prices = market.advance(blockTime / DAY);
    const ggAvaxInAVAX = await readExchangeRate(writer.read, protocol);
    const timestamp = await nextTimestamp(rpc);
    const price = parseUnits(prices.ggpInAVAX.toFixed(12), 18);
    await writer.mine(timestamp, [
      exchanges.move(LAST_DAY, { ...prices, ggAvaxInAVAX }),
      call(people.rialto, protocol.Oracle, 'setGGPPriceInAVAX', [price, timestamp]),
    ]);
    await writer.finish();
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  const report = ({ message }: Error) =>
    signal.aborted || onProgress(`Devnet: a new block failed, retrying: ${message}`);
  void (async () => {
    while (await sleep(blockTime * 1_000, true, { signal }).catch(() => false)) await step().catch(report);
  })();
  return {
    ...anvil,
    async stop() {
      stopping.abort();
      rpc.close();
      await anvil.stop();
    },
  };
}

/** Timestamp of the next block (unix seconds): the clock, unless blocks were mined ahead of it. */
async function nextTimestamp(rpc: Rpc): Promise<number> {
  const { timestamp } = (await rpc.send('eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
  return Math.max(Math.floor(Date.now() / 1000), Number(timestamp) + 1);
}
