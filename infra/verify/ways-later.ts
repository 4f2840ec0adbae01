/** Holdings that an address cannot withdraw yet, from the records and settings of the contracts. */

import { ggpStakeForRatio } from '../../lib/rewards/collateral.ts';
import { min } from '../../lib/values/wad.ts';
import type { Records } from './accounts.ts';
import type { ChainAt } from './chain.ts';
import { type Figure, type Json, tokens } from './figure.ts';
import { subjectOf } from './ways-out.ts';

const [PRELAUNCH, LAUNCHED, STAKING] = [0n, 1n, 2n];
/** The last second of the year 9999. */
const LAST_TIME = 253_402_300_799;

/** All entries, in their order. */
export async function laterEntries(body: Json, records: Records, chain: ChainAt): Promise<Figure[]> {
  const { read } = chain;
  const { minipools, requests, locks = [] } = records;
  const now: number = body.block.timestamp;
  const moratorium = Number(await read('ProtocolDAO', 'getMinipoolCancelMoratoriumSeconds'));
  const cycle = Number(await read('ProtocolDAO', 'getMinipoolCycleDuration'));
  const isClosed = await read('ProtocolDAO', 'getContractPaused', 'TokenggAVAX');
  const future = (time: number) => (time > now ? time : undefined);
  const entry = (
    what: string,
    token: string,
    wei: bigint | undefined,
    from?: number,
    requires?: string,
    id?: unknown,
    until?: number,
    plannedEnd?: number,
  ) => ({ what, token, amount: tokens(wei), from, until, plannedEnd, requires, ...subjectOf(what, [id]) });
  const ofMinipools = minipools.flatMap(
    ({ status, nodeID, avaxNodeOpAmt, creationTime, startTime, initialStartTime, duration }: Json) => {
      const cancelable = Number(creationTime) + moratorium;
      if (status === PRELAUNCH && cancelable > now)
        return entry('cancelMinipool', 'AVAX', avaxNodeOpAmt, cancelable, undefined, nodeID);
      if (status !== LAUNCHED && status !== STAKING) return [];
      const end = Number(startTime) + cycle;
      const planned = Number(initialStartTime + duration);
      const [from, last] = status === STAKING ? [future(end), planned <= end ? undefined : planned] : [];
      return entry('withdrawMinipool', 'AVAX', avaxNodeOpAmt, from, 'minipoolEnded', nodeID, undefined, last);
    },
  );
  const ofStake = (await boundByTime(records, chain, now)).map(({ wei, from, after }) =>
    entry('withdrawGgp', 'GGP', wei, from, after),
  );
  const ofRequests = requests.flatMap(
    ({ id, status, shares, expectedAssets, allocatedFunds, claimableTime, expirationTime }) => {
      const [from, end] = [future(Number(claimableTime)), Number(expirationTime)];
      if (status === 'pending')
        return [
          entry('claimUnstake', 'AVAX', expectedAssets, from, 'requestFulfilled', id, end),
          entry('reclaimExpired', 'ggAVAX', shares, end, undefined, id),
        ];
      return status === 'expired' && allocatedFunds > 0n && isClosed
        ? entry('reclaimExpired', 'ggAVAX', undefined, undefined, 'depositsOpen', id)
        : [];
    },
  );
  const ofLocks = locks.flatMap(({ id, token, wei, until }) =>
    until !== undefined && until > now ? entry('withdrawLocked', token, wei, until, undefined, id) : [],
  );
  const byTime = (a: Json, b: Json) => (a.from ?? 0) - (b.from ?? 0);
  const expected = [...ofMinipools.toSorted(byTime), ...ofStake, ...[...ofRequests, ...ofLocks].toSorted(byTime)];
  const shown = expected.filter(({ from = 0 }) => from <= LAST_TIME);
  return [
    {
      field: 'availableLater',
      served: JSON.stringify((body.availableLater ?? []).map(({ title: _, detail: __, ...entry }: Json) => entry)),
      expected: JSON.stringify(shown),
    },
  ];
}

/** GGP of a stake that cannot be withdrawn now: what only the lock binds, and what the AVAX assigned does. */
async function boundByTime({ staker }: Records, chain: ChainAt, now: number) {
  if (!staker) return [];
  const from = Number(staker.ggpLockedUntil) > now ? Number(staker.ggpLockedUntil) : undefined;
  const free = await freeGgp(staker, chain);
  return [
    { wei: from === undefined ? 0n : free, from, after: undefined },
    { wei: staker.ggpStaked - free, from, after: 'noMinipoolLeft' },
  ].filter(({ wei }) => wei > 0n);
}

/** GGP that the AVAX assigned does not need, even if the price falls by 10 %. */
export async function freeGgp({ ggpStaked, avaxAssigned }: Json, { read }: ChainAt): Promise<bigint> {
  if (avaxAssigned === 0n) return ggpStaked;
  const { price = 0n } = (await read('Oracle', 'getGGPPriceInAVAX')) ?? {};
  const most: bigint | undefined = await read('ProtocolDAO', 'getMaxCollateralizationRatio');
  const ggpPriceInAVAX = (price * 90n) / 100n;
  if (ggpPriceInAVAX === 0n || most === undefined) return 0n;
  const terms = { ggpPriceInAVAX, minCollateralizationRatio: 0n, maxCollateralizationRatio: most };
  return ggpStaked - min(ggpStaked, ggpStakeForRatio(avaxAssigned, most, terms));
}
