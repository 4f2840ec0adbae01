import { beforeEach, expect, test } from '@jest/globals';
import { startAvalancheApi } from '../../../infra/devnet/avalanche-api.ts';
import { PChain } from '../../../lib/chain/upstream/p-chain.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { readCurrentValidators } from '../../../lib/validators/p-chain-validators.ts';
import { startServer, stoppedAfterEach } from '../../support/servers.ts';
import { network, validatorOf } from './network.ts';

const keep = stoppedAfterEach();

let outcomes: string[];

beforeEach(() => {
  outcomes = [];
});

/** A P-Chain provider that answers every call with this result. */
async function badNode(result: unknown): Promise<string> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 0, result });
  return keep(await startServer((_request, response) => response.end(text))).url;
}

function pChain(...urls: string[]): PChain {
  return new PChain(urls, {
    attemptMs: 1_000,
    budgetMs: 3_000,
    clock: systemClock,
    onAttempt: ({ provider, outcome }) => outcomes.push(`${provider} ${outcome}`),
  });
}

const { nodeID, txID } = validatorOf(0);
/** A validator without the fields that a provider may omit. */
const BARE = { nodeID, txID, startTime: '1', endTime: '2', weight: '3', delegatorWeight: '0' };

test('a validator is read without the details that the provider omits', async () => {
  const url = await badNode({ validators: [BARE] });
  expect(await readCurrentValidators(pChain(url))).toMatchObject([{ nodeID, amountStaked: 3n, amountDelegated: 0n }]);
});

test.each([
  ['answers with something else', { supply: '1' }],
  ['has no validators', { validators: [] }],
  ['omits a stake', { validators: [{ ...BARE, weight: undefined }] }],
])('the next provider is asked if one %s', async (_, result) => {
  const { pChainUrl } = keep(await startAvalancheApi({ validators: network(5) }));
  expect(await readCurrentValidators(pChain(await badNode(result), pChainUrl))).toHaveLength(5);
  expect(outcomes).toEqual(['p-chain-1 malformed', 'p-chain-2 ok']);
});
