/** Everything that an address can take out, now or later. Each call that might pay now is simulated as it would be sent. */

import { parseUnits } from 'ethers';
import { ggpStakeForRatio } from '../../lib/rewards/collateral.ts';
import { sharesWithin } from '../../lib/rewards/gg-avax-shares.ts';
import { min } from '../../lib/values/wad.ts';
import type { Records } from './accounts.ts';
import type { ChainAt } from './chain.ts';
import { type Json, tokens } from './figure.ts';
import { LAUNCHED, PRELAUNCH, STAKING } from './operators.ts';
import { liquidity } from './withdrawals.ts';

type Call = [contract: string, method: string, ...args: unknown[]];

/** A transaction that might pay something. `pays`: wei of the token; by default the amount that it returns. */
const offer = (what: string, token: string, pays: bigint | undefined, ...call: Call) => ({ what, token, pays, call });

/** `or` is another transaction, if this one pays nothing. */
type Attempt = ReturnType<typeof offer> & { until?: number; or?: Attempt };

/** The last second of the year 9999. */
export const LAST_TIME = 253_402_300_799;

/** The transactions that the chain accepts now, with the amounts that they pay, and the holdings that can be withdrawn later. */
export async function claims(body: Json, records: Records, chain: ChainAt): Promise<Json> {
  const attempts = await attemptsOf(body, records, chain);
  const found = (await Promise.all(attempts.map((attempt) => outcomeOf(attempt, body.address, chain)))).flat();
  const redeemed = BigInt(found.find(({ what }) => what === 'redeem')?.call.arguments[0] ?? 0);
  const { instead = [], now = [] } = Object.groupBy(found, ({ what }) =>
    what === 'cancelUnstake' ? 'instead' : 'now',
  );
  const offered = (body.insteadOfWaiting ?? []).map(({ requestId }: Json) => String(requestId));
  return {
    availableNow: [...now, ...(await requestOf(body, parseUnits(body.ggAvax.balance) - redeemed, chain))],
    insteadOfWaiting: instead.filter(({ call }) => offered.includes(call.arguments[0])),
    availableLater: await laterEntries(body.block.timestamp, records, chain),
  };
}

/** ggAVAX wei that the pool still pays in some days. */
async function withinPool(chain: ChainAt): Promise<bigint> {
  const totalAssets: bigint = await chain.read('TokenggAVAX', 'totalAssets');
  const totalSupply: bigint = await chain.read('TokenggAVAX', 'totalSupply');
  return sharesWithin(reliable(await liquidity(chain)), { totalAssets, totalSupply });
}

/** The transactions that hand ggAVAX to the queue. The second one cannot be simulated before the first one is sent. */
async function requestOf({ block }: Json, shares: bigint, { read, addressOf }: ChainAt): Promise<Json[]> {
  if (shares === 0n || (await read('WithdrawQueue', 'paused')) !== 0n) return [];
  const queue = await addressOf('WithdrawQueue');
  const token = await addressOf('TokenggAVAX');
  const delay: bigint = await read('WithdrawQueue', 'maxExpirationDelay');
  const from = block.timestamp + Number(await read('WithdrawQueue', 'unstakeDelay'));
  const expectedAssets = tokens(await read('TokenggAVAX', 'convertToAssets', shares));
  const later = { expectedAssets, from, until: from + Number(delay), requires: 'requestFulfilled' };
  const call = (contract: string, method: string, ...args: unknown[]) => ({
    call: { contract, function: method, arguments: args.map(String), value: '0' },
  });
  return [
    {
      what: 'approveUnstake',
      token: 'ggAVAX',
      expectedAssets,
      ...call(token, 'approve(address,uint256)', queue, shares),
    },
    {
      what: 'requestUnstake',
      token: 'AVAX',
      ...later,
      ...call(queue, 'requestUnstake(uint256,uint48)', shares, delay),
    },
  ];
}

/** The entry of a transaction that pays something. */
async function outcomeOf(attempt: Attempt, sender: string, chain: ChainAt): Promise<Json[]> {
  const { what, token, pays, call, until, or } = attempt;
  const [name, method, ...args] = call;
  // A transaction with an amount of 0 pays nothing, even if it is accepted.
  if (args[0] === 0n && name !== 'WithdrawQueue') return [];
  const paid = await chain.run(name, method, sender, args);
  const amount = paid === undefined ? 0n : (pays ?? paid);
  if (amount === 0n) return or ? outcomeOf(or, sender, chain) : [];
  const contract = await chain.addressOf(name);
  const sent = { contract, function: method, arguments: args.map(String), value: '0' };
  return [{ what, token, amount: tokens(amount), until, call: sent }];
}

/** Each call that might pay something, in the order to send them. */
async function attemptsOf(body: Json, records: Records, chain: ChainAt): Promise<Attempt[]> {
  const { read } = chain;
  const { address, ggAvax, staking } = body;
  const { staker, minipools, requests, pst = 0n, locks = [] } = records;
  const most: bigint = (await read('XGGP', 'maxWithdraw', address)) ?? 0n;
  const held: bigint = (await read('XAVAX', 'balanceOf', address)) ?? 0n;
  const allowed: bigint = (await read('XAVAX', 'maxRedeem', address)) ?? 0n;
  const xAvax = allowed < held ? reliable(allowed) : allowed;
  const redeemed = min(parseUnits(ggAvax.redemption?.ggAvax ?? '0'), await withinPool(chain));
  const rewards: bigint = staker?.ggpRewards ?? 0n;
  const surplus = parseUnits(staking?.ggpWithdrawable ?? '0');
  const ofRequest = async ({ id, shares, expectedAssets, allocatedFunds, status, expirationTime }: Json) => {
    const bought: bigint = await read('TokenggAVAX', 'convertToShares', allocatedFunds || expectedAssets);
    const ends = (what: string, token: string, method: string, pays: bigint) =>
      offer(what, token, pays, 'WithdrawQueue', `${method}(uint256)`, id);
    if (status === 'expired')
      return ends('reclaimExpired', 'ggAVAX', 'reclaimExpiredRequest', allocatedFunds ? bought : shares);
    const claim = ends('claimUnstake', 'AVAX', 'claimUnstake', allocatedFunds);
    return { ...claim, until: Number(expirationTime), or: ends('cancelUnstake', 'ggAVAX', 'cancelRequest', bought) };
  };
  const ofMinipool = (what: string, method: string, { nodeID }: Json, pays: bigint) =>
    offer(what, 'AVAX', pays, 'MinipoolManager', `${method}(address)`, nodeID);
  const ofLock = ({ id, token, wei }: Json) =>
    offer('withdrawLocked', token, wei, 'AssetLocker', 'withdrawTokens(address,uint256)', id, wei);
  return [
    ...(await Promise.all(requests.toSorted((a, b) => Number(a.id - b.id)).map(ofRequest))),
    ...minipools.map((one) => ofMinipool('withdrawMinipool', 'withdrawMinipoolFunds', one, dueOf(one))),
    ...minipools.map((one) => ofMinipool('cancelMinipool', 'cancelMinipool', one, one.avaxNodeOpAmt)),
    offer('claimRewards', 'GGP', rewards, 'ClaimNodeOp', 'claimAndRestake(uint256)', rewards),
    offer('withdrawGgp', 'GGP', surplus, 'Staking', 'withdrawGGP(uint256)', surplus),
    offer('withdrawPstAvax', 'ggAVAX', undefined, 'TokenpstAVAX', 'withdraw(uint256)', pst),
    offer('redeemXGgp', 'GGP', most, 'XGGP', 'withdraw(uint256,address,address)', most, address, address),
    offer('redeemXAvax', 'AVAX', undefined, 'XAVAX', 'redeemAVAX(uint256)', xAvax),
    ...locks.map(ofLock),
    offer('redeem', 'AVAX', undefined, 'TokenggAVAX', 'redeemAVAX(uint256)', redeemed),
  ];
}

/** The part of an amount that a pool still pays in some days. */
const reliable = (amount: bigint) => (amount * 995n) / 1_000n;

/** AVAX wei that a minipool's owner is paid when it is over. */
export const dueOf = (minipool: Json): bigint => minipool.avaxNodeOpAmt + minipool.avaxNodeOpRewardAmt;

/** Holdings that an address cannot withdraw yet, in their order, from the records and settings of the contracts. */
async function laterEntries(now: number, records: Records, chain: ChainAt): Promise<Json[]> {
  const { staker, minipools, requests, locks = [] } = records;
  const moratorium = Number(await chain.read('ProtocolDAO', 'getMinipoolCancelMoratoriumSeconds'));
  const cycle = Number(await chain.read('ProtocolDAO', 'getMinipoolCycleDuration'));
  const isClosed = await chain.read('ProtocolDAO', 'getContractPaused', 'TokenggAVAX');
  const future = (time: number) => (time > now ? time : undefined);
  const entry = (what: string, token: string, wei: bigint | undefined, more: Json) => {
    return { what, token, amount: tokens(wei), ...more };
  };
  const ofMinipools = minipools.flatMap(
    ({ status, avaxNodeOpAmt, creationTime, startTime, initialStartTime, duration }: Json) => {
      const from = Number(creationTime) + moratorium;
      if (status === PRELAUNCH && from > now) return entry('cancelMinipool', 'AVAX', avaxNodeOpAmt, { from });
      if (status !== LAUNCHED && status !== STAKING) return [];
      const end = Number(startTime) + cycle;
      const planned = Number(initialStartTime + duration);
      const times = status === STAKING && { from: future(end), plannedEnd: planned <= end ? undefined : planned };
      return entry('withdrawMinipool', 'AVAX', avaxNodeOpAmt, { requires: 'minipoolEnded', ...times });
    },
  );
  // Two parts of the stake: bound by the lock only, and by the AVAX assigned.
  const from = future(Number(staker?.ggpLockedUntil ?? 0n));
  const free = staker ? await freeGgp(staker, chain) : 0n;
  const bound = (staker?.ggpStaked ?? 0n) - free;
  const ofStake = [
    ...(from !== undefined && free > 0n ? [entry('withdrawGgp', 'GGP', free, { from })] : []),
    ...(bound > 0n ? [entry('withdrawGgp', 'GGP', bound, { from, requires: 'noMinipoolLeft' })] : []),
  ];
  const ofRequests = requests.flatMap(({ status, shares, expectedAssets, allocatedFunds, ...request }) => {
    const [from, until] = [future(Number(request.claimableTime)), Number(request.expirationTime)];
    if (status === 'pending')
      return [
        entry('claimUnstake', 'AVAX', expectedAssets, { from, until, requires: 'requestFulfilled' }),
        entry('reclaimExpired', 'ggAVAX', shares, { from: until }),
      ];
    return status === 'expired' && allocatedFunds > 0n && isClosed
      ? entry('reclaimExpired', 'ggAVAX', undefined, { requires: 'depositsOpen' })
      : [];
  });
  const ofLocks = locks.flatMap(({ token, wei, until = 0 }) =>
    until > now ? entry('withdrawLocked', token, wei, { from: until }) : [],
  );
  const byTime = (a: Json, b: Json) => (a.from ?? 0) - (b.from ?? 0);
  const all = [...ofMinipools.toSorted(byTime), ...ofStake, ...[...ofRequests, ...ofLocks].toSorted(byTime)];
  return all.filter(({ from = 0 }: Json) => from <= LAST_TIME);
}

/** GGP that the AVAX assigned does not need, even if the price falls by 10 %. */
export async function freeGgp({ ggpStaked, avaxAssigned }: Json, { read }: ChainAt): Promise<bigint> {
  if (avaxAssigned === 0n) return ggpStaked;
  const { price = 0n } = (await read('Oracle', 'getGGPPriceInAVAX')) ?? {};
  const most: bigint | undefined = await read('ProtocolDAO', 'getMaxCollateralizationRatio');
  const ggpPriceInAVAX = (price * 90n) / 100n;
  if (ggpPriceInAVAX === 0n || most === undefined) return 0n;
  const terms = { ggpPriceInAVAX, minCollateralizationRatio: 0n, maxCollateralizationRatio: most };
  return ggpStaked - min(ggpStaked, ggpStakeForRatio(avaxAssigned, most, terms));
}
