import { firstEvents } from './activity.tsx';
import type { Activity } from './bodies.ts';
import { pathOf } from './paths.ts';
import { type Loaded, useAnswer } from './sources.ts';

/** The stake of an address, if it may have one. */
export function useStaker(address: string | undefined) {
  const stakerActivity = useAnswer(
    address === undefined ? undefined : firstEvents(pathOf('/stakers/{address}/activity', address)),
  );
  const isAsked = mayHaveStaked(stakerActivity);
  const staker = useAnswer(address !== undefined && isAsked ? pathOf('/stakers/{address}', address) : undefined);
  return { staker, isAsked, deeds: stakerActivity };
}

/** True if the stake is to be requested: without any staking event, the response would be a 404. Undefined until known. */
function mayHaveStaked({ body, failure }: Loaded<Activity>): boolean | undefined {
  if (!body) return failure ? true : undefined;
  return body.activity.length > 0 || !body.coverage.complete;
}
