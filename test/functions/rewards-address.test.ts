import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { id } from 'ethers';
import { rewardsAddress } from '../../functions/rewards/address.ts';
import { rewardsByStake } from '../../functions/rewards/by-stake.ts';
import { stakersAddress } from '../../functions/stakers/address.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import type { LocalDynamoDB } from '../../infra/local/dynamodb.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { formatAmount, parseAmount } from '../../lib/values/amounts.ts';
import { type Body, bodyFrom, sendTo } from '../support/events.ts';
import { cover } from '../support/log-chain.ts';
import { recordLedger } from '../support/recorded.ts';
import { lagsBehind, proxyTo } from '../support/rpc-providers.ts';
import { startOnDevnet, startWith, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { openLedger, startTables } from '../support/tables.ts';
import { act, chainForAllTests, forkDevnet, pause, setStaker } from './devnet.ts';

const keep = stoppedAfterEach();
const chain = chainForAllTests();
let runtime: TestRuntime;

beforeEach(async () => {
  keep(await startTables());
  runtime = startOnDevnet();
});

const wei = (text: string) => parseAmount(text) as bigint;
const rewards = (address: string, of = runtime) => sendTo(rewardsAddress, of, { params: { address } });
const bodyOf = (address: string): Promise<Body> => bodyFrom(rewardsAddress, runtime, { params: { address } });

/** The claims of an address from the chain's logs, the newest first. */
async function claimsInLogs(address: string): Promise<Body[]> {
  const topics = [id('GGPRewardsClaimed(address,uint256)'), `0x${address.slice(2).toLowerCase().padStart(64, '0')}`];
  const logs = await logsOf('ClaimNodeOp', topics);
  const claims = logs.map(async ({ blockNumber, data, transactionHash }) => ({
    blockNumber: Number(blockNumber),
    timestamp: (await chain.block(Number(blockNumber))).timestamp,
    amount: formatAmount(BigInt(data as string)),
    txHash: transactionHash,
  }));
  return (await Promise.all(claims)).reverse();
}

async function logsOf(contract: string, topics: (string | null)[]): Promise<Record<string, string>[]> {
  const filter = { address: await chain.registered(contract), topics, fromBlock: '0x0', toBlock: 'latest' };
  return (await chain.rpc.send('eth_getLogs', filter)) as Record<string, string>[];
}

/** Amount of GGP in wei that left ClaimNodeOp in a block, from its balance in the vault. */
const leftInBlock = (block: number) =>
  fellBy(block, (at) => chain.read('Vault', 'balanceOfToken', ['ClaimNodeOp', DEVNET_ADDRESSES.TokenGGP], at));

/** Returns the amount by which a number has decreased in a block. */
async function fellBy(block: number, read: (at: number) => Promise<unknown>): Promise<bigint> {
  const [before, after] = await Promise.all([block - 1, block].map(read));
  return (before as bigint) - (after as bigint);
}

describe('the rewards of a staker', () => {
  test('have the values of the contracts and of /stakers/{address}', async () => {
    const { ada } = chain.people;
    const body = await bodyOf(ada);
    const { body: staker } = await sendTo(stakersAddress, runtime, { params: { address: ada } });
    const same = ['ggpRewards', 'lastRewardsCycleCompleted', 'rewardsStartTime', 'eligible', 'ggpLockedUntil'];
    for (const name of [...same, 'effectiveGGPStaked', 'estimatedGGPReward'])
      expect([name, body[name]]).toEqual([name, (staker as Body)[name]]);
    expect(body.address).toBe(ada);
    expect(body.eligibleAt).toBe(body.rewardsStartTime + 15 * 86_400);
  });

  test('are a share of the next cycle, which is the same as in /rewards/byStake', async () => {
    const { ada } = chain.people;
    const body = await bodyOf(ada);
    const amounts = { ggpStaked: '5000', avaxStaked: '1000' };
    const { body: byStake } = await sendTo(rewardsByStake, runtime, { query: amounts });
    expect(body.cycle).toEqual(byStake.cycle);
    const share = Number(body.estimatedGGPReward) / Number(body.cycle.nodeOpPool);
    expect(body.sharePercent).toBeCloseTo(share * 100, 8);
    const { body: staker } = await sendTo(stakersAddress, runtime, { params: { address: ada } });
    const yearly = (Number(body.estimatedGGPReward) * 31_536_000) / body.cycle.seconds;
    expect(body.aprPercent).toBeCloseTo((yearly / Number(staker.ggpStaked)) * 100, 8);
    const own = { ggpStaked: staker.ggpStaked, avaxStaked: staker.avaxValidatingHighWater, address: ada };
    const { body: same } = await sendTo(rewardsByStake, runtime, { query: own });
    expect(same).toMatchObject({ ggpReward: body.estimatedGGPReward, ggpAprPercent: body.aprPercent });
  });

  test('have no eligibleAt and no estimated reward if the staker is not registered, or is none', async () => {
    const dmitri = await bodyOf(chain.people.dmitri);
    const none = { eligible: false, sharePercent: 0, estimatedGGPReward: '0' };
    expect(dmitri).toMatchObject({ ...none, aprPercent: 0 });
    expect(dmitri).not.toHaveProperty('eligibleAt');
    const address = '0x000000000000000000000000000000000000dEaD';
    expect(await bodyOf(address)).toMatchObject({ ...none, address, ggpRewards: '0' });
  });
});

describe('claims', () => {
  let recorded: LocalDynamoDB;
  beforeAll(async () => {
    recorded = await startTables();
    await recordLedger();
  });
  beforeEach(() => {
    Object.assign(process.env, recorded.env);
    runtime = startOnDevnet();
  });
  afterAll(() => recorded.stop());

  /** The response about Ada of a container whose provider lags by this many blocks. */
  async function adasBehind(blocks: number): Promise<Body> {
    const provider = keep(await lagsBehind(process.env.DEVNET_RPC_URL as string, blocks));
    const container = startOnDevnet({ RPC_URLS: provider.url, CACHE_TABLE: 'no-cache' });
    return (await rewards(chain.people.ada, container)).body;
  }

  test("of every staker are those in the chain's logs, newest first, and add up to what left ClaimNodeOp", async () => {
    const all = (await chain.read('Staking', 'getStakers', [0, 0])) as Body[];
    let claims = 0;
    for (const { stakerAddr: address } of all) {
      const body = await bodyOf(address);
      expect(body.claims.map(({ restaked, ...claim }: Body) => claim)).toEqual(await claimsInLogs(address));
      let total = 0n;
      for (const { blockNumber: block, amount, restaked } of body.claims) {
        const left = await leftInBlock(block);
        const claimed = await fellBy(block, (at) => chain.read('Staking', 'getGGPRewards', [address], at));
        expect([address, block, wei(amount) + wei(restaked), claimed]).toEqual([address, block, left, left]);
        total += left;
        claims += 1;
      }
      expect([address, body.claimedTotal]).toEqual([address, formatAmount(total)]);
      const { number: toBlock, timestamp: toTimestamp } = body.block;
      const end = { toBlock, toTimestamp };
      expect(body.coverage).toEqual({ fromBlock: 1, ...end, sources: 2, complete: true });
      expect(body).not.toHaveProperty('partial');
    }
    // Only registered stakers have claims, so these are all there are.
    expect(claims).toBe((await logsOf('ClaimNodeOp', [id('GGPRewardsClaimed(address,uint256)')])).length);
    expect(claims).toBeGreaterThan(5);
  });

  test('can be made in full only while staking is paused, which is said; GGP can be withdrawn then, too', async () => {
    const forked = keep(await forkDevnet());
    const { ada } = forked.people;
    const claim = (amount: string) => act(forked, ada, 'ClaimNodeOp', 'claimAndRestake(uint256)', [wei(amount)]);
    const index = await forked.read('Staking', 'getIndexOf', [ada]);
    await setStaker(forked, index, 'avaxAssigned', 0n);
    await setStaker(forked, index, 'ggpRewards', wei('7'));
    await pause(forked, 'Staking');
    expect(await bodyOf(ada)).not.toHaveProperty('restakingPaused');
    keep(await startTables());
    const { body } = await rewards(ada, startOnDevnet({ RPC_URLS: forked.url, CACHE_TABLE: 'no-cache' }));
    expect(body).toMatchObject({ ggpRewards: '7', restakingPaused: true });
    expect(await claim('6')).toBe(false);
    expect(await claim('7')).toBe(true);
    expect(await act(forked, ada, 'Staking', 'withdrawGGP(uint256)', [wei('1')])).toBe(true);
  });

  test('have no total if coverage is incomplete', async () => {
    const { opened } = runtime;
    const [newest] = await claimsInLogs(chain.people.ada);
    const whole = await opened.ledger.all(subjectOf.protocol);
    const part = openLedger({ name: 'fuji', firstBlock: 1 });
    await part.write(whole.entries.filter(({ type }) => type === 'ggpRewardsClaimed'));
    await cover(part, newest.blockNumber, whole.coverage.toBlock, whole.coverage.toTimestamp);
    const config = { ...opened.config, network: { ...opened.config.network, name: 'fuji' as const } };
    const { body } = await rewards(chain.people.ada, startWith(config));
    expect(body.claims).toMatchObject([newest]);
    const { number: toBlock, timestamp: toTimestamp } = body.block;
    expect(body.coverage).toEqual({ fromBlock: newest.blockNumber, toBlock, toTimestamp, sources: 2, complete: false });
    expect(toBlock).toBe(whole.coverage.toBlock);
    expect(body).not.toHaveProperty('claimedTotal');
  });

  test('are those up to the block of the response, if the ledger is ahead of the provider', async () => {
    const [newest] = await claimsInLogs(chain.people.ada);
    const { number: head } = await chain.block('latest');
    const before = await adasBehind(head - newest.blockNumber + 1);
    const then = await adasBehind(head - newest.blockNumber);
    expect([then.block.number, then.claims[0]]).toMatchObject([newest.blockNumber, newest]);
    expect(before.claims).toEqual(then.claims.slice(1));
    const { number: toBlock, timestamp: toTimestamp } = await chain.block(newest.blockNumber - 1);
    const end = { toBlock, toTimestamp };
    expect(before.coverage).toEqual({ fromBlock: 1, ...end, sources: 2, complete: true });
  });

  test('may lack a later one, which is said, if the rewards have changed since the last indexed block', async () => {
    const forked = keep(await forkDevnet());
    const { ada, mona } = forked.people;
    await setStaker(forked, await forked.read('Staking', 'getIndexOf', [ada]), 'ggpRewards', wei('7'));
    const container = startOnDevnet({ RPC_URLS: forked.url, CACHE_TABLE: 'no-cache' });
    const { body } = await rewards(ada, container);
    const reasons = { claims: 'SOURCE_UNAVAILABLE', claimedTotal: 'SOURCE_UNAVAILABLE' };
    expect(body).toMatchObject({ ggpRewards: '7', partial: ['claims', 'claimedTotal'], reasons });
    expect(body).not.toHaveProperty('claimedTotal');
    expect((await rewards(mona, container)).body).not.toHaveProperty('partial');
  });

  test('are unknown at a block before coverage begins', async () => {
    keep(await startTables());
    const { number: head } = await chain.block('latest');
    await cover(startOnDevnet().opened.ledger, head - 10, head, 0);
    expect(await adasBehind(11)).toMatchObject({ partial: ['claims', 'claimedTotal'] });
    const first = await adasBehind(10);
    expect(first).toMatchObject({ coverage: { fromBlock: head - 10, toBlock: head - 10, complete: false } });
    expect(first).toMatchObject({ partial: ['claims', 'claimedTotal'], reasons: { claims: 'NOT_INDEXED' } });
    expect(first).not.toHaveProperty('claims');
  });

  test('are omitted, and listed in partial, if nothing has been recorded yet, and never searched for in logs', async () => {
    keep(await startTables());
    const counted = keep(await proxyTo(process.env.DEVNET_RPC_URL as string));
    const { status, headers, body } = await rewards(chain.people.ada, startOnDevnet({ RPC_URLS: counted.url }));
    expect(status).toBe(200);
    expect(body.partial).toEqual(['claims', 'claimedTotal']);
    for (const name of ['claims', 'claimedTotal', 'coverage']) expect(body).not.toHaveProperty(name);
    expect(parseAmount(body.ggpRewards)).toBeGreaterThan(0n);
    expect(headers['Cache-Control']).toContain('max-age=15,');
    const methods = counted.requests.flat().map(({ method }) => method);
    expect(methods).toContain('eth_call');
    expect(methods).not.toContain('eth_getLogs');
  });
});
