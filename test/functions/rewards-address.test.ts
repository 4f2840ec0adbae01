import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { id } from 'ethers';
import { rewardsAddress } from '../../functions/rewards/address.ts';
import { rewardsByStake } from '../../functions/rewards/by-stake.ts';
import { stakersAddress } from '../../functions/stakers/address.ts';
import { formatAmount, parseAmount } from '../../lib/amounts.ts';
import { createHandler } from '../../lib/endpoint.ts';
import { send } from '../support/events.ts';
import { proxyTo } from '../support/rpc-endpoints.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { startTables } from '../support/tables.ts';
import { type Chain, openChain } from './devnet.ts';

const keep = stoppedAfterEach();
let chain: Chain;
let runtime: TestRuntime;

beforeAll(async () => {
  chain = await openChain();
});
beforeEach(async () => {
  keep(await startTables());
  runtime = startOnDevnet();
});
afterAll(() => chain.rpc.close());

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients see them
type Body = any;

const rewards = (address: string, of = runtime) => send(createHandler(rewardsAddress, of), { params: { address } });
async function bodyOf(address: string): Promise<Body> {
  const { status, body } = await rewards(address);
  expect(status).toBe(200);
  return body;
}

/** The claims of an address as the chain's logs tell them, the newest first. */
async function claimsInLogs(address: string): Promise<Body[]> {
  const filter = {
    address: await chain.registered('ClaimNodeOp'),
    topics: [id('GGPRewardsClaimed(address,uint256)'), `0x${address.slice(2).toLowerCase().padStart(64, '0')}`],
    fromBlock: '0x0',
    toBlock: 'latest',
  };
  const logs = (await chain.rpc.send('eth_getLogs', filter)) as Record<string, string>[];
  const claims = logs.map(async ({ blockNumber, data, transactionHash }) => ({
    block: Number(blockNumber),
    timestamp: (await chain.block(Number(blockNumber))).timestamp,
    amount: formatAmount(BigInt(data as string)),
    txHash: transactionHash,
  }));
  return (await Promise.all(claims)).reverse();
}

/** An endpoint that does not offer logs. */
function refusesLogs() {
  return proxyTo(process.env.DEVNET_RPC_URL as string, (answers, requests) =>
    requests.map(({ id, method }, index) =>
      method === 'eth_getLogs'
        ? { jsonrpc: '2.0', id, error: { code: -32_601, message: 'the method eth_getLogs does not exist' } }
        : answers[index],
    ),
  );
}

describe('the rewards of a staker', () => {
  test("are what the contracts and the staker's own page say", async () => {
    const { ada } = chain.people;
    const body = await bodyOf(ada);
    expect(rewardsAddress.response().parse(body)).toEqual(body);
    const { body: staker } = await send(createHandler(stakersAddress, runtime), { params: { address: ada } });
    for (const name of [
      ...['ggpRewards', 'lastRewardsCycleCompleted', 'rewardsStartTime', 'eligible', 'effectiveGGPStaked'],
      ...['estimatedGGPReward', 'ggpLockedUntil'],
    ]) {
      expect([name, body[name]]).toEqual([name, staker[name]]);
    }
    expect(body.address).toBe(ada);
    expect(body.ggpRewards).toBe(formatAmount(await chain.read('Staking', 'getGGPRewards', [ada])));
    expect(body.eligibleAt).toBe(body.rewardsStartTime + 15 * 86_400);
    expect(body.block.number).toBe((await chain.block('latest')).number);
  });

  test('share out the pool of the coming cycle, the one that /rewards/byStake counts with', async () => {
    const { ada } = chain.people;
    const body = await bodyOf(ada);
    const amounts = { ggpStaked: '5000', avaxStaked: '1000' };
    const { body: byStake } = await send(createHandler(rewardsByStake, runtime), { query: amounts });
    expect(body.cycle).toEqual(byStake.cycle);
    const share = Number(body.estimatedGGPReward) / Number(body.cycle.nodeOpPool);
    expect(body.sharePercent).toBeCloseTo(share * 100, 8);
    const { body: staker } = await send(createHandler(stakersAddress, runtime), { params: { address: ada } });
    const yearly = (Number(body.estimatedGGPReward) * 31_536_000) / body.cycle.seconds;
    expect(body.aprPercent).toBeCloseTo((yearly / Number(staker.ggpStaked)) * 100, 8);
  });

  test('of somebody not registered have no time from which they are eligible, and nothing coming', async () => {
    const dmitri = await bodyOf(chain.people.dmitri);
    expect(dmitri).toMatchObject({
      eligible: false,
      sharePercent: 0,
      estimatedGGPReward: '0',
      aprPercent: 0,
      claims: [],
    });
    expect(dmitri).not.toHaveProperty('eligibleAt');
  });

  test('of somebody too new say when they are eligible', async () => {
    const ines = await bodyOf(chain.people.ines);
    expect(ines).toMatchObject({ eligible: false, estimatedGGPReward: '0' });
    expect(ines.eligibleAt).toBeGreaterThan(ines.block.timestamp);
  });

  test('of somebody with nothing staked have no APR', async () => {
    const kaya = await bodyOf(chain.people.kaya);
    expect(kaya).not.toHaveProperty('aprPercent');
    expect(parseAmount(kaya.estimatedGGPReward)).toBe(0n);
  });

  test('of somebody who has never staked are a 404', async () => {
    const { status, body } = await rewards(chain.people.alba);
    expect([status, body.code]).toEqual([404, 'STAKER_NOT_FOUND']);
    expect((await rewards('0x12')).status).toBe(400);
  });
});

describe('claims', () => {
  test.each(['ada', 'elena', 'mona', 'hugo'] as const)(
    "of %s are those of the chain's logs, newest first",
    async (name) => {
      const body = await bodyOf(chain.people[name]);
      expect(body.claims).toEqual(await claimsInLogs(chain.people[name]));
      expect([body.claimsFrom, body.claimsTo]).toEqual([0, body.block.number]);
      expect(body).not.toHaveProperty('partial');
    },
  );

  test('of a staker who staked everything again have an amount of 0', async () => {
    expect((await bodyOf(chain.people.mona)).claims).toMatchObject([{ amount: '0' }]);
    expect((await bodyOf(chain.people.ada)).claims).toHaveLength(2);
  });

  test('are searched once for everybody', async () => {
    await bodyOf(chain.people.ada);
    const reads = runtime.telemetry.attempts.length;
    for (const name of ['elena', 'tara', 'mona'] as const) await bodyOf(chain.people[name]);
    expect(runtime.telemetry.attempts).toHaveLength(reads);
  });

  test('have the times of their blocks where logs do not tell them', async () => {
    const { ada } = chain.people;
    const silent = keep(
      await proxyTo(process.env.DEVNET_RPC_URL as string, (answers) =>
        JSON.parse(JSON.stringify(answers), (name, value) => (name === 'blockTimestamp' ? undefined : value)),
      ),
    );
    const { body } = await rewards(ada, startOnDevnet({ RPC_URLS: silent.url }));
    expect(body.claims).toEqual(await claimsInLogs(ada));
    const headers = silent.requests.flat().filter(({ method }) => method === 'eth_getBlockByNumber');
    expect(headers.length).toBe(new Set(headers.map(({ params }) => params[0])).size);
  });

  test('are read in smaller windows where an endpoint gives fewer blocks', async () => {
    const { ada } = chain.people;
    const narrow = keep(
      await proxyTo(process.env.DEVNET_RPC_URL as string, (answers, requests) =>
        requests.map(({ id, method, params }, index) => {
          const { fromBlock, toBlock } = (params[0] ?? {}) as Record<string, string>;
          if (method !== 'eth_getLogs' || Number(toBlock) - Number(fromBlock) < 500) return answers[index];
          return { jsonrpc: '2.0', id, error: { code: -32_600, message: 'block range is too large, max 500' } };
        }),
      ),
    );
    const { body } = await rewards(ada, startOnDevnet({ RPC_URLS: narrow.url }));
    expect(body.claims).toEqual(await claimsInLogs(ada));
    expect(body.claimsFrom).toBe(0);
  });

  test('come from another endpoint where the first has no logs, which stays the first for all else', async () => {
    const { ada } = chain.people;
    const [logless, whole] = [keep(await refusesLogs()), keep(await proxyTo(process.env.DEVNET_RPC_URL as string))];
    const container = startOnDevnet({ RPC_URLS: `${logless.url},${whole.url}` });
    expect((await rewards(ada, container)).body.claims).toEqual(await claimsInLogs(ada));
    const methods = new Set(whole.requests.flat().map(({ method }) => method));
    expect(methods).toEqual(new Set(['eth_chainId', 'eth_getLogs']));
    await container.opened.chain.head();
    expect(container.telemetry.attempts.at(-1)).toBe('rpc-1 ok');
  });

  test('are left out, and named in partial, where no endpoint gives logs', async () => {
    const refuses = keep(await refusesLogs());
    const container = startOnDevnet({ RPC_URLS: refuses.url });
    const { status, headers, body } = await rewards(chain.people.ada, container);
    expect(status).toBe(200);
    expect(body.partial).toEqual(['claims']);
    for (const name of ['claims', 'claimsFrom', 'claimsTo']) expect(body).not.toHaveProperty(name);
    expect(parseAmount(body.ggpRewards)).toBeGreaterThan(0n);
    expect(headers['Cache-Control']).toContain('max-age=15,');
    expect(rewardsAddress.response().parse(body)).toEqual(body);
  });
});
