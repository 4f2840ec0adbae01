import { firstOf } from './activity.tsx';
import type { Activity, Staker } from './bodies.ts';
import { type Loaded, useAnswer } from './sources.ts';

/** The stake of an address, if it may have one. */
export function useStaker(address: string | undefined) {
  const path = address && `stakers/${encodeURIComponent(address)}`;
  const deedsPath = `${path}/activity`;
  const deeds = useAnswer<Activity>(path && firstOf(deedsPath));
  const isAsked = mayHaveStaked(deeds);
  const staker = useAnswer<Staker>(isAsked ? path : undefined);
  return { staker, isAsked, deeds, deedsPath };
}

/** Whether to request the stake, once that is known: without any staking event, the response would be a 404. */
function mayHaveStaked({ body, failure }: Loaded<Activity>): boolean | undefined {
  if (!body) return failure ? true : undefined;
  return body.activity.length > 0 || !body.coverage.complete;
}
