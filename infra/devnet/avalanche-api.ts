/**
 * Both sources of validators, on one machine: Ava Labs' Data API and the P-Chain's JSON-RPC, as far as the service uses
 * them.
 */

import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Devnet } from './devnet.ts';
import { listen } from './listen.ts';
import { type DevnetValidator, P_CHAIN_SUPPLY } from './scenario/validators.ts';

export type AvalancheApi = Awaited<ReturnType<typeof startAvalancheApi>>;

const P_CHAIN_PATH = '/ext/bc/P';
const VALIDATORS_PATH = /^\/v1\/networks\/(mainnet|fuji|testnet)\/validators$/;
const PRIMARY_NETWORK = '11111111111111111111111111111111LpoYY';
const MAX_PAGE_SIZE = 100;
const REWARD_ADDRESS = 'P-avax10f8305248c0wsfsdempdtpx7lpkc30vwzl9y9q';
/** Begin of a page token, before its offset. */
const TOKEN = '00000000-0000-4000-8000-';

/** Serves both on a free port of 127.0.0.1. Validators are listed while they are active by the clock. */
export async function startAvalancheApi({ validators }: Pick<Devnet, 'validators'>) {
  const server = createServer(async (request, response) => {
    const now = Date.now() / 1_000;
    const active = validators.filter(({ startTime, endTime }) => startTime <= now && now < endTime);
    const { status, body } =
      request.url === P_CHAIN_PATH && request.method === 'POST'
        ? answerPChain(await text(request), active)
        : answerDataApi(request, active);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { url, stop } = await listen(server);
  return { dataApiUrl: url, pChainUrl: url + P_CHAIN_PATH, stop };
}

/** `platform.*` as avalanchego answers it: numbers as decimal strings, errors with status 200. */
function answerPChain(request: string, active: readonly DevnetValidator[]) {
  const { id, method } = JSON.parse(request) as { id: unknown; method: string };
  const validators = active.toSorted((a, b) => a.endTime - b.endTime).map(currentValidator);
  const results: Record<string, object> = {
    'platform.getCurrentSupply': { supply: String(P_CHAIN_SUPPLY), height: '1' },
    'platform.getCurrentValidators': { validators },
  };
  const result = results[method];
  const outcome = result ? { result } : { error: { code: -32_000, message: `rpc: can't find method "${method}"` } };
  return { status: 200, body: { jsonrpc: '2.0', ...outcome, id } };
}

function currentValidator({ blsPublicKey, ...validator }: DevnetValidator) {
  return {
    txID: validator.txID,
    startTime: String(validator.startTime),
    endTime: String(validator.endTime),
    weight: String(validator.stake),
    nodeID: validator.nodeID,
    validationRewardOwner: { locktime: '0', threshold: '1', addresses: [REWARD_ADDRESS] },
    potentialReward: String(validator.potentialReward),
    delegationFee: validator.delegationFeePercent.toFixed(4),
    uptime: validator.uptimePercent.toFixed(4),
    connected: true,
    ...(blsPublicKey && { signer: { publicKey: blsPublicKey } }),
    delegatorCount: String(validator.delegatorCount),
    delegatorWeight: String(validator.delegated),
  };
}

/**
 * `GET /v1/networks/{network}/validators` of the Data API. Refuses requests that the real API refuses, and requests that the
 * service never sends. Details that the real index sometimes leaves out, empties or sets to null vary from validator to
 * validator.
 */
export function answerDataApi({ method, url }: IncomingMessage, active: readonly DevnetValidator[]) {
  const { pathname, searchParams: query } = new URL(url ?? '/', 'http://localhost');
  if (method !== 'GET' || !VALIDATORS_PATH.test(pathname)) return { status: 404, body: { error: 'Not Found' } };
  const pageSize = Number(query.get('pageSize'));
  const offset = Number.parseInt(query.get('pageToken')?.replace(TOKEN, '') ?? '0', 16);
  const isListed = query.get('subnetId') === PRIMARY_NETWORK && query.get('validationStatus') === 'active';
  if (!isListed || !(pageSize >= 1 && pageSize <= MAX_PAGE_SIZE && offset >= 0))
    return { status: 400, body: { error: 'Bad Request' } };
  const newestFirst = active.toSorted((a, b) => b.startTime - a.startTime || (a.txID < b.txID ? -1 : 1));
  const end = offset + pageSize;
  const next =
    end < active.length
      ? { nextPageToken: TOKEN + end.toString(16).padStart(12, '0') }
      : oneOf(active.length, 'nextPageToken', ['']);
  return { status: 200, body: { validators: newestFirst.slice(offset, end).map(activeValidator), ...next } };
}

function activeValidator(validator: DevnetValidator) {
  const { stake, delegated, version, blsPublicKey, potentialReward } = validator;
  // Effectively random, but the same whenever this validator is listed.
  const variant = validator.txID.charCodeAt(20);
  // The validator's cut of what its delegators earn, were they rewarded at its own rate.
  const feePpm = BigInt(Math.round(validator.delegationFeePercent * 10_000));
  const delegationReward = (((potentialReward * delegated) / stake) * feePpm) / 1_000_000n;
  return {
    txHash: validator.txID,
    nodeId: validator.nodeID,
    amountStaked: String(stake),
    ...(delegated > 0n ? { amountDelegated: String(delegated) } : oneOf(variant, 'amountDelegated', ['0', ''])),
    delegationFee: validator.delegationFeePercent.toFixed(16),
    startTimestamp: validator.startTime,
    endTimestamp: validator.endTime,
    ...(blsPublicKey && { blsCredentials: { publicKey: blsPublicKey } }),
    delegatorCount: validator.delegatorCount,
    uptimePerformance: validator.uptimePercent,
    ...(version ? { avalancheGoVersion: version } : oneOf(variant, 'avalancheGoVersion', ['', null])),
    potentialRewards: {
      validationRewardAmount: String(potentialReward),
      delegationRewardAmount: String(delegationReward),
      ...oneOf(variant, 'rewardAddresses', [[REWARD_ADDRESS], [REWARD_ADDRESS.replace('P-', '')]]),
    },
  };
}

/** `key` with one of the values, or not at all. */
function oneOf(variant: number, key: string, values: readonly unknown[]): Record<string, unknown> {
  const index = variant % (values.length + 1);
  return index < values.length ? { [key]: values[index] } : {};
}
