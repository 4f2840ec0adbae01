/**
 * Compares the ledger's sums with the contracts, as an alarm. Data that depends on a figure that differs is no longer
 * confirmed, and the ordinary recorder indexes the blocks since the last agreement again.
 */

import type { Chain, ProtocolState } from '../chain/chain.ts';
import { secondsNow } from '../runtime/context.ts';
import { levelOf } from '../runtime/errors.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { BlockRef } from '../values/block.ts';
import { DAY } from '../values/durations.ts';
import type { Blocks } from './block-ranges.ts';
import { BALANCES, CHECKS, type Check, EVENT_CHECKS } from './checks.ts';
import { type Entry, subjectOf } from './ledger-entry.ts';
import type { LedgerContext } from './ledger-store.ts';
import { concerns, type Mismatch, NO_MISMATCHES, storable, WRITTEN_WITH_EVENTS } from './mismatches.ts';
import type { LedgerRecorder } from './record-ledger.ts';
import type { Check as Checked } from './search-row.ts';

interface Checking extends Pick<LedgerContext, 'chain' | 'ledger' | 'clock'> {
  recorder: LedgerRecorder;
  /** False ends it after the current step. */
  mayGoOn: () => boolean | Promise<boolean>;
}

/** Seconds after which a check is due again: `DUE_SECONDS`, or `AGAIN_SECONDS` if it found mismatches. */
const DUE_SECONDS = 86_400;
const AGAIN_SECONDS = 600;
/**
 * Number of past midnights (UTC) at which balances are compared, too, different ones each day. The effect of missing
 * events may cancel out later.
 */
const MIDNIGHTS = 3;
/** A step between midnights that has no divisor in common with most numbers of days. */
const STRIDE = 7_919;

/**
 * Returns the last check, or makes a new one if it is due. If the comparison fails, for example because no provider
 * keeps the states, the error is logged and the last check is returned, so that recording goes on.
 */
export async function checkIfDue({ telemetry, ...checking }: Checking & { telemetry: Telemetry }) {
  const { check } = await checking.ledger.progress.read();
  const dueAt = check ? check.at + (check.mismatches.length > 0 ? AGAIN_SECONDS : DUE_SECONDS) : 0;
  if (secondsNow(checking) < dueAt) return check;
  return checkLedger(checking).catch((error: unknown) => {
    telemetry[levelOf(error)]('the ledger could not be compared with the contracts', { error });
    return check;
  });
}

/**
 * Compares the ledger with the contracts at its last confirmed block, and stores the result. Returns undefined while
 * older blocks are still to be indexed. Throws UPSTREAM_UNAVAILABLE if no provider keeps the states.
 */
export async function checkLedger({ chain, ledger, clock, recorder, mayGoOn }: Checking): Promise<Checked | undefined> {
  const { blocks, first, check: last } = await ledger.progress.read();
  if (!blocks || first === undefined || blocks.from > first) return undefined;
  // Mismatches of earlier checks do not limit the range.
  const { confirmed: block } = (await ledger.progress.latestUncached()).coverageOf(NO_MISMATCHES);
  if (!block) return undefined;
  const range = { from: blocks.from, to: block.number };
  const agreed = last && last.mismatches.length === 0 ? last.block : undefined;
  const find = () => findMismatches({ chain, ledger, clock }, range, { block, since: agreed?.number ?? blocks.from });
  let found = await find();
  const known = new Set(last?.mismatches.map(describeMismatch));
  const isNew = (one: Mismatch) => concerns(one, WRITTEN_WITH_EVENTS) && !known.has(describeMismatch(one));
  if (found.some(isNew) && (await mayGoOn())) {
    await recorder.readAgain({ from: agreed ? agreed.number + 1 : range.from, to: range.to }, { mayGoOn });
    found = await find();
  }
  const start = await chain.rpc.header(blocks.from);
  const mismatches = found.map((one): Mismatch => {
    const before = last?.mismatches.find((other) => formatPlace(other) === formatPlace(one))?.agreedAt;
    const agreedAt = before ?? (agreed && agreed.number < one.block ? agreed : undefined);
    return { ...one, agreedAt: agreedAt ?? start };
  });
  const check = { block, at: secondsNow({ clock }), mismatches: storable(mismatches) };
  await ledger.progress.setCheck(check);
  return check;
}

function formatPlace({ contract, view, key }: Mismatch): string {
  return `${contract} ${view} ${key}`;
}

function describeMismatch(mismatch: Mismatch): string {
  return `${formatPlace(mismatch)} ${mismatch.ledger} ${mismatch.chain}`;
}

/** Returns all mismatches: of sums at `block`, of single events after `since`, and of balances at some midnights. */
async function findMismatches(
  { chain, ledger, clock }: Pick<Checking, 'chain' | 'ledger' | 'clock'>,
  blocks: Blocks,
  { block, since }: { block: BlockRef; since: number },
): Promise<Mismatch[]> {
  const midnights = await findMidnights({ chain, clock }, blocks, block);
  const figures = new Map(CHECKS.map((check) => [check, new Map<string, bigint>()]));
  const figuresOf = (check: Check) => figures.get(check) as Map<string, bigint>;
  const found: Mismatch[] = [];
  const events: Entry[] = [];
  const compareUntil = async (next: number) => {
    while (midnights[0] !== undefined && midnights[0] < next) {
      const midnight = midnights.shift() as number;
      found.push(...(await compare(BALANCES, figuresOf(BALANCES), await chain.at(midnight), midnight)));
    }
  };
  for await (const page of ledger.pagesBetween(subjectOf.protocol, blocks)) {
    for (const entry of page) {
      await compareUntil(entry.block);
      for (const [{ fromLedger }, sums] of figures) fromLedger(sums, entry);
    }
    events.push(...page.filter((entry) => entry.block > since && entry.type in EVENT_CHECKS));
  }
  await compareUntil(blocks.to);
  const state = await chain.at(blocks.to);
  const [atEnd, atEvents] = await Promise.all([
    Promise.all(CHECKS.map((check) => compare(check, figuresOf(check), state, blocks.to))),
    Promise.all(
      [...Map.groupBy(events, ({ block }) => block)].map(([block, those]) => compareEvents(chain, block, those)),
    ),
  ]);
  return [...found, ...atEnd.flat(), ...atEvents.flat()];
}

async function compare(
  { contract, view, fromContract }: Check,
  ledger: ReadonlyMap<string, bigint>,
  state: ProtocolState,
  block: number,
): Promise<Mismatch[]> {
  const held = [...ledger].filter(([, figure]) => figure !== 0n).map(([key]) => key);
  const said = await fromContract(state, held);
  if (!said) return [];
  return [...new Set([...ledger.keys(), ...said.keys()])].flatMap((key) =>
    findMismatch({ contract, view, key, ledger: ledger.get(key) ?? 0n, chain: said.get(key) ?? 0n, block }),
  );
}

/** Compares single events of a block with the contracts' state at that block. */
async function compareEvents(chain: Chain, block: number, entries: readonly Entry[]): Promise<Mismatch[]> {
  const compared = await Promise.all(
    entries.map(async (entry) => {
      const figures = await EVENT_CHECKS[entry.type]?.(entry, { chain, entries });
      return (figures ?? []).flatMap((figure) => findMismatch({ ...figure, block }));
    }),
  );
  return compared.flat();
}

function findMismatch({
  ledger,
  chain,
  key,
  ...place
}: Pick<Mismatch, 'contract' | 'view' | 'block'> & { key: string; ledger: bigint; chain: bigint }): Mismatch[] {
  if (ledger === chain) return [];
  return [{ ...place, ...(key && { key }), ledger: String(ledger), chain: String(chain) }];
}

/** The last blocks before some midnights, in order. */
async function findMidnights(
  { chain, clock }: Pick<Checking, 'chain' | 'clock'>,
  { from }: Blocks,
  end: BlockRef,
): Promise<number[]> {
  const { timestamp: start } = await chain.rpc.header(from);
  const firstDay = Math.ceil(start / DAY);
  const days = Math.floor(end.timestamp / DAY) - firstDay + 1;
  if (days < 1) return [];
  const seed = Math.floor(secondsNow({ clock }) / DAY);
  const times = Array.from({ length: MIDNIGHTS }, (_, n) => (firstDay + (((seed + n) * STRIDE) % days)) * DAY - 1);
  const found = await chain.blocksAt([...new Set(times)], end);
  return found.flatMap((block) => (block && block.number > from ? block.number : [])).sort((a, b) => a - b);
}
