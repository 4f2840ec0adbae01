import * as z from 'zod/mini';
import type { RequestContext } from '../../cache/dataset.ts';
import type { Definition, EndpointDocs, Path } from '../definition.ts';
import { defineEndpoint } from '../endpoint.ts';
import { model, type Unit } from '../fields.ts';
import { csvFormat, type Format, JSON_FORMAT } from '../formats.ts';
import {
  cursorParams,
  type Listed,
  type Paging,
  page,
  pageParams,
  type Sorting,
  type SortKeys,
  sorted,
  sortParams,
} from '../lists.ts';
import type { Services } from '../services.ts';

interface List<OwnPath extends Path, Params extends z.core.$ZodShape, Item, More, Body extends z.core.$ZodShape>
  extends EndpointDocs<OwnPath>,
    Pick<Definition<Path, z.ZodMiniObject<Params>, z.ZodMiniType>, 'freshSeconds' | 'reads'> {
  /** The list's filters and naming parameters; the paging parameters are added. */
  params: Params;
  /** True if `offset` is a parameter, as in older lists. */
  hasOffset?: true;
  /** Returns all matching entries, in their order, and the other sources of the body. */
  read: (
    input: z.output<z.ZodMiniObject<Params>>,
    context: RequestContext<Services>,
  ) => Promise<More & { items: readonly Item[] }>;
  /** A unique key of an entry: letters, digits and hyphens. */
  key: (item: Item) => string | number;
  sortKeys?: SortKeys<Item>;
  /** The body, with the fields of a page (`entries`, `pageFields`). */
  body: Unit<Listed<Item, More>, z.ZodMiniObject<Body>>;
  /** The name of the body's schema; by default, it is derived from the endpoint's. */
  bodyName?: string;
  rows: keyof Body & string;
  validUntil?: Format<z.output<z.ZodMiniObject<Params>>>['validUntil'];
  /** The HTML page that browsers get. */
  page?: string;
}

export function listEndpoint<
  OwnPath extends Path,
  Params extends z.core.$ZodShape,
  Item,
  More,
  Body extends z.core.$ZodShape,
>({
  params,
  hasOffset,
  read,
  key,
  sortKeys,
  body,
  bodyName,
  rows,
  validUntil,
  page: htmlPage,
  ...docs
}: List<OwnPath, Params, Item, More, Body>) {
  const input = z.object({
    ...params,
    ...(sortKeys && sortParams(sortKeys)),
    ...(hasOffset ? pageParams : cursorParams),
  });
  return defineEndpoint({
    ...docs,
    input: input as unknown as z.ZodMiniObject<Params>,
    response: () => (bodyName ? model(bodyName, body.schema()) : body.schema()),
    formats: {
      json: JSON_FORMAT,
      csv: { ...csvFormat(rows), ...(validUntil && { validUntil }) },
      ...(htmlPage && { html: { contentType: 'text/html', page: htmlPage } }),
    },
    async handle(input, context) {
      const all = await read(input, context);
      const { sort, order, ...paging } = input as unknown as Sorting & Paging;
      const items = sortKeys ? sorted(all.items, sortKeys, { sort, order }) : all.items;
      return body.json({ ...all, ...page(items, paging, key) });
    },
  });
}
