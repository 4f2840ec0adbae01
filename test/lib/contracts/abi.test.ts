import { beforeAll, expect, test } from '@jest/globals';
import { type FunctionFragment, Interface } from 'ethers';
import { type Artifacts, loadArtifacts } from '../../../infra/devnet/compile.ts';
import { abiOf } from '../../../infra/devnet/protocol.ts';
import { STORAGE_ABI } from '../../../lib/chain/chain.ts';
import { GG_AVAX_ABI, POOL_ABI } from '../../../lib/contracts/gg-avax.ts';
import { GGP_ABI, ORACLE_ABI, REWARDS_POOL_ABI, VAULT_ABI } from '../../../lib/contracts/ggp.ts';
import { MINIPOOL_MANAGER_ABI } from '../../../lib/contracts/minipool-manager.ts';
import { PROTOCOL_DAO_ABI, SETTINGS_ABI } from '../../../lib/contracts/protocol-dao.ts';
import { STAKING_ABI } from '../../../lib/contracts/staking.ts';
import { QUEUE_ABI, WITHDRAW_QUEUE_ABI } from '../../../lib/contracts/withdraw-queue.ts';
import { FEED_ABI } from '../../../lib/prices/chainlink.ts';
import { LB_FACTORY_ABI, LB_PAIR_ABI } from '../../../lib/prices/lb.ts';
import { SAVAX_ABI } from '../../../lib/prices/pool.ts';
import { V2_FACTORY_ABI, V2_PAIR_ABI } from '../../../lib/prices/v2.ts';
import { TOKEN_ABI, V3_ABIS, V3_POOL_ABI } from '../../../lib/prices/v3.ts';

/** The ABIs of the readers, compared with the compiled contracts. */

let artifacts: Artifacts;

beforeAll(async () => {
  artifacts = await loadArtifacts();
});

const typesOf = ({ outputs }: FunctionFragment) => outputs.map((output) => output.format('sighash'));
const namesOf = ({ outputs }: FunctionFragment) =>
  outputs.flatMap(({ components, arrayChildren }) =>
    (components ?? arrayChildren?.components ?? []).map((c) => c.name),
  );

test.each<[string, readonly string[]]>([
  ['Storage', STORAGE_ABI],
  ['TokenggAVAX', [...POOL_ABI, ...GG_AVAX_ABI]],
  ['MinipoolManager', MINIPOOL_MANAGER_ABI],
  ['Oracle', ORACLE_ABI],
  ['ProtocolDAO', [...SETTINGS_ABI, ...PROTOCOL_DAO_ABI]],
  ['RewardsPool', REWARDS_POOL_ABI],
  ['TokenGGP', GGP_ABI],
  ['Staking', STAKING_ABI],
  ['Vault', VAULT_ABI],
  ['WithdrawQueue', [...QUEUE_ABI, ...WITHDRAW_QUEUE_ABI]],
  ['PriceFeed', FEED_ABI],
  ['FullRangeFactory', [...V2_FACTORY_ABI, ...Object.values(V3_ABIS).flatMap(({ factory }) => factory)]],
  ['FullRangePool', [...V2_PAIR_ABI, ...V3_POOL_ABI, ...V3_ABIS.fee.pool, ...V3_ABIS.deployer.pool]],
  ['LBFactory', LB_FACTORY_ABI],
  ['LBPair', LB_PAIR_ABI],
  ['StakedAvax', SAVAX_ABI],
  ['WAVAX', TOKEN_ABI],
])('the views of %s are as its reader declares them', (name, abi) => {
  const compiled = abiOf(artifacts, name);
  const declared = new Interface(abi);
  expect(declared.fragments.length).toBeGreaterThan(0);
  declared.forEachFunction((view) => {
    const real = compiled.getFunction(view.format('sighash')) as FunctionFragment;
    expect(real?.constant).toBe(view.constant);
    expect(typesOf(view)).toEqual(typesOf(real));
    expect(namesOf(view)).toEqual(namesOf(real));
  });
});
