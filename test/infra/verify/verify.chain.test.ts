import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { formatUnits, parseUnits, toQuantity } from 'ethers';
import type { LocalServer } from '../../../infra/devnet/listen.ts';
import { createRoutes, startGateway } from '../../../infra/local/gateway.ts';
import { connectChain } from '../../../infra/verify/chain.ts';
import type { Json } from '../../../infra/verify/figure.ts';
import { EXPECTED, urlOf } from '../../../infra/verify/paths.ts';
import { bodyOf, compare } from '../../../infra/verify/verify.ts';
import { act, forkDevnet } from '../../functions/devnet.ts';
import { recordAllDays, recordCycles, recordDays, recordLedger } from '../../support/recorded.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { startServer, stoppedAfterEach } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';
import { run } from '../run.ts';

/** `npm run verify` against the local service, and against one that gives wrong answers. */

const RPC_URL = process.env.DEVNET_RPC_URL as string;

// Generous, because other tests share the machine.
jest.setTimeout(600_000);

const tables = tablesForAllTests();
const keep = stoppedAfterEach();
let service: LocalServer;

beforeAll(async () => {
  await recordLedger();
  await recordCycles();
  await recordAllDays();
  service = await startGateway({ port: 0, routes: createRoutes(startOnDevnet()) });
});
afterAll(() => service?.stop());

async function verify(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const { code, output } = run('infra/verify/verify.ts', args);
  await code;
  const lines = output.text.trim().split('\n');
  // A line each ten seconds.
  return { code: await code, lines: lines.filter((line) => !line.endsWith(' s so far')) };
}

/** The body of an answer, however many requests a busy machine is too slow for. */
async function ask(path: string): Promise<Json> {
  const answer = await fetch(service.url + path);
  if (answer.status >= 503) return ask(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return bodyOf(answer);
}

const AMOUNT = /^\d+(\.\d+)?$/;

/** Names of all numbers in a body, amounts as text included. Items of a list share the names of their fields. */
function numbersIn(body: Json, name = ''): string[] {
  if (Array.isArray(body)) return [...new Set(body.flatMap((item) => numbersIn(item, name)))];
  if (body !== null && typeof body === 'object')
    return Object.entries(body).flatMap(([field, value]) => numbersIn(value, name ? `${name}.${field}` : field));
  return typeof body === 'number' || AMOUNT.test(body) ? [name] : [];
}

/** The body with all numbers of a name altered a little: whole numbers by one, amounts by one wei. */
function alter(body: Json, name: string): Json {
  if (Array.isArray(body)) return body.map((item) => alter(item, name));
  const [field = '', ...rest] = name.split('.');
  if (name !== '') return body?.[field] === undefined ? body : { ...body, [field]: alter(body[field], rest.join('.')) };
  if (Number.isInteger(body)) return body + 1;
  if (typeof body === 'number') return Number((body * 1.000_01).toPrecision(12));
  return AMOUNT.test(body) ? formatUnits(parseUnits(body) + 1n).replace(/\.0$/, '') : body;
}

/**
 * Numbers that are not compared: counts, times and percentages, the next cycle (test/functions/rewards-cycle.test.ts starts it),
 * and money that no view of a contract has, which test/lib works out by hand.
 */
const UNCOMPARED = new Set([
  ...['total', 'nextCursor', 'recordedCycles', 'missing', 'from', 'to', 'recordedFrom', 'prices.asked'],
  ...['number', 'startsAt', 'totalAmt', 'distribution.ClaimNodeOp'].map((name) => `next.${name}`),
  ...['next.distribution.ClaimProtocolDAO', 'next.distribution.MultisigManager', 'claimableTime', 'expirationTime'],
  ...['availableNow.requestId', 'availableLater.requestId', 'days.timestamp', 'days.closeTimestamp'],
  ...['accounts.availableNow.requestId', 'accounts.availableLater.requestId', 'cycles.startTime', 'cycles.paidTime'],
  ...['insteadOfWaiting.requestId', 'accounts.insteadOfWaiting.requestId', 'stakers.index'],
  ...['availableNow.call.chainId', 'insteadOfWaiting.call.chainId'].flatMap((name) => [name, `accounts.${name}`]),
  ...['minipools.count', 'withdrawals.pending', 'withdrawals.expired'].flatMap((name) => [name, `accounts.${name}`]),
  ...['points.timestamp', 'prices.timestamp', 'entries.timestamp', 'lastSync', 'rewardsCycleEnd', 'rewardsCycleLength'],
  ...['minipools.expectedEndTime', 'minipools.cycleEndTime', 'minipools.statusCode', 'minipools.neededUptimePercent'],
  ...['rewards_cycle_end', 'rewards_cycle.number', 'rewards_cycle.start_time', 'rewards_cycle.seconds'],
  ...['active_staker_count', 'node_operator_count', 'ggavax_apy', 'ggavax_apr', 'total_effective_ggp_staked'],
  ...['unstakeDelay', 'minExpirationDelay', 'maxExpirationDelay'].map((name) => `withdrawQueue.${name}`),
  ...['lastFulfilledTime', 'overdueRequests', 'oldestOverdueTime'].map((name) => `service.${name}`),
  ...['avaxInUSD', 'ggpInAVAX', 'ggAvaxInAVAX', 'eurInUSD'].map((name) => `sources.${name}.updatedAt`),
  ...['stakers.collateralPercent', 'stakers.effectiveRewardsPercent', 'stakers.effectiveGGPStaked'],
  ...['stakers.estimatedGGPReward', 'targetReservePercent', 'utilizationPercent', 'feePercent', 'averageAprPercent'],
  ...['receivedAVAX', 'returned', 'rewardsUSD', 'rewardsEUR', 'days.aprPercent'],
  ...['', 'days.', 'totals.'].flatMap((path) => [`${path}usdFrom`, `${path}eurFrom`]),
  ...['totals.rewardAVAX', 'totals.rewardUSD', 'totals.rewardEUR'],
  ...['ggpInUSD', 'ggpInEUR', 'usd', 'eur'].map((name) => `cycles.${name}`),
]);

test('notices a small change of every amount in every answer', async () => {
  const chain = await connectChain(43_112, RPC_URL);
  const lists = new Map<string, Json>();
  const missed: string[] = [];
  for (const path of Object.keys(EXPECTED)) {
    const body = await ask(urlOf(path, lists));
    lists.set(path, body);
    const names = numbersIn(body).filter((name) => !UNCOMPARED.has(name) && !name.startsWith('coverage.'));
    const unnoticed = names.map(async (name) => {
      const { faults } = await compare(path, alter(body, name), chain).catch((error) => ({ faults: [error] }));
      return faults.length > 0 ? [] : [`${path} ${name}`];
    });
    missed.push(...(await Promise.all(unnoticed)).flat());
  }
  chain.close();
  expect(missed).toEqual([]);
});

test('finds no differences in the local service, and prints each path', async () => {
  const { code, lines } = await verify(service.url, '--rpc', RPC_URL);
  const expected = Object.keys(EXPECTED).map((path) =>
    expect.stringMatching(`^${path.replace(/[{}]/g, '.')}: \\d+ figures, ok$`),
  );
  expect(lines).toEqual([
    ...expected,
    expect.stringMatching(/^\d+ paths, \d{3,} figures compared, 0 wrong, 0 paths not compared$/),
  ]);
  expect(Number(/(\d+) figures compared/.exec(lines.at(-1) ?? '')?.[1])).toBeGreaterThan(850);
  expect(code).toBe(0);
});

test.each<[string, number, RegExp, string, (body: Json) => Json]>([
  [
    'a wrong figure',
    1,
    /^ {2}\/ggAvax: totalAssets: .*, the chain says /m,
    '/ggAvax',
    (body) => alter(body, 'totalAssets'),
  ],
  [
    'an answer that cannot be compared',
    2,
    /^\/prices: 0 figures, not compared\n {2}\/prices: status 503$/m,
    '/prices',
    () => undefined,
  ],
  [
    'a list of holders that is not complete yet, as after a first deployment,',
    2,
    /^\/holders: 0 figures, not compared\n {2}\/holders: coverage\.complete is false/m,
    '/holders',
    (body) => ({ ...body, coverage: { ...body.coverage, complete: false } }),
  ],
])('reports %s with exit code %i', async (_, expected, line, wrong, change) => {
  const { url, stop } = await startServer(async ({ url = '/' }, response) => {
    const answer = await fetch(service.url + url);
    const text = await answer.text();
    const changed = url === wrong ? change(JSON.parse(text)) : undefined;
    response.setHeader('X-Block-Number', answer.headers.get('X-Block-Number') ?? '');
    response.writeHead(url === wrong && !changed ? 503 : answer.status);
    response.end(changed ? JSON.stringify(changed) : text);
  });
  const { code, lines } = await verify(url, '--rpc', RPC_URL);
  await stop();
  expect(lines.join('\n')).toMatch(line);
  expect(code).toBe(expected);
});

test('reports a mistake in one line, with exit code 2', async () => {
  const usage = /^Usage: npm run verify -- <base URL> \[--rpc <url>\]$/;
  const mistakes: [args: string[], line: RegExp][] = [
    [[service.url], /^Chain 43112 has no public RPC provider: pass one with --rpc$/],
    [[], usage],
    [['--rcp', 'http://localhost'], /^Unknown option '--rcp'/],
    [['http://127.0.0.1:1'], /^fetch failed \(.+\)$/],
  ];
  const outcomes = await Promise.all(mistakes.map(([args]) => verify(...args)));
  expect(outcomes).toEqual(mistakes.map(([, line]) => ({ code: 2, lines: [expect.stringMatching(line)] })));
});

test('finds none in the income of a history that begins in the middle of a month', async () => {
  await tables.renew();
  await recordLedger();
  await recordDays(5);
  const { stop, url } = await startGateway({
    port: 0,
    routes: createRoutes(startOnDevnet({ CACHE_TABLE: 'no-cache' })),
  });
  const chain = await connectChain(43_112, RPC_URL);
  const holders = await bodyOf(await fetch(`${url}/holders`));
  const path = '/accounts/income';
  const body = await bodyOf(await fetch(url + urlOf(path, new Map([['/holders', holders]]))));
  const { faults } = await compare(path, body, chain);
  await stop();
  chain.close();
  expect([body.undated.length, faults]).toEqual([1, []]);
});

// Last: it adds the blocks of a fork to the tables.
test('finds none either if a first deposit shares its second with later blocks', async () => {
  const fork = keep(await forkDevnet());
  const { guardian, alba } = fork.people;
  for (const owner of [guardian, alba]) await fork.rpc.send('anvil_setBalance', owner, toQuantity(10n ** 25n));
  await fork.rpc.send('anvil_setBlockTimestampInterval', 0);
  for (const owner of [guardian, guardian, alba])
    expect(await act(fork, owner, 'TokenggAVAX', 'depositAVAX()', [], 10n ** 23n)).toBe(true);
  const { number: head } = await fork.block('latest');
  expect((await fork.block(head - 2)).timestamp).toBe((await fork.block(head)).timestamp);
  const on = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
  await recordLedger(on);
  const { stop, url } = await startGateway({ port: 0, routes: createRoutes(on) });
  const { code, lines } = await verify(url, '--rpc', fork.url);
  await stop();
  expect([lines.filter((line) => line.includes('the chain says')), code]).toEqual([[], 0]);
});
