import { parseUnits } from 'ethers';
import { type Anvil, startAnvil } from './anvil.ts';
import { call, createBlockWriter } from './chain.ts';
import { connect } from './rpc.ts';
import { DAY, LAST_DAY } from './scenario/calendar.ts';
import type { Present, Scene } from './scenario/history.ts';
import { readExchangeRate } from './scenario/liquid-staking.ts';

/** Seconds between blocks, each with a step of the market. */
const BLOCK_TIME = 20;

/**
 * States the live node keeps: an hour. It cannot keep them all: each holds the hashes of all blocks before it, so memory
 * would grow with the square of time. With these two numbers a week of uptime takes about 2 GB.
 */
const KEPT_STATES = 3600 / BLOCK_TIME;

/**
 * Lets time go on from where the history ends: a second node, forked from the history's, mines a block every 20 seconds in
 * which pools, feed and oracle move. The history's node mines no more, so all of the history stays readable for as long as
 * the devnet runs; the live node hands every question about it on.
 *
 * @param history the node that holds the history; it gets one more block, the one the live node forks from
 */
export async function goLive(
  { scene, present, history, port }: { scene: Scene; present: Present; history: Anvil; port: number },
  onProgress: (line: string) => void,
): Promise<Anvil> {
  const { protocol, people } = scene;
  const { market, exchanges } = present;
  const past = createBlockWriter(scene.rpc);
  await past.mine(unixTime(), [exchanges.move(LAST_DAY, market.prices)]);
  await past.finish();

  const anvil = await startAnvil({ port, keepStates: KEPT_STATES, forkOf: history.url });
  const rpc = connect(anvil.url);
  const writer = createBlockWriter(rpc);
  let stopped = false;
  let timer: NodeJS.Timeout;

  const step = async () => {
    const prices = market.advance(BLOCK_TIME / DAY);
    const ggAvaxInAVAX = await readExchangeRate(writer.read, protocol);
    const timestamp = unixTime();
    const price = parseUnits(prices.ggpInAVAX.toFixed(12), 18);
    await writer.mine(timestamp, [
      exchanges.move(LAST_DAY, { ...prices, ggAvaxInAVAX }),
      call(people.rialto, protocol.Oracle, 'setGGPPriceInAVAX', [price, timestamp]),
    ]);
    await writer.finish();
  };
  const schedule = () => {
    timer = setTimeout(async () => {
      await step().catch((error: Error) => stopped || onProgress(`The devnet's market stumbled: ${error.message}`));
      if (!stopped) schedule();
    }, BLOCK_TIME * 1000);
  };
  schedule();

  return {
    url: anvil.url,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      rpc.close();
      await anvil.stop();
    },
  };
}

function unixTime(): number {
  return Math.floor(Date.now() / 1000);
}
