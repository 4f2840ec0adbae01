import { startAvalancheApi } from '../../infra/local/avalanche-api.ts';
import { P_CHAIN_SUPPLY, startDevnet } from '../../infra/local/devnet/devnet.ts';

/** One devnet for all tests that only read. It stands still; tests that mine blocks start their own. */
export default async function setup(): Promise<void> {
  const devnet = await startDevnet({ live: false });
  const api = await startAvalancheApi({ validators: devnet.validators, supply: P_CHAIN_SUPPLY });
  Object.assign(process.env, {
    DEVNET_RPC_URL: devnet.url,
    DEVNET_P_CHAIN_URL: api.pChainUrl,
    DEVNET_DATA_API_URL: api.dataApiUrl,
    // Handlers in the tests' own processes keep their lines to themselves.
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
  globalThis.stopDevnet = async () => {
    await api.stop();
    await devnet.stop();
  };
}

declare global {
  var stopDevnet: () => Promise<void>;
}
