/**
 * `lib/api`: definitions and responses of endpoints. `endpoint.ts` is the Lambda handler, `answer.ts` the order of steps;
 * parameters and schemas are in `params.ts` and `schemas.ts`. Used by `functions/`, the OpenAPI document's generator and
 * `lib/archive`.
 */

import type * as z from 'zod/mini';
import type { RequestContext } from '../cache/dataset.ts';
import type { ChainContext } from '../chain/chain.ts';
import type { PChainContext } from '../chain/upstream/p-chain.ts';
import type { FlagsContext } from '../flags/flags-store.ts';
import type { HistoryContext } from '../history/history-store.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import type { Openers } from '../runtime/context.ts';
import type { ErrorCode } from '../runtime/errors.ts';
import type { DataApiContext } from '../validators/data-api.ts';
import type { Format } from './formats.ts';

/** The services that a function may read besides the C-Chain and the cache. */
export type Sources = Pick<HistoryContext, 'history'> &
  Pick<LedgerContext, 'ledger'> &
  Pick<FlagsContext, 'flags'> &
  Pick<PChainContext, 'pChain'> &
  Pick<DataApiContext, 'dataApi'>;

/** The context of an endpoint that reads these sources. */
export type EndpointContext<Reads extends keyof Sources> = ChainContext & Pick<Sources, Reads>;

/** API Gateway's path template: `/prices/{dex}`. */
export type Path = `/${string}`;

/**
 * An endpoint is a description (parameters, schema of the response, freshness) and one function from input to body.
 */
export interface Definition<
  OwnPath extends Path,
  Input extends z.ZodMiniObject,
  Body extends z.ZodMiniType,
  Reads extends keyof Sources,
> {
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
  /** The sources that it reads, by the functions that open them. The stack grants access to exactly these tables. */
  reads?: Openers<Pick<Sources, Reads>, ChainContext>;
  /** Path and query parameters; those named in `path` are path parameters. */
  input: Input;
  /** Maps inputs with the same answer to one form, so that the answer is made and cached once. */
  normalizeInput?(input: z.output<Input>, context: EndpointContext<Reads>): z.output<Input> | Promise<z.output<Input>>;
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
  handle(input: z.output<Input>, context: RequestContext<EndpointContext<Reads>>): Promise<z.input<Body>>;
}

/** Any endpoint, or the one with a certain path and body. */
// biome-ignore-start lint/suspicious/noExplicitAny: a list of endpoints holds definitions of many inputs and bodies
export type Endpoint<OwnPath extends Path = Path, Body extends z.ZodMiniType = any> = Definition<
  OwnPath,
  any,
  Body,
  never
> & { formats: Record<string, Format> };
// biome-ignore-end lint/suspicious/noExplicitAny: see above
