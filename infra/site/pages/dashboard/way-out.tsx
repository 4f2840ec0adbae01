import { Quantity } from '../account/quantity.tsx';
import { useAnswer } from './answers.ts';
import { day } from './format.ts';
import { pathOf, withQuery } from './paths.ts';

/** The promise of the withdrawal queue for ggAVAX, in one line. Nothing if it takes no requests. */
export function QueueInstead({ ggAvax }: { ggAvax: string }) {
  const { body } = useAnswer(withQuery(pathOf('/withdrawals/estimate'), { ggAvax }));
  if (body?.claimableTime === undefined || body.paused) return null;
  return (
    <ul class="quiet">
      <li>
        Or request it from the queue: <Quantity amount={body.avax} unit="AVAX" />
        {` later, from ${day(body.claimableTime)}, not guaranteed.`}
      </li>
    </ul>
  );
}
