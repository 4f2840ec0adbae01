import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { validators } from '../../../functions/validators.ts';
import { MINIPOOL_STATUSES } from '../../../lib/contracts/minipool-statuses.ts';
import { stoppedAfterEach } from '../../support/servers.ts';
import { tablesForEachTest } from '../../support/tables.ts';
import { API_KEY, nodesIn, nodesOf, startValidators } from './container.ts';
import { knowMinipools, minipoolOf } from './known-minipools.ts';
import { network, nodeHex, validatorOf } from './network.ts';

const keep = stoppedAfterEach();

tablesForEachTest();

describe('the list', () => {
  test('has all validators, sorted by node ID, and the total stake', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const container = keep(await startValidators(network(120)));
    await knowMinipools(container.runtime.opened, []);
    const { status, body } = await container.list();
    expect(status).toBe(200);
    expect(nodesIn(body)).toEqual(nodesOf(...Array(120).keys()).toSorted());
    // 120 × 2,000 AVAX of their own, and 25 AVAX for each of 0 + 1 + … + 119 delegators.
    expect(body).toMatchObject({ total: 120, totalStake: '418500', source: 'data-api' });
    expect(body.asOf).toBeGreaterThanOrEqual(before);
    expect(body.asOf).toBeLessThanOrEqual(Date.now() / 1_000);
    expect(container.runtime.telemetry.attempts).toContain('data-api-1 ok');
    expect(body).not.toHaveProperty('partial');
    expect(validators.response().parse(body)).toEqual(body);
    const shares: number[] = body.validators.map(({ stakePercent }: { stakePercent: number }) => stakePercent);
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(100, 6);
  });

  const AVAX = 10n ** 9n;
  const mixed = [
    validatorOf(0, { stake: 3_000n * AVAX, uptimePercent: 79.9, delegationFeePercent: 20 }),
    validatorOf(1, { stake: 2_000n * AVAX, delegated: 4_000n * AVAX, uptimePercent: 80, delegationFeePercent: 2 }),
    validatorOf(2, { stake: 5_000n * AVAX, delegated: 0n, uptimePercent: 100, delegationFeePercent: 2.5 }),
  ];

  test.each([
    [{ minUptime: '80' }, [1, 2]],
    [{ minUptime: '80.0001' }, [2]],
    [{ maxFee: '2.5' }, [1, 2]],
    [{ maxFee: '2.5', minUptime: '90' }, [2]],
    [{ minUptime: '0', maxFee: '100' }, [0, 1, 2]],
    [{ maxFee: '0' }, []],
  ])('is filtered by %j, while totalStake stays that of all', async (query, expected) => {
    const container = keep(await startValidators(mixed));
    const { body } = await container.list(query);
    expect(nodesIn(body).toSorted()).toEqual(nodesOf(...expected).toSorted());
    expect(body.total).toBe(expected.length);
    expect(body.totalStake).toBe('14000');
  });

  test.each([
    ['stake', undefined, [1, 2, 0]],
    ['uptime', undefined, [2, 1, 0]],
    ['delegationFee', 'asc', [1, 2, 0]],
    ['timeRemaining', 'asc', [0, 1, 2]],
  ])('is sorted by sort=%s, order=%s', async (sort, order, expected) => {
    const container = keep(await startValidators(mixed));
    const { body } = await container.list({ sort, ...(order && { order }) });
    expect(nodesIn(body)).toEqual(nodesOf(...expected));
  });

  test('excludes an unknown uptime from any filter by uptime', async () => {
    const unknown = validatorOf(7, { uptimePercent: null as unknown as number });
    const container = keep(await startValidators([...mixed, unknown]));
    expect(nodesIn((await container.list()).body)).toContain(unknown.nodeID);
    expect(nodesIn((await container.list({ minUptime: '0' })).body)).not.toContain(unknown.nodeID);
  });
});

describe('minipools', () => {
  const records = MINIPOOL_STATUSES.map((status, index) => minipoolOf(index, status));

  test('are shown with validators while they are launched or staking, not before or after', async () => {
    const container = keep(await startValidators(network(10)));
    await knowMinipools(container.runtime.opened, records);
    const { body } = await container.list();
    const own = body.validators.filter(({ minipool }: { minipool?: object }) => minipool);
    expect(nodesIn({ validators: own }).toSorted()).toEqual(nodesOf(1, 2).toSorted());
    expect(body).not.toHaveProperty('partial');
  });

  test('are omitted, and listed in partial, if the chain cannot be read', async () => {
    const container = keep(await startValidators(network(3)));
    const { status, body } = await container.list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 3, partial: ['minipool'] });
    expect((await container.one(nodeHex(0))).body.partial).toEqual(['minipool']);
  });
});

test.each([
  ['answered', network(3), 200],
  ['not answered', [], 503],
])(
  'the API key is sent to the Data API only, and revealed nowhere, if a request is %s',
  async (_name, validators, status) => {
    const container = keep(await startValidators(validators));
    await knowMinipools(container.runtime.opened, []);
    const response = await container.list();
    expect(response.status).toBe(status);
    expect(container.dataApi.requests[0]?.headers['x-glacier-api-key']).toBe(API_KEY);
    const text = inspect([response, container.runtime.telemetry.lines], { depth: 20 });
    expect(text).toContain('/validators');
    expect(text).not.toContain(API_KEY);
    expect(text).not.toContain(new URL(container.dataApi.url).host);
  },
);
