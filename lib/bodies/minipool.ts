import * as z from 'zod/mini';
import { formatAmount, toNumber } from '../amounts.ts';
import { formatNodeID, formatTxID } from '../cb58.ts';
import { checksumAddress } from '../checksum.ts';
import { MINIPOOL_STATUSES, type Minipool } from '../contracts/minipool-manager.ts';
import { type MinipoolStatus, statusName } from '../protocol/minipools.ts';
import { address, integer, model, nodeID, percent, seconds, text, tokens, unixTime } from '../schemas.ts';

/** How a minipool is answered, alone or in a list. */

export const hardwareProviderSchema = () =>
  z.optional(
    text(
      'Who runs the hardware: a name, or the 32 bytes of the contract in 0x-hex if it is not known. Left out for none.',
    ),
  );

export const minipoolFields = () => ({
  index: integer('Index in the contract. A node has one record for ever, so a new owner gets the same.'),
  nodeID: nodeID(),
  status: model('MinipoolStatus', z.enum(MINIPOOL_STATUSES)).check(z.describe('Where it is in its life.')),
  statusCode: integer("The contract's number of the status: 0 prelaunch to 6 error, in the order of the names."),
  owner: address('The node operator.'),
  multisigAddr: address('The multisig that handles it.'),
  duration: seconds('Validation asked for in all; it is done in cycles.'),
  delegationFeePercent: percent("The node's part of its delegators' rewards."),
  avaxNodeOpAmt: tokens(
    'AVAX',
    "The operator's principal of the current or last cycle, with what was compounded. The record keeps it when the minipool is over.",
  ),
  avaxNodeOpInitialAmt: tokens('AVAX', 'The same in the first cycle.'),
  avaxLiquidStakerAmt: tokens('AVAX', "Liquid stakers' AVAX matched to it. The record keeps it, too."),
  creationTime: unixTime('When it was created, or relaunched.'),
  initialStartTime: unixTime('Start of its first cycle; 0 before.'),
  startTime: unixTime('Start of the current or last cycle; 0 while it waits for one.'),
  endTime: unixTime('End of its validation; 0 while that is not over.'),
  expectedEndTime: z.optional(
    unixTime('initialStartTime + duration, while it is on its way there: the operator may stop earlier.'),
  ),
  txID: z.optional(text('P-Chain transaction of the current or last cycle, cb58.')),
  avaxTotalRewardAmt: tokens(
    'AVAX',
    'Reward of the last cycle once the minipool has ended, not of its whole life; 0 while it goes on, because the next cycle clears it.',
  ),
  avaxNodeOpRewardAmt: tokens('AVAX', "The operator's part of it."),
  avaxNodeOpLifetimeRewardAmt: tokens(
    'AVAX',
    'What the operator has earned with it in all cycles since it was created or relaunched: avaxNodeOpAmt − avaxNodeOpInitialAmt + avaxNodeOpRewardAmt.',
  ),
  avaxLiquidStakerRewardAmt: tokens(
    'AVAX',
    "The liquid stakers' part of avaxTotalRewardAmt, before the protocol's fee.",
  ),
  ggpSlashAmt: tokens('GGP', 'Slashed for cycles without reward, over its whole life.'),
  errorCode: z.optional(
    text(
      'Why it ended or failed: `E1` the node validates already, `E2` its status cannot be told, `E3` staking failed. `EC1` is no error of the node: another cycle did not fit.',
    ),
  ),
  hardwareProvider: hardwareProviderSchema(),
  blsPublicKey: z.optional(text('BLS public key of the node, 48 bytes in 0x-hex. Old records have none.')),
});

/** How many minipools there are of each status. */
export function minipoolCounts(meaning: string) {
  const fields = {
    prelaunch: integer('Waiting for a launch.'),
    launched: integer('Taken by the protocol, not validating yet.'),
    staking: integer('Validating.'),
    withdrawable: integer('Ended, the operator may withdraw.'),
    finished: integer('Withdrawn.'),
    canceled: integer('Canceled before launch.'),
    error: integer('Failed to launch.'),
  };
  return model('MinipoolCounts', z.object(fields)).check(z.describe(meaning));
}

const ZERO_HASH = `0x${'0'.repeat(64)}`;

/** Hardware providers by the keccak256 of their names. */
const HARDWARE_PROVIDERS = new Map([
  ['0x9e8a01bb951fb38ff9aa0ddecfcda59c7d92b7e1569928f14e6d7bd3cce2f860', 'Artifact'],
]);

const ON_ITS_WAY = new Set<MinipoolStatus>(['prelaunch', 'launched', 'staking']);

export function minipoolBody(minipool: Minipool) {
  const { nodeID, duration, initialStartTime, txID, errorCode, hardwareProvider } = minipool;
  const status = statusName(minipool.status);
  return {
    index: minipool.index,
    nodeID: formatNodeID(nodeID),
    status,
    statusCode: minipool.status,
    owner: checksumAddress(minipool.owner),
    multisigAddr: checksumAddress(minipool.multisigAddr),
    duration,
    // Parts per million.
    delegationFeePercent: toNumber(BigInt(minipool.delegationFee), 4),
    avaxNodeOpAmt: formatAmount(minipool.avaxNodeOpAmt),
    avaxNodeOpInitialAmt: formatAmount(minipool.avaxNodeOpInitialAmt),
    avaxLiquidStakerAmt: formatAmount(minipool.avaxLiquidStakerAmt),
    creationTime: minipool.creationTime,
    initialStartTime,
    startTime: minipool.startTime,
    endTime: minipool.endTime,
    expectedEndTime: initialStartTime > 0 && ON_ITS_WAY.has(status) ? initialStartTime + duration : undefined,
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

/** The text in a bytes32, or the bytes themselves if they are none. */
function asciiOf(bytes32: string): string {
  const text = Buffer.from(bytes32.slice(2), 'hex').toString('latin1').replace(/\0+$/, '');
  return /^[\x20-\x7e]+$/.test(text) ? text : bytes32;
}
