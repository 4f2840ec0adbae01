import { beforeAll, expect, test } from '@jest/globals';
import { type RequestContext, withDatasets } from '../../../lib/cache/dataset.ts';
import { chainOf, type ProtocolState } from '../../../lib/chain/chain.ts';
import { readMinipools } from '../../../lib/contracts/minipool-manager.ts';
import { readStakers } from '../../../lib/contracts/staking.ts';
import { readCachedPools } from '../../../lib/prices/current.ts';
import { operatorsDataset } from '../../../lib/protocol/operators-dataset.ts';
import { readProtocol } from '../../../lib/protocol/protocol.ts';
import { stakingDataset } from '../../../lib/protocol/staking-dataset.ts';
import type { Context } from '../../../lib/runtime/context.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/** What datasets are made of, on the devnet. Other tests compare each part with its contract. */

tablesForAllTests();
let opened: Context;
let context: RequestContext;
let state: ProtocolState;

beforeAll(async () => {
  opened = startOnDevnet().opened;
  context = withDatasets(opened, []);
  state = await chainOf(opened).latest();
});

test('the operators dataset is all stakers and all minipools, at one block', async () => {
  const staking = await stakingDataset.read(context);
  const operators = await operatorsDataset.read(context);
  const { minipools, ...others } = operators;
  expect(others).toEqual(staking);
  expect(staking.stakers).toEqual(await readStakers(state));
  expect(minipools).toEqual(await readMinipools(state));
});

test('the protocol is read with all its parts', async () => {
  const protocol = await readProtocol(state, await readCachedPools(opened));
  expect(protocol.staking).toEqual(await stakingDataset.read(context));
  expect(protocol.minipools).toEqual(await readMinipools(state));
  expect(Object.values(protocol).filter((part) => part === undefined)).toEqual([]);
  expect(protocol.prices.ggpInAVAX?.price).toBeGreaterThan(0n);
  expect(protocol.staking.paused).toEqual({
    TokenggAVAX: false,
    MinipoolManager: false,
    RewardsPool: false,
    Staking: false,
  });
});
