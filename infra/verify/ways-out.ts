/** Withdrawals that an address can make: each transaction that might pay something is simulated as it would be sent. */

import { getAddress, Interface, parseUnits } from 'ethers';
import { min } from '../../lib/values/wad.ts';
import type { Records } from './accounts.ts';
import type { ChainAt } from './chain.ts';
import { type Figure, figures, type Json, tokens } from './figure.ts';
import { cb58 } from './operators.ts';
import { liquidity } from './withdrawals.ts';

/** `pays`: wei of the token; by default the amount that the transaction returns. */
type Attempt = [
  what: string,
  token: string,
  contract: string,
  method: string,
  args: readonly unknown[],
  pays?: bigint | undefined,
  until?: number | undefined,
];

/** Checks that each offered transaction is accepted and pays its amount, and that all others are refused. */
export async function entries(body: Json, records: Records, chain: ChainAt): Promise<Figure[]> {
  const { address, availableNow = [] } = body;
  const attempts = await attemptsOf(body, records, chain);
  const tried = (await Promise.all(attempts.map((attempt) => outcomeOf(attempt, address, chain)))).flat();
  // A request that can be claimed is not offered to be canceled.
  const isClaimed = ({ what, requestId }: Json) =>
    what === 'cancelUnstake' && tried.some((one) => one.what === 'claimUnstake' && one.requestId === requestId);
  const expected = tried.filter((entry) => !isClaimed(entry));
  const comparable = ({ title: _, detail: __, call, ...entry }: Json = {}) => ({
    ...entry,
    call: JSON.stringify(call),
  });
  return [
    { field: 'availableNow.length', served: availableNow.length, expected: expected.length },
    ...expected.flatMap((entry, index) =>
      figures(`availableNow[${index}].`, comparable(availableNow[index]), comparable(entry)),
    ),
  ];
}

/** The entry of a transaction that pays something. */
async function outcomeOf(
  [what, token, contract, method, args, pays, until]: Attempt,
  sender: string,
  { run, addressOf, chainId }: ChainAt,
): Promise<Json[]> {
  // A transaction with an amount of 0 pays nothing, even if it is accepted.
  if (args[0] === 0n && contract !== 'WithdrawQueue') return [];
  const outcome = await run(contract, method, sender, args);
  const amount = 'reverted' in outcome ? 0n : (pays ?? outcome.paid ?? 0n);
  if (amount === 0n) return [];
  const call = callOf(await addressOf(contract), method, args, chainId);
  return [{ what, token, amount: tokens(amount), until, ...subjectOf(what, args), call }];
}

function callOf(contract: string, method: string, args: readonly unknown[], chainId: number) {
  const data = new Interface([`function ${method}`]).encodeFunctionData(method, args);
  return { contract, function: method, arguments: args.map(String), data, value: '0', chainId };
}

/** The record that a call is about: its first argument, in the form of the answer. */
export function subjectOf(what: string, [id]: readonly unknown[]): Json {
  if (/Minipool/.test(what)) return { nodeID: `NodeID-${cb58(String(id))}`, nodeIDHex: String(id).toLowerCase() };
  if (/Unstake|Expired/.test(what)) return { requestId: Number(id) };
  return what === 'withdrawLocked' ? { lockId: id } : {};
}

/** Each call that might pay something, in the order to send them. */
async function attemptsOf(body: Json, records: Records, chain: ChainAt): Promise<Attempt[]> {
  const { read, addressOf } = chain;
  const { address, ggAvax, staking } = body;
  const { staker, minipools, requests, pst = 0n, locks = [] } = records;
  const assets: bigint = await read('TokenggAVAX', 'totalAssets');
  const supply: bigint = await read('TokenggAVAX', 'totalSupply');
  const most: bigint = (await read('XGGP', 'maxWithdraw', address)) ?? 0n;
  const held: bigint = (await read('XAVAX', 'balanceOf', address)) ?? 0n;
  const allowed: bigint = (await read('XAVAX', 'maxRedeem', address)) ?? 0n;
  const shares = allowed < held ? reliable(allowed) : allowed;
  // As many shares as are worth at most that.
  const within = assets === 0n ? 0n : ((reliable(await liquidity(chain)) + 1n) * supply - 1n) / assets;
  const redeemed = min(parseUnits(ggAvax.redemption?.ggAvax ?? '0'), within);
  const rewards: bigint = staker?.ggpRewards ?? 0n;
  const surplus = parseUnits(staking?.ggpWithdrawable ?? '0');
  const ofRequest = async (request: Records['requests'][0]) => {
    const { id, shares, expectedAssets, allocatedFunds, status, expirationTime } = request;
    const bought: bigint = await read('TokenggAVAX', 'convertToShares', allocatedFunds || expectedAssets);
    const ends = (what: string, token: string, method: string) =>
      [what, token, 'WithdrawQueue', `${method}(uint256)`, [id]] as const;
    const attempts: Attempt[] =
      status === 'expired'
        ? [[...ends('reclaimExpired', 'ggAVAX', 'reclaimExpiredRequest'), allocatedFunds ? bought : shares]]
        : [
            [...ends('claimUnstake', 'AVAX', 'claimUnstake'), allocatedFunds, Number(expirationTime)],
            [...ends('cancelUnstake', 'ggAVAX', 'cancelRequest'), bought],
          ];
    return attempts;
  };
  const ofLock = async ({ name, token, wei }: NonNullable<Records['locks']>[0]): Promise<Attempt> => {
    const args = [getAddress(await addressOf(name)), wei];
    return ['withdrawLocked', token, 'AssetLocker', 'withdrawTokens(address,uint256)', args, wei];
  };
  const sorted = requests.toSorted((a, b) => Number(a.id - b.id));
  return [
    ...(await Promise.all(sorted.map(ofRequest))).flat(),
    ...minipools.map((each) => ofMinipool('withdrawMinipool', 'withdrawMinipoolFunds', each, dueOf(each))),
    ...minipools.map((each) => ofMinipool('cancelMinipool', 'cancelMinipool', each, each.avaxNodeOpAmt)),
    ['claimRewards', 'GGP', 'ClaimNodeOp', 'claimAndRestake(uint256)', [rewards], rewards],
    ['withdrawGgp', 'GGP', 'Staking', 'withdrawGGP(uint256)', [surplus], surplus],
    ['withdrawPstAvax', 'ggAVAX', 'TokenpstAVAX', 'withdraw(uint256)', [pst]],
    ['redeemXGgp', 'GGP', 'XGGP', 'withdraw(uint256,address,address)', [most, address, address], most],
    ['redeemXAvax', 'AVAX', 'XAVAX', 'redeemAVAX(uint256)', [shares]],
    ...(await Promise.all(locks.map(ofLock))),
    ['redeem', 'AVAX', 'TokenggAVAX', 'redeemAVAX(uint256)', [redeemed]],
  ];
}

/** The part of an amount that a pool still pays in some days. */
function reliable(amount: bigint): bigint {
  return (amount * 995n) / 1_000n;
}

function ofMinipool(what: string, method: string, { nodeID }: Json, pays: bigint): Attempt {
  return [what, 'AVAX', 'MinipoolManager', `${method}(address)`, [nodeID], pays];
}

/** AVAX that a minipool's owner is paid when it is over. */
export function dueOf({ avaxNodeOpAmt, avaxNodeOpRewardAmt }: Json): bigint {
  return avaxNodeOpAmt + avaxNodeOpRewardAmt;
}
