import type { Endpoint } from '../api/definition.ts';
import type { Services } from '../api/services.ts';
import { withDatasets } from '../cache/dataset.ts';
import { pinnedContext } from './archive-context.ts';
import { listRows, listSpec } from './kinds/lists.ts';
import type { Manifest } from './manifest.ts';
import type { TableSource } from './table-sources.ts';

/** Sources of the lists that endpoints return at the archive's block. `lists`: endpoints by their names in the archive. */
export function listSources(
  context: Services,
  block: Manifest['block'],
  lists: Readonly<Record<string, Endpoint>>,
): TableSource[] {
  const pinned = pinnedContext(context, block);
  return Object.entries(lists).map(([name, endpoint]) => ({
    name,
    kinds: [listSpec(name, endpoint)],
    total: 1,
    async *read() {
      const body = await endpoint.handle(endpoint.input.parse({}), withDatasets(pinned, []));
      yield { rows: listRows(endpoint, body), done: 1 };
    },
  }));
}
