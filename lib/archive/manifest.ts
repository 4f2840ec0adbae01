/**
 * `lib/archive`: all data of the service as plain files. `export.ts` writes an archive, `import.ts` fills empty tables from
 * an archive. The kinds of data, in `kinds`, are lists of columns. The commands in `infra/tools/archive` use this layer.
 */

import * as z from 'zod/mini';
import { ifKnown } from '../runtime/if-known.ts';

/** Name of the file that lists an archive's content. It is written last: a folder without it is not a complete archive. */
export const MANIFEST = 'manifest.json';
/** Version of the archive format. Raise it when an older release could not read a newer archive, or would misread it. */
export const ARCHIVE_VERSION = 1;

const count = z.int().check(z.gte(0));
const blockRef = z.object({ number: count, timestamp: count });

const ArchiveFileSchema = z.object({
  /** Name of the file, in the same folder as the manifest. */
  name: z.string().check(z.regex(/^\w[\w.-]*$/)),
  /** The kind of the file's rows. Files without rows have no kind. */
  kind: z.optional(z.string()),
  rows: z.optional(count),
  bytes: count,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

const ManifestSchema = z.object({
  archiveVersion: z.literal(ARCHIVE_VERSION),
  network: z.string(),
  chainId: count,
  /** Commit of the service that wrote the archive. It is printed. */
  commit: z.string().check(z.regex(/^[\w.-]+$/)),
  /** UTC day of `block`, the block of the last state. */
  day: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)),
  block: blockRef,
  /** The blocks whose events are indexed, and the ledger's version, sources and checks. */
  ledger: z.object({
    version: count,
    from: count,
    to: count,
    toTimestamp: z.optional(count),
    /** Number of providers that agreed on the events. Missing in archives from before December 2026. */
    sources: z.optional(count),
    /** The protocol's first block, if it is known. */
    first: z.optional(count),
    /** The contracts whose events are in the archive: `<name>#<address>`. */
    contracts: z.array(z.string()),
    /** Mismatches: figures in which the events and the contracts differ. */
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
  /** Completeness of the daily history. Missing in archives from before November 2026. */
  history: z.optional(
    z.object({
      /** The first recorded midnight, unix seconds. */
      recordedFrom: z.optional(count),
      /** Number of midnights since the protocol's first event that are not recorded. */
      missing: count,
    }),
  ),
  files: z.array(ArchiveFileSchema),
});

export type ArchiveFile = z.output<typeof ArchiveFileSchema>;
export type Manifest = z.output<typeof ManifestSchema>;

/** An archive or a folder that cannot be used. The message says what is wrong, for the person who has to mend it. */
export class ArchiveError extends Error {}

/** Parses a manifest. Throws an {@link ArchiveError} if the text is no manifest, or has a newer version. */
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

/** The text of a manifest's file. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
