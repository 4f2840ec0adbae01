/** All holdings of an address. Withdrawals are simulated as transactions from the address. */

import { getAddress, parseUnits } from 'ethers';
import type { ChainAt } from './chain.ts';
import { claims, dueOf, freeGgp, LAST_TIME } from './claims.ts';
import { type Expected, firstItems, type Json, sumOf, tokens } from './figure.ts';
import { FAILED, LAUNCHED, minipoolsAt, PRELAUNCH, STAKING, stakerAt, WITHDRAWABLE } from './operators.ts';
import { type Prices, pricesAt, times, worthIn } from './prices.ts';
import { ownRedemption } from './withdrawals.ts';

/** Tokens that can be locked, in the order of the answer. */
const LOCKABLE = ['TokenGGP', 'TokenggAVAX', 'TokenpstAVAX', 'WAVAX', 'XGGP', 'XAVAX'];

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** The contracts' records of an address. */
async function recordsOf(address: string, timestamp: number, chain: ChainAt) {
  const { read, addressOf } = chain;
  const ids: bigint[] = (await read('WithdrawQueue', 'getRequestsByOwner', address, 0, 1_000)) ?? [];
  const requestOf = async (id: bigint) => {
    const request: Json = await read('WithdrawQueue', 'getRequestInfo', id);
    const { shares, expectedAssets, allocatedFunds, claimableTime, expirationTime } = request;
    const status = timestamp >= expirationTime ? 'expired' : allocatedFunds > 0n ? 'fulfilled' : 'pending';
    // AVAX wei: the allocated AVAX, or the worth of the shares without it.
    const worth: bigint = allocatedFunds || (await read('TokenggAVAX', 'convertToAssets', shares));
    return { id, status, claimableTime, expirationTime, shares, expectedAssets, allocatedFunds, worth };
  };
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
    requests: await Promise.all(ids.map(requestOf)),
    pst: (await read('TokenpstAVAX', 'balanceOf', address)) as bigint | undefined,
    locks: date === undefined ? undefined : (await Promise.all(LOCKABLE.map(lockOf))).filter(({ wei }) => wei > 0n),
  };
}

export type Records = Awaited<ReturnType<typeof recordsOf>>;

export const account: Expected = async (body, chain) => {
  const { address, ggAvax, staking } = body;
  const records = await recordsOf(address, body.block.timestamp, chain);
  const { staker, minipools, requests, pst, locks } = records;
  const balance: bigint = await chain.read('TokenggAVAX', 'balanceOf', address);
  const prices = await pricesAt(chain, body.block.timestamp);
  const inStatus = (...statuses: bigint[]) => minipools.filter(({ status }) => statuses.includes(status));
  const withStatus = (status: string) => requests.filter((request) => request.status === status);
  return {
    ggAvax: {
      balance: tokens(balance),
      avax: tokens(await chain.read('TokenggAVAX', 'convertToAssets', balance)),
      redemption: await ownRedemption(ggAvax, address, balance, chain),
    },
    pstAvax: tokens(pst),
    xGgp: await vault('XGGP', 'ggp', address, chain),
    xAvax: await vault('XAVAX', 'avax', address, chain),
    locked: locks?.map(({ wei, ...lock }) => ({ ...lock, amount: tokens(wei) })),
    staking: {
      ggpStaked: tokens(staker?.ggpStaked),
      ggpRewards: tokens(staker?.ggpRewards),
      ggpWithdrawable: staking?.ggpWithdrawable && tokens(await surplus(address, staker, chain)),
    },
    minipools: {
      stakedAVAX: tokens(sumOf(inStatus(PRELAUNCH, LAUNCHED, STAKING), 'avaxNodeOpAmt')),
      withdrawableAVAX: tokens(sum(inStatus(WITHDRAWABLE, FAILED).map(dueOf))),
    },
    withdrawals: {
      pendingAVAX: tokens(sumOf(withStatus('pending'), 'expectedAssets')),
      claimableAVAX: tokens(sumOf(withStatus('fulfilled'), 'allocatedFunds')),
      expiredAVAX: tokens(sumOf(withStatus('expired'), 'worth')),
    },
    ...(await claims(body, records, chain)),
    ...totalsOf(await worthOf(body, prices, chain), prices),
  };
};

async function vault(name: 'XGGP' | 'XAVAX', asset: string, owner: string, { read }: ChainAt): Promise<Json> {
  const shares: bigint | undefined = await read(name, 'balanceOf', owner);
  if (shares === undefined) return {};
  const maxRedeem = await read(name, 'maxRedeem', owner);
  const most = name === 'XGGP' ? await read(name, 'maxWithdraw', owner) : await read(name, 'previewRedeem', maxRedeem);
  return {
    shares: tokens(shares),
    [asset]: tokens(await read(name, 'convertToAssets', shares)),
    redeemable: tokens(most),
  };
}

/** The GGP wei that can be withdrawn: all that is free, or nothing. */
async function surplus(address: string, staker: Json, chain: ChainAt): Promise<bigint> {
  const free = await freeGgp(staker, chain);
  const paid = await chain.run('Staking', 'withdrawGGP(uint256)', address, [free]);
  return paid === undefined ? 0n : free;
}

/**
 * AVAX wei that the holdings in an answer are worth together, with GGP at the price of Trader Joe's pair; undefined if
 * that price is needed and unknown.
 */
async function worthOf(body: Json, { ggpInAVAX }: Prices, { read }: ChainAt): Promise<bigint | undefined> {
  const { ggAvax, pstAvax, xGgp, xAvax, locked = [], staking, minipools, withdrawals } = body;
  const wei = (amounts: (string | undefined)[]) => sum(amounts.map((amount = '0') => parseUnits(amount)));
  const lockedAs = (token: string) => wei(locked.flatMap((lock: Json) => (lock.token === token ? lock.amount : [])));
  const worthLocked = async (vault: string, token: string): Promise<bigint> =>
    lockedAs(token) && read(vault, 'convertToAssets', lockedAs(token));
  const ggp = sum([
    wei([staking?.ggpStaked, staking?.ggpRewards, xGgp?.ggp]),
    lockedAs('GGP'),
    await worthLocked('XGGP', 'xGGP'),
  ]);
  const avax = sum([
    wei([ggAvax.avax, pstAvax, xAvax?.avax, minipools?.stakedAVAX, minipools?.withdrawableAVAX]),
    wei([withdrawals?.pendingAVAX, withdrawals?.claimableAVAX, withdrawals?.expiredAVAX]),
    lockedAs('pstAVAX'),
    lockedAs('WAVAX'),
    await worthLocked('TokenggAVAX', 'ggAVAX'),
    await worthLocked('XAVAX', 'xAVAX'),
  ]);
  const inGGP = ggp === 0n ? 0n : times(ggp, ggpInAVAX);
  return inGGP === undefined ? undefined : avax + inGGP;
}

/** Every account, and the sums over all of them. */
export const accounts: Expected = async ({ accounts, block }, chain, source) => {
  const amounts: (string | undefined)[] = accounts.map(({ totalAVAX }: Json) => totalAVAX);
  const total = amounts.includes(undefined) ? undefined : sum(amounts.map((amount) => parseUnits(amount as string)));
  return {
    accounts: await firstItems(accounts, (one) => account({ ...one, block }, chain, source)),
    ...totalsOf(total, await pricesAt(chain, block.timestamp)),
  };
};

function totalsOf(avax: bigint | undefined, prices: Prices) {
  const value = worthIn(avax, prices);
  return { totalAVAX: tokens(avax), ...(value && { totalUSD: value.usd, totalEUR: value.eur }) };
}
