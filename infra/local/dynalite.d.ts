declare module 'dynalite' {
  import type { Server } from 'node:http';

  type Delays = Record<'createTableMs' | 'deleteTableMs' | 'updateTableMs', number>;
  /** In memory without a path. */
  export default function dynalite(options: Delays & { path?: string }): Server;
}
