/**
 * `lib/api`: definitions and responses of endpoints. `endpoint.ts` is the Lambda handler, `answer.ts` the order of steps;
 * parameters and units are in `params.ts` and `units.ts`.
 */

import type * as z from 'zod/mini';
import type { RequestContext } from '../cache/cache.ts';
import type { ApiError, ErrorCode } from '../runtime/errors.ts';
import type { Unit } from './fields.ts';
import { CSV, toCSV } from './http/csv.ts';
import type { Services } from './services.ts';

/** A path template: `/prices/{dex}`. */
export type Path = `/${string}`;

export interface Format<Input = never, Body = never> {
  contentType: string;
  /** Writes a file from a body. Without it, the format is the JSON of the body. */
  write?: (body: Body, input: Input, schema: z.ZodMiniType) => string;
  /** The body's list with an entry for each row of the file. */
  rows?: string;
  /** The end of a file's name (default: `csv`), and a word before it. */
  extension?: string;
  suffix?: (input: Input) => string;
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
    write: (body, _input, schema) =>
      toCSV((schema as z.ZodMiniObject).shape[rows] as z.ZodMiniArray, (body as Record<string, unknown[]>)[rows] ?? []),
  };
}

type Input<Params extends z.core.$ZodShape> = z.output<z.ZodMiniObject<Params>>;

/** An endpoint is a description (parameters, fields of the body, freshness) and a function from input to the body's source. */
export interface Definition<
  OwnPath extends Path,
  Params extends z.core.$ZodShape,
  Source,
  Schema extends z.ZodMiniType,
> {
  path: OwnPath;
  tag: string;
  summary: string;
  description: string;
  /** Seconds a response stays fresh; 0 means that each request computes a new one. */
  freshSeconds: number;
  /** True if an old body would mislead: it is then never served stale. */
  neverStale?: true;
  /** True if all containers share a cached body. Most are made from data that is in tables already. */
  shared?: true;
  /** The tables that it reads besides the cache. The stack grants its function access to exactly these. */
  reads?: readonly ('history' | 'ledger' | 'flags')[];
  /** Path and query parameters; those named in `path` are path parameters. */
  params?: Params;
  /** Maps inputs with the same answer to one form, so that the answer is made and cached once. */
  normalizeInput?(input: Input<Params>, context: Services): Input<Params> | Promise<Input<Params>>;
  /** The schema is made on demand, for the OpenAPI document, CSV and the tests only. */
  body: Pick<Unit<Source, Schema>, 'schema' | 'json'>;
  /** A request that the devnet answers with a 200. On other networks only its addresses differ. */
  exampleRequest: `/${string}`;
  /** The list that is also a CSV file. */
  rows?: string;
  /** A file of a range with an end is refused (409) unless all, or each source, is known up to this time (unix seconds). */
  validUntil?(input: Input<Params>): number | Record<string, number> | undefined;
  /** The error for a body that is too long, of an endpoint without `limit`. */
  tooLong?: ApiError;
  /** Checks of several parameters, of which some may be missing or invalid: the errors, by parameter. */
  check?(input: Partial<Input<Params>>): Record<string, string | false | undefined>;
  page?: string;
  /** The HTTP status of a body. Default: 200. */
  status?(body: z.output<Schema>): number;
  /** The formats by name, the default one first, if not JSON, `rows` as CSV and `page`. */
  formats?: Record<string, Format<Input<Params>, z.output<Schema>>>;
  /** The codes of its own 404s. */
  notFound?: readonly ErrorCode[];
  handle(input: Input<Params>, context: RequestContext<Services>): NoInfer<Source> | Promise<NoInfer<Source>>;
}

// biome-ignore-start lint/suspicious/noExplicitAny: a list of endpoints holds definitions of many inputs and bodies
export interface Endpoint<OwnPath extends Path = Path, Schema extends z.ZodMiniType = any>
  extends Omit<Definition<OwnPath, any, any, Schema>, 'params' | 'body' | 'rows' | 'page' | 'formats'> {
  input: z.ZodMiniObject<any>;
  response: () => Schema;
  formats: Record<string, Format>;
  handle(input: any, context: RequestContext<Services>): Promise<z.input<Schema>>;
}
// biome-ignore-end lint/suspicious/noExplicitAny: see above
