import { setTimeout as sleep } from 'node:timers/promises';

const DAY = 86_400;
const DAYS = 60;

/**
 * Resolves when the recorder, which runs in the background, has recorded 60 days of the protocol and of the uptime of
 * its worst node: from then on the dashboard's charts stay as they are.
 */
export async function hasPast(url: string): Promise<void> {
  const today = Math.floor(Date.now() / 1_000 / DAY) * DAY;
  // biome-ignore lint/suspicious/noExplicitAny: a body
  const json = async (path: string): Promise<any> => (await fetch(url + path)).json();
  const { validators } = await json('/validators?protocol=true&sort=uptime&order=asc&limit=1');
  const paths = ['/metrics/history?interval=1d', `/validators/${validators[0].nodeID}/history?interval=1d`];
  for (const path of paths) {
    // A new limit each time gets a new answer: the same one would come from the cache for minutes.
    for (let limit = DAYS; ; limit++) {
      const { points } = await json(`${path}&from=${today - DAYS * DAY}&limit=${limit}`);
      if (points.length >= DAYS) break;
      await sleep(250);
    }
  }
}
