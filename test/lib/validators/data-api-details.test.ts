import { describe, expect, test } from '@jest/globals';
import { stoppedAfterEach } from '../../support/servers.ts';
import { clientOf, rewrites, startDataApi } from './data-apis.ts';
import { network, validatorOf } from './network.ts';

const keep = stoppedAfterEach();

/** The one validator that a Data API lists, as it is read with these changes. */
async function readWith(changes: Record<string, unknown>) {
  const drifts = rewrites(({ validators: [first] }) => ({ validators: [{ ...first, ...changes }] }));
  const { url } = keep(await startDataApi([validatorOf(3)], drifts));
  return (await clientOf(url).activeValidators())[0];
}

describe('details of a validator', () => {
  const DETAILS = [
    'delegationFee',
    'blsCredentials',
    'delegatorCount',
    'uptimePerformance',
    'avalancheGoVersion',
    'potentialRewards',
    'geolocation',
    'stakePercentage',
    'validatorHealth',
    'delegationCapacity',
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

describe('the API key', () => {
  const KEY = 'ac_secret-of-ours';

  test('is sent with every page in its header, and never in the URL', async () => {
    const { url, requests } = keep(await startDataApi(network(150)));
    await clientOf(url, { apiKey: KEY }).activeValidators();
    expect(requests.map(({ headers }) => headers['x-glacier-api-key'])).toEqual([KEY, KEY]);
    expect(requests.some((request) => request.url.href.includes(KEY))).toBe(false);
  });
});
