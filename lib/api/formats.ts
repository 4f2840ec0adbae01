import type * as z from 'zod/mini';
import { CSV, toCSV } from './http/csv.ts';

/** A representation of an endpoint's bodies. */
export interface Format<Input = never, Body = never> {
  contentType: string;
  /** Writes a file from a body. Without it, the format is the JSON of the body. */
  write?: (body: Body, schema: z.ZodMiniType, input: Input) => string;
  /** Parameters that other formats refuse, and the body does not depend on. */
  takes?: readonly string[];
  /** The body's list that a file has a row for each entry of. */
  rows?: string;
  /** A file is refused (503) unless the ledger is confirmed up to this time (unix seconds). Default: now. */
  validUntil?: (input: Input) => number | undefined;
  /** The HTTP status of a body. Default: 200. */
  status?: (body: Body) => number;
  /** The page to which clients are redirected that prefer this format: relative to the endpoint's path, as to a folder. */
  page?: string;
}

export const JSON_FORMAT = { contentType: 'application/json' } as const;

/** A bare number is the same text as JSON and as plain text, which some price trackers insist on. */
export const NUMBER_FORMATS = { json: JSON_FORMAT, text: { contentType: 'text/plain; charset=utf-8' } };

export const CSV_TYPE = `${CSV}; charset=utf-8; header=present`;

/** The entries of the list `rows` as CSV. */
export function csvFormat(rows: string): Format<unknown, unknown> {
  return {
    contentType: CSV_TYPE,
    rows,
    write: (body, schema) =>
      toCSV((schema as z.ZodMiniObject).shape[rows] as z.ZodMiniArray, (body as Record<string, unknown[]>)[rows] ?? []),
  };
}
