import * as z from 'zod/mini';
import type { Dataset } from '../../cache/dataset.ts';
import type { ChainContext } from '../../chain/chain.ts';
import { ApiError } from '../../runtime/errors.ts';
import type { EndpointDocs, Path } from '../definition.ts';
import { defineEndpoint } from '../endpoint.ts';
import type { Unit } from '../fields.ts';
import { NUMBER_FORMATS } from '../formats.ts';

interface BareNumber<OwnPath extends Path, Value> extends EndpointDocs<OwnPath> {
  freshSeconds: number;
  /** The dataset from which the number is made, so that its block is in the headers. */
  dataset: Dataset<Value, ChainContext>;
  unit: Unit<bigint, z.ZodMiniNumber<number>>;
  meaning: string;
  value: (dataset: Value) => bigint | undefined;
  noValueMessage: string;
}

export function numberEndpoint<OwnPath extends Path, Value>({
  dataset,
  unit,
  meaning,
  value,
  noValueMessage,
  ...docs
}: BareNumber<OwnPath, Value>) {
  return defineEndpoint({
    ...docs,
    input: z.object({}),
    response: () => unit.schema(meaning),
    formats: NUMBER_FORMATS,
    async handle(_input, context) {
      const number = value(await context.dataset(dataset));
      if (number === undefined) throw new ApiError('UPSTREAM_UNAVAILABLE', noValueMessage);
      return unit.json(number);
    },
  });
}
