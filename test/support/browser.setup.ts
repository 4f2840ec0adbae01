import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem } from '../../infra/local/system.ts';
import startDevnet from './devnet.setup.ts';
import { recordingTelemetry } from './telemetry.ts';

/**
 * One service for all tests of the pages: none of them changes it. Its chain stands still, so that a page and a test that ask one
 * after the other are told the same.
 */
export default async function setup(): Promise<void> {
  await startDevnet();
  const { DEVNET_RPC_URL: RPC_URLS, DEVNET_P_CHAIN_URL: P_CHAIN_URLS, DEVNET_DATA_API_URL: DATA_API_URL } = process.env;
  const env = { PORT: '0', RPC_URLS, P_CHAIN_URLS, DATA_API_URL };
  const system = await startSystem({ env, telemetry: recordingTelemetry(), onStep: () => {} });
  await hasPast(system.url);
  process.env.PAGES_URL = system.url;
  const { stopDevnet } = globalThis;
  globalThis.stopDevnet = async () => {
    await system.stop();
    await stopDevnet?.();
  };
}

/** The recorder goes on in the background: a quarter of the protocol and the nodes' uptimes have to be there. */
async function hasPast(url: string): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000) * 86_400;
  // biome-ignore lint/suspicious/noExplicitAny: a body
  const json = async (path: string): Promise<any> => (await fetch(url + path)).json();
  const { validators } = await json('/validators?protocol=true&sort=uptime&order=asc&limit=1');
  const paths = ['/metrics/history?interval=1d', `/validators/${validators[0].nodeID}/history?interval=1d`];
  for (const path of paths) {
    // Another limit is another answer: the same one would be kept for minutes.
    for (let limit = 60; ; limit++) {
      const { points } = await json(`${path}&from=${today - 60 * 86_400}&limit=${limit}`);
      if (points.length >= 60) break;
      await sleep(250);
    }
  }
}
