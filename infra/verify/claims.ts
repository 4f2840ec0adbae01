/** Everything that an address can take out, now or later. Each call that might pay now is simulated as it would be sent. */

import { getAddress, parseUnits } from 'ethers';
import { ggpStakeForRatio } from '../../lib/rewards/collateral.ts';
import { sharesWithin } from '../../lib/rewards/gg-avax-shares.ts';
import { LAST_TIME } from '../../lib/values/iso-time.ts';
import { min } from '../../lib/values/wad.ts';
import type { ChainAt } from './chain.ts';
import { type Json, tokens } from './figure.ts';
import { LAUNCHED, minipoolsAt, PRELAUNCH, STAKING, stakerAt } from './operators.ts';
import { liquidity, requestsOf } from './withdrawals.ts';

/** A transaction as answers have it. */
const sent = (contract: string, method: string, args: readonly unknown[]) => {
  return { contract, function: method, arguments: args.map(String), value: '0' };
};

/** Tokens that can be locked, in the order of the answer. */
const LOCKABLE = ['TokenGGP', 'TokenggAVAX', 'TokenpstAVAX', 'WAVAX', 'XGGP', 'XAVAX'];

export async function recordsOf(address: string, timestamp: number, chain: ChainAt) {
  const { read, addressOf } = chain;
  const date: bigint | undefined = await read('AssetLocker', 'getWithdrawDate');
  const lockOf = async (name: string) => {
    // Not the contract's symbol: that of ggAVAX is stAVAX by now.
    const token = name.replace('Token', '').replace(/^X/, 'x');
    const id = getAddress(await addressOf(name));
    const lock = await read('AssetLocker', 'getUserLock', address, id);
    const until = Math.max(Number(lock?.unlockTime ?? 0n), Number(date ?? 0n));
    // Never has no date: it is beyond the year 9999.
    return { id, token, wei: (lock?.amount ?? 0n) as bigint, until: until <= LAST_TIME ? until : undefined };
  };
  return {
    staker: await stakerAt(chain, address),
    minipools: (await minipoolsAt(chain)).filter(({ owner }) => owner === address),
    requests: await requestsOf(address, timestamp, chain),
    pst: (await read('TokenpstAVAX', 'balanceOf', address)) as bigint | undefined,
    locks: date === undefined ? undefined : (await Promise.all(LOCKABLE.map(lockOf))).filter(({ wei }) => wei > 0n),
  };
}

type Records = Awaited<ReturnType<typeof recordsOf>>;

/** The transactions that the chain accepts now, with the amounts that they pay, and the holdings that can be withdrawn later. */
export async function claims(body: Json, records: Records, chain: ChainAt): Promise<Json> {
  const found = await acceptedNow(body, records, chain);
  const redeemed = BigInt(found.find(({ what }) => what === 'redeem')?.call.arguments[0] ?? 0);
  const isCancelled = ({ what }: Json) => what === 'cancelUnstake';
  const offered = (body.insteadOfWaiting ?? []).map(({ requestId }: Json) => String(requestId));
  const requested = await requestOf(body, parseUnits(body.ggAvax.balance) - redeemed, chain);
  return {
    availableNow: [...found.filter((entry) => !isCancelled(entry)), ...requested],
    insteadOfWaiting: found.filter((entry) => isCancelled(entry) && offered.includes(entry.call.arguments[0])),
    availableLater: await laterEntries(body.block.timestamp, records, chain),
  };
}

/** The transactions that hand ggAVAX to the queue. The second one cannot be simulated before the first one is sent. */
async function requestOf({ block }: Json, shares: bigint, { read, addressOf }: ChainAt): Promise<Json[]> {
  if (shares === 0n || (await read('WithdrawQueue', 'paused')) !== 0n) return [];
  const queue = await addressOf('WithdrawQueue');
  const delay: bigint = await read('WithdrawQueue', 'maxExpirationDelay');
  const from = block.timestamp + Number(await read('WithdrawQueue', 'unstakeDelay'));
  const expectedAssets = tokens(await read('TokenggAVAX', 'convertToAssets', shares));
  const later = { expectedAssets, from, until: from + Number(delay), requires: 'requestFulfilled' };
  const approval = sent(await addressOf('TokenggAVAX'), 'approve(address,uint256)', [queue, shares]);
  const request = sent(queue, 'requestUnstake(uint256,uint48)', [shares, delay]);
  return [
    { what: 'approveUnstake', token: 'ggAVAX', expectedAssets, call: approval },
    { what: 'requestUnstake', token: 'AVAX', ...later, call: request },
  ];
}

/** The transactions that pay something, in the order to send them. */
async function acceptedNow(body: Json, records: Records, chain: ChainAt): Promise<Json[]> {
  const { read, run, addressOf } = chain;
  const pool = (view: string): Promise<bigint> => read('TokenggAVAX', view);
  const { address, ggAvax, staking } = body;
  const { staker, minipools, requests, pst = 0n, locks = [] } = records;
  /** Simulates a transaction. `pays`: wei of the token; by default the amount that it returns. */
  const send = async (
    what: string,
    token: string,
    pays: bigint | undefined,
    ...sending: [string, string, ...unknown[]]
  ) => {
    const [contract, method, ...args] = sending;
    // A transaction with an amount of 0 pays nothing, even if it is accepted.
    if (args[0] === 0n && contract !== 'WithdrawQueue') return [];
    const paid = await run(contract, method, address, args);
    const amount = paid === undefined ? 0n : (pays ?? paid);
    const call = sent(await addressOf(contract), method, args);
    return amount === 0n ? [] : [{ what, token, amount: tokens(amount), call }];
  };
  const xGgp: bigint = (await read('XGGP', 'maxWithdraw', address)) ?? 0n;
  const held: bigint = (await read('XAVAX', 'balanceOf', address)) ?? 0n;
  const allowed: bigint = (await read('XAVAX', 'maxRedeem', address)) ?? 0n;
  const xAvax = allowed < held ? reliable(allowed) : allowed;
  const totals = { totalAssets: await pool('totalAssets'), totalSupply: await pool('totalSupply') };
  const most = sharesWithin(reliable(await liquidity(chain)), totals);
  const redeemed = min(parseUnits(ggAvax.redemption?.ggAvax ?? '0'), most);
  const rewards: bigint = staker?.ggpRewards ?? 0n;
  const surplus = parseUnits(staking?.ggpWithdrawable ?? '0');
  const ofRequest = async ({ id, shares, expectedAssets, allocatedFunds, status, expirationTime }: Json) => {
    const bought: bigint = await read('TokenggAVAX', 'convertToShares', allocatedFunds || expectedAssets);
    const end = (what: string, token: string, method: string, pays: bigint) =>
      send(what, token, pays, 'WithdrawQueue', `${method}(uint256)`, id);
    if (status === 'expired')
      return end('reclaimExpired', 'ggAVAX', 'reclaimExpiredRequest', allocatedFunds ? bought : shares);
    const [claim] = await end('claimUnstake', 'AVAX', 'claimUnstake', allocatedFunds);
    if (claim) return [{ ...claim, until: Number(expirationTime) }];
    return end('cancelUnstake', 'ggAVAX', 'cancelRequest', bought);
  };
  const ofMinipool = (what: string, method: string, { nodeID }: Json, pays: bigint) =>
    send(what, 'AVAX', pays, 'MinipoolManager', `${method}(address)`, nodeID);
  const found = [
    ...requests.toSorted((a, b) => Number(a.id - b.id)).map(ofRequest),
    ...minipools.map((one) => ofMinipool('withdrawMinipool', 'withdrawMinipoolFunds', one, dueOf(one))),
    ...minipools.map((one) => ofMinipool('cancelMinipool', 'cancelMinipool', one, one.avaxNodeOpAmt)),
    send('claimRewards', 'GGP', rewards, 'ClaimNodeOp', 'claimAndRestake(uint256)', rewards),
    send('withdrawGgp', 'GGP', surplus, 'Staking', 'withdrawGGP(uint256)', surplus),
    send('withdrawPstAvax', 'ggAVAX', undefined, 'TokenpstAVAX', 'withdraw(uint256)', pst),
    send('redeemXGgp', 'GGP', xGgp, 'XGGP', 'withdraw(uint256,address,address)', xGgp, address, address),
    send('redeemXAvax', 'AVAX', undefined, 'XAVAX', 'redeemAVAX(uint256)', xAvax),
    ...locks.map(({ id, token, wei }) =>
      send('withdrawLocked', token, wei, 'AssetLocker', 'withdrawTokens(address,uint256)', id, wei),
    ),
    send('redeem', 'AVAX', undefined, 'TokenggAVAX', 'redeemAVAX(uint256)', redeemed),
  ];
  return (await Promise.all(found)).flat();
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
  const entry = (what: string, token: string, wei: Json, more: Json) => ({ what, token, amount: tokens(wei), ...more });
  const ofMinipools = minipools.flatMap((minipool: Json) => {
    const { status, avaxNodeOpAmt, creationTime, startTime, initialStartTime, duration } = minipool;
    const from = Number(creationTime) + moratorium;
    if (status === PRELAUNCH && from > now) return entry('cancelMinipool', 'AVAX', avaxNodeOpAmt, { from });
    if (status !== LAUNCHED && status !== STAKING) return [];
    const end = Number(startTime) + cycle;
    const planned = Number(initialStartTime + duration);
    const times = status === STAKING && { from: future(end), plannedEnd: planned <= end ? undefined : planned };
    return entry('withdrawMinipool', 'AVAX', avaxNodeOpAmt, { requires: 'minipoolEnded', ...times });
  });
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
    if (status !== 'expired' || allocatedFunds === 0n || !isClosed) return [];
    return entry('reclaimExpired', 'ggAVAX', undefined, { requires: 'depositsOpen' });
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
  return ggpStaked - min(ggpStaked, ggpStakeForRatio(avaxAssigned, most, { ggpPriceInAVAX }));
}
