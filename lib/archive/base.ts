import { yearIn } from './kind-files.ts';
import type { ArchiveFile, Manifest } from './manifest.ts';

/**
 * An archive that a later one goes on from: files of a year that was over keep their bytes, and what is in them is not
 * read from the tables again.
 */
export interface PreviousArchive {
  manifest: Manifest;
  /** Puts files of the archive into a folder. */
  download(files: readonly ArchiveFile[], folder: string): Promise<void>;
}

/** What the later one takes over, and the time (unix seconds) from which on it reads the tables. */
export interface ReusedFiles {
  files: readonly ArchiveFile[];
  since: number;
}

/**
 * Nothing is taken over from an archive of another release, because files may have other columns, or of a ledger that has
 * since been searched further back.
 */
export function takeOver(base: Manifest | undefined, head: Omit<Manifest, 'files'>): ReusedFiles {
  if (!base || formOf(base) !== formOf(head)) return { files: [], since: 0 };
  const year = yearIn(base.block.timestamp);
  const isOver = ({ kind, name }: ArchiveFile) => {
    const [, of, ofYear] = /^(.+)-(\d{4})\.\w+$/.exec(name) ?? [];
    return kind !== undefined && of === kind && Number(ofYear) < year;
  };
  return { files: base.files.filter(isOver), since: Date.UTC(year, 0) / 1_000 };
}

function formOf({ archiveVersion, network, commit, ledger }: Omit<Manifest, 'files'>): string {
  return JSON.stringify([archiveVersion, network, commit, ledger.version, ledger.from, ledger.first]);
}
