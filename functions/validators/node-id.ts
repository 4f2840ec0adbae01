import { provenance, VALIDATOR, type ValidatorSource } from '../../lib/api/bodies/validator-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { partialObject } from '../../lib/api/fields.ts';
import { nodeIDParam } from '../../lib/api/params.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { ifAvailable } from '../../lib/runtime/if-known.ts';
import { readValidatingMinipools } from '../../lib/validators/validating-minipools.ts';
import { validatorsDataset } from '../../lib/validators/validators-dataset.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';

const detailsOf = partialObject<ValidatorSource>('ValidatorField', 'ValidatorDetails');

export const validatorsNodeID = defineEndpoint({
  path: '/validators/{nodeID}',
  tag: 'Validators',
  summary: 'One active validator',
  description: 'An active validator, as in `/validators`. A node that is not validating now is a 404.',
  freshSeconds: 300,
  params: { nodeID: nodeIDParam('ID of the node.') },
  body: detailsOf({ ...VALIDATOR.fields, ...provenance }),
  exampleRequest: '/validators/NodeID-3FmnJp11g6SbR97KXUGWo8hyASetUG9Jv',
  notFound: ['VALIDATOR_NOT_FOUND'],
  async handle({ nodeID }, context) {
    const [index, minipools] = await Promise.all([
      context.dataset(validatorsDataset),
      // Validators are useful without minipools.
      ifAvailable(context, 'minipools', () => readValidatingMinipools(context)),
    ]);
    const wanted = formatNodeID(nodeID);
    const validator = index.validators.find((candidate) => candidate.nodeID === wanted);
    if (!validator) {
      throw new ApiError('VALIDATOR_NOT_FOUND', `${wanted} is not currently validating the Primary Network.`);
    }
    return { ...validator, index, network: context.config.network, minipools };
  },
});

export const handler = /* @__PURE__ */ createHandler(validatorsNodeID);
