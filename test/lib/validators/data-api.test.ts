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
const KEY = 'ac_secret-of-ours';
const unavailable = expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE' });

let outcomes: string[];

beforeEach(() => {
  outcomes = [];
});

describe('the list of validators', () => {
  test('is that of the active validators of the primary network', async () => {
    const { url, requests } = keep(await startDataApi(network(150)));
    await clientOf(`${url}/`, { apiKey: KEY }).activeValidators();
    // The key is sent with every page in its header, and never in the URL.
    expect(requests.map(({ headers }) => headers['x-glacier-api-key'])).toEqual([KEY, KEY]);
    expect(requests.some((request) => request.url.href.includes(KEY))).toBe(false);
    const [first, second] = requests.map((request) => request.url);
    expect(first?.pathname).toBe('/v1/networks/mainnet/validators');
    expect(Object.fromEntries(first?.searchParams ?? [])).toEqual({
      subnetId: '11111111111111111111111111111111LpoYY',
      validationStatus: 'active',
      pageSize: '100',
    });
    expect(second?.searchParams.get('pageToken')).toMatch(/^[0-9a-f-]{36}$/);
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

describe('details of a validator', () => {
  /** The one validator that a Data API lists, as it is read with these changes. */
  const readWith = async (changes: Record<string, unknown>) => {
    const drifts = rewrites(({ validators: [first] }) => ({ validators: [{ ...first, ...changes }] }));
    const { url } = keep(await startDataApi([validatorOf(3)], drifts));
    return (await clientOf(url).activeValidators())[0];
  };
  const DETAILS = [
    ...['delegationFee', 'blsCredentials', 'delegatorCount', 'uptimePerformance', 'avalancheGoVersion'],
    ...['potentialRewards', 'geolocation', 'stakePercentage', 'validatorHealth', 'delegationCapacity'],
  ];

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['null', null],
    ['of an unexpected type', { anything: ['else'] }],
    ['too long', 'x'.repeat(201)],
  ])('are unknown if they are %s', async (_name, value) => {
    const validator = await readWith(Object.fromEntries(DETAILS.map((key) => [key, value])));
    const known = Object.entries(validator ?? {}).flatMap(([name, detail]) => (detail === undefined ? [] : name));
    expect(known.toSorted()).toEqual(['amountDelegated', 'amountStaked', 'endTime', 'nodeID', 'startTime', 'txID']);
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
