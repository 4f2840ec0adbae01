import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ConfigError, readConfig } from '../../../lib/runtime/config.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';

const TABLES = { CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger' };

beforeEach(() => {
  jest.useFakeTimers({ now: Date.UTC(2026, 10, 23, 23, 59, 59) });
});
afterEach(() => {
  jest.useRealTimers();
});

test('unless more is set, the service is of mainnet, at its public providers, and 300 s are a lag', () => {
  const { rpcUrls, pChainUrls, dataApiUrl } = NETWORKS.avalanche;
  expect(readConfig({ ...TABLES, DATA_API_URL: '' })).toEqual({
    network: NETWORKS.avalanche,
    ...{ rpcUrls, pChainUrls, dataApiUrl, dataApiKey: undefined, maxHeadAgeSeconds: 300 },
    ...{ cacheTable: 'cache', historyTable: 'history', ledgerTable: 'ledger', ledgerSources: 2 },
    ...{ historyStart: undefined, hourlyStart: Date.UTC(2026, 7, 25) / 1_000 },
    ...{ release: 'local', stage: undefined },
  });
  for (const NETWORK of ['mainnet', 'avalanche'])
    expect(readConfig({ ...TABLES, NETWORK })).toEqual(readConfig(TABLES));
});

test('every setting is taken as it is set', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example/?key=1`) as [string, ...string[]];
  const env = {
    ...{ ...TABLES, NETWORK: ' "fuji"', RPC_URLS: ` ' ${a} , ${b},'`, P_CHAIN_URLS: `${c}\n${a}\t${b} ${d}` },
    ...{ DATA_API_URL: `"${d}"\n`, DATA_API_KEY: '"e"' },
    ...{ MAX_HEAD_AGE_SECONDS: '0', HISTORY_START: '5', HOURLY_START: '1700000000' },
    ...{ RELEASE: 'f', STAGE: 'g' },
  };
  expect(readConfig(env)).toMatchObject({
    ...{ network: { name: 'fuji' }, rpcUrls: [a, b], pChainUrls: [c, a, b, d], dataApiUrl: d, dataApiKey: 'e' },
    ...{ maxHeadAgeSeconds: 0, historyStart: 5, hourlyStart: 1_700_000_000 },
    ...{ release: 'f', stage: 'g' },
  });
});

test('a provider that is named twice counts once, however its URL is spelt', () => {
  const [a, b] = ['https://user:pw@a.example/Key?x=1', 'https://a.example/key?x=1'];
  const again = ['HTTPS://user:pw@A.example:443/Key/?x=1#2', 'https://user:pw@a.example./Key?x=1', `${b}#`, a, b];
  again.push('https://us%65r:pw@a.example//%4Bey?x=%31');
  expect(readConfig({ ...TABLES, RPC_URLS: [a, b, ...again].join() }).rpcUrls).toEqual([a, b]);
});

test('a bad environment is an error with a line for each variable, without its value', () => {
  const bad = {
    ...{ NETWORK: 'ethereum', RPC_URLS: 'https://a.example,key123', P_CHAIN_URLS: ' , ' },
    ...{ DATA_API_URL: 'ftp://k.https:', DATA_API_KEY: 'ключ\n1', AWS_ENDPOINT_URL_DYNAMODB: 'localhost:8000' },
    ...{ MAX_HEAD_AGE_SECONDS: '1s', CACHE_TABLE: 'a', HISTORY_TABLE: 'history/abc', HISTORY_START: '-1' },
    HOURLY_START: '1'.repeat(13),
  };
  expect(() => readConfig(bad)).toThrow(
    new ConfigError(
      [
        'NETWORK: must be devnet, fuji or avalanche (also named mainnet)',
        'RPC_URLS: must be a list of http or https URLs, separated by commas or blanks',
        'P_CHAIN_URLS: must be a list of http or https URLs, separated by commas or blanks',
        'DATA_API_URL: must be an http or https URL',
        'DATA_API_KEY: must be a key: one word in ASCII',
        'MAX_HEAD_AGE_SECONDS: must be a whole number of seconds; 0 disables the check',
        'CACHE_TABLE: must be the name of a DynamoDB table',
        'HISTORY_TABLE: must be the name of a DynamoDB table',
        'LEDGER_TABLE: must be the name of a DynamoDB table',
        'HISTORY_START: must be a whole number of Unix seconds',
        'HOURLY_START: must be a whole number of Unix seconds',
        'AWS_ENDPOINT_URL_DYNAMODB: must be an http or https URL',
      ].join('\n'),
    ),
  );
});

test('a setting that is empty is not set, whatever it is', () => {
  const names = ['NETWORK', 'RPC_URLS', 'P_CHAIN_URLS', 'DATA_API_URL', 'DATA_API_KEY', 'STAGE', 'ENDS_ON', 'RELEASE'];
  const more = ['LEDGER_SOURCES', 'HISTORY_START', 'HOURLY_START', 'MAX_HEAD_AGE_SECONDS', 'CACHE_TABLE'];
  const empty = Object.fromEntries([...names, ...more].map((name, index) => [name, index % 2 ? '' : ' ']));
  expect(readConfig(empty, TABLES)).toEqual(readConfig(TABLES));
});

const BOTH = [';', '|', '\\n', '%20', ', http:// '].map((text) => `https://a.example/1${text}https://b.example/2`);
test.each([...BOTH, 'https://a.example/1;b.example', 'https://u%zz@a.example', '"https://a.example'])(
  '%j is not one URL',
  (text) => {
    expect(() => readConfig({ ...TABLES, RPC_URLS: text, DATA_API_URL: text })).toThrow(/^RPC_.*\nDATA_API_URL: /);
  },
);

test.each(['31.12.2026', '2026-13-01', 'soon', '+002026-12-31', '2026-12-31T00:00'])(
  'ENDS_ON=%s is no day',
  (ENDS_ON) => {
    expect(() => readConfig({ ...TABLES, ENDS_ON })).toThrow('ENDS_ON: must be a day, such as 2026-12-31');
    expect(() => readConfig({ ...TABLES, ENDS_ON: '2026-12-31' })).not.toThrow();
  },
);
