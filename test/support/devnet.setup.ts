import { startAvalancheApi } from '../../infra/devnet/avalanche-api.ts';
import { startDevnet } from '../../infra/devnet/devnet.ts';
import { startEmulator } from './emulator.ts';
import startTables from './tables.setup.ts';

/**
 * One devnet for all tests that only read. It stands still; tests that mine blocks start their own. If AWS_EMULATOR
 * names moto's server (`npm run test:aws`), that is started as well, and the tests' tables are in it.
 */
export default async function setup(): Promise<void> {
  const tables = startTables();
  // Started for another project of this run.
  if (process.env.DEVNET_RPC_URL) return tables;
  const devnet = await startDevnet({ live: false });
  await tables;
  const api = await startAvalancheApi(devnet);
  const emulator = process.env.AWS_EMULATOR ? await startEmulator(process.env.AWS_EMULATOR) : undefined;
  Object.assign(process.env, {
    DEVNET_RPC_URL: devnet.url,
    DEVNET_P_CHAIN_URL: api.pChainUrl,
    DEVNET_DATA_API_URL: api.dataApiUrl,
    // Silences the logs and metrics of handlers that run in the tests' own processes.
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
    ...(emulator && { AWS_EMULATOR_URL: emulator.url, AWS_EMULATOR_TABLES_URL: emulator.tablesUrl }),
  });
  globalThis.stopDevnet = async () => {
    await api.stop();
    await devnet.stop();
    await emulator?.stop();
  };
}

declare global {
  var stopDevnet: (() => Promise<void>) | undefined;
}
