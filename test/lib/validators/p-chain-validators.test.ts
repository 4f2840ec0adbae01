import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type AvalancheApi, startAvalancheApi } from '../../../infra/devnet/avalanche-api.ts';
import { PChain } from '../../../lib/chain/upstream/p-chain.ts';
import { readCurrentValidators } from '../../../lib/validators/p-chain-validators.ts';
import { deadUrl, startServer, stoppedAfterEach } from '../../support/servers.ts';
import { network, validatorOf } from './network.ts';

const BUDGET_MS = 3_000;
const SUPPLY = 460_123_456_789_012_345n;

const keep = stoppedAfterEach();

let outcomes: string[];

beforeEach(() => {
  outcomes = [];
});

async function node(validators = network(3)): Promise<AvalancheApi> {
  return keep(await startAvalancheApi({ validators, supply: SUPPLY }));
}

/** A P-Chain provider that answers every call with `text`, or never. */
async function badNode(text?: string, status = 200): Promise<string> {
  const { url } = keep(
    await startServer((_request, response) => {
      if (text !== undefined) response.writeHead(status).end(text);
    }),
  );
  return url;
}

function pChain(...urls: string[]): PChain {
  return new PChain(urls, {
    attemptMs: BUDGET_MS / 3,
    budgetMs: BUDGET_MS,
    onAttempt: ({ provider, outcome }) => outcomes.push(`${provider} ${outcome}`),
  });
}

const unavailable = expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE' });
const result = (value: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 0, result: value });
const error = (code: number, message: string) => JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code, message } });

test('the supply is read to the nAVAX', async () => {
  const { pChainUrl } = await node();
  expect(await pChain(pChainUrl).currentSupply()).toBe(SUPPLY);
});

test('a validator has all details that the P-Chain knows', async () => {
  const validator = validatorOf(7);
  const { pChainUrl } = await node([validator]);
  expect(await readCurrentValidators(pChain(pChainUrl))).toEqual([
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
      connected: true,
      validationReward: 4_683_805_592n,
      rewardAddresses: ['P-avax10f8305248c0wsfsdempdtpx7lpkc30vwzl9y9q'],
      blsPublicKey: validator.blsPublicKey,
    },
  ]);
});

test('a validator is read without the details that the provider omits', async () => {
  const { nodeID, txID } = validatorOf(0);
  const bare = { nodeID, txID, startTime: '1', endTime: '2', weight: '3', delegatorWeight: '0' };
  const url = await badNode(result({ validators: [bare] }));
  expect(await readCurrentValidators(pChain(url))).toMatchObject([{ nodeID, amountStaked: 3n, amountDelegated: 0n }]);
});

test('a percentage too large for a number is unknown', async () => {
  const { nodeID, txID } = validatorOf(0);
  const whole = { nodeID, txID, startTime: '1', endTime: '2', weight: '3', delegatorWeight: '0', uptime: '99.5' };
  const url = await badNode(result({ validators: [{ ...whole, delegationFee: '9'.repeat(400) }] }));
  const [validator] = await readCurrentValidators(pChain(url));
  expect([validator?.uptimePercent, validator?.delegationFeePercent]).toEqual([99.5, undefined]);
});

describe('the next provider is asked', () => {
  const { nodeID, txID } = validatorOf(0);

  test.each<[string, () => Promise<string>, string]>([
    ['refuses the connection', deadUrl, 'network'],
    ['hangs', () => badNode(), 'timeout'],
    ['throttles in HTML', () => badNode('<html>slow down</html>', 429), 'http_429'],
    ['forbids in HTML', () => badNode('<html>no</html>', 403), 'http_403'],
    [
      'does not know the method',
      () => badNode(error(-32_000, 'rpc: can\'t find method "platform.getHeight"')),
      'rpc_-32000',
    ],
    [
      'is not bootstrapped',
      () => badNode(error(-32_000, 'API call rejected because chain is not done bootstrapping')),
      'rpc_-32000',
    ],
    ['reports a revert', () => badNode(error(-32_000, 'reverted')), 'reverted'],
    ['finds the request too large', () => badNode(error(-32_000, 'response is too large')), 'refused'],
    ['answers with HTML', () => badNode('<html>Welcome</html>'), 'not_json'],
    ['answers with something else', () => badNode(result({ supply: '1' })), 'malformed'],
    ['has no validators', () => badNode(result({ validators: [] })), 'malformed'],
    [
      'omits a stake',
      () => badNode(result({ validators: [{ nodeID, txID, startTime: '1', endTime: '2', delegatorWeight: '0' }] })),
      'malformed',
    ],
  ])('if one %s', async (_name, start, outcome) => {
    const { pChainUrl } = await node(network(5));
    expect(await readCurrentValidators(pChain(await start(), pChainUrl))).toHaveLength(5);
    expect(outcomes).toEqual([`p-chain-1 ${outcome}`, 'p-chain-2 ok']);
  });

  test('until there is none left, which is a 503 that reveals no URL', async () => {
    const urls = [await badNode('<html></html>', 502), await deadUrl()];
    const failure = await pChain(...urls)
      .currentSupply()
      .catch((reason: unknown) => reason);
    expect(failure).toEqual(unavailable);
    for (const url of urls) expect(inspect(failure, { depth: 10 })).not.toContain(new URL(url).host);
  });

  test('until the budget is spent', async () => {
    await expect(pChain(await badNode(), await badNode()).currentSupply()).rejects.toEqual(unavailable);
  });

  test('unless none is configured', async () => {
    await expect(pChain().currentSupply()).rejects.toEqual(unavailable);
  });
});
