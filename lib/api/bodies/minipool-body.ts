import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import { bytesOf } from '../../chain/words.ts';
import type { Minipool } from '../../contracts/minipool-manager.ts';
import { MINIPOOL_STATUSES, type MinipoolStatus, statusName } from '../../contracts/minipool-statuses.ts';
import { neededUptimePercent } from '../../rewards/validation-reward.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import type { Network } from '../../runtime/networks.ts';
import { formatAmount, toNumber } from '../../values/amounts.ts';
import { formatNodeID, formatTxID } from '../../values/cb58.ts';
import { address, integer, model, nodeID, nodeIDHex, percent, seconds, text, tokens, unixTime } from '../schemas.ts';

/** How a minipool looks in responses, alone or in a list. */

export const hardwareProviderSchema = () =>
  z.optional(
    text(
      'Hardware provider: its name if known, or else its ID in the contract (32 bytes, 0x-prefixed hex). Omitted when there is none.',
    ),
  );

export const minipoolFields = () => ({
  index: integer(
    'Index in the contract. Each node has a single record, so the index stays the same when the node is reused, also by another owner.',
  ),
  nodeID: nodeID(),
  nodeIDHex: nodeIDHex(),
  status: model('MinipoolStatus', z.enum(MINIPOOL_STATUSES)).check(z.describe('Status of the minipool.')),
  statusCode: integer(
    "The contract's number for `status`: from 0 (`prelaunch`) to 6 (`error`), in the order of the status names.",
  ),
  owner: address('Address of the node operator.'),
  multisigAddr: address('Address of the multisig that manages the minipool.'),
  duration: seconds('Total validation time requested, which is served in cycles.'),
  delegationFeePercent: percent("Share of its delegators' rewards that the node keeps."),
  avaxNodeOpAmt: tokens(
    'AVAX',
    "The operator's principal in the current or last cycle, including compounded rewards. Not reset when the minipool is over.",
  ),
  avaxNodeOpInitialAmt: tokens('AVAX', "The operator's principal in the first cycle."),
  avaxLiquidStakerAmt: tokens(
    'AVAX',
    "Liquid stakers' AVAX matched to the minipool. Not reset when the minipool is over.",
  ),
  creationTime: unixTime(
    'When the minipool was created or relaunched. 0 for many minipools of 2023 and 2024, because the contract cleared it with every further cycle.',
  ),
  initialStartTime: unixTime('Start of the first cycle; 0 before it.'),
  startTime: unixTime('Start of the current or last cycle; 0 while waiting for one to start.'),
  neededUptimePercent: z.optional(
    percent(
      'Uptime required for any reward in the current or last cycle: 80 if it started before the Helicon network upgrade, 90 otherwise. Omitted while waiting for a cycle to start.',
    ),
  ),
  endTime: unixTime('End of the validation; 0 until then.'),
  expectedEndTime: z.optional(
    unixTime(
      '`initialStartTime` + `duration`. The operator may stop earlier. Omitted before the first cycle and once the minipool has ended.',
    ),
  ),
  cycleEndTime: z.optional(
    unixTime(
      'Expected end of the running cycle: `startTime` + `minipoolCycleDuration` of `/settings`. Omitted while no cycle is running.',
    ),
  ),
  txID: z.optional(text('P-Chain transaction of the current or last cycle, in CB58. Omitted before the first one.')),
  avaxTotalRewardAmt: tokens(
    'AVAX',
    'Reward of the last cycle (not of all cycles). 0 until the minipool has ended, because each new cycle resets it.',
  ),
  avaxNodeOpRewardAmt: tokens('AVAX', "The operator's share of `avaxTotalRewardAmt`."),
  avaxNodeOpLifetimeRewardAmt: tokens(
    'AVAX',
    "The operator's rewards from all cycles since the minipool was created or relaunched: `avaxNodeOpAmt` − `avaxNodeOpInitialAmt` + `avaxNodeOpRewardAmt`. A commission, as in 2023, counts for the last cycle only: the contract does not compound it.",
  ),
  avaxLiquidStakerRewardAmt: tokens(
    'AVAX',
    "The liquid stakers' share of `avaxTotalRewardAmt`, before the protocol's fee.",
  ),
  ggpSlashAmt: tokens(
    'GGP',
    'GGP slashed for cycles without a reward, since the minipool was created or relaunched. For minipools of 2023 and 2024, it may be of the last cycle only.',
  ),
  errorCode: z.optional(
    text(
      'Why the minipool ended or failed. `E1`: the node was already validating. `E2`: the status of the node could not be determined. `E3`: staking failed. `EC1`: not an error of the node, but another cycle did not fit. Omitted when there is none.',
    ),
  ),
  hardwareProvider: hardwareProviderSchema(),
  blsPublicKey: z.optional(
    text('BLS public key of the node (48 bytes, 0x-prefixed hex). Omitted for old records, which have none.'),
  ),
});

/** The number of minipools of each status; `meaning` says which minipools are counted. */
export function minipoolCounts(meaning: string) {
  const fields = {
    prelaunch: integer('Waiting to be launched.'),
    launched: integer('Funds sent to the multisig, not yet validating.'),
    staking: integer('Validating.'),
    withdrawable: integer('Ended; the operator can withdraw.'),
    finished: integer('Withdrawn by the operator.'),
    canceled: integer('Canceled before launch.'),
    error: integer('Failed to launch.'),
  };
  return model('MinipoolCounts', z.object(fields), 'Number of minipools by status.').check(z.describe(meaning));
}

const ZERO_HASH = `0x${'0'.repeat(64)}`;

/** Hardware providers by the keccak256 of their names. */
const HARDWARE_PROVIDERS = new Map([
  ['0x9e8a01bb951fb38ff9aa0ddecfcda59c7d92b7e1569928f14e6d7bd3cce2f860', 'Artifact'],
]);

const ON_ITS_WAY = new Set<MinipoolStatus>(['prelaunch', 'launched', 'staking']);

/** `cycleDuration`: seconds that a cycle lasts, if known. */
export function minipoolBody(minipool: Minipool, { heliconTime }: Network, cycleDuration: bigint | undefined) {
  const { nodeID, duration, initialStartTime, startTime, txID, errorCode, hardwareProvider } = minipool;
  const status = statusName(minipool.status);
  return {
    index: minipool.index,
    nodeID: formatNodeID(nodeID),
    nodeIDHex: nodeID,
    status,
    statusCode: minipool.status,
    owner: getAddress(minipool.owner),
    multisigAddr: getAddress(minipool.multisigAddr),
    duration,
    // Parts per million.
    delegationFeePercent: toNumber(BigInt(minipool.delegationFee), 4),
    avaxNodeOpAmt: formatAmount(minipool.avaxNodeOpAmt),
    avaxNodeOpInitialAmt: formatAmount(minipool.avaxNodeOpInitialAmt),
    avaxLiquidStakerAmt: formatAmount(minipool.avaxLiquidStakerAmt),
    creationTime: minipool.creationTime,
    initialStartTime,
    startTime,
    neededUptimePercent: startTime > 0 ? neededUptimePercent(startTime, heliconTime) : undefined,
    endTime: minipool.endTime,
    expectedEndTime: initialStartTime > 0 && ON_ITS_WAY.has(status) ? initialStartTime + duration : undefined,
    cycleEndTime: status === 'staking' ? ifKnown((seconds) => startTime + Number(seconds), cycleDuration) : undefined,
    txID: unlessZero(txID, formatTxID),
    avaxTotalRewardAmt: formatAmount(minipool.avaxTotalRewardAmt),
    avaxNodeOpRewardAmt: formatAmount(minipool.avaxNodeOpRewardAmt),
    avaxNodeOpLifetimeRewardAmt: formatAmount(
      minipool.avaxNodeOpAmt - minipool.avaxNodeOpInitialAmt + minipool.avaxNodeOpRewardAmt,
    ),
    avaxLiquidStakerRewardAmt: formatAmount(minipool.avaxLiquidStakerRewardAmt),
    ggpSlashAmt: formatAmount(minipool.ggpSlashAmt),
    errorCode: unlessZero(errorCode, asciiOf),
    hardwareProvider: hardwareProviderName(hardwareProvider),
    blsPublicKey: minipool.blsPublicKey,
  };
}

export function hardwareProviderName(bytes32: string): string | undefined {
  return unlessZero(bytes32, (hash) => HARDWARE_PROVIDERS.get(hash) ?? hash);
}

function unlessZero(bytes32: string, format: (bytes32: string) => string): string | undefined {
  return bytes32 === ZERO_HASH ? undefined : format(bytes32);
}

/** The ASCII text in a bytes32, or its hex if it is not text. */
export function asciiOf(bytes32: string): string {
  const text = bytesOf(bytes32).toString('latin1').replace(/\0+$/, '');
  return /^[\x20-\x7e]+$/.test(text) ? text : bytes32;
}
