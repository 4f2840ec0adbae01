/**
 * A past for the devnet's validators, since no recorder ran in the 90 days that the devnet makes up when it starts. It
 * is made up, too: their stakes of today, and uptimes that wander towards today's.
 */

import { hash } from 'node:crypto';
import type { Services } from '../../lib/api/services.ts';
import { withDatasets } from '../../lib/cache/dataset.ts';
import { statusName } from '../../lib/contracts/minipool-statuses.ts';
import { listBoundaries } from '../../lib/history/series.ts';
import { readValidatingMinipools } from '../../lib/validators/validating-minipools.ts';
import { toValues, writeValidator } from '../../lib/validators/validator-history.ts';
import { validatorsDataset } from '../../lib/validators/validators-dataset.ts';
import { DAY, HOUR } from '../../lib/values/durations.ts';

/** Number of last hours that get a point, besides the days. */
const HOURS = 24;
/** Width, in percent, of the range around today's uptime from which an uptime {@link WANDER_DAYS} ago is drawn. */
const WANDER = 1.5;
const WANDER_DAYS = 30;

/**
 * Writes the validators' past, from each minipool's first cycle up to the last full hour. Calls `mayGoOn` before each
 * point.
 */
export async function writeValidatorPast(context: Services, mayGoOn: () => boolean): Promise<void> {
  const store = context.history;
  const sources = withDatasets(context, []);
  const [index, minipools] = await Promise.all([sources.dataset(validatorsDataset), readValidatingMinipools(sources)]);
  const head = await context.chain.head();
  for (const validator of index.validators) {
    const minipool = minipools.get(validator.nodeID);
    if (!minipool || statusName(minipool.status) !== 'staking') continue;
    const days = listBoundaries('1d', minipool.initialStartTime, head.timestamp);
    const hours = listBoundaries('1h', Math.max(minipool.startTime, head.timestamp - HOURS * HOUR), head.timestamp);
    const timestamps = [...new Set([...days, ...hours])].sort((a, b) => b - a);
    const blocks = await context.chain.blocksAt(timestamps, head);
    for (const [place, timestamp] of timestamps.entries()) {
      const block = blocks[place];
      if (!mayGoOn()) return;
      if (!block) break;
      const uptimePercent = uptimeAt(validator.nodeID, validator.uptimePercent, timestamp, head.timestamp);
      await writeValidator(store, validator.nodeID, {
        timestamp,
        block,
        values: toValues({ ...validator, uptimePercent }),
      });
    }
  }
}

/** The same every time; the further back, the further it may be from today's. */
function uptimeAt(nodeID: string, uptimePercent: number | undefined, time: number, now: number): number | undefined {
  if (uptimePercent === undefined) return undefined;
  const draw = hash('sha256', `${nodeID}/${time}`, 'buffer').readUInt32BE(0) / 2 ** 32;
  const reach = WANDER * Math.min(1, (now - time) / (WANDER_DAYS * DAY));
  return Math.min(100, Math.max(0, uptimePercent + (draw - 0.5) * reach));
}
