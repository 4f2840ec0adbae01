import { setTimeout as sleep } from 'node:timers/promises';
import { DAY } from '../../lib/values/durations.ts';

/** Days that the devnet has of the protocol, and at least of a node. */
const PROTOCOL_DAYS = 90;
const NODE_DAYS = 60;
const PAUSE_MS = 250;

/**
 * Resolves when the recorder, which runs in the background, has recorded these days of the protocol and of the uptime
 * of its worst node: from then on the dashboard's daily charts stay as they are.
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
  const { validators } = await json('/validators?protocol=true&sort=uptime&order=asc&limit=1');
  const series: [string, number][] = [
    ['/metrics/history', PROTOCOL_DAYS],
    [`/validators/${validators[0].nodeID}/history`, NODE_DAYS],
  ];
  for (const [path, days] of series) {
    const range = `interval=1d&from=${today - (days - 1) * DAY}`;
    // A new limit each time gets a new answer: the same one would come from the cache for minutes.
    for (let limit = days; ; limit++) {
      const { points } = await json(`${path}?${range}&limit=${limit}`);
      if (points.length >= days) break;
      await sleep(PAUSE_MS);
    }
  }
}
