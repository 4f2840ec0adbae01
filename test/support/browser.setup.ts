import { startSystem } from '../../infra/local/system.ts';
import startDevnet from './devnet.setup.ts';
import { recordingTelemetry } from './telemetry.ts';

/**
 * One service for all tests of the pages, none of which changes it. Its chain stands still, so that a page and a test
 * that request the same path get the same answer.
 */
export default async function setup(): Promise<void> {
  await startDevnet();
  const { DEVNET_RPC_URL: RPC_URLS, DEVNET_P_CHAIN_URL: P_CHAIN_URLS, DEVNET_DATA_API_URL: DATA_API_URL } = process.env;
  const env = { PORT: '0', RPC_URLS, P_CHAIN_URLS, DATA_API_URL };
  const system = await startSystem({ env, telemetry: recordingTelemetry(), onStep: () => {} });
  await system.recorded;
  process.env.PAGES_URL = system.url;
  const { stopDevnet } = globalThis;
  globalThis.stopDevnet = async () => {
    await system.stop();
    await stopDevnet?.();
  };
}
