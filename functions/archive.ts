import { createHandler } from '../lib/api/endpoint.ts';
import { fields, object } from '../lib/api/fields.ts';
import { entries, type Listed, pageFields } from '../lib/api/lists.ts';
import { listEndpoint } from '../lib/api/shapes/list.ts';
import { block, text } from '../lib/api/units.ts';
import { type MadeArchive, readArchives } from '../lib/history/archives.ts';
import { openHistory } from '../lib/history/history-store.ts';

const archive = object(
  'MadeArchive',
  fields<MadeArchive>()({
    day: text('UTC day of the last block: `2026-11-25`.', ({ day }) => day),
    block: block(),
    manifest: text(
      'Path of the manifest. It lists the files in its folder, with rows, size and SHA-256.',
      ({ day }) => `/archive/${day}/manifest.json`,
    ),
  }),
);

const BODY = fields<Listed<MadeArchive, object>>()({
  archives: entries(archive, 'Newest first.'),
  ...pageFields('Number of archives.'),
});

export const archives = listEndpoint(
  {
    path: '/archive',
    tag: 'Service',
    summary: 'Archives to download',
    description:
      'All data as Parquet and CSV: events, histories and the last state. The README in each describes every column. Archives are made daily, never change, and are kept for seven days. Browsers are redirected to a page of the files.',
    exampleRequest: '/archive',
  },
  {
    // A new archive is found within half a minute: the list is empty only once.
    freshSeconds: 30,
    reads: { history: openHistory },
    params: {},
    read: async (_input, context) => ({ items: await readArchives(context) }),
    key: ({ day }) => day,
    body: BODY,
    rows: 'archives',
    page: 'docs/archive',
  },
);

export const handler = /* @__PURE__ */ createHandler(archives);
