import { hash } from 'node:crypto';
import { AbiCoder, encodeBytes32String, hexlify, id, parseEther, ZeroHash } from 'ethers';
import type { Contract } from '../chain.ts';
import type { Protocol } from '../protocol.ts';
import { DAY, LAST_DAY, MANAGER_UPGRADE_DAY } from './calendar.ts';
import type { Stage } from './founding.ts';
import type { MinipoolRow } from './minipools.ts';
import { stakingReward } from './p-chain.ts';
import { createRandom } from './random.ts';
import { act, type Step } from './step.ts';

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
const UNTIL_RELAUNCH = 1;
const RELAUNCH_DAYS = 45;

/** 20 bytes of the node with this number. */
export function nodeID(node: number): string {
  return hexlify(createRandom(`node ${node}`).bytes(20));
}

/** The MinipoolManager that is registered on a day. */
export function managerOn(day: number, { MinipoolManager, MinipoolManagerV4 }: Protocol): Contract {
  return day < MANAGER_UPGRADE_DAY ? MinipoolManagerV4 : MinipoolManager;
}

/** The steps of a minipool's life, by the table. */
export function minipoolSteps(row: MinipoolRow, { protocol, people }: Stage, startOfDay0: number): Step[] {
  const { fate = 'validates', days } = row;
  const code = encodeBytes32String(row.errorCode ?? '');
  const node = nodeID(row.node);
  const owner = people[row.owner];
  const byOwner = (day: number, method: string, args: unknown[], value = 0n) =>
    act(day, owner, managerOn(day, protocol), method, args, value);
  const byRialto = (day: number, method: string, args: unknown[], value = 0n) =>
    act(day, people.rialto, managerOn(day, protocol), method, args, value);

  const steps: Step[] = [];
  const create = () => {
    const fields = [node, days * DAY, DELEGATION_FEE, ASSIGNMENT, row.bls ? blsPubkeyAndSig(row.node) : '0x'];
    const hardware = row.day < MANAGER_UPGRADE_DAY ? [] : [row.hardware ? id(row.hardware) : ZeroHash];
    steps.push(byOwner(row.day, 'createMinipool', [...fields, ...hardware], ASSIGNMENT));
  };
  /** @returns the day it can start on */
  const launch = (created: number) => {
    steps.push(byRialto(created + UNTIL_LAUNCH, 'claimAndInitiateStaking', [node]));
    return created + UNTIL_LAUNCH + UNTIL_START;
  };
  /** Runs the cycles that fit into the duration. @returns when it ended, if it has by now */
  const validate = (start: number, duration: number, principal: bigint): number | undefined => {
    const startTime = Math.floor(startOfDay0 + start * DAY) - 60;
    const txID = hash('sha256', `${node} ${start}`, 'buffer');
    steps.push(byRialto(start, 'recordStakingStart', [node, txID, startTime]));
    const end = start + CYCLE;
    if (end >= LAST_DAY) return undefined;

    const last = duration < 2 * CYCLE;
    const reward =
      last && fate === 'slashed' ? 0n : stakingReward((2n * principal) / GWEI, startTime, CYCLE * DAY) * GWEI;
    const args = [node, startTime + CYCLE * DAY, reward];
    steps.push(byRialto(end, 'recordStakingEndThenMaybeCycle', args, 2n * principal + reward));
    if (last) return end;
    return validate(end + UNTIL_START, duration - CYCLE, principal + reward / 2n);
  };

  create();
  if (fate === 'queued') return steps;
  if (fate === 'canceled') return [...steps, byOwner(row.day + UNTIL_CANCELLATION, 'cancelMinipool', [node])];
  if (fate === 'canceledByMultisig') {
    return [...steps, byRialto(row.day + UNTIL_LAUNCH, 'cancelMinipoolByMultisig', [node, code])];
  }
  const start = launch(row.day);
  if (fate === 'launched') return steps;
  if (fate === 'fails') return [...steps, byRialto(start, 'recordStakingError', [node, code], 2n * ASSIGNMENT)];
  const ended = validate(start, days, ASSIGNMENT);
  if (ended === undefined || fate === 'waits') return steps;
  if (fate === 'relaunches') {
    const day = ended + UNTIL_RELAUNCH;
    steps.push(byOwner(day, 'withdrawRewardsAndRelaunchMinipool', [node, RELAUNCH_DAYS * DAY, ZeroHash]));
    validate(launch(day), RELAUNCH_DAYS, ASSIGNMENT);
    return steps;
  }
  return [...steps, byOwner(ended + UNTIL_WITHDRAWAL, 'withdrawMinipoolFunds', [node])];
}

/** abi.encode(bytes pubkey, bytes signature), 48 and 96 bytes. */
function blsPubkeyAndSig(node: number): string {
  const random = createRandom(`bls ${node}`);
  return AbiCoder.defaultAbiCoder().encode(['bytes', 'bytes'], [random.bytes(48), random.bytes(96)]);
}
