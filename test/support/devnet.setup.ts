import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startAvalancheApi } from '../../infra/devnet/avalanche-api.ts';
import { startDevnet } from '../../infra/devnet/devnet.ts';
import { connect } from '../../infra/devnet/rpc.ts';
import startTables from './tables.setup.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** One devnet for all tests that only read. It stands still; tests that mine blocks start their own. */
export default async function setup(): Promise<void> {
  const tables = startTables();
  // Started for another project of this run.
  if (process.env.DEVNET_RPC_URL) return tables;
  const devnet = await startDevnet({ live: false });
  await tables;
  const api = await startAvalancheApi(devnet);
  Object.assign(process.env, {
    DEVNET_RPC_URL: devnet.url,
    DEVNET_STATE: await dumpState(devnet.url),
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

/** Writes the newest state to a file, and returns its path. */
export async function dumpState(url: string): Promise<string> {
  const rpc = connect(url);
  const dump = String(await rpc.send('anvil_dumpState'));
  rpc.close();
  const { blocks, transactions, ...state } = JSON.parse(String(gunzipSync(Buffer.from(dump.slice(2), 'hex'))));
  const path = join(temporaryFolder('devnet'), 'state');
  const newest = JSON.stringify({ ...state, blocks: [], transactions: [] });
  await writeFile(path, `0x${gzipSync(newest).toString('hex')}`);
  return path;
}

declare global {
  var stopDevnet: (() => Promise<void>) | undefined;
}
