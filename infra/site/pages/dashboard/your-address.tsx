import { Timeline } from './activity.tsx';
import type { Account, Coverage, Position } from './bodies.ts';
import { gapIn } from './coverage.ts';
import { pathOf } from './paths.ts';
import { type Loaded, useAnswer } from './sources.ts';
import { useStaker } from './staker.ts';
import { WayOut } from './way-out.tsx';
import { YourAccount } from './your-account.tsx';
import { Available, YourAvailable } from './your-available.tsx';
import { Claims } from './your-claims.tsx';
import { YourCycles } from './your-cycles.tsx';
import { YourIncome } from './your-income.tsx';
import { Dates } from './your-later.tsx';
import { StakerMinipools } from './your-minipools.tsx';
import { YourPosition } from './your-position.tsx';
import { YourRewards } from './your-rewards.tsx';
import { Stake } from './your-stake.tsx';
import { YourWithdrawals } from './your-withdrawals.tsx';
import { Yours } from './yours.tsx';

/** The view of an address. Each card loads, fails and recovers by itself; one line lists what was not found. */
export function YourAddress({ address }: { address: string }) {
  const position = useAnswer(pathOf('/ggAvax/{address}', address));
  const withdrawals = useAnswer(pathOf('/withdrawals/{address}', address));
  const { staker, isAsked, deeds } = useStaker(address);
  const rewards = useAnswer(isAsked ? pathOf('/rewards/{address}', address) : undefined);
  const settings = useAnswer(isAsked ? pathOf('/settings') : undefined);
  const account = useAnswer(pathOf('/accounts/{address}', address));
  // Data that has not been loaded does not count as absent.
  const absent = {
    position: position.body !== undefined && isUntouched(position.body),
    staker: isAsked === false || staker.failure?.status === 404,
    withdrawals: withdrawals.body?.requests.length === 0,
  };
  const holdsAny = Number(position.body?.ggAvax) > 0;
  return (
    <Yours
      subject={{ address }}
      from={[account, position, withdrawals, deeds, ...(isAsked ? [staker, rewards, settings] : [])]}
      summary={<Available account={account.body} staker={staker.body} rewards={rewards.body} />}
      {...describe(absent, position.body?.coverage)}
    >
      {hasAny(account) && <YourAvailable account={account} />}
      {account.body && hasAny(account) && <Dates accounts={[account.body]} />}
      {holdsAny && <WayOut position={position} />}
      {hasAny(account) && <YourAccount account={account} />}
      {isAsked !== undefined && !(absent.position && absent.staker) && <YourIncome addresses={[address]} />}
      {!absent.withdrawals && <YourWithdrawals address={address} withdrawals={withdrawals} />}
      {!absent.position && <YourPosition position={position} />}
      {!absent.position && <YourRewards address={address} since={position.body?.since} />}
      {!absent.position && (
        <Timeline
          id="ggavax-activity"
          title="ggAVAX activity"
          path={pathOf('/ggAvax/{address}/activity', address)}
          kinds={['ggAvax', 'queue']}
        />
      )}
      {!absent.staker && (
        <Stake staker={staker} rewards={rewards} account={account.body} most={settings.body?.maxCollateralPercent} />
      )}
      {!absent.staker && <StakerMinipools address={address} staker={staker} />}
      {!absent.staker && <YourCycles address={address} />}
      {!absent.staker && <Claims address={address} rewards={rewards} />}
      {!absent.staker && (
        <Timeline
          id="your-activity"
          title="Staking activity"
          path={pathOf('/stakers/{address}/activity', address)}
          kinds={['minipools', 'ggp']}
        />
      )}
    </Yours>
  );
}

/** True if the address has holdings, or while the account is loading. */
function hasAny({ body }: Loaded<Account>): boolean {
  return body === undefined || Number(body.totalAVAX ?? 1) > 0;
}

/** True if the address never held ggAVAX, has none in the queue, and never got AVAX for it. */
function isUntouched({ ggAvax, deposited, transferredIn, receivedAVAX, unstaking }: Position): boolean {
  return (
    [ggAvax, deposited, transferredIn, receivedAVAX].every((amount) => Number(amount) === 0) && unstaking.requests === 0
  );
}

const PARTS = {
  position: 'ggAVAX, now or in the past',
  staker: 'staked GGP, minipools and rewards',
  withdrawals: 'open withdrawals',
};

/** A summary if nothing was found, otherwise a note on what was not found. */
function describe(absent: Record<keyof typeof PARTS, boolean>, coverage: Coverage | undefined) {
  const names = Object.entries(PARTS).flatMap(([part, name]) => (absent[part as keyof typeof PARTS] ? name : []));
  if (names.length === 0) return {};
  const list = [`${names.join('; ')}.`, coverage && gapIn(coverage)].filter(Boolean).join(' ');
  return names.length === Object.keys(PARTS).length
    ? { summary: `Nothing was found for this address. Looked for: ${list} GGP in a wallet is not looked up.` }
    : { notFound: `Not found: ${list}` };
}
