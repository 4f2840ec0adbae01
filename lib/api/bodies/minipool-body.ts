import * as z from 'zod/mini';
import { toBytes } from '../../chain/abi-words.ts';
import type { Minipool } from '../../contracts/minipool-manager.ts';
import { type MinipoolStatus, statusName } from '../../contracts/minipool-statuses.ts';
import type { RewardTerms } from '../../protocol/operator-reward.ts';
import type { Overview } from '../../protocol/protocol.ts';
import { neededUptimePercent } from '../../rewards/validation-reward.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import type { Network } from '../../runtime/networks.ts';
import { formatTxID } from '../../values/cb58.ts';
import { json, object, unit } from '../fields.ts';
import {
  address,
  avax,
  flag,
  ggp,
  integer,
  matching,
  nodeID,
  partsPerMillion,
  percentNumber,
  seconds,
  status,
  text,
  unixTime,
} from '../units.ts';

const ZERO_HASH = `0x${'0'.repeat(64)}`;

/** Hardware providers by the keccak256 of their names. */
const HARDWARE_PROVIDERS = new Map([
  ['0x9e8a01bb951fb38ff9aa0ddecfcda59c7d92b7e1569928f14e6d7bd3cce2f860', 'Artifact'],
]);

/** A hardware provider by the bytes32 that names it in contracts; undefined for zero. */
export const hardwareProvider = unit(
  () =>
    z.optional(
      text.schema('Hardware provider: name, or else its ID in the contract (32 bytes, 0x-hex). Omitted if none.'),
    ),
  (bytes32: string) => unlessZero(bytes32, (hash) => HARDWARE_PROVIDERS.get(hash) ?? hash),
);

const ON_ITS_WAY = new Set<MinipoolStatus>(['prelaunch', 'launched', 'staking']);

export interface MinipoolSource extends Minipool {
  network: Network;
  settings: Overview['settings'];
}

export const MINIPOOL = object<MinipoolSource>('Minipool')({
  index: integer('Index in the contract. A node has one record: it keeps the index, also with another owner.'),
  nodeID: nodeID(),
  nodeIDHex: json(
    () => matching(/^0x[0-9a-f]{40}$/).check(z.describe('Node ID as 20 bytes in 0x-hex, as in contracts and events.')),
    ({ nodeID }) => nodeID,
  ),
  status: status('Status of the minipool.'),
  statusCode: integer('Number of `status`, from 0 (`prelaunch`) to 6 (`error`).', ({ status }) => status),
  owner: address('Address of the node operator.'),
  multisigAddr: address('Address of the multisig that manages the minipool.'),
  duration: seconds('Total validation time requested, served in cycles.'),
  delegationFeePercent: partsPerMillion("Share of delegators' rewards.", ({ delegationFee }) => delegationFee),
  avaxNodeOpAmt: avax("The operator's principal in the latest cycle, with compounded rewards. Not reset at the end."),
  avaxNodeOpInitialAmt: avax('The same in the first cycle.'),
  avaxLiquidStakerAmt: avax("Liquid stakers' AVAX. Not reset at the end."),
  creationTime: unixTime(
    'Time of creation or relaunch. 0 for many minipools of 2023 and 2024, because the contract cleared it with each further cycle.',
  ),
  initialStartTime: unixTime('Start of the first cycle; 0 before it.'),
  startTime: unixTime('Start of the current or last cycle; 0 before it starts.'),
  neededUptimePercent: percentNumber.optional(
    'Uptime required for any reward in the current or last cycle: 80 if it started before the Helicon network upgrade, or else 90. Omitted before it starts.',
    ({ startTime, network }) => (startTime > 0 ? neededUptimePercent(startTime, network.heliconTime) : undefined),
  ),
  endTime: unixTime('End of the validation; 0 until then.'),
  expectedEndTime: unixTime.optional(
    '`initialStartTime` + `duration`. The operator may stop earlier. Omitted before the first cycle and after the end.',
    ({ status, initialStartTime, duration }) =>
      initialStartTime > 0 && ON_ITS_WAY.has(statusName(status)) ? initialStartTime + duration : undefined,
  ),
  cycleEndTime: unixTime.optional(
    'Expected end of the running cycle: `startTime` + `minipoolCycleDuration` of `/settings`. Omitted if none is running.',
    ({ status, startTime, settings }) =>
      statusName(status) === 'staking'
        ? ifKnown((seconds) => startTime + Number(seconds), settings.minipoolCycleDuration)
        : undefined,
  ),
  txID: text.optional(
    'P-Chain transaction of the current or last cycle, in CB58. Omitted before the first.',
    ({ txID }) => unlessZero(txID, formatTxID),
  ),
  avaxTotalRewardAmt: avax('Reward of the last cycle. 0 until the end.'),
  avaxNodeOpRewardAmt: avax("Operator's share of `avaxTotalRewardAmt`."),
  avaxNodeOpLifetimeRewardAmt: avax(
    "The operator's rewards of all cycles since creation or relaunch: `avaxNodeOpAmt` − `avaxNodeOpInitialAmt` + `avaxNodeOpRewardAmt`. A commission, as in 2023, counts for the last cycle only, because it is not compounded.",
    ({ avaxNodeOpAmt, avaxNodeOpInitialAmt, avaxNodeOpRewardAmt }) =>
      avaxNodeOpAmt - avaxNodeOpInitialAmt + avaxNodeOpRewardAmt,
  ),
  avaxLiquidStakerRewardAmt: avax("The liquid stakers' share of `avaxTotalRewardAmt`, before the protocol's fee."),
  ggpSlashAmt: ggp(
    'GGP slashed for cycles without a reward, since creation or relaunch. For minipools of 2023 and 2024, possibly of the last cycle only.',
  ),
  errorCode: text.optional(
    'Reason for the end or failure. `E1`: the node was already validating. `E2`: unknown status of the node. `E3`: staking failed. `EC1`: not an error, but another cycle did not fit. Omitted if none.',
    ({ errorCode }) => unlessZero(errorCode, toAscii),
  ),
  hardwareProvider: hardwareProvider(),
  blsPublicKey: text.optional('BLS public key, 0x-hex. Omitted for old records.'),
});

const countsWith = object<Record<MinipoolStatus, number>>('MinipoolCounts', 'Number of minipools by status.');
export const minipoolCounts = countsWith({
  prelaunch: integer('Waiting to be launched.'),
  launched: integer('Funds sent to the multisig, not yet validating.'),
  staking: integer('Validating.'),
  withdrawable: integer('Ended; the operator can withdraw.'),
  finished: integer('Withdrawn by the operator.'),
  canceled: integer('Canceled before launch.'),
  error: integer('Failed to launch.'),
});

/** The fields that tell if an operator without a minipool can create one. */
export const { fields: minipoolCreation } = object<RewardTerms>()({
  open: flag.optional(
    'False while the minipool manager is paused or the flag `minipoolCreation` is off: no new minipools, and the figures are hypothetical. Omitted if unknown.',
    ({ isOpen }) => isOpen,
  ),
  paused: flag.optional(
    '`true` while the minipool manager is paused: only those who have a minipool already can earn this. Omitted otherwise.',
    ({ protocol }) => protocol.paused.MinipoolManager || undefined,
  ),
});

function unlessZero(bytes32: string, format: (bytes32: string) => string): string | undefined {
  return bytes32 === ZERO_HASH ? undefined : format(bytes32);
}

/** The ASCII text in a bytes32, or its hex if it is not text. */
export function toAscii(bytes32: string): string {
  const text = toBytes(bytes32).toString('latin1').replace(/\0+$/, '');
  return /^[\x20-\x7e]+$/.test(text) ? text : bytes32;
}
