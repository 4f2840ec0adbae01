/** All holdings of an address. Withdrawals are simulated as transactions from the address. */

import { parseUnits } from 'ethers';
import { sum } from '../../lib/values/wad.ts';
import type { ChainAt } from './chain.ts';
import { claims, dueOf, freeGgp, recordsOf } from './claims.ts';
import { type Expected, firstItems, type Json, sumOf, tokens } from './figure.ts';
import { FAILED, LAUNCHED, PRELAUNCH, STAKING, WITHDRAWABLE } from './operators.ts';
import { type Prices, pricesAt, times, worthAs } from './prices.ts';
import { ownRedemption } from './withdrawals.ts';

export const account: Expected = async (body, chain) => {
  const { address, ggAvax, staking } = body;
  const records = await recordsOf(address, body.block.timestamp, chain);
  const { staker, minipools, requests, pst, locks } = records;
  const balance: bigint = await chain.read('TokenggAVAX', 'balanceOf', address);
  const prices = await pricesAt(chain, body.block.timestamp);
  const total = await worthOf(body, prices, chain);
  // All GGP that is free can be withdrawn, or nothing.
  const free = staker ? await freeGgp(staker, chain) : 0n;
  const isPaid = (await chain.run('Staking', 'withdrawGGP(uint256)', address, [free])) !== undefined;
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
      ggpWithdrawable: staking?.ggpWithdrawable && tokens(isPaid ? free : 0n),
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
    totalAVAX: tokens(total),
    ...worthAs('total', total, prices),
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

/**
 * AVAX wei that the holdings in an answer are worth together, with GGP at the price of Trader Joe's pair; undefined if
 * that price is needed and unknown.
 */
async function worthOf(body: Json, { ggpInAVAX }: Prices, { read }: ChainAt): Promise<bigint | undefined> {
  const { ggAvax, pstAvax, xGgp, xAvax, locked = [], staking, minipools, withdrawals } = body;
  const wei = (...amounts: (string | undefined)[]) => sum(amounts.map((amount = '0') => parseUnits(amount)));
  const lockedAs = (token: string) => wei(...locked.flatMap((lock: Json) => (lock.token === token ? lock.amount : [])));
  const worthLocked = async (vault: string, token: string): Promise<bigint> =>
    lockedAs(token) && read(vault, 'convertToAssets', lockedAs(token));
  const ggp = wei(staking?.ggpStaked, staking?.ggpRewards, xGgp?.ggp) + lockedAs('GGP');
  const inVaults = [await worthLocked('TokenggAVAX', 'ggAVAX'), await worthLocked('XAVAX', 'xAVAX')];
  const avax = sum([
    wei(ggAvax.avax, pstAvax, xAvax?.avax, minipools?.stakedAVAX, minipools?.withdrawableAVAX),
    wei(withdrawals?.pendingAVAX, withdrawals?.claimableAVAX, withdrawals?.expiredAVAX),
    ...[lockedAs('pstAVAX'), lockedAs('WAVAX'), ...inVaults],
  ]);
  const allGgp = ggp + (await worthLocked('XGGP', 'xGGP'));
  const inGGP = allGgp === 0n ? 0n : times(allGgp, ggpInAVAX);
  return inGGP === undefined ? undefined : avax + inGGP;
}

export const accounts: Expected = async ({ accounts, block }, chain, source) => {
  const amounts: (string | undefined)[] = accounts.map(({ totalAVAX }: Json) => totalAVAX);
  const total = amounts.includes(undefined) ? undefined : sum(amounts.map((amount) => parseUnits(amount as string)));
  return {
    accounts: await firstItems(accounts, (one) => account({ ...one, block }, chain, source)),
    totalAVAX: tokens(total),
    ...worthAs('total', total, await pricesAt(chain, block.timestamp)),
  };
};
