import { listSubjects } from '../ledger/ledger-entry.ts';
import { formatNodeID } from '../values/cb58.ts';
import { EVENTS } from './kinds/events.ts';
import type { ArchiveFile } from './manifest.ts';
import { eventsIn } from './read-table.ts';

/** The participants of an archive's events, in order: addresses in lower-case hex, nodes as `NodeID-…`. */
export interface Subjects {
  holders: ReadonlySet<string>;
  stakers: ReadonlySet<string>;
  /** Holders and stakers together. */
  addresses: string[];
  nodes: string[];
}

/** The columns that can name a participant. Amounts and times do not. */
const COLUMNS = EVENTS.columns.filter(({ type }) => type === 'text');

/** Reads the event files of an archive. */
export async function subjectsIn(folder: string, files: readonly ArchiveFile[]): Promise<Subjects> {
  const found = new Set<string>();
  for await (const entry of eventsIn(folder, files, COLUMNS))
    for (const subject of listSubjects(entry)) found.add(subject);
  const named = (wanted: string) => {
    const subjects = [...found].map((subject) => subject.split('#'));
    return new Set(subjects.flatMap(([kind, name]) => (name && kind === wanted ? name : [])).sort());
  };
  const [holders, stakers] = [named('holder'), named('staker')];
  const addresses = [...new Set([...holders, ...stakers])].sort();
  return { holders, stakers, addresses, nodes: [...named('node')].map(formatNodeID).sort() };
}
