import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { cursorParams, nextCursor, page } from '../lib/api/lists.ts';
import { blockRef, integer, model, text } from '../lib/api/schemas.ts';
import { readArchives } from '../lib/history/archives.ts';

const archive = () =>
  model(
    'MadeArchive',
    z.object({
      day: text('UTC day of its last block: `2026-11-25`.'),
      block: blockRef(),
      manifest: text(
        'Path of its manifest, which lists its files with their rows, size and SHA-256. The files are beside it.',
      ),
    }),
  );

const response = () =>
  z.object({
    archives: z.array(archive()).check(z.describe('Archives that can be downloaded, newest first.')),
    total: integer('Number of archives, on all pages.'),
    nextCursor: nextCursor(),
  });

export const archives = defineEndpoint({
  path: '/archive',
  tag: 'Service',
  summary: 'Archives to download',
  description:
    'Everything that this service knows, as plain files that can be read without it: events, histories and the last state, as Parquet and CSV, with a README that describes each column. One is made every day, and the last seven are kept; their files never change. The service can be run from an archive alone.',
  // A new archive is found within half a minute: the list is empty only once.
  freshSeconds: 30,
  reads: ['history'],
  input: z.object(cursorParams),
  response,
  rows: 'archives',
  exampleRequest: '/archive',
  async handle(paging, context) {
    const made = await readArchives(context);
    const { entries, nextCursor } = page(
      made,
      paging,
      ({ day }) => day,
      ({ day, block }) => ({ day, block, manifest: `/archive/${day}/manifest.json` }),
    );
    return { archives: entries, total: made.length, nextCursor };
  },
});

export const handler = createHandler(archives);
