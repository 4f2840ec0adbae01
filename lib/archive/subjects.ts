import { subjectsOf } from '../ledger/ledger-entry.ts';
import { EVENTS } from './kinds/events.ts';
import type { ArchiveFile } from './manifest.ts';
import { eventsIn } from './read-kind.ts';

/** Who appears in the events of an archive, in order: addresses in lower-case hex, and nodes by their 20 bytes in hex. */
export interface Subjects {
  addresses: string[];
  nodes: string[];
}

/** Amounts and times name nobody. */
const COLUMNS = EVENTS.columns.filter(({ type }) => type === 'text');

/** Reads the event files of an archive. */
export async function subjectsIn(folder: string, files: readonly ArchiveFile[]): Promise<Subjects> {
  const found = new Set<string>();
  for await (const entry of eventsIn(folder, files, COLUMNS))
    for (const subject of subjectsOf(entry)) found.add(subject);
  const named = (...kinds: string[]) => {
    const subjects = [...found].map((subject) => subject.split('#'));
    const names = subjects.flatMap(([kind, name]) => (name && kinds.includes(kind as string) ? name : []));
    return [...new Set(names)].sort();
  };
  return { addresses: named('holder', 'staker'), nodes: named('node') };
}
