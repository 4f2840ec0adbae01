/** `platform.*` as avalanchego answers it: numbers as decimal strings, errors with status 200. */

import type { DevnetValidator } from '../devnet.ts';
import type { Answer } from './data-api.ts';
import { proofOfPossession } from './validator.ts';

interface RpcRequest {
  id?: unknown;
  method?: string;
}

export function answerPChain(text: string, active: readonly DevnetValidator[], supply: bigint): Answer {
  const { id = null, method = '' } = parse(text);
  const results: Record<string, object> = {
    'platform.getCurrentSupply': { supply: String(supply), height: '1' },
    'platform.getCurrentValidators': {
      validators: active.toSorted((a, b) => a.endTime - b.endTime).map(currentValidator),
    },
  };
  const result = results[method];
  const outcome = result
    ? { result }
    : { error: { code: -32_000, message: `rpc: can't find method "${method}"`, data: null } };
  return { status: 200, body: { jsonrpc: '2.0', ...outcome, id } };
}

function parse(text: string): RpcRequest {
  try {
    return (JSON.parse(text) ?? {}) as RpcRequest;
  } catch {
    return {};
  }
}

function currentValidator(validator: DevnetValidator) {
  const owner = { locktime: '0', threshold: '1', addresses: [validator.rewardAddress] };
  const { blsPublicKey } = validator;
  return {
    txID: validator.txID,
    startTime: String(validator.startTime),
    endTime: String(validator.endTime),
    weight: String(validator.stake),
    nodeID: validator.nodeID,
    validationRewardOwner: owner,
    delegationRewardOwner: owner,
    potentialReward: String(validator.potentialReward),
    accruedDelegateeReward: '0',
    delegationFee: validator.delegationFeePercent.toFixed(4),
    uptime: validator.uptimePercent.toFixed(4),
    connected: true,
    ...(blsPublicKey && { signer: { publicKey: blsPublicKey, proofOfPossession: proofOfPossession(blsPublicKey) } }),
    delegatorCount: String(validator.delegatorCount),
    delegatorWeight: String(validator.delegated),
  };
}
