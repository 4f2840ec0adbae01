/** Figures about withdrawals of AVAX, each compared with the results of calls of the contracts. */

import { AbiCoder, id, parseUnits, ZeroAddress } from 'ethers';
import type { ChainAt, ChainSource } from './chain.ts';
import {
  each,
  type Figure,
  type Figures,
  figures,
  integer,
  type Json,
  named,
  number,
  smaller,
  tokens,
  WAD,
} from './figure.ts';

/** Pending withdrawals in the queue; undefined if the network has no queue. */
async function pendingIn({ read }: ChainAt): Promise<Json[] | undefined> {
  const ids: bigint[] | undefined = await read('WithdrawQueue', 'getAllPendingRequests');
  return ids && Promise.all(ids.map((id) => read('WithdrawQueue', 'getRequestInfo', id)));
}

const promisedTo = (requests: readonly Json[]): bigint => requests.reduce((sum, one) => sum + one.expectedAssets, 0n);

/** The queue's record of serving requests on time. */
async function serviceFigures(at: string, served: Json, now: number, chain: ChainAt, source: ChainSource) {
  const due = ((await pendingIn(chain)) ?? []).map(({ claimableTime }) => Number(claimableTime));
  const overdue = due.filter((time) => time <= now);
  const { lastFulfilledTime } = served;
  const last = lastFulfilledTime === undefined ? undefined : await source.lastBlockBy(lastFulfilledTime);
  return figures(at, served, {
    overdueRequests: overdue.length,
    oldestOverdueTime: overdue.length > 0 ? Math.min(...overdue) : undefined,
    lastFulfilledTime: last === undefined ? undefined : await source.timestamp(last),
  });
}

export async function queue({ withdrawQueue }: Json, chain: ChainAt): Promise<Figure[]> {
  const { read } = chain;
  const view = (name: string) => read('WithdrawQueue', name);
  const pending = await pendingIn(chain);
  return figures('withdrawQueue.', withdrawQueue, {
    pendingRequests: integer(await view('getPendingRequestsCount')),
    pendingAVAX: tokens(pending && promisedTo(pending)),
    fulfilledRequests: integer(await view('getFulfilledRequestsCount')),
    allocatedAVAX: tokens(await view('totalAllocatedFunds')),
    unstakeDelay: integer(await view('unstakeDelay')),
    minExpirationDelay: integer(await view('MIN_EXPIRATION_DELAY')),
    maxExpirationDelay: integer(await view('maxExpirationDelay')),
    paused: await view('paused'),
  });
}

/**
 * True if everybody can redeem, false if redemptions are closed or paused; undefined for an unknown refusal. Simulates a
 * redemption of more than the pool has, by an account without a role.
 */
export async function isOpen({ run }: ChainAt): Promise<boolean | undefined> {
  const { reverted = '' } = await run('TokenggAVAX', 'redeemAVAX', '0x000000000000000000000000000000000000dEaD', [
    2n ** 128n,
  ]);
  const reason = reasonIn(reverted);
  return reason && reason === 'NO_LIQUIDITY';
}

/** Reason for the refusal of a redemption; undefined for an unknown reason. */
function reasonIn(reverted: string): 'CLOSED' | 'PAUSED' | 'NO_LIQUIDITY' | undefined {
  const text = reverted.startsWith(ERROR) ? textIn(reverted) : '';
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

function textIn(reverted: string): string {
  const [text] = AbiCoder.defaultAbiCoder().decode(['string'], `0x${reverted.slice(ERROR.length)}`);
  return text;
}

/** AVAX that redemptions can take out of the pool: the lower of its WAVAX and the released assets. */
export async function redemption(body: Json, chain: ChainAt): Promise<Figure[]> {
  const open = await isOpen(chain);
  return figures('redemption.', body.redemption, {
    ...(open !== undefined && { open }),
    availableAVAX: open === false ? '0' : tokens(await liquidity(chain)),
  });
}

export async function liquidity({ read, wavaxOf }: ChainAt): Promise<bigint> {
  const released: bigint = await read('TokenggAVAX', 'totalReleasedAssets');
  return smaller(released, await wavaxOf('TokenggAVAX'));
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
  const redeem = (wei: bigint) => chain.run('TokenggAVAX', 'redeemAVAX', address, [wei]);
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
  const ends = async (method: string) => !('reverted' in (await run('WithdrawQueue', method, requester, [requestId])));
  const bought = async () =>
    tokens(await read('TokenggAVAX', 'convertToShares', parseUnits(isFunded ? allocatedFunds : expectedAssets)));
  const isExpired = status === 'expired';
  const canCancel = !isExpired && (await ends('cancelRequest'));
  // Without the DAO, the service cannot read if deposits are accepted.
  const isKnown = (await read('ProtocolDAO', 'getContractPaused', 'TokenggAVAX')) !== undefined;
  const canReclaim = isExpired && isKnown && (await ends('reclaimExpiredRequest'));
  return figures(at, request, {
    ...((!isFunded || isKnown) && { cancelGgAvax: canCancel ? await bought() : undefined }),
    expiryGgAvax: isFunded ? (canReclaim ? await bought() : undefined) : shares,
  });
}

export const withdrawals: Figures = async (body, chain, source) => [
  ...(await queue(body, chain)),
  ...(await serviceFigures('service.', body.service, body.block.timestamp, chain, source)),
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
  const total = await view('totalAssets');
  const idle = total - (await view('stakingTotalAssets'));
  const released = await view('totalReleasedAssets');
  let [assets, supply] = [total, await view('totalSupply')];
  for (const { shares } of requests) {
    assets -= supply === 0n ? shares : (shares * assets) / supply;
    supply -= shares;
  }
  return smaller(idle, released) - (total - assets);
}

export const estimate: Figures = async (body, chain, source) => {
  const { read, quote } = chain;
  const rated = async (ggAvax: string) => tokens(await read('TokenggAVAX', 'convertToAssets', parseUnits(ggAvax)));
  const delay: bigint | undefined = await read('WithdrawQueue', 'unstakeDelay');
  const claimableTime = delay === undefined ? undefined : body.block.timestamp + Number(delay);
  const longest = Number(await read('WithdrawQueue', 'maxExpirationDelay'));
  const times = { claimableTime, expirationTime: claimableTime === undefined ? undefined : claimableTime + longest };
  const waiting = (await pendingIn(chain)) ?? [];
  const worth: bigint = await read('TokenggAVAX', 'convertToAssets', parseUnits(body.ggAvax));
  const left = await leftAfter(waiting, chain);
  const instant = left < 0n ? 0n : smaller(left, worth);
  const ofRoute = async (route: Json): Promise<Figure[]> => {
    const at = `routes[${route.route}].`;
    if (route.route === 'redeem') return figures(at, route, { avax: await rated(route.ggAvax) });
    if (route.route === 'queue')
      return [
        ...figures(at, route, { avax: await rated(body.ggAvax), ...times }),
        ...(route.service
          ? await serviceFigures(`${at}service.`, route.service, body.block.timestamp, chain, source)
          : []),
      ];
    if (!route.available) return [];
    const { avax, sAvax } = await quote(route, parseUnits(body.ggAvax));
    const discount = avax === undefined || worth === 0n ? undefined : signed(((worth - avax) * WAD) / worth);
    return figures(at, route, { avax: tokens(avax), sAvax: tokens(sAvax), discountPercent: discount });
  };
  return [
    ...figures('', body, { avax: tokens(worth), instantAVAX: tokens(instant), ...times }),
    ...figures('ahead.', body.ahead, { requests: waiting.length, avax: tokens(promisedTo(waiting)) }),
    ...(await Promise.all<Figure[]>(body.routes.map(ofRoute))).flat(),
  ];
};

/** A fraction (1e18 = 100 %), which may be negative, in percent. */
const signed = (fraction: bigint) => (fraction < 0n ? -number(-fraction, 16) : number(fraction, 16));

export const contracts: Figures = async (body, { chainId, read, implementation }, source) => {
  const registered: Json[] = body.contracts.filter(({ source }: Json) => source === 'registry');
  const compared = registered.map(async ({ name, address, implementation: code, upgradedAt }): Promise<Figure[]> => {
    const expected = await read('Storage', 'getAddress(bytes32)', id(`contract.address${name}`));
    const behind = await implementation(address);
    return [
      { field: name, served: address, expected },
      { field: `${name}.implementation`, served: code, expected: behind === ZeroAddress ? undefined : behind },
      ...(upgradedAt === undefined ? [] : [await upgradeFigure(name, address, upgradedAt, source)]),
    ];
  });
  return [...figures('', body, { chainId }), ...(await Promise.all(compared)).flat()];
};

/** Checks that the code behind a proxy changed at a time. */
async function upgradeFigure(name: string, address: string, upgradedAt: number, source: ChainSource): Promise<Figure> {
  const block = await source.lastBlockBy(upgradedAt);
  const [before, after] = await Promise.all([block - 1, block].map((at) => source.at(at).implementation(address)));
  const expected = before === after ? 'no upgrade then' : await source.timestamp(block);
  return { field: `${name}.upgradedAt`, served: upgradedAt, expected };
}
