import { firstOf, searched, Timeline } from './activity.tsx';
import type { Activity, AddressRewards, Coverage, Flags, Position, Staker, Withdrawals } from './bodies.ts';
import { useTerms } from './calculator.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { Available } from './your-available.tsx';
import { Claims } from './your-claims.tsx';
import { StakerMinipools } from './your-minipools.tsx';
import { YourPosition } from './your-position.tsx';
import { YourRewards } from './your-rewards.tsx';
import { Stake } from './your-stake.tsx';
import { YourWithdrawals } from './your-withdrawals.tsx';
import { Yours } from './yours.tsx';

/** All there is of an address. Each part is asked for, fails and heals by itself; what there is nothing of is said in one line. */
export function YourAddress({ address }: { address: string }) {
  const path = encodeURIComponent(address);
  const position = useAnswer<Position>(`ggAvax/${path}`);
  const withdrawals = useAnswer<Withdrawals>(`withdrawals/${path}`);
  const deedsPath = `stakers/${path}/activity`;
  const deeds = useAnswer<Activity>(firstOf(deedsPath));
  const isAsked = mayHaveStaked(deeds);
  const staker = useAnswer<Staker>(isAsked ? `stakers/${path}` : undefined);
  const rewards = useAnswer<AddressRewards>(isAsked ? `rewards/${path}` : undefined);
  const terms = useTerms(isAsked);
  const most = terms.body?.maxCollateralPercent;
  const flags = useAnswer<Flags>('flags');
  // What is not known yet is not nothing.
  const absent = {
    position: position.body !== undefined && isUntouched(position.body),
    staker: isAsked === false || staker.failure?.status === 404,
    withdrawals: withdrawals.body?.requests.length === 0,
  };
  // Who holds ggAVAX wants to know what it would bring, and when, before they ask for it.
  const held = Number(position.body?.ggAvax) > 0 ? position.body?.ggAvax : undefined;
  return (
    <Yours
      subject={{ address }}
      from={[position, withdrawals, deeds, flags, ...(isAsked ? [staker, rewards, terms] : [])]}
      summary={
        <Available
          flags={flags.body}
          withdrawals={withdrawals.body}
          staker={staker.body}
          rewards={rewards.body}
          most={most}
        />
      }
      {...describe(absent, position.body?.coverage)}
    >
      {!absent.position && <YourPosition position={position} />}
      {(held !== undefined || !absent.withdrawals) && (
        <YourWithdrawals path={path} withdrawals={withdrawals} held={held} />
      )}
      {!absent.position && <YourRewards path={path} />}
      {!absent.staker && <Stake staker={staker} rewards={rewards} most={most} />}
      {!absent.staker && <StakerMinipools path={path} staker={staker} />}
      {!absent.staker && <Claims path={path} rewards={rewards} />}
      {!absent.staker && (
        <Timeline id="your-activity" title="Staking activity" path={deedsPath} kinds={['minipools', 'ggp']} />
      )}
    </Yours>
  );
}

/** Whether to ask for a stake, once that is known: it begins with an event, so where none is, the answer would be a 404. */
function mayHaveStaked({ body, failure }: Loaded<Activity>): boolean | undefined {
  if (!body) return failure ? true : undefined;
  return body.activity.length > 0 || !body.coverage.complete;
}

/** Never held, and nothing on its way. */
function isUntouched({ ggAvax, deposited, transferredIn, unstaking }: Position): boolean {
  return [ggAvax, deposited, transferredIn].every((amount) => Number(amount) === 0) && unstaking.requests === 0;
}

const PARTS = {
  position: 'ggAVAX, now or in the past',
  staker: 'staked GGP, minipools and rewards',
  withdrawals: 'open withdrawals',
};

/** What was looked for and not found, and how far back: it is all there is to say of an address, or comes after what was found. */
function describe(absent: Record<keyof typeof PARTS, boolean>, coverage: Coverage | undefined) {
  const names = Object.entries(PARTS).flatMap(([part, name]) => (absent[part as keyof typeof PARTS] ? name : []));
  if (names.length === 0) return {};
  const list = [`${names.join('; ')}.`, coverage && `${searched(coverage)}.`].filter(Boolean).join(' ');
  return names.length === Object.keys(PARTS).length
    ? { summary: `Nothing was found for this address. Looked for: ${list}` }
    : { notFound: `Not found: ${list}` };
}
