declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface Options {
    /** In memory without one. */
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
  }

  export default function dynalite(options?: Options): Server;
}
