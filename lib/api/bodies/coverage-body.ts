import type { Coverage } from '../../ledger/coverage.ts';
import { object } from '../fields.ts';
import { flag, integer, unixTime } from '../units.ts';

const coverageWith = object<Coverage>('Coverage', 'Range of indexed blocks, without gaps. Events outside are unknown.');
export const coverage = coverageWith({
  fromBlock: integer('First indexed block.'),
  toBlock: integer('Last block of this answer. Events up to it are final.'),
  toTimestamp: unixTime('Time of `toBlock`. Later events are unknown.'),
  sources: integer('Number of providers that agreed on it: 2, or 1 if only one is configured or keeps old states.'),
  complete: flag("True if it reaches back to the protocol's first block."),
});
