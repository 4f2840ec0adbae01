import { afterAll, beforeAll } from '@jest/globals';
import { type Devnet, startDevnet } from '../../../infra/devnet/devnet.ts';
import { type Client, createClient } from './devnet-client.ts';

export const DAY = 86_400;
/** The present time of the devnets in tests: 2026-11-18, a quarter of an hour after a two-hour boundary. */
export const NOW = 1_794_996_900;
/** Day 0 of the scenario. */
export const DAY_0 = Math.floor(NOW / 7200) * 7200 - 90 * DAY;

export interface Started {
  devnet: Devnet;
  client: Client;
  /** Lines of onProgress. */
  progress: string[];
  /** The number of the last block at or before a day of the scenario. */
  blockOnDay(day: number): Promise<number>;
}

/** A devnet that stands still, for the tests of a file. Its scenario is complete whatever `historyDays` is. */
export function useDevnet(historyDays: number): Started {
  const started = { progress: [] as string[] } as Started;
  beforeAll(async () => {
    const onProgress = (line: string) => started.progress.push(line);
    started.devnet = await startDevnet({ live: false, historyDays, now: NOW, onProgress });
    const client = createClient(started.devnet.url);
    started.client = client;
    started.blockOnDay = (day) => blockAt(client, DAY_0 + day * DAY);
  });
  afterAll(async () => {
    started.client?.rpc.close();
    await started.devnet?.stop();
  });
  return started;
}

async function blockAt(client: Client, timestamp: number): Promise<number> {
  let low = 0;
  let high = (await client.block('latest')).number;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((await client.block(middle)).timestamp <= timestamp) low = middle;
    else high = middle - 1;
  }
  return low;
}
