import { describe, expect, test } from '@jest/globals';
import { validatorsNodeID } from '../../../functions/validators/node-id.ts';
import { startAvalancheApi } from '../../../infra/devnet/avalanche-api.ts';
import { formatNodeID } from '../../../lib/values/cb58.ts';
import { deadUrl, stoppedAfterEach } from '../../support/servers.ts';
import { tablesForEachTest } from '../../support/tables.ts';
import { startValidators } from './container.ts';
import { knowMinipools, minipoolOf } from './known-minipools.ts';
import { network, nodeHex, validatorOf } from './network.ts';

const keep = stoppedAfterEach();

tablesForEachTest();

describe('a validator', () => {
  const validator = validatorOf(3);
  /** The details that both sources have. */
  const details = {
    nodeID: validator.nodeID,
    txID: validator.txID,
    startTime: validator.startTime,
    endTime: validator.endTime,
    amountStaked: '2000',
    amountDelegated: '75',
    delegationCapacity: '7925',
    delegatorCount: 3,
    delegationFeePercent: 2,
    uptimePercent: 99.98,
    neededUptimePercent: 90,
    blsPublicKey: validator.blsPublicKey,
    asOf: expect.any(Number),
  };
  const rewards = { validation: '4.683805592', addresses: ['P-avax10f8305248c0wsfsdempdtpx7lpkc30vwzl9y9q'] };

  test('has all details that the Data API knows', async () => {
    const container = keep(await startValidators([validator, validatorOf(0, { delegated: 0n })]));
    await knowMinipools(container.runtime.opened, [minipoolOf(3, 'staking')]);
    const { status, headers, body } = await container.one(validator.nodeID);
    expect(status).toBe(200);
    expect(headers['Cache-Control']).toMatch(/^public, max-age=300,/);
    expect(body).toEqual({
      ...details,
      stakePercent: 50.9202453988,
      potentialRewards: { ...rewards, delegation: '0.003512854' },
      avalancheGoVersion: 'avalanchego/1.15.0',
      minipool: { index: 3, owner: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A', status: 'staking' },
      source: 'data-api',
    });
    expect(validatorsNodeID.response().parse(body)).toEqual(body);
  });

  test('read from the P-Chain has fewer fields, with the same meaning', async () => {
    const pChain = keep(await startAvalancheApi({ validators: [validator] }));
    const container = keep(
      await startValidators([validator], { DATA_API_URL: await deadUrl(), P_CHAIN_URLS: pChain.pChainUrl }),
    );
    await knowMinipools(container.runtime.opened, []);
    const { body } = await container.one(validator.nodeID);
    expect(body).toEqual({ ...details, stakePercent: 100, potentialRewards: rewards, source: 'p-chain' });
    expect(validatorsNodeID.response().parse(body)).toEqual(body);
  });

  test('that is not currently validating is a 404, which names it as people do', async () => {
    const container = keep(await startValidators(network(3)));
    const { status, headers, body } = await container.one(nodeHex(9));
    expect(status).toBe(404);
    expect(headers['Cache-Control']).toBe('public, max-age=15');
    expect(body).toMatchObject({
      code: 'VALIDATOR_NOT_FOUND',
      detail: `${formatNodeID(nodeHex(9))} is not currently validating the Primary Network.`,
    });
  });
});
