import type { Endpoint } from '../api/definition.ts';
import { withDatasets } from '../cache/dataset.ts';
import type { Context } from '../runtime/context.ts';
import { pinnedContext } from './archive-context.ts';
import { listKind, listRows } from './kinds/lists.ts';
import type { Manifest } from './manifest.ts';
import type { Part } from './parts.ts';

/** Lists as their endpoints answer at the archive's block, by their names in the archive. */
export function listParts(
  context: Context,
  block: Manifest['block'],
  lists: Readonly<Record<string, Endpoint>>,
): Part[] {
  const pinned = pinnedContext(context, block);
  return Object.entries(lists).map(([name, endpoint]) => ({
    name,
    kinds: [listKind(name, endpoint)],
    total: 1,
    async *read() {
      const body = await endpoint.handle(endpoint.input.parse({}), withDatasets(pinned, []));
      yield { rows: listRows(endpoint, body), done: 1 };
    },
  }));
}
