/**
 * `GET /v1/networks/{network}/validators` of the Data API, as far as the service uses it. Details that the real index sometimes
 * leaves out, empties or sets to null vary from validator to validator.
 */

import type { IncomingMessage } from 'node:http';
import type { DevnetValidator } from '../devnet.ts';
import { proofOfPossession } from './validator.ts';

export interface Answer {
  status: number;
  body: object;
}

const VALIDATORS_PATH = /^\/v1\/networks\/(mainnet|fuji|testnet)\/validators$/;
const PRIMARY_NETWORK = '11111111111111111111111111111111LpoYY';
const MAX_PAGE_SIZE = 100;

/** Refuses requests that the real API refuses, and requests that the service never sends. */
export function answerDataApi({ method, url }: IncomingMessage, active: readonly DevnetValidator[]): Answer {
  const { pathname, searchParams: query } = new URL(url ?? '/', 'http://localhost');
  if (method !== 'GET' || !VALIDATORS_PATH.test(pathname)) return failure(404, 'Not Found');
  const pageSize = Number(query.get('pageSize'));
  const offset = parseOffset(query.get('pageToken'));
  const isListed = query.get('subnetId') === PRIMARY_NETWORK && query.get('validationStatus') === 'active';
  if (!isListed || !(pageSize >= 1 && pageSize <= MAX_PAGE_SIZE && offset >= 0)) return failure(400, 'Bad Request');
  const listed = active.toSorted(newestFirst);
  const end = offset + pageSize;
  const total = totalStake(active);
  return {
    status: 200,
    body: {
      validators: listed.slice(offset, end).map((validator) => activeValidator(validator, total)),
      ...(end < listed.length ? { nextPageToken: toToken(end) } : oneOf(listed.length, 'nextPageToken', [''])),
    },
  };
}

/** An error in the shape of the API's framework. */
function failure(statusCode: number, error: string): Answer {
  return { status: statusCode, body: { message: error, error, statusCode } };
}

/** All that is staked with the validators, delegations included, nAVAX. */
function totalStake(validators: readonly DevnetValidator[]): bigint {
  return validators.reduce((total, { stake, delegated }) => total + stake + delegated, 0n);
}

function newestFirst(a: DevnetValidator, b: DevnetValidator): number {
  return b.startTime - a.startTime || (a.txID < b.txID ? -1 : 1);
}

/** A page token looks like the real ones, which tell clients nothing; the last group is the offset. */
function toToken(offset: number): string {
  return `00000000-0000-4000-8000-${offset.toString(16).padStart(12, '0')}`;
}

const TOKEN = /^0{8}-0000-4000-8000-([0-9a-f]{12})$/;

/** NaN for a token that is not one of ours. */
function parseOffset(token: string | null): number {
  return token ? Number.parseInt(TOKEN.exec(token)?.[1] ?? '', 16) : 0;
}

const MAX_WEIGHT = 3_000_000_000_000_000n;
const HEALTH = {
  reachabilityPercent: 100,
  benchedPChainRequestsPercent: 0,
  benchedXChainRequestsPercent: 0,
  benchedCChainRequestsPercent: 0,
};
const GENEVA = { city: 'Geneva', country: 'Switzerland', countryCode: 'CH', latitude: 46.2, longitude: 6.15 };

function activeValidator(validator: DevnetValidator, total: bigint) {
  const { stake, delegated, version, blsPublicKey, rewardAddress } = validator;
  // Effectively random, but the same whenever this validator is listed.
  const variant = validator.txID.charCodeAt(20);
  const maxWeight = 5n * stake < MAX_WEIGHT ? 5n * stake : MAX_WEIGHT;
  return {
    validationStatus: 'active',
    txHash: validator.txID,
    nodeId: validator.nodeID,
    subnetId: PRIMARY_NETWORK,
    amountStaked: String(stake),
    ...(delegated > 0n ? { amountDelegated: String(delegated) } : oneOf(variant, 'amountDelegated', ['0', ''])),
    delegationFee: validator.delegationFeePercent.toFixed(16),
    startTimestamp: validator.startTime,
    endTimestamp: validator.endTime,
    ...(blsPublicKey && {
      blsCredentials: { publicKey: blsPublicKey, proofOfPossession: proofOfPossession(blsPublicKey) },
    }),
    stakePercentage: Number((stake * 10n ** 9n) / total) / 1e7,
    delegatorCount: validator.delegatorCount,
    uptimePerformance: validator.uptimePercent,
    ...(version ? { avalancheGoVersion: version } : oneOf(variant, 'avalancheGoVersion', ['', null])),
    ...oneOf(variant, 'delegationCapacity', [String(maxWeight - stake - delegated), '']),
    potentialRewards: {
      validationRewardAmount: String(validator.potentialReward),
      delegationRewardAmount: String(delegationReward(validator)),
      ...oneOf(variant, 'rewardAddresses', [[rewardAddress], [rewardAddress.replace('P-', '')]]),
    },
    validatorHealth: HEALTH,
    ...oneOf(variant, 'geolocation', [null, GENEVA]),
  };
}

/** `key` with one of the values, or not at all. */
function oneOf(variant: number, key: string, values: readonly unknown[]): Record<string, unknown> {
  const index = variant % (values.length + 1);
  return index < values.length ? { [key]: values[index] } : {};
}

/** The validator's cut of what its delegators earn, were they rewarded at its own rate. */
function delegationReward({ stake, delegated, potentialReward, delegationFeePercent }: DevnetValidator): bigint {
  const feePpm = BigInt(Math.round(delegationFeePercent * 10_000));
  return (((potentialReward * delegated) / stake) * feePpm) / 1_000_000n;
}
