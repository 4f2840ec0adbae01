import { startAvalancheApi } from '../../infra/devnet/avalanche-api.ts';
import { startDevnet } from '../../infra/devnet/devnet.ts';
import startTables from './tables.setup.ts';

/**
 * One devnet for all tests that only read. It stands still; tests that mine blocks start their own.
 */
export default async function setup(): Promise<void> {
  const tables = startTables();
  // Started for another project of this run.
  if (process.env.DEVNET_RPC_URL) return tables;
  const devnet = await startDevnet({ live: false });
  await tables;
  const api = await startAvalancheApi(devnet);
  Object.assign(process.env, {
    DEVNET_RPC_URL: devnet.url,
    DEVNET_P_CHAIN_URL: api.pChainUrl,
    DEVNET_DATA_API_URL: api.dataApiUrl,
    // Silences the logs and metrics of handlers that run in the tests' own processes.
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
  globalThis.stopDevnet = async () => {
    await api.stop();
    await devnet.stop();
  };
}

declare global {
  var stopDevnet: (() => Promise<void>) | undefined;
}
