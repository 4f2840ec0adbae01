import { createHandler } from '../lib/api/endpoint.ts';
import { fields, object } from '../lib/api/fields.ts';
import { entries, type Listed, pageFields } from '../lib/api/lists.ts';
import { listEndpoint } from '../lib/api/shapes/list.ts';
import { block, text } from '../lib/api/units.ts';
import { type MadeArchive, readArchives } from '../lib/history/archives.ts';

const archive = object(
  'MadeArchive',
  fields<MadeArchive>()({
    day: text('UTC day of its last block: `2026-11-25`.', ({ day }) => day),
    block: block(),
    manifest: text(
      'Path of its manifest, which lists its files with their rows, size and SHA-256. The files are beside it.',
      ({ day }) => `/archive/${day}/manifest.json`,
    ),
  }),
);

const BODY = fields<Listed<MadeArchive, object>>()({
  archives: entries(archive, 'Archives that can be downloaded, newest first.'),
  ...pageFields('Number of archives, on all pages.'),
});

export const archives = listEndpoint(
  {
    path: '/archive',
    tag: 'Service',
    summary: 'Archives to download',
    description:
      'Everything that this service knows, as plain files that can be read without it: events, histories and the last state, as Parquet and CSV, with a README that describes each column. One is made every day, and the last seven are kept; their files never change. Browsers are redirected to a page with its files.',
    exampleRequest: '/archive',
  },
  {
    // A new archive is found within half a minute: the list is empty only once.
    freshSeconds: 30,
    reads: ['history'],
    params: {},
    read: async (_input, context) => ({ items: await readArchives(context) }),
    key: ({ day }) => day,
    body: BODY,
    rows: 'archives',
    page: 'docs/archive',
  },
);

export const handler = createHandler(archives);
