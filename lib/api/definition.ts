/**
 * `lib/api`: definitions and responses of endpoints. `endpoint.ts` is the Lambda handler, `answer.ts` the order of steps;
 * parameters and units are in `params.ts` and `units.ts`.
 */

import type * as z from 'zod/mini';
import type { RequestContext } from '../cache/dataset.ts';
import type { ErrorCode } from '../runtime/errors.ts';
import type { Format } from './formats.ts';
import type { Services } from './services.ts';

/** The tables that a function may read besides the cache. */
export type DurableTable = 'history' | 'ledger' | 'flags';

/** API Gateway's path template: `/prices/{dex}`. */
export type Path = `/${string}`;

/**
 * An endpoint is a description (parameters, schema of the response, freshness) and one function from input to body.
 */
export interface Definition<OwnPath extends Path, Input extends z.ZodMiniObject, Body extends z.ZodMiniType> {
  path: OwnPath;
  tag: string;
  summary: string;
  description: string;
  /** Seconds a response stays fresh; 0 means that each request computes a new one. */
  freshSeconds: number;
  /** True if an old body would mislead: it is then never served stale. */
  neverStale?: true;
  /**
   * True if the body is kept in the shared cache, for all containers. Otherwise each container keeps its own: most
   * bodies are made from data that is in tables already (datasets, history).
   */
  shared?: true;
  /** The tables that it reads. The stack grants its function access to exactly these. */
  reads?: readonly DurableTable[];
  /** Path and query parameters; those named in `path` are path parameters. */
  input: Input;
  /** Maps inputs with the same answer to one form, so that the answer is made and cached once. */
  normalizeInput?(input: z.output<Input>, context: Services): z.output<Input> | Promise<z.output<Input>>;
  /** The schema of the body. Made on demand, for the OpenAPI document, CSV and the tests only. */
  response: () => Body;
  /**
   * A request that the devnet answers with a 200, for the README, the bench and the tests. On other networks only its
   * addresses differ.
   */
  exampleRequest: `/${string}`;
  /** Reason why this list is not paginated. Only tests read this. */
  unpaged?: string;
  /** The representations of a body by name, the default one first. Only JSON if there are none. */
  formats?: Record<string, Format<z.output<Input>, z.output<Body>>>;
  /** The codes of this endpoint's own 404s, if it has any. */
  notFound?: readonly ErrorCode[];
  handle(input: z.output<Input>, context: RequestContext<Services>): Promise<z.input<Body>>;
}

// biome-ignore-start lint/suspicious/noExplicitAny: a list of endpoints holds definitions of many inputs and bodies
export type Endpoint<OwnPath extends Path = Path, Body extends z.ZodMiniType = any> = Definition<OwnPath, any, Body> & {
  formats: Record<string, Format>;
};
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** The texts and the example of an endpoint, which families of endpoints (`shapes`) complete. */
export type EndpointDocs<OwnPath extends Path> = Pick<
  Definition<OwnPath, z.ZodMiniObject, z.ZodMiniType>,
  'path' | 'tag' | 'summary' | 'description' | 'exampleRequest' | 'notFound'
>;
export type NamingParams = Record<string, z.ZodMiniType<string>>;
export type Named<Params extends NamingParams> = Record<keyof Params, string>;
