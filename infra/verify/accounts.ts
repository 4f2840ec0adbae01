/** All holdings of an address. Withdrawals are simulated as transactions from the address. */

import { getAddress, parseUnits } from 'ethers';
import type { ChainAt } from './chain.ts';
import { claims, dueOf, freeGgp, LAST_TIME } from './claims.ts';
import { each, type Figures, figures, type Json, sumOf, tokens } from './figure.ts';
import { FAILED, LAUNCHED, minipoolsAt, PRELAUNCH, STAKING, stakerAt, WITHDRAWABLE } from './operators.ts';
import { type Prices, pricesAt, times, worthIn } from './prices.ts';
import { ownRedemption } from './withdrawals.ts';

/** Tokens that can be locked, with their symbols, in the order of the answer. */
const LOCKABLE: readonly [string, string][] = [
  ['TokenGGP', 'GGP'],
  ['TokenggAVAX', 'ggAVAX'],
  ['TokenpstAVAX', 'pstAVAX'],
  ['WAVAX', 'WAVAX'],
  ['XGGP', 'xGGP'],
  ['XAVAX', 'xAVAX'],
];

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
  const lockOf = async ([name, token]: (typeof LOCKABLE)[number]) => {
    const lock = await read('AssetLocker', 'getUserLock', address, await addressOf(name));
    const until = Math.max(Number(lock?.unlockTime ?? 0n), Number(date ?? 0n));
    // Never has no date: it is beyond the year 9999.
    return {
      id: getAddress(await addressOf(name)),
      name,
      token,
      wei: (lock?.amount ?? 0n) as bigint,
      until: until <= LAST_TIME ? until : undefined,
    };
  };
  const minipools = (await minipoolsAt(chain)).filter(({ owner }) => owner === address);
  const inStatus = (...statuses: bigint[]) => minipools.filter(({ status }) => statuses.includes(status));
  return {
    staker: await stakerAt(chain, address),
    minipools,
    // AVAX wei: staked, and owed to the owner.
    staked: sumOf(inStatus(PRELAUNCH, LAUNCHED, STAKING), 'avaxNodeOpAmt'),
    due: sum(inStatus(WITHDRAWABLE, FAILED).map(dueOf)),
    requests: await Promise.all(ids.map(requestOf)),
    pst: (await read('TokenpstAVAX', 'balanceOf', address)) as bigint | undefined,
    locks: date === undefined ? undefined : (await Promise.all(LOCKABLE.map(lockOf))).filter(({ wei }) => wei > 0n),
  };
}

export type Records = Awaited<ReturnType<typeof recordsOf>>;

export const account: Figures = async (body, chain) => {
  const { read } = chain;
  const { address, ggAvax } = body;
  const records = await recordsOf(address, body.block.timestamp, chain);
  const { staker, minipools, staked, due, requests, pst, locks } = records;
  const balance: bigint = await read('TokenggAVAX', 'balanceOf', address);
  const prices = await pricesAt(chain, body.block.timestamp);
  const worth = await worthOf(body, records, prices, chain);
  const withStatus = (status: string) => requests.filter((request) => request.status === status);
  return [
    ...figures('ggAvax.', ggAvax, {
      balance: tokens(balance),
      avax: tokens(await read('TokenggAVAX', 'convertToAssets', balance)),
    }),
    ...(await ownRedemption('ggAvax.', ggAvax, { address, balance }, chain)),
    ...figures('', body, { address: getAddress(address), pstAvax: tokens(pst) }),
    ...(await vault('XGGP', 'ggp', body.xGgp, address, chain)),
    ...(await vault('XAVAX', 'avax', body.xAvax, address, chain)),
    {
      field: 'locked',
      served: JSON.stringify(body.locked),
      expected: JSON.stringify(locks?.map(({ id, token, wei, until }) => ({ id, token, amount: tokens(wei), until }))),
    },
    ...figures('staking.', body.staking, {
      ggpStaked: tokens(staker?.ggpStaked),
      ggpRewards: tokens(staker?.ggpRewards),
    }),
    ...figures('minipools.', body.minipools, {
      count: minipools.length,
      stakedAVAX: tokens(staked),
      withdrawableAVAX: tokens(due),
    }),
    ...figures('withdrawals.', body.withdrawals, {
      pending: withStatus('pending').length,
      pendingAVAX: tokens(sumOf(withStatus('pending'), 'expectedAssets')),
      claimableAVAX: tokens(sumOf(withStatus('fulfilled'), 'allocatedFunds')),
      expired: withStatus('expired').length,
      expiredAVAX: tokens(sumOf(withStatus('expired'), 'worth')),
    }),
    ...(await claims(body, records, chain)),
    ...(await surplus(body, records, chain)),
    ...figures('', body, totalsOf(worth, prices)),
  ];
};

async function vault(name: 'XGGP' | 'XAVAX', asset: string, served: Json, owner: string, { read }: ChainAt) {
  const shares: bigint | undefined = await read(name, 'balanceOf', owner);
  if (shares === undefined) return [];
  const maxRedeem = await read(name, 'maxRedeem', owner);
  const most = name === 'XGGP' ? await read(name, 'maxWithdraw', owner) : await read(name, 'previewRedeem', maxRedeem);
  return figures(`${name}.`, served, {
    shares: tokens(shares),
    [asset]: tokens(await read(name, 'convertToAssets', shares)),
    redeemable: tokens(most),
  });
}

/** The GGP that can be withdrawn: all that is free, or nothing. */
async function surplus({ address, staking }: Json, { staker }: Records, chain: ChainAt) {
  if (staking?.ggpWithdrawable === undefined) return [];
  const free = await freeGgp(staker, chain);
  const isPaid = free > 0n && !('reverted' in (await chain.run('Staking', 'withdrawGGP(uint256)', address, [free])));
  return [{ field: 'ggpWithdrawable', served: staking.ggpWithdrawable, expected: tokens(isPaid ? free : 0n) }];
}

/**
 * Worth of all holdings in AVAX wei, with GGP at the price of Trader Joe's pair; undefined if that price is needed and
 * unknown.
 */
async function worthOf({ address }: Json, records: Records, prices: Prices, { read }: ChainAt) {
  const { staker, staked, due, requests, pst = 0n, locks = [] } = records;
  const held = async (name: 'XGGP' | 'XAVAX'): Promise<bigint> =>
    (await read(name, 'convertToAssets', (await read(name, 'balanceOf', address)) ?? 0n)) ?? 0n;
  const lockedAs = (wanted: string) => sum(locks.filter(({ name }) => name === wanted).map(({ wei }) => wei));
  const [xGgp, xAvax] = [lockedAs('XGGP'), lockedAs('XAVAX')];
  const ggp = sum([
    staker?.ggpStaked ?? 0n,
    staker?.ggpRewards ?? 0n,
    await held('XGGP'),
    lockedAs('TokenGGP'),
    xGgp && (await read('XGGP', 'convertToAssets', xGgp)),
  ]);
  const rated = async (shares: bigint): Promise<bigint> => read('TokenggAVAX', 'convertToAssets', shares);
  const avax = sum([
    await rated((await read('TokenggAVAX', 'balanceOf', address)) ?? 0n),
    await rated(lockedAs('TokenggAVAX')),
    ...[staked, due, pst, lockedAs('TokenpstAVAX'), lockedAs('WAVAX'), await held('XAVAX')],
    xAvax && (await read('XAVAX', 'convertToAssets', xAvax)),
    ...requests.map(({ status, expectedAssets, worth }) => (status === 'pending' ? expectedAssets : worth)),
  ]);
  const inGGP = ggp === 0n ? 0n : times(ggp, prices.ggpInAVAX);
  return inGGP === undefined ? undefined : avax + inGGP;
}

/** Every account, and the sums over all of them. */
export const accounts: Figures = async (body, chain, source) => {
  const { accounts, block } = body;
  const compared = await each<Json>('accounts', accounts, async (one, at) =>
    (await account({ ...one, block }, chain, source)).map((figure) => ({ ...figure, field: at + figure.field })),
  );
  const amounts: (string | undefined)[] = accounts.map(({ totalAVAX }: Json) => totalAVAX);
  const total = amounts.includes(undefined) ? undefined : sum(amounts.map((amount) => parseUnits(amount as string)));
  return [...compared, ...figures('', body, totalsOf(total, await pricesAt(chain, block.timestamp)))];
};

function totalsOf(avax: bigint | undefined, prices: Prices) {
  const value = worthIn(avax, prices);
  return { totalAVAX: tokens(avax), ...(value && { totalUSD: value.usd, totalEUR: value.eur }) };
}
