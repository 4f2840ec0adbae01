/** Figures about withdrawals of AVAX, each compared with the results of calls of the contracts. */

import { AbiCoder, parseUnits } from 'ethers';
import { redeemedAssets } from '../../lib/rewards/gg-avax-shares.ts';
import { min } from '../../lib/values/wad.ts';
import type { ChainAt } from './chain.ts';
import { each, type Figure, type Figures, figures, integer, type Json, named, sumOf, tokens } from './figure.ts';

/** Pending withdrawals in the queue; undefined if the network has no queue. */
async function pendingIn({ read }: ChainAt): Promise<Json[] | undefined> {
  const ids: bigint[] | undefined = await read('WithdrawQueue', 'getAllPendingRequests');
  return ids && Promise.all(ids.map((id) => read('WithdrawQueue', 'getRequestInfo', id)));
}

export async function queue({ withdrawQueue }: Json, chain: ChainAt): Promise<Figure[]> {
  const { read } = chain;
  const view = (name: string) => read('WithdrawQueue', name);
  const pending = await pendingIn(chain);
  return figures('withdrawQueue.', withdrawQueue, {
    pendingRequests: integer(await view('getPendingRequestsCount')),
    pendingAVAX: tokens(pending && sumOf(pending, 'expectedAssets')),
    fulfilledRequests: integer(await view('getFulfilledRequestsCount')),
    allocatedAVAX: tokens(await view('totalAllocatedFunds')),
    paused: await view('paused'),
  });
}

/**
 * True if everybody can redeem, false if redemptions are closed or paused; undefined for an unknown refusal. Simulates a
 * redemption of more than the pool has, by an account without a role.
 */
async function isOpen({ run }: ChainAt): Promise<boolean | undefined> {
  const nobody = '0x000000000000000000000000000000000000dEaD';
  const { reverted = '' } = await run('TokenggAVAX', 'redeemAVAX(uint256)', nobody, [2n ** 128n]);
  const reason = reasonIn(reverted);
  return reason && reason === 'NO_LIQUIDITY';
}

/** Reason for the refusal of a redemption; undefined for an unknown reason. */
function reasonIn(reverted: string): 'CLOSED' | 'PAUSED' | 'NO_LIQUIDITY' | undefined {
  const [text] = reverted.startsWith(ERROR)
    ? AbiCoder.defaultAbiCoder().decode(['string'], `0x${reverted.slice(ERROR.length)}`)
    : [''];
  // AccessControlUnauthorizedAccount.
  if (/^0xe2517d3f/.test(reverted) || /^AccessControl: /.test(text)) return 'CLOSED';
  // ContractPaused, EnforcedPause.
  if (/^0x(ab35696f|d93c0665)/.test(reverted) || /^Pausable: /.test(text)) return 'PAUSED';
  // Panic(uint256), ZeroAssets, InsufficientLiquidity.
  const isShort = /^0x(4e487b71|32d971dc|bb55fd27)/.test(reverted) || /^ERC20: .* exceeds balance$/.test(text);
  return isShort ? 'NO_LIQUIDITY' : undefined;
}

/** Error(string), with the reason of OpenZeppelin's contracts before version 5. */
const ERROR = '0x08c379a0';

/** AVAX that redemptions can take out of the pool: the lower of its WAVAX and the released assets. */
export async function redemption(body: Json, chain: ChainAt): Promise<Figure[]> {
  const open = await isOpen(chain);
  return figures('redemption.', body.redemption, {
    ...(open !== undefined && { open }),
    availableAVAX: open === false ? '0' : tokens(await liquidity(chain)),
  });
}

export async function liquidity({ read, addressOf }: ChainAt): Promise<bigint> {
  const released: bigint = await read('TokenggAVAX', 'totalReleasedAssets');
  return min(released, await read('WAVAX', 'balanceOf', await addressOf('TokenggAVAX')));
}

/**
 * Checks the redeemable ggAVAX of an address: redeeming it pays the amount in the answer, and a wei more is refused or
 * above the balance.
 */
export async function ownRedemption(
  at: string,
  { redemption }: Json,
  { address, balance }: { address: string; balance: bigint },
  chain: ChainAt,
): Promise<Figure[]> {
  if (!redemption) return [];
  const redeem = (wei: bigint) => chain.run('TokenggAVAX', 'redeemAVAX(uint256)', address, [wei]);
  const shares = parseUnits(redemption.ggAvax);
  const { paid } = shares > 0n ? await redeem(shares) : { paid: 0n };
  const { reverted } = shares < balance ? await redeem(shares + 1n) : { reverted: '' };
  const refusal = shares > 0n ? undefined : reasonIn((await redeem(balance)).reverted ?? '');
  const open = balance === 0n ? await isOpen(chain) : shares > 0n || (refusal && refusal === 'NO_LIQUIDITY');
  return figures(`${at}redemption.`, redemption, {
    ggAvax: reverted === undefined ? 'more' : redemption.ggAvax,
    avax: tokens(paid),
    ...(open !== undefined && { open }),
    ...((balance === 0n || refusal || shares > 0n) && { reason: balance === 0n ? 'NO_BALANCE' : refusal }),
  });
}

/** ggAVAX that a cancellation and the expiry of a request return, if the queue accepts them. */
async function returns(request: Json, at: string, { read, run }: ChainAt): Promise<Figure[]> {
  const { status, requestId, requester, shares, expectedAssets, allocatedFunds } = request;
  const isFunded = allocatedFunds !== '0';
  const ends = async (method: string) =>
    !('reverted' in (await run('WithdrawQueue', `${method}(uint256)`, requester, [requestId])));
  const bought = async () =>
    tokens(await read('TokenggAVAX', 'convertToShares', parseUnits(isFunded ? allocatedFunds : expectedAssets)));
  const isExpired = status === 'expired';
  const canCancel = !isExpired && (await ends('cancelRequest'));
  const canReclaim = isExpired && (await ends('reclaimExpiredRequest'));
  return figures(at, request, {
    cancelGgAvax: canCancel ? await bought() : undefined,
    expiryGgAvax: isFunded ? (canReclaim ? await bought() : undefined) : shares,
  });
}

export const withdrawals: Figures = async (body, chain) => [
  ...(await queue(body, chain)),
  ...(await each('requests', body.requests, async (request: Json, at) => {
    const record = await chain.read('WithdrawQueue', 'getRequestInfo', request.requestId);
    const isExpired = body.block.timestamp >= record.expirationTime;
    const promised = isExpired
      ? await chain.read('TokenggAVAX', 'convertToAssets', record.shares)
      : record.expectedAssets;
    return [
      ...figures(at, request, {
        requester: record.requester,
        ...named(record, tokens, 'shares', 'expectedAssets', 'allocatedFunds'),
        ...named(record, Number, 'requestTime', 'claimableTime', 'expirationTime'),
        avax: tokens(record.allocatedFunds || promised),
      }),
      ...(await returns(request, at, chain)),
    ];
  })),
];

/** AVAX wei that are left in the pool for others, after all pending requests are served one after the other. */
async function leftAfter(requests: readonly Json[], { read }: ChainAt): Promise<bigint> {
  const view = (name: string): Promise<bigint> => read('TokenggAVAX', name);
  const [totalAssets, totalSupply] = [await view('totalAssets'), await view('totalSupply')];
  const idle = totalAssets - (await view('stakingTotalAssets'));
  const shares = requests.map(({ shares }) => shares);
  return min(idle, await view('totalReleasedAssets')) - redeemedAssets(shares, { totalAssets, totalSupply });
}

export const estimate: Figures = async (body, chain) => {
  const { read } = chain;
  const delay: bigint | undefined = await read('WithdrawQueue', 'unstakeDelay');
  const claimableTime = delay === undefined ? undefined : body.block.timestamp + Number(delay);
  const longest = Number(await read('WithdrawQueue', 'maxExpirationDelay'));
  const times = { claimableTime, expirationTime: claimableTime === undefined ? undefined : claimableTime + longest };
  const waiting = (await pendingIn(chain)) ?? [];
  const worth: bigint = await read('TokenggAVAX', 'convertToAssets', parseUnits(body.ggAvax));
  const left = await leftAfter(waiting, chain);
  return [
    ...figures('', body, { avax: tokens(worth), instantAVAX: tokens(left < 0n ? 0n : min(left, worth)), ...times }),
    ...(await redemption(body, chain)),
    ...figures('ahead.', body.ahead, { requests: waiting.length, avax: tokens(sumOf(waiting, 'expectedAssets')) }),
  ];
};
