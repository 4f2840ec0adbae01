import { hash } from 'node:crypto';
import { AbiCoder, encodeBytes32String, hexlify, id, parseEther, ZeroHash } from 'ethers';
import type { Contract } from '../chain.ts';
import type { Protocol } from '../protocol.ts';
import { DAY, LAST_DAY, MANAGER_UPGRADE_DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import type { MinipoolRow } from './minipools.ts';
import { createRandom } from './random.ts';
import { act, type Step } from './step.ts';
import { stakingReward } from './validators.ts';

const CYCLE = 15;
const ASSIGNMENT = parseEther('1000');
/** 2 %, of 1,000,000. */
const DELEGATION_FEE = 20_000;
const GWEI = 10n ** 9n;

/** Days between what the operator and Rialto do. */
const UNTIL_LAUNCH = 0.2;
const UNTIL_START = 0.1;
const UNTIL_WITHDRAWAL = 0.5;
const UNTIL_CANCELLATION = 6;

/** 20 bytes of the node with this number. */
export const nodeID = (node: number) => hexlify(createRandom(`node ${node}`).bytes(20));

/** The MinipoolManager that is registered on a day. */
export function managerOn(day: number, { MinipoolManager, FirstMinipoolManager }: Protocol): Contract {
  return day < MANAGER_UPGRADE_DAY ? FirstMinipoolManager : MinipoolManager;
}

/** The steps of a minipool's life, by the table. */
export function minipoolSteps(row: MinipoolRow, { protocol, people, startOfDay0 }: Stage): Step[] {
  const { fate, days } = row;
  const code = encodeBytes32String(row.errorCode ?? '');
  const node = nodeID(row.node);
  const by =
    (person: string) =>
    (day: number, method: string, args: unknown[], value = 0n) =>
      act(day, person, managerOn(day, protocol), method, args, value);
  const [byOwner, byRialto] = [by(people[row.owner]), by(people.rialto)];

  const keys = row.bls ? blsPubkeyAndSig(row.node) : '0x';
  const hardware = row.hardware ? id(row.hardware) : ZeroHash;
  const fields = [node, days * DAY, DELEGATION_FEE, ASSIGNMENT, keys, hardware];
  const created = byOwner(row.day, 'createMinipool', fields, ASSIGNMENT);
  const launched = row.day + UNTIL_LAUNCH;
  const steps = [created, byRialto(launched, 'claimAndInitiateStaking', [node])];
  /** Runs the cycles that fit into the duration. */
  const validate = (start: number, duration: number, principal: bigint): Step[] => {
    const startTime = Math.floor(startOfDay0 + start * DAY) - 60;
    const txID = hash('sha256', `${node} ${start}`, 'buffer');
    const started = byRialto(start, 'recordStakingStart', [node, txID, startTime]);
    const end = start + CYCLE;
    if (end >= LAST_DAY) return [started];

    const isLast = duration < 2 * CYCLE;
    const reward =
      isLast && fate === 'slashed' ? 0n : stakingReward((2n * principal) / GWEI, startTime, CYCLE * DAY) * GWEI;
    const args = [node, startTime + CYCLE * DAY, reward];
    const ended = byRialto(end, 'recordStakingEndThenMaybeCycle', args, 2n * principal + reward);
    if (!isLast) return [started, ended, ...validate(end + UNTIL_START, duration - CYCLE, principal + reward / 2n)];
    if (fate === 'waits') return [started, ended];
    return [started, ended, byOwner(end + UNTIL_WITHDRAWAL, 'withdrawMinipoolFunds', [node])];
  };
  switch (fate) {
    case 'queued':
      return [created];
    case 'canceled':
      return [created, byOwner(row.day + UNTIL_CANCELLATION, 'cancelMinipool', [node])];
    case 'canceledByMultisig':
      return [created, byRialto(launched, 'cancelMinipoolByMultisig', [node, code])];
    case 'launched':
      return steps;
    case 'fails':
      return [...steps, byRialto(launched + UNTIL_START, 'recordStakingError', [node, code], 2n * ASSIGNMENT)];
    default:
      return [...steps, ...validate(launched + UNTIL_START, days, ASSIGNMENT)];
  }
}

/** abi.encode(bytes pubkey, bytes signature), 48 and 96 bytes. */
function blsPubkeyAndSig(node: number): string {
  const random = createRandom(`bls ${node}`);
  return AbiCoder.defaultAbiCoder().encode(['bytes', 'bytes'], [random.bytes(48), random.bytes(96)]);
}
