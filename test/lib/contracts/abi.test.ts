import { beforeAll, expect, test } from '@jest/globals';
import { type FunctionFragment, Interface } from 'ethers';
import { type Artifacts, compileContracts } from '../../../infra/devnet/compile.ts';
import { abiOf } from '../../../infra/devnet/protocol.ts';
import { storageAt } from '../../../lib/chain/storage.ts';
import { ggAvaxAt } from '../../../lib/contracts/gg-avax.ts';
import { minipoolManagerAt } from '../../../lib/contracts/minipool-manager.ts';
import { oracleAt } from '../../../lib/contracts/oracle.ts';
import { protocolDAOAt } from '../../../lib/contracts/protocol-dao.ts';
import { ggpAt, rewardsPoolAt } from '../../../lib/contracts/rewards-pool.ts';
import { stakingAt } from '../../../lib/contracts/staking.ts';
import { vaultAt } from '../../../lib/contracts/vault.ts';
import { withdrawQueueAt } from '../../../lib/contracts/withdraw-queue.ts';
import { feedAt } from '../../../lib/prices/chainlink.ts';
import { lbFactoryAt, lbPairAt } from '../../../lib/prices/lb.ts';
import { v2FactoryAt, v2PairAt } from '../../../lib/prices/v2.ts';
import { tokenAt, v3FactoryAt, v3PoolAt } from '../../../lib/prices/v3.ts';

/** The signatures that readers declare, compared with the compiled contracts. */

let artifacts: Artifacts;

beforeAll(async () => {
  artifacts = await compileContracts();
});

/** They return more than is read, and the rest differs between versions and forks. */
const CUT_SHORT = ['slot0', 'getStaticFeeParameters'];

const typesOf = ({ outputs }: FunctionFragment) => outputs.map((output) => output.format('sighash'));
const namesOf = ({ outputs }: FunctionFragment) =>
  outputs.flatMap(({ components, arrayChildren }) =>
    (components ?? arrayChildren?.components ?? []).map((c) => c.name),
  );

test.each<[string, { signatures: readonly string[] }]>([
  ['Storage', storageAt],
  ['TokenggAVAX', ggAvaxAt],
  ['MinipoolManager', minipoolManagerAt],
  ['Oracle', oracleAt],
  ['ProtocolDAO', protocolDAOAt],
  ['RewardsPool', rewardsPoolAt],
  ['TokenGGP', ggpAt],
  ['Staking', stakingAt],
  ['Vault', vaultAt],
  ['WithdrawQueue', withdrawQueueAt],
  ['PriceFeed', feedAt],
  ['V2Factory', v2FactoryAt],
  ['V2Pair', v2PairAt],
  ['LBFactory', lbFactoryAt],
  ['LBPair', lbPairAt],
  ['UniswapV3Factory', v3FactoryAt.fee],
  ['RamsesV3Factory', v3FactoryAt.tickSpacing],
  ['V3Pool', v3PoolAt],
  ['WAVAX', tokenAt],
])('the views of %s are as its reader declares them', (name, { signatures }) => {
  const compiled = abiOf(artifacts, name);
  const declared = new Interface(signatures);
  expect(declared.fragments.length).toBeGreaterThan(0);
  declared.forEachFunction((view) => {
    const real = compiled.getFunction(view.format('sighash')) as FunctionFragment;
    expect(real?.constant).toBe(true);
    const [types, realTypes] = [typesOf(view), typesOf(real)];
    expect(types).toEqual(CUT_SHORT.includes(view.name) ? realTypes.slice(0, types.length) : realTypes);
    expect(namesOf(view)).toEqual(namesOf(real));
  });
});
