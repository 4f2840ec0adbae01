/** The announced end of withdrawals. It is the publisher's word: the contracts do not enforce it. */

import type { Flags } from './bodies.ts';
import { DAY, day } from './format.ts';
import { pathOf } from './paths.ts';
import { When } from './quantity.tsx';
import { useAnswer } from './sources.ts';

/** Follows a date after the announced end. */
export const LATE = 'after the announced end';

/** The first second after the announced last day, Unix seconds; undefined without an announcement. */
export function endOfWithdrawals(body: Flags | undefined): number | undefined {
  const windDown = body?.flags.windDown;
  const end = Date.parse(`${windDown?.withdrawalsUntil}T00:00:00Z`) / 1_000 + DAY;
  return windDown?.enabled && !Number.isNaN(end) ? end : undefined;
}

/** The announced end of withdrawals, undefined until it is loaded. */
export function useAnnouncedEnd(): number | undefined {
  return endOfWithdrawals(useAnswer(pathOf('/flags')).body);
}

/** A deadline of a contract. The announced end is shown below it if that comes first and is still to come. */
export function Deadline({ at }: { at: number }) {
  const end = useAnnouncedEnd() ?? Number.POSITIVE_INFINITY;
  return (
    <>
      <When at={at} />
      {at >= end && Date.now() / 1_000 < end && <span class="quiet block">{`announced end: ${day(end - 1)}`}</span>}
    </>
  );
}
