/**
 * `lib/archive`: everything that the service knows, as plain files. `export.ts` writes an archive, `import.ts` fills empty
 * tables from one; the kinds of data, in `kinds`, are lists of columns. The commands in `infra/tools/archive` use it.
 */

import * as z from 'zod/mini';
import { ifKnown } from '../runtime/if-known.ts';

/** What an archive holds. It is written last, so a folder without it is not a whole archive. */
export const MANIFEST = 'manifest.json';
/** Raise it when an older release could not read a newer archive, or would read it wrongly. */
export const ARCHIVE_VERSION = 1;

const count = z.int().check(z.gte(0));
const blockRef = z.object({ number: count, timestamp: count });

const ArchiveFileSchema = z.object({
  /** In the same folder as the manifest. */
  name: z.string().check(z.regex(/^\w[\w.-]*$/)),
  /** The kind of its rows; files that hold none have no kind. */
  kind: z.optional(z.string()),
  rows: z.optional(count),
  bytes: count,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

const ManifestSchema = z.object({
  archiveVersion: z.literal(ARCHIVE_VERSION),
  network: z.string(),
  chainId: count,
  /** Of the service that wrote it. It is printed. */
  commit: z.string().check(z.regex(/^[\w.-]+$/)),
  /** The block of the last state, and its UTC day. */
  day: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)),
  block: blockRef,
  /** The blocks that have been searched for events, and how. */
  ledger: z.object({
    version: count,
    from: count,
    to: count,
    toTimestamp: z.optional(count),
    /** How many providers agreed on the events. Archives from before December 2026 do not say. */
    sources: z.optional(count),
    /** The protocol's first block, if it is known. */
    first: z.optional(count),
    /** The contracts whose events are in it: `<name>#<address>`. */
    contracts: z.array(z.string()),
    /** Figures in which the events and the contracts differ. */
    mismatches: z.optional(
      z.array(
        z.object({
          ...{ contract: z.string(), view: z.string(), key: z.optional(z.string()) },
          ...{ ledger: z.string(), chain: z.string(), block: count },
          agreedAt: z.optional(blockRef),
        }),
      ),
    ),
  }),
  /** What is in it of the protocol's past, by days. Archives from before November 2026 do not say. */
  history: z.optional(
    z.object({
      /** The first midnight that is recorded, unix seconds. */
      recordedFrom: z.optional(count),
      /** Midnights since the protocol's first event that are not. */
      missing: count,
    }),
  ),
  files: z.array(ArchiveFileSchema),
});

export type ArchiveFile = z.output<typeof ArchiveFileSchema>;
export type Manifest = z.output<typeof ManifestSchema>;

/** An archive or a folder that cannot be used, in words for whoever has to do something about it. */
export class ArchiveError extends Error {}

/** The manifest in a text. Throws an {@link ArchiveError} if it is none, or of another version. */
export function parseManifest(text: string): Manifest {
  const content = ifJson(text);
  const version = (content as { archiveVersion?: unknown } | undefined)?.archiveVersion;
  if (typeof version === 'number' && version > ARCHIVE_VERSION) {
    throw new ArchiveError(
      `${MANIFEST}: the archive has version ${version}, and this release reads up to ${ARCHIVE_VERSION}: use a newer release`,
    );
  }
  const parsed = ManifestSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const where = ifKnown(
    (issue) => ` (${issue.path.join('.') || 'all of it'}: ${issue.message})`,
    parsed.error.issues[0],
  );
  throw new ArchiveError(`${MANIFEST}: is not the manifest of an archive, or is damaged${where ?? ''}`);
}

function ifJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A manifest as it is written. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
