import { beforeEach, describe, expect, test } from '@jest/globals';
import { stoppedAfterEach } from '../../support/servers.ts';
import {
  answers,
  atFirst,
  type Behaviour,
  clientOf,
  dropsConnection,
  hangs,
  onPage,
  rewrites,
  startDataApi,
  stopsHalfway,
} from './data-apis.ts';
import { network, validatorOf } from './network.ts';

const keep = stoppedAfterEach();
const unavailable = expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE' });

let outcomes: string[];

beforeEach(() => {
  outcomes = [];
});

describe('the list of validators', () => {
  test('is that of the active validators of the primary network', async () => {
    const { url, requests } = keep(await startDataApi(network(150)));
    await clientOf(`${url}/`).activeValidators();
    const [first, second] = requests.map((request) => request.url);
    expect(first?.pathname).toBe('/v1/networks/mainnet/validators');
    expect(Object.fromEntries(first?.searchParams ?? [])).toEqual({
      subnetId: '11111111111111111111111111111111LpoYY',
      validationStatus: 'active',
      pageSize: '100',
    });
    expect(second?.searchParams.get('pageToken')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('has the details of each validator', async () => {
    const validator = validatorOf(7);
    const { url } = keep(await startDataApi([validator]));
    expect(await clientOf(url, { outcomes }).activeValidators()).toEqual([
      {
        nodeID: validator.nodeID,
        txID: validator.txID,
        startTime: validator.startTime,
        endTime: validator.endTime,
        amountStaked: 2_000_000_000_000n,
        amountDelegated: 175_000_000_000n,
        delegatorCount: 7,
        delegationFeePercent: 2,
        uptimePercent: 99.98,
        validationReward: 4_683_805_592n,
        delegationReward: 8_196_659n,
        rewardAddresses: ['P-avax10f8305248c0wsfsdempdtpx7lpkc30vwzl9y9q'],
        avalancheGoVersion: 'avalanchego/1.15.0',
        blsPublicKey: validator.blsPublicKey,
      },
    ]);
  });

  test('has each validator once, even if pages shift while they are read', async () => {
    const seenBefore = validatorOf(0);
    const drifting = rewrites((body) => ({
      ...body,
      validators: [...body.validators, { ...body.validators[0], nodeId: seenBefore.nodeID, delegatorCount: 7_777 }],
    }));
    const { url } = keep(await startDataApi(network(150), onPage(2, drifting)));
    const read = await clientOf(url, { outcomes }).activeValidators();
    expect(read).toHaveLength(150);
    // The newest come first, so the first record of a validator is the more recent one.
    expect(read.map(({ delegatorCount }) => delegatorCount)).not.toContain(7_777);
  });
});

describe('a ping', () => {
  test('asks for the smallest page', async () => {
    const { url, requests } = keep(await startDataApi(network(150)));
    expect(await clientOf(url).ping(2_000)).toBe(true);
    expect(requests.map((request) => Object.fromEntries(request.url.searchParams))).toMatchObject([{ pageSize: '1' }]);
    expect(requests[0]?.url.searchParams.has('pageToken')).toBe(false);
  });

  test.each<[string, Behaviour]>([
    ['500', answers(500)],
    ['403', answers(403)],
    ['nothing in time', hangs],
  ])('fails if the answer is %s', async (_, behaviour) => {
    const { url } = keep(await startDataApi(network(3), behaviour));
    expect(await clientOf(url).ping(400)).toBe(false);
  });
});

describe('a temporary failure', () => {
  test.each<[string, Behaviour]>([
    ['500', answers(500)],
    ['429', answers(429)],
    ['a dropped connection', dropsConnection],
    ['half an answer', stopsHalfway],
  ])('(%s) is retried', async (_name, behaviour) => {
    const { url, requests } = keep(await startDataApi(network(250), onPage(2, atFirst(behaviour))));
    expect(await clientOf(url, { outcomes }).activeValidators()).toHaveLength(250);
    expect(requests).toHaveLength(4);
  });
});

describe('an incomplete list is rejected', () => {
  /** Expects that a Data API with this behaviour is refused. Returns the requests that it received. */
  const refused = async (size: number, behaviour?: Behaviour) => {
    const { url, requests } = keep(await startDataApi(network(size), behaviour));
    await expect(clientOf(url, { outcomes }).activeValidators()).rejects.toEqual(unavailable);
    return requests;
  };

  test.each<[string, Behaviour, string, number]>([
    ['500', answers(500), 'http_500', 3],
    // One request more than the others, because the first drop may be that of an idle connection.
    ['a dropped connection', dropsConnection, 'network', 4],
    ['no answer', hangs, 'timeout', 3],
    ['400', answers(400, '{"message":["pageToken is invalid"],"error":"Bad Request","statusCode":400}'), 'http_400', 2],
    ['HTML', answers(200, '<html>Welcome</html>'), 'not_json', 2],
    ['other JSON', answers(200, '{"chains":[]}'), 'malformed', 2],
    ['null', answers(200, 'null'), 'malformed', 2],
    ['the token of the same page', rewrites((body) => ({ ...body, nextPageToken: tokenOf(100) })), 'page_loop', 2],
    ['a token that is not text', rewrites((body) => ({ ...body, nextPageToken: 7 })), 'malformed', 2],
  ])('if the second page is answered with %s', async (_name, behaviour, outcome, requestCount) => {
    expect(await refused(250, onPage(2, behaviour))).toHaveLength(requestCount);
    expect(outcomes).toEqual([`data-api-1 ${outcome}`]);
  });

  const tokenOf = (offset: number) => `00000000-0000-4000-8000-${offset.toString(16).padStart(12, '0')}`;

  test.each(['nodeId', 'txHash', 'amountStaked', 'startTimestamp', 'endTimestamp'])(
    'if one validator has no %s',
    async (key) => {
      const loses = rewrites(({ validators: [first, ...others] }) => ({
        validators: [{ ...first, [key]: null }, ...others],
      }));
      await refused(3, loses);
      expect(outcomes).toEqual(['data-api-1 malformed']);
    },
  );

  test('if it has no validators at all', async () => {
    await refused(0);
    expect(outcomes).toEqual(['data-api-1 empty']);
  });
});
