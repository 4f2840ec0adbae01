/**
 * What the service was told about the state at the archive's block: every call that its answers need, so that it can
 * answer from them alone when there is no chain any more.
 */

import type { CallOutcome, Frozen } from '../../runtime/frozen.ts';
import { fromJson, toJson } from '../../runtime/frozen-file.ts';
import { flag, text } from '../../values/in-unit.ts';
import type { Row } from '../column.ts';
import { columnsOf } from '../declared.ts';
import type { Kind } from '../kind.ts';

export const STATE: Kind = {
  name: 'state',
  meaning:
    'What the contracts answered at the block of this archive, call by call, and what other sources said at that time. From it, the service answers again without a chain. Sorted by source, target, input and caller.',
  columns: columnsOf({
    source: text('`call`: a call of a contract. `storage`: a storage slot. `dataset`: data from elsewhere.'),
    target: text('Address of the contract, or name and version of the dataset.'),
    input: text('ABI-encoded call, or the slot.'),
    from: text('Address that calls; empty if it does not matter.'),
    output: text(
      'What was returned, or what the call reverted with, ABI-encoded; of a dataset, JSON in which `{"bigint": "1"}` is the integer 1.',
    ),
    reverted: flag('Whether the call reverted.'),
  }),
};

/** What was recorded, as rows in order. */
export function stateRows({ calls, datasets }: Pick<Frozen, 'calls' | 'datasets'>): Row[] {
  const ofCalls = [...calls].sort(byKey).map(([key, { data, reverted }]): Row => {
    const [source, target, input, from] = key.split(' ');
    return { source, target, input, from, output: data, reverted };
  });
  const ofDatasets = [...datasets]
    .sort(byKey)
    .map(([target, value]): Row => ({ source: 'dataset', target, output: toJson(value) }));
  return [...ofCalls, ...ofDatasets];
}

/** What was recorded, from rows. */
export function recordedIn(rows: readonly Row[]): Pick<Frozen, 'calls' | 'datasets'> {
  const calls = new Map<string, CallOutcome>();
  const datasets = new Map<string, unknown>();
  for (const { source, target, input, from, output, reverted } of rows) {
    if (source === 'dataset') datasets.set(target as string, fromJson(output as string));
    else {
      const key = [source, target, input, ...(from ? [from] : [])].join(' ');
      calls.set(key, { data: output as string, reverted: reverted as boolean });
    }
  }
  return { calls, datasets };
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
