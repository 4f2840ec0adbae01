import { getAddress, parseUnits } from 'ethers';
import type { ChainAt } from './chain.ts';
import { type Figure, type Figures, figures, type Json, tokens } from './figure.ts';

/** Everything that an address has. What it can take out is run from the address, as it would be sent. */

type Name = Parameters<ChainAt['read']>[0];

const [PRELAUNCH, LAUNCHED, STAKING, WITHDRAWABLE, FAILED] = [0n, 1n, 2n, 3n, 6n];
/** What can be locked, with its symbol, in the order of the answer. */
const LOCKABLE: readonly [Name, string][] = [
  ['TokenGGP', 'GGP'],
  ['TokenggAVAX', 'ggAVAX'],
  ['TokenpstAVAX', 'pstAVAX'],
  ['WAVAX', 'WAVAX'],
  ['XGGP', 'xGGP'],
  ['XAVAX', 'xAVAX'],
];

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

interface Request {
  id: bigint;
  status: string;
  expectedAssets: bigint;
  allocatedFunds: bigint;
  /** AVAX wei: what it has, or what its shares are worth. */
  worth: bigint;
}

/** What the contracts have of an address. */
async function recordsOf(address: string, timestamp: number, { read, addressOf }: ChainAt) {
  const index: bigint | undefined = await read('Staking', 'getIndexOf', address);
  const count = Number((await read('MinipoolManager', 'getMinipoolCount')) ?? 0n);
  const all = await Promise.all(Array.from({ length: count }, (_, at) => read('MinipoolManager', 'getMinipool', at)));
  const ids: bigint[] = (await read('WithdrawQueue', 'getRequestsByOwner', address, 0, 1_000)) ?? [];
  const requests = ids.map(async (id): Promise<Request> => {
    const { shares, expectedAssets, allocatedFunds, expirationTime } = await read(
      'WithdrawQueue',
      'getRequestInfo',
      id,
    );
    const status = timestamp >= expirationTime ? 'expired' : allocatedFunds > 0n ? 'fulfilled' : 'pending';
    const worth: bigint = allocatedFunds || (await read('TokenggAVAX', 'convertToAssets', shares));
    return { id, status, expectedAssets, allocatedFunds, worth };
  });
  const date: bigint | undefined = await read('AssetLocker', 'getWithdrawDate');
  const locks = LOCKABLE.map(async ([name, token]) => {
    const lock = await read('AssetLocker', 'getUserLock', address, await addressOf(name));
    const until = Math.max(Number(lock?.unlockTime ?? 0n), Number(date ?? 0n));
    // What is never has no date: it is beyond the year 9999.
    return { name, token, wei: (lock?.amount ?? 0n) as bigint, until: until < 253_402_300_800 ? until : undefined };
  });
  return {
    staker: index !== undefined && index >= 0n ? await read('Staking', 'getStaker', index) : undefined,
    minipools: all.filter(({ owner }) => owner === address),
    requests: await Promise.all(requests),
    pst: (await read('TokenpstAVAX', 'balanceOf', address)) as bigint | undefined,
    locks: date === undefined ? undefined : (await Promise.all(locks)).filter(({ wei }) => wei > 0n),
  };
}

type Records = Awaited<ReturnType<typeof recordsOf>>;

/** Compares all but the two totals: they hold market prices, which no contract has. */
export const account: Figures = async (body, chain) => {
  const { read, run } = chain;
  const { address, ggAvax } = body;
  const records = await recordsOf(address, body.block.timestamp, chain);
  const { staker, minipools, requests, pst, locks } = records;
  const balance: bigint = await read('TokenggAVAX', 'balanceOf', address);
  const redeemed = Number(ggAvax.redemption?.ggAvax) > 0;
  const { paid = 0n } = redeemed
    ? await run('TokenggAVAX', 'redeemAVAX', address, [parseUnits(ggAvax.redemption.ggAvax)])
    : {};
  const withStatus = (status: string) => requests.filter((request) => request.status === status);
  const inStatus = (...statuses: bigint[]) => minipools.filter(({ status }) => statuses.includes(status));
  return [
    ...figures('ggAvax.', ggAvax, {
      balance: tokens(balance),
      avax: tokens(await read('TokenggAVAX', 'convertToAssets', balance)),
    }),
    ...(ggAvax.redemption ? figures('ggAvax.redemption.', ggAvax.redemption, { avax: tokens(paid) }) : []),
    ...figures('', body, { pstAvax: tokens(pst) }),
    ...(await vault('XGGP', 'ggp', body.xGgp, address, chain)),
    ...(await vault('XAVAX', 'avax', body.xAvax, address, chain)),
    {
      field: 'locked',
      served: JSON.stringify(body.locked),
      expected: JSON.stringify(locks?.map(({ token, wei, until }) => ({ token, amount: tokens(wei), until }))),
    },
    ...figures('staking.', body.staking, {
      ggpStaked: tokens(staker?.ggpStaked),
      ggpRewards: tokens(staker?.ggpRewards),
    }),
    ...figures('minipools.', body.minipools, {
      count: minipools.length,
      stakedAVAX: tokens(sum(inStatus(PRELAUNCH, LAUNCHED, STAKING).map((minipool) => minipool.avaxNodeOpAmt))),
      withdrawableAVAX: tokens(sum(inStatus(WITHDRAWABLE, FAILED).map(dueOf))),
    }),
    ...figures('withdrawals.', body.withdrawals, {
      pending: withStatus('pending').length,
      pendingAVAX: tokens(sum(withStatus('pending').map(({ expectedAssets }) => expectedAssets))),
      claimableAVAX: tokens(sum(withStatus('fulfilled').map(({ allocatedFunds }) => allocatedFunds))),
      expired: withStatus('expired').length,
      expiredAVAX: tokens(sum(withStatus('expired').map(({ worth }) => worth))),
    }),
    ...(await entries(body, records, chain)),
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

/** What is offered is accepted, and what is not offered is refused. */
async function entries(body: Json, records: Records, { run, read, addressOf }: ChainAt): Promise<Figure[]> {
  const { address, availableNow = [] } = body;
  const { staker, minipools, requests, pst = 0n, locks = [] } = records;
  const most: bigint = (await read('XGGP', 'maxWithdraw', address)) ?? 0n;
  const shares: bigint = (await read('XAVAX', 'maxRedeem', address)) ?? 0n;
  const rewards: bigint = staker?.ggpRewards ?? 0n;
  const locked = locks.map(async ({ name, wei }): Promise<Attempt> => {
    return ['AssetLocker', 'withdrawTokens(address,uint256)', [getAddress(await addressOf(name)), wei]];
  });
  /** Each call that might pay something, and how much in one step, where that is in a record. */
  const attempts: Attempt[] = [
    ...requests.flatMap(({ id, allocatedFunds }): Attempt[] => [
      ['WithdrawQueue', 'claimUnstake(uint256)', [id], allocatedFunds],
      ['WithdrawQueue', 'reclaimExpiredRequest(uint256)', [id]],
    ]),
    ...minipools.flatMap((minipool): Attempt[] => [
      ['MinipoolManager', 'withdrawMinipoolFunds(address)', [minipool.nodeID], dueOf(minipool)],
      ['MinipoolManager', 'cancelMinipool(address)', [minipool.nodeID], minipool.avaxNodeOpAmt],
    ]),
    ['ClaimNodeOp', 'claimAndRestake(uint256)', [rewards], rewards],
    ['TokenpstAVAX', 'withdraw(uint256)', [pst]],
    ['XGGP', 'withdraw(uint256,address,address)', [most, address, address], most],
    ['XAVAX', 'redeemAVAX(uint256)', [shares]],
    ...(await Promise.all(locked)),
  ];
  const compared = attempts.map(async ([contract, method, args, pays]): Promise<Figure[]> => {
    const target = await addressOf(contract);
    // An amount of nothing pays nothing, even if it is accepted.
    const isAccepted = args[0] !== 0n || method.startsWith('claimUnstake') || method.startsWith('reclaim');
    const expected = isAccepted && !('reverted' in (await run(contract, method, address, args)));
    const entry = availableNow.find(
      (one: Json) => one.contract === target && one.function === method && String(one.arguments) === String(args),
    );
    const at = `availableNow[${method} ${args}]`;
    return [
      { field: at, served: entry !== undefined, expected },
      ...(expected && pays !== undefined ? figures(`${at}.`, entry, { amount: tokens(pays) }) : []),
    ];
  });
  return (await Promise.all(compared)).flat();
}

type Attempt = [contract: Name, method: string, args: unknown[], pays?: bigint];

/** AVAX that a minipool's owner is paid when it is over. */
function dueOf({ avaxNodeOpAmt, avaxNodeOpRewardAmt }: Json): bigint {
  return avaxNodeOpAmt + avaxNodeOpRewardAmt;
}
