import type * as z from 'zod/mini';
import { CSV, toCSV } from './http/csv.ts';

export interface Format<Input = never, Body = never> {
  contentType: string;
  /** Writes a file from a body. Without it, the format is the JSON of the body. */
  write?: (body: Body, schema: z.ZodMiniType, input: Input) => string;
  /** Parameters that other formats refuse, and the body does not depend on. */
  takes?: readonly string[];
  /** The name of the body's list: a file has one row per entry. */
  rows?: string;
  /** A file is refused (503) unless the ledger is confirmed up to this time (unix seconds). Default: now. */
  validUntil?: (input: Input) => number | undefined;
  /** The HTTP status of a body. Default: 200. */
  status?: (body: Body) => number;
  /** The page for clients that prefer this format (a redirect): relative to the endpoint's path, as to a folder. */
  page?: string;
}

export const JSON_FORMAT = { contentType: 'application/json' } as const;

/** Formats of a bare number: the same text as JSON and as plain text, which some price trackers require. */
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
