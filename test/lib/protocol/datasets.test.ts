import { beforeAll, expect, test } from '@jest/globals';
import type { ProtocolState } from '../../../lib/chain/chain.ts';
import type { Context } from '../../../lib/context/context.ts';
import { type RequestContext, withDatasets } from '../../../lib/context/dataset.ts';
import { decodeMinipool, readMinipools } from '../../../lib/contracts/minipool-manager.ts';
import { readStakers } from '../../../lib/contracts/staking.ts';
import { knownPools } from '../../../lib/prices/current.ts';
import { indexesOf, minipoolsDataset, minipoolsOf, statusesOf } from '../../../lib/protocol/minipools.ts';
import { operatorsDataset } from '../../../lib/protocol/operators.ts';
import { readProtocol } from '../../../lib/protocol/protocol.ts';
import { stakingDataset } from '../../../lib/protocol/staking.ts';
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
  state = await opened.chain.latest();
});

test('the operators dataset is all stakers and all minipools, at one block', async () => {
  const staking = await stakingDataset.read(context);
  const operators = await operatorsDataset.read(context);
  const { minipools, ...others } = operators;
  expect(others).toEqual(staking);
  expect(staking.stakers).toEqual(await readStakers(state));
  if (!minipools) throw new Error('no minipools');
  expect(minipools.block).toEqual(staking.block);
  const records = await readMinipools(state);
  expect(await minipoolsOf(opened, minipools, {})).toEqual(records.map(decodeMinipool));
  // Refreshed from what has been read before, it is the same.
  expect(await operatorsDataset.read(context, operators)).toEqual({ ...operators, minipools: expect.anything() });
  expect(await stakingDataset.read(context, staking)).toEqual(staking);
});

test('the minipools dataset has the status of every record, by index', async () => {
  const minipools = await minipoolsDataset.read(context);
  const records = await readMinipools(state);
  const names = ['prelaunch', 'launched', 'staking', 'withdrawable', 'finished', 'canceled', 'error'];
  expect(statusesOf(minipools)).toEqual(records.map(({ status }) => names[status]));
  expect(indexesOf(minipools)).toEqual(records.map(({ index }) => index));
});

test('the protocol is read with all its parts', async () => {
  const protocol = await readProtocol(state, await knownPools(opened));
  const records = await readMinipools(state);
  expect(protocol.staking).toEqual(await stakingDataset.read(context));
  expect(protocol.minipools).toMatchObject({
    total: records.length,
    withdrawable: records.filter(({ status }) => status === 3).map(decodeMinipool),
    counts: { finished: records.filter(({ status }) => status === 4).length },
  });
  expect(Object.values(protocol).filter((part) => part === undefined)).toEqual([]);
  expect(protocol.prices.ggpInAVAX?.price).toBeGreaterThan(0n);
  expect(protocol.staking.paused).toEqual({
    TokenggAVAX: false,
    MinipoolManager: false,
    RewardsPool: false,
    Staking: false,
  });
});
