import { describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import { assertKnownPath, OTHER_PATHS } from '../../../lib/api/paths.ts';

const refusalOf = (resource: string, path: string): string | undefined => {
  try {
    assertKnownPath(resource, path);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'NOT_FOUND', headers: { 'Cache-Control': 'public, max-age=0, s-maxage=60' } });
    return (error as Error).message;
  }
};

describe('a path', () => {
  test('of an endpoint is right, with and without a slash at its end', () => {
    for (const { path, exampleRequest } of Object.values(ENDPOINTS)) {
      const [asked = ''] = exampleRequest.split('?');
      expect(refusalOf(path, asked)).toBeUndefined();
      expect(refusalOf(path, `${asked}/`)).toBeUndefined();
    }
  });

  test.each([
    [OTHER_PATHS, '/ggavax', '/ggAvax'],
    [OTHER_PATHS, '/GGAVAX/', '/ggAvax'],
    [OTHER_PATHS, '/node-op-spread', '/nodeOpSpread'],
    [OTHER_PATHS, '/ggavax/0xAb/Rewards', '/ggAvax/0xAb/rewards'],
    [OTHER_PATHS, '/Prices/TJ/history', '/prices/TJ/history'],
    ['/rewards/{address}', '/rewards/bystake', '/rewards/byStake'],
    ['/metrics/{name}', '/metrics/APY', '/metrics/apy'],
    ['/ggAvax/{address}', '/ggAvax/HISTORY/', '/ggAvax/history'],
  ])('that %s gets, %s, is meant to be %s', (resource, path, right) => {
    expect(refusalOf(resource, path)).toBe(`There is no such path. Did you mean ${right}?`);
  });

  test.each(['/nope', '/prices/tj/pools', '/prices/tj/history/more', '/%'])(
    'that is unlike all others, %s, is unknown',
    (path) => {
      expect(refusalOf(OTHER_PATHS, path)).toBe('There is no such path. GET / lists all endpoints.');
    },
  );

  test('of an endpoint that is not in the list yet is right', () => {
    expect(refusalOf('/new/{id}', '/new/1')).toBeUndefined();
  });
});
