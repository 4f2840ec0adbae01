/**
 * `lib/api/shapes`: families of endpoints that differ in texts and figures only, as functions that return a definition.
 */

import type * as z from 'zod/mini';
import type { Definition, Path } from '../definition.ts';

export type EndpointDocs<OwnPath extends Path> = Pick<
  Definition<OwnPath, z.ZodMiniObject, z.ZodMiniType>,
  'path' | 'tag' | 'summary' | 'description' | 'exampleRequest' | 'notFound'
>;

export type NamingParams = Record<string, z.ZodMiniType<string>>;
export type Named<Params extends NamingParams> = Record<keyof Params, string>;
