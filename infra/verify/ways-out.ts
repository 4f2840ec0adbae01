/** Withdrawals that an address can make: each transaction that might pay something is simulated as it would be sent. */

import { getAddress, Interface, parseUnits } from 'ethers';
import type { Records } from './accounts.ts';
import type { ChainAt } from './chain.ts';
import { type Figure, figures, type Json, tokens } from './figure.ts';
import { cb58 } from './operators.ts';
import { isOpen, liquidity } from './withdrawals.ts';

interface Pool {
  assets: bigint;
  supply: bigint;
}

/**
 * `pays`: wei of the token; by default the amount that the transaction returns. `after`, if it pays ggAVAX: the pool after
 * the transaction.
 */
type Attempt = [
  what: string,
  token: string,
  contract: Parameters<ChainAt['run']>[0],
  method: string,
  args: readonly unknown[],
  pays?: bigint | undefined,
  after?: Pool | undefined,
];

/** Checks that each offered transaction is accepted and pays its amount, and that all others are refused. */
export async function entries(body: Json, records: Records, chain: ChainAt): Promise<Figure[]> {
  const { address, availableNow = [] } = body;
  const liquid = (await isOpen(chain)) ? await liquidity(chain) : 0n;
  const attempts = await attemptsOf(body, records, chain);
  const tried = (await Promise.all(attempts.map((attempt) => outcomesOf(attempt, address, liquid, chain)))).flat();
  // A request can be ended once.
  const insteadOf = ({ what, arguments: ids }: Json) =>
    tried.find(({ one }) => what === 'claimUnstake' && one.what === 'cancelUnstake' && `${one.arguments}` === `${ids}`);
  const instead = new Set(tried.map(({ one }) => insteadOf(one)));
  const expected = tried
    .filter((outcome) => !instead.has(outcome))
    .map(({ one, best }): Json => ({ ...best, alternative: insteadOf(one)?.one }));
  const keyOf = (entry: Json) => `${entry.contract}.${entry.function} ${entry.arguments}`;
  const comparable = ({ arguments: _, steps, alternative, ...entry }: Json = {}) => ({
    ...entry,
    ...{ steps: JSON.stringify(steps), alternative: JSON.stringify(alternative) },
  });
  return [
    { field: 'availableNow.length', served: availableNow.length, expected: expected.length },
    ...expected.flatMap((entry) => {
      const served = availableNow.find((one: Json) => keyOf(one) === keyOf(entry));
      return figures(`availableNow[${keyOf(entry)}].`, comparable(served), comparable(entry));
    }),
  ];
}

/** Entries of a transaction that pays something: in one step and, if its ggAVAX can be redeemed then, in two. */
async function outcomesOf(
  [what, token, contract, method, args, pays, after]: Attempt,
  sender: string,
  liquid: bigint,
  { run, addressOf, chainId }: ChainAt,
): Promise<{ one: Json; best: Json }[]> {
  // A transaction with an amount of 0 pays nothing, even if it is accepted.
  if (args[0] === 0n && contract !== 'WithdrawQueue') return [];
  const outcome = await run(contract, method, sender, args);
  const amount = 'reverted' in outcome ? 0n : (pays ?? outcome.paid ?? 0n);
  if (amount === 0n) return [];
  const call = callOf(await addressOf(contract), method, args, chainId);
  const one = { what, amount: tokens(amount), token, ...subjectOf(what, args), ...call };
  const avax = after && (after.supply === 0n ? amount : (amount * after.assets) / after.supply);
  if (!avax || avax > liquid) return [{ one, best: one }];
  const redeem = callOf(await addressOf('TokenggAVAX'), 'redeemAVAX(uint256)', [amount], chainId);
  const steps = [call, redeem];
  return [{ one, best: { ...one, amount: tokens(avax), token: 'AVAX', steps } }];
}

function callOf(contract: string, method: string, args: readonly unknown[], chainId: number) {
  const data = new Interface([`function ${method}`]).encodeFunctionData(method, args);
  return { contract, function: method, arguments: args.map(String), data, value: '0', chainId };
}

/** The record that a call is about: its first argument, in the form of the answer. */
export function subjectOf(what: string, [id]: readonly unknown[]): Json {
  if (/Minipool/.test(what)) return { nodeID: `NodeID-${cb58(String(id))}` };
  if (/Unstake|Expired/.test(what)) return { requestId: Number(id) };
  return what === 'withdrawLocked' ? { lockId: id } : {};
}

/** Each call that might pay something. */
async function attemptsOf(body: Json, records: Records, { read, addressOf }: ChainAt): Promise<Attempt[]> {
  const { address, ggAvax, staking } = body;
  const { staker, minipools, requests, pst = 0n, locks = [] } = records;
  const assets: bigint = await read('TokenggAVAX', 'totalAssets');
  const supply: bigint = await read('TokenggAVAX', 'totalSupply');
  const burned: bigint = (await read('TokenpstAVAX', 'getExcessShares'))?.burnShares ?? 0n;
  const most: bigint = (await read('XGGP', 'maxWithdraw', address)) ?? 0n;
  const shares: bigint = (await read('XAVAX', 'maxRedeem', address)) ?? 0n;
  const stripped = { assets, supply: supply - burned };
  const redeemed = parseUnits(ggAvax.redemption?.ggAvax ?? '0');
  const rewards: bigint = staker?.ggpRewards ?? 0n;
  const surplus = parseUnits(staking?.ggpWithdrawable ?? '0');
  const ofRequest = async ({ id, shares, expectedAssets, allocatedFunds, status }: Records['requests'][0]) => {
    const bought: bigint = await read('TokenggAVAX', 'convertToShares', allocatedFunds || expectedAssets);
    // A request's AVAX is deposited again. A request without AVAX returns fewer ggAVAX than its shares: the rest is burned.
    const deposited = { assets: assets + allocatedFunds, supply: supply + bought };
    const canceled = { assets, supply: supply - (shares > bought ? shares - bought : 0n) };
    const [pays, after] = allocatedFunds ? [bought, deposited] : [shares, { assets, supply }];
    const ends = (what: string, token: string, method: string) =>
      [what, token, 'WithdrawQueue', `${method}(uint256)`, [id]] as const;
    const attempts: Attempt[] = [
      [...ends('claimUnstake', 'AVAX', 'claimUnstake'), allocatedFunds],
      [...ends('reclaimExpired', 'ggAVAX', 'reclaimExpiredRequest'), pays, after],
    ];
    if (status !== 'expired')
      attempts.push([...ends('cancelUnstake', 'ggAVAX', 'cancelRequest'), bought, allocatedFunds ? after : canceled]);
    return attempts;
  };
  const ofLock = async ({ name, token, wei }: NonNullable<Records['locks']>[0]): Promise<Attempt> => {
    const args = [getAddress(await addressOf(name)), wei];
    const after = token === 'ggAVAX' ? { assets, supply } : undefined;
    return ['withdrawLocked', token, 'AssetLocker', 'withdrawTokens(address,uint256)', args, wei, after];
  };
  return [
    ['redeem', 'AVAX', 'TokenggAVAX', 'redeemAVAX(uint256)', [redeemed]],
    ...(await Promise.all(requests.map(ofRequest))).flat(),
    ...minipools.flatMap((minipool): Attempt[] => [
      ofMinipool('withdrawMinipool', 'withdrawMinipoolFunds', minipool, dueOf(minipool)),
      ofMinipool('cancelMinipool', 'cancelMinipool', minipool, minipool.avaxNodeOpAmt),
    ]),
    ['claimRewards', 'GGP', 'ClaimNodeOp', 'claimAndRestake(uint256)', [rewards], rewards],
    ['withdrawGgp', 'GGP', 'Staking', 'withdrawGGP(uint256)', [surplus], surplus],
    ['withdrawPstAvax', 'ggAVAX', 'TokenpstAVAX', 'withdraw(uint256)', [pst], undefined, stripped],
    ['redeemXGgp', 'GGP', 'XGGP', 'withdraw(uint256,address,address)', [most, address, address], most],
    ['redeemXAvax', 'AVAX', 'XAVAX', 'redeemAVAX(uint256)', [shares]],
    ...(await Promise.all(locks.map(ofLock))),
  ];
}

function ofMinipool(what: string, method: string, { nodeID }: Json, pays: bigint): Attempt {
  return [what, 'AVAX', 'MinipoolManager', `${method}(address)`, [nodeID], pays];
}

/** AVAX that a minipool's owner is paid when it is over. */
export function dueOf({ avaxNodeOpAmt, avaxNodeOpRewardAmt }: Json): bigint {
  return avaxNodeOpAmt + avaxNodeOpRewardAmt;
}
