/** Props of the pages of an export. The pages are Preact components (infra/site/pages/archive), rendered to text. */

import type { Bodies } from '../../functions/index.ts';
import type { Edition } from '../../lib/archive/edition.ts';
import type { ExportedFile } from '../../lib/archive/export-folder.ts';
import type { Event, Person } from './people.ts';

/** First digits of addresses. Each has a list of the addresses that begin with it. */
export const DIGITS = [...'0123456789abcdef'];

/** Statements of every page: the edition, and the names of contracts. */
export interface Imprint {
  edition: Edition;
  contracts: Bodies['/contracts']['contracts'];
  /** The addresses with a page, lower case. */
  addresses: ReadonlySet<string>;
}

export interface Overview extends Imprint {
  metrics: Bodies['/metrics'];
  /** All days, oldest first. */
  days: Bodies['/metrics/history']['points'];
  nodes: number;
  files: readonly (Pick<ExportedFile, 'path' | 'bytes' | 'rows'> & { about: string })[];
  /** HTML of the guide's sections on the way out. */
  guide: string;
}

export interface NodeProps extends Imprint {
  nodeID: string;
  /** Its newest minipool. */
  minipool: Bodies['/minipools/{nodeID}'] | undefined;
  events: readonly Event[];
  files: Person['files'];
}

export interface Pages {
  index(props: Overview): string;
  address(props: Imprint & { person: Person }): string;
  node(props: NodeProps): string;
  list(props: Imprint & { title: string; folder: 'address' | 'node'; names: readonly string[] }): string;
  notFound(props: Imprint & { script: { text: string; hash: string } }): string;
}
