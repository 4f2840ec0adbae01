import { describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import { unsupportedParams } from '../../../lib/api/known-params.ts';
import { variablesOf } from '../../../lib/api/paths.ts';

const namesOf = (path: string) =>
  Object.keys(Object.values(ENDPOINTS).find((endpoint) => endpoint.path === path)?.input.shape ?? {});
const messageOf = (path: string, name: string) => unsupportedParams(path, namesOf(path), [name])[0]?.message;

describe('a parameter', () => {
  test('of this endpoint, and one that nobody knows, is in its place', () => {
    for (const { path, input } of Object.values(ENDPOINTS)) {
      const inQuery = Object.keys(input.shape).filter((name) => !variablesOf(path).includes(name));
      expect(
        unsupportedParams(path, Object.keys(input.shape), [...inQuery, '_', 'utm_source', 'callback', '']),
      ).toEqual([]);
    }
  });

  test('that some endpoint takes is refused by each of the others', () => {
    const all = new Set(Object.values(ENDPOINTS).flatMap(({ input }) => Object.keys(input.shape)));
    expect(all.size).toBeGreaterThan(20);
    for (const { path, input } of Object.values(ENDPOINTS)) {
      const refused = unsupportedParams(path, Object.keys(input.shape), [...all]).map(({ parameter }) => parameter);
      const inQuery = Object.keys(input.shape).filter((name) => !variablesOf(path).includes(name));
      expect(new Set(refused)).toEqual(new Set([...all].filter((name) => !inQuery.includes(name))));
    }
  });

  test('is refused with all that the endpoint takes', () => {
    expect(messageOf('/minipools', 'sort')).toBe(
      `is not a query parameter of /minipools, which takes ${namesOf('/minipools').join(', ')}`,
    );
    expect(messageOf('/metrics', 'limit')).toBe('is not a query parameter of /metrics, which takes none');
  });

  test.each([
    ['/withdrawals', 'requester', '/withdrawals/{address}'],
    ['/withdrawals', 'address', '/withdrawals/{address}'],
    ['/stakers', 'stakerAddr', '/stakers/{address}'],
    ['/ggAvax', 'wallet', '/ggAvax/{address}'],
    ['/ggAvax/{address}/activity', 'holder', '{address} in the path'],
    ['/stakers/{address}', 'address', '{address} in the path'],
    ['/minipools', 'address', 'owner'],
    ['/minipools', 'nodeId', 'nodeID'],
    ['/minipools', 'node_id', 'nodeID'],
    ['/minipools', 'status[]', 'status'],
    ['/validators', 'nodeID', '/validators/{nodeID}'],
    ['/activity', 'offset', 'cursor'],
    ['/activity', 'page', 'cursor'],
    ['/activity', 'per_page', 'limit'],
    ['/activity', 'since', 'from'],
    ['/prices/at', 'timestamps', 'timestamp'],
    ['/prices/at', 'time', 'timestamp'],
    ['/prices/history', 'timestamp', undefined],
    ['/prices', 'dex', '/prices/{dex}'],
    ['/metrics', 'name', '/metrics/{name}'],
    ['/stakers', 'sortBy', 'sort'],
    ['/stakers', 'skip', 'offset'],
    ['/activity', 'skip', 'cursor'],
    ['/activity', 'startTime', 'from'],
    ['/ggAvax/{address}/rewards', 'end_date', 'to'],
    ['/prices/history', 'resolution', 'interval'],
    ['/ggAvax', 'block', undefined],
    ['/ggAvax/{address}/rewards', 'tz', undefined],
  ])('of %s called %s is refused and probably means %s', (path, name, meant) => {
    expect(messageOf(path, name)).toBeDefined();
    expect(messageOf(path, name)?.split(': use ')[1]).toBe(meant);
  });
});
