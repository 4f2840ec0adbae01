import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AvalancheApi, startAvalancheApi } from '../../../infra/devnet/avalanche-api.ts';
import { closeConnections, sendRequest } from '../../../lib/chain/upstream/http.ts';
import { formatNodeID } from '../../../lib/values/cb58.ts';
import { network, nodeHex, validatorOf } from '../../lib/validators/network.ts';

const PRIMARY_NETWORK = '11111111111111111111111111111111LpoYY';
const NOW = Math.floor(Date.now() / 1_000);

const ACTIVE = network(25);
const VALIDATORS = [...ACTIVE, validatorOf(100, { endTime: NOW - 1 }), validatorOf(101, { startTime: NOW + 1_000 })];

let api: AvalancheApi;

beforeAll(async () => {
  api = await startAvalancheApi({ validators: VALIDATORS, supply: 460_000_000_000_000_000n });
});

afterAll(async () => {
  closeConnections();
  await api.stop();
});

async function get(path: string) {
  const { status, text } = await sendRequest({ url: api.dataApiUrl + path, timeoutMs: 2_000 });
  return { status, body: JSON.parse(text) };
}

async function call(json: unknown) {
  const { status, text } = await sendRequest({ url: api.pChainUrl, json, timeoutMs: 2_000 });
  return { status, body: JSON.parse(text) };
}

describe('the Data API', () => {
  const list = (query = '') => get(`/v1/networks/mainnet/validators?${query}`);

  test('lists active validators, ten per page by default', async () => {
    const { body } = await list();
    expect(body.validators.map(({ nodeId }: { nodeId: string }) => nodeId)).toEqual(
      ACTIVE.slice(0, 10).map(({ nodeID }) => nodeID),
    );
    expect(body.nextPageToken).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('returns all of them through page tokens', async () => {
    const nodes = new Set<string>();
    let token = '';
    do {
      const { body } = await list(`pageSize=7&pageToken=${token}`);
      for (const { nodeId } of body.validators) nodes.add(nodeId);
      token = body.nextPageToken ?? '';
    } while (token);
    expect([...nodes]).toEqual(ACTIVE.map(({ nodeID }) => nodeID));
  });

  test('represents a validator like the real one', async () => {
    const { body } = await list(`subnetId=${PRIMARY_NETWORK}&validationStatus=active`);
    expect(body.validators[3]).toMatchObject({
      validationStatus: 'active',
      nodeId: formatNodeID(nodeHex(3)),
      subnetId: PRIMARY_NETWORK,
      amountStaked: '2000000000000',
      amountDelegated: '75000000000',
      delegationFee: '2.0000000000000000',
      delegatorCount: 3,
      uptimePerformance: 99.98,
      potentialRewards: { validationRewardAmount: '4683805592', delegationRewardAmount: '3512854' },
    });
  });

  test('varies the fields that the real one sometimes omits', async () => {
    const { body } = await list('pageSize=100');
    const forms = (key: string) =>
      new Set(
        body.validators.map((validator: object) => Object.entries(validator).find(([name]) => name === key)?.[1]),
      );
    expect(forms('geolocation')).toContain(undefined);
    expect(forms('geolocation')).toContain(null);
    expect(forms('delegationCapacity')).toContain('');
  });

  test.each(['subnetId=2XDnKyAEr1RhhWpTpMXqrjeejN23vETmDykVzkb4PrU1fQjewh', 'validationStatus=completed'])(
    'returns an empty list for %s',
    async (query) => {
      const { status, body } = await list(query);
      expect(status).toBe(200);
      expect(body.validators).toEqual([]);
    },
  );

  test.each([
    ['pageSize=0', 'pageSize must not be less than 1'],
    ['pageSize=101', 'pageSize must not be greater than 100'],
    ['pageSize=1.5', 'pageSize must be an integer number'],
    ['pageToken=7', 'pageToken is invalid'],
  ])('rejects %s', async (query, message) => {
    expect(await list(query)).toEqual({
      status: 400,
      body: { message: [message], error: 'Bad Request', statusCode: 400 },
    });
  });

  test('returns a 404 for any other path', async () => {
    const { status, body } = await get('/v1/networks/mainnet/delegators');
    expect(status).toBe(404);
    expect(body).toEqual({
      message: 'Cannot GET /v1/networks/mainnet/delegators',
      error: 'Not Found',
      statusCode: 404,
    });
  });
});

describe('the P-Chain', () => {
  const method = (name: string) => call({ jsonrpc: '2.0', id: 5, method: name, params: {} });

  test('returns the supply', async () => {
    expect(await method('platform.getCurrentSupply')).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', id: 5, result: { supply: '460000000000000000', height: '1' } },
    });
  });

  test('returns the validators, with numbers as strings', async () => {
    const { body } = await method('platform.getCurrentValidators');
    expect(body.result.validators).toHaveLength(ACTIVE.length);
    expect(body.result.validators[3]).toMatchObject({
      nodeID: formatNodeID(nodeHex(3)),
      weight: '2000000000000',
      delegatorWeight: '75000000000',
      delegatorCount: '3',
      delegationFee: '2.0000',
      uptime: '99.9800',
      connected: true,
    });
  });

  test('returns the total stake', async () => {
    const { body } = await method('platform.getTotalStake');
    // 25 × 2,000 AVAX of their own and 25 AVAX for each of 0 + 1 + … + 24 delegators
    expect(body.result).toEqual({ stake: '57500000000000', weight: '57500000000000' });
  });

  test.each(['platform.getPendingValidators', 'constructor', ''])('rejects the method "%s"', async (name) => {
    expect(await method(name)).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 5,
        error: { code: -32_000, message: `rpc: can't find method "${name}"`, data: null },
      },
    });
  });

  test.each([null, 7, []])('answers the invalid request %j with an error', async (json) => {
    expect((await call(json)).body.error.code).toBe(-32_000);
  });
});

test('starting on a port that is in use is an error', async () => {
  const port = Number(new URL(api.dataApiUrl).port);
  await expect(startAvalancheApi({ validators: [], supply: 0n, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
