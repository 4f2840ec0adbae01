import { setTimeout as sleep } from 'node:timers/promises';
import { DAY } from '../../lib/values/durations.ts';

/** Days that the devnet has of the protocol. */
const DAYS = 90;
const PAUSE_MS = 250;

/**
 * Resolves when the recorder, which runs in the background, has recorded these days of the protocol: from then on the
 * dashboard's daily charts stay as they are.
 */
export async function hasPast(url: string): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: a body
  const json = async (path: string): Promise<any> => {
    for (;;) {
      const response = await fetch(url + path);
      // A busy machine may not be able to answer in time: 503, or 504.
      if (response.status < 503) return response.json();
      await sleep(PAUSE_MS);
    }
  };
  const { block } = await json('/ggAvax');
  const today = Math.floor(block.timestamp / DAY) * DAY;
  const range = `interval=1d&from=${today - (DAYS - 1) * DAY}`;
  // A new limit each time gets a new answer: the same one would come from the cache for minutes.
  for (let limit = DAYS; ; limit++) {
    const { points } = await json(`/metrics/history?${range}&limit=${limit}`);
    if (points.length >= DAYS) return;
    await sleep(PAUSE_MS);
  }
}
