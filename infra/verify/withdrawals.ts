/** How people get their AVAX back: each figure is compared with what the contracts do when they are called. */

import { AbiCoder, id, parseUnits, ZeroAddress } from 'ethers';
import type { ChainAt } from './chain.ts';
import { each, type Figure, type Figures, figures, integer, type Json, number, tokens, WAD } from './figure.ts';

export async function queue({ withdrawQueue }: Json, { read }: ChainAt): Promise<Figure[]> {
  const view = (name: string) => read('WithdrawQueue', name);
  return figures('withdrawQueue.', withdrawQueue, {
    pendingRequests: integer(await view('getPendingRequestsCount')),
    fulfilledRequests: integer(await view('getFulfilledRequestsCount')),
    allocatedAVAX: tokens(await view('totalAllocatedFunds')),
    unstakeDelay: integer(await view('unstakeDelay')),
    minExpirationDelay: integer(await view('MIN_EXPIRATION_DELAY')),
    maxExpirationDelay: integer(await view('maxExpirationDelay')),
    paused: await view('paused'),
  });
}

/** Whether the chain lets nobody, or only some, redeem: asked by somebody who has no role, for more than they can have. */
async function isOpen({ run }: ChainAt): Promise<boolean | undefined> {
  const { reverted = '' } = await run('TokenggAVAX', 'redeemAVAX', '0x000000000000000000000000000000000000dEaD', [
    2n ** 128n,
  ]);
  // AccessControlUnauthorizedAccount, ContractPaused, EnforcedPause.
  if (/^0x(e2517d3f|ab35696f|d93c0665)/.test(reverted)) return false;
  // Panic(uint256), ZeroAssets, InsufficientLiquidity.
  if (/^0x(4e487b71|32d971dc|bb55fd27)/.test(reverted)) return true;
  const text = reverted.startsWith(ERROR) ? textIn(reverted) : '';
  if (/^(AccessControl|Pausable): /.test(text)) return false;
  return /^ERC20: .* exceeds balance$/.test(text) ? true : undefined;
}

/** Error(string), in which OpenZeppelin's contracts before version 5 say why. */
const ERROR = '0x08c379a0';

function textIn(reverted: string): string {
  const [text] = AbiCoder.defaultAbiCoder().decode(['string'], `0x${reverted.slice(ERROR.length)}`);
  return text;
}

/** What redemptions can take out of the pool: as much WAVAX as it has, and as much as is released. */
export async function redemption(body: Json, chain: ChainAt): Promise<Figure[]> {
  const { read, wavaxOf } = chain;
  const open = await isOpen(chain);
  const released: bigint = await read('TokenggAVAX', 'totalReleasedAssets');
  const held = await wavaxOf('TokenggAVAX');
  const available = released < held ? released : held;
  return figures('redemption.', body.redemption, {
    ...(open !== undefined && { open }),
    availableAVAX: open === false ? '0' : tokens(available),
  });
}

/** What cancelling and waiting return, where the queue accepts that. */
async function returns(request: Json, at: string, { read, run }: ChainAt): Promise<Figure[]> {
  const { status, requestId, requester, shares, expectedAssets, allocatedFunds } = request;
  const isFunded = allocatedFunds !== '0';
  const ends = async (method: string) => !('reverted' in (await run('WithdrawQueue', method, requester, [requestId])));
  const bought = async () =>
    tokens(await read('TokenggAVAX', 'convertToShares', parseUnits(isFunded ? allocatedFunds : expectedAssets)));
  const isExpired = status === 'expired';
  const canCancel = !isExpired && (await ends('cancelRequest'));
  // Without the DAO, the service does not know whether deposits are accepted.
  const isKnown = (await read('ProtocolDAO', 'getContractPaused', 'TokenggAVAX')) !== undefined;
  const canReclaim = isExpired && isKnown && (await ends('reclaimExpiredRequest'));
  return figures(at, request, {
    ...((!isFunded || isKnown) && { cancelGgAvax: canCancel ? await bought() : undefined }),
    expiryGgAvax: isFunded ? (canReclaim ? await bought() : undefined) : shares,
  });
}

export const withdrawals: Figures = async (body, chain) => [
  ...(await queue(body, chain)),
  ...(await each('requests', body.requests, async (request: Json, at) => {
    const record = await chain.read('WithdrawQueue', 'getRequestInfo', request.requestId);
    return [
      ...figures(at, request, {
        requester: record.requester,
        shares: tokens(record.shares),
        expectedAssets: tokens(record.expectedAssets),
        requestTime: integer(record.requestTime),
        claimableTime: integer(record.claimableTime),
        expirationTime: integer(record.expirationTime),
        allocatedFunds: tokens(record.allocatedFunds),
      }),
      ...(await returns(request, at, chain)),
    ];
  })),
];

/** A holder's balance, and what redeeming as much as the answer says pays. What comes from the ledger is not compared. */
export const position: Figures = async (body, { read, run }) => {
  const balance: bigint = await read('TokenggAVAX', 'balanceOf', body.address);
  const supply: bigint = await read('TokenggAVAX', 'totalSupply');
  const { redemption } = body;
  const shares = parseUnits(redemption?.ggAvax ?? '0');
  const { paid } = shares > 0n ? await run('TokenggAVAX', 'redeemAVAX', body.address, [shares]) : { paid: 0n };
  return [
    ...figures('', body, {
      ggAvax: tokens(balance),
      avax: tokens(await read('TokenggAVAX', 'convertToAssets', balance)),
      sharePercent: supply === 0n ? undefined : number((balance * WAD) / supply, 16),
    }),
    ...(redemption ? figures('redemption.', redemption, { avax: tokens(paid) }) : []),
  ];
};

export const estimate: Figures = async (body, { read, quote }) => {
  const rated = async (ggAvax: string) => tokens(await read('TokenggAVAX', 'convertToAssets', parseUnits(ggAvax)));
  const routes = body.routes.map(async (route: Json): Promise<Figure[]> => {
    const at = `routes[${route.route}].`;
    if (route.route === 'redeem') return figures(at, route, { avax: await rated(route.ggAvax) });
    if (route.route === 'queue') return figures(at, route, { avax: await rated(body.ggAvax) });
    if (!route.available) return [];
    const { avax, sAvax } = await quote(route, parseUnits(body.ggAvax));
    return figures(at, route, { avax: tokens(avax), sAvax: tokens(sAvax) });
  });
  return [...figures('', body, { avax: await rated(body.ggAvax) }), ...(await Promise.all(routes)).flat()];
};

export const contracts: Figures = async (body, { read, implementation }) => {
  const registered: Json[] = body.contracts.filter(({ source }: Json) => source === 'registry');
  const compared = registered.map(async ({ name, address, implementation: code }): Promise<Figure[]> => {
    const expected = await read('Storage', 'getAddress(bytes32)', id(`contract.address${name}`));
    const behind = await implementation(address);
    return [
      { field: name, served: address, expected },
      { field: `${name}.implementation`, served: code, expected: behind === ZeroAddress ? undefined : behind },
    ];
  });
  return (await Promise.all(compared)).flat();
};
