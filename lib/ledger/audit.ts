/**
 * Compares what the ledger adds up to with the contracts, and searches the blocks again in which they part. Providers
 * that leave out logs are not noticed otherwise: no answer says what it lacks.
 */

import type { Chain } from '../chain/chain.ts';
import type { Provider } from '../chain/upstream/failover.ts';
import { levelOf } from '../runtime/errors.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { placeOf } from '../values/block.ts';
import { CHECKS, type Check } from './audit-checks.ts';
import { type Log, toDrafts } from './contract-events.ts';
import { EntryCompleter } from './entry-completer.ts';
import { subjectOf } from './ledger-entry.ts';
import type { Audit } from './ledger-progress.ts';
import type { LedgerStore } from './ledger-store.ts';
import { concerns, confirmedBefore, type Mismatch, storable, WRITTEN_WITH_EVENTS } from './mismatches.ts';
import { fromTexts } from './registry.ts';
import { type Blocks, LogSearch } from './search.ts';

/** Blocks searched again at first, and at most; each time twice as many, so that a past without logs is soon whole. */
const FIRST_BLOCKS = 64;
const MOST_BLOCKS = 2 ** 22;
/** Places found by bisecting that turn out to lack nothing: of what only events write, and of all else. */
const MOST_IN_VAIN = 10;

interface Auditing {
  chain: Chain;
  ledger: LedgerStore;
  /** False ends it after the current step: what was not healed is contradicted. */
  mayGoOn: () => boolean | Promise<boolean>;
}

/** How old an audit may be, seconds; younger if it found something. */
const DUE_SECONDS = 86_400;
const AGAIN_SECONDS = 600;

/**
 * The last audit; a new one if there has been none for a day. What cannot be audited now, because no provider keeps the
 * states, is logged, and no reason not to go on recording.
 */
export async function auditIfDue({ telemetry, ...auditing }: Auditing & { telemetry: Telemetry }) {
  const { audit } = await auditing.ledger.progress.read();
  const dueAt = audit ? audit.at + (audit.mismatches.length > 0 ? AGAIN_SECONDS : DUE_SECONDS) : 0;
  if (Date.now() / 1_000 < dueAt) return audit;
  return auditLedger(auditing).catch((error: unknown) => {
    telemetry[levelOf(error)]('the ledger could not be audited', { error });
    return audit;
  });
}

/** A figure in which ledger and contract differ. */
interface Difference {
  check: Check;
  key: string;
  ledger: bigint;
  chain: bigint;
}

/**
 * Audits the ledger at the last block in which no more is found by the ordinary search, heals what it can, and stores
 * the outcome. Undefined while the past is not searched. Throws UPSTREAM_UNAVAILABLE if no provider keeps the states.
 */
export async function auditLedger({ chain, ledger, mayGoOn }: Auditing): Promise<Audit | undefined> {
  const { blocks, settled = 0, first, contracts, audit: last } = await ledger.progress.read();
  if (!blocks || first === undefined || blocks.from > first) return undefined;
  const range = { from: blocks.from, to: Math.max(blocks.from, settled) };
  const search = new LogSearch(chain);
  search.learn(fromTexts(contracts));
  const healing = { chain, ledger, mayGoOn, search, providers: { ...last?.providers } };
  const known = placesIn(last);
  const { differences, lasting } = await heal(healing, range, known);
  const block = await chain.rpc.header(range.to);
  const written = differences.filter(isWritten).map(nameOf);
  if (written.length > 0) {
    const before = Math.min(range.to, ...written.flatMap((name) => lasting.get(name) ?? []));
    const proven = await findProven({ chain, ledger, mayGoOn }, range, before);
    for (const name of written) lasting.set(name, proven);
  }
  const mismatches = await Promise.all(
    differences.map(async (one) => {
      const found = toFigures(one);
      const agreed = lasting.get(nameOf(one)) ?? known.get(textOf(found)) ?? 0;
      return { ...found, block: range.to, agreedAt: agreed >= range.from ? await chain.rpc.header(agreed) : undefined };
    }),
  );
  const audit = {
    block,
    at: Math.floor(Date.now() / 1_000),
    mismatches: storable(mismatches),
    provenAt: mismatches.length > 0 ? confirmedBefore(mismatches) : block,
    providers: healing.providers,
  };
  await ledger.progress.setAudit(audit);
  return audit;
}

/** The last block before each of these figures begins to differ, of what is not written with events alone. */
function placesIn(audit: Audit | undefined): ReadonlyMap<string, number> {
  const others = audit?.mismatches.filter((one) => !concerns(one, WRITTEN_WITH_EVENTS)) ?? [];
  return new Map(others.flatMap((one) => (one.agreedAt ? [[textOf(one), one.agreedAt.number]] : [])));
}

type Figures = Omit<Mismatch, 'block' | 'agreedAt'>;

function toFigures({ check: { contract, view }, key, ledger, chain }: Difference): Figures {
  return { contract, view, ...(key && { key }), ledger: String(ledger), chain: String(chain) };
}

/** Two audits that find the same find it in the same place. */
function textOf({ contract, view, key, ledger, chain }: Figures): string {
  return `${contract} ${view} ${key}: ${ledger}, ${chain}`;
}

interface Healed {
  differences: Difference[];
  /** Those that nobody has logs for, and the last block before each. */
  lasting: Map<string, number>;
}

/**
 * Searches the places again where something differs: those that are `known`, and some that are not. So after some audits
 * all are known, and what the guardian wrote, however much it is, hides nothing that could be healed.
 */
async function heal(healing: Healing, range: Blocks, known: ReadonlyMap<string, number>): Promise<Healed> {
  const healed: Healed = { differences: await findDifferences(healing, range), lasting: new Map() };
  const { lasting } = healed;
  const left = { written: MOST_IN_VAIN, other: MOST_IN_VAIN };
  const kindOf = (one: Difference) => (isWritten(one) ? 'written' : 'other');
  const knownOf = (one: Difference) => known.get(textOf(toFigures(one)));
  let [size, end] = [FIRST_BLOCKS, 0];
  while (await healing.mayGoOn()) {
    const difference = healed.differences.find(
      (one) => !lasting.has(nameOf(one)) && (knownOf(one) !== undefined || left[kindOf(one)] > 0),
    );
    if (!difference) break;
    const agreed = knownOf(difference) ?? (await findAgreed(healing, range, difference));
    const from = agreed + 1;
    size = from <= end + size ? Math.min(2 * size, MOST_BLOCKS) : FIRST_BLOCKS;
    end = Math.min(range.to, agreed + size);
    const found = (await searchAgain(healing, { from, to: end })) || (await searchAgain(healing, { from, to: from }));
    if (found > 0) healed.differences = await findDifferences(healing, range);
    else lasting.set(nameOf(difference), agreed);
    if (found === 0 && knownOf(difference) === undefined) left[kindOf(difference)] -= 1;
  }
  return healed;
}

function nameOf({ check: { contract, view }, key }: Difference): string {
  return `${contract} ${view} ${key}`;
}

function isWritten(difference: Difference): boolean {
  return WRITTEN_WITH_EVENTS.contracts.includes(difference.check.contract);
}

/** All figures that differ at the end of a range: those first that only events write. */
async function findDifferences({ chain, ledger }: Pick<Auditing, 'chain' | 'ledger'>, blocks: Blocks) {
  const figures = CHECKS.map(() => new Map<string, bigint>());
  for await (const page of ledger.pagesBetween(subjectOf.protocol, blocks))
    for (const entry of page)
      for (const [index, { fromLedger }] of CHECKS.entries()) fromLedger(figures[index] as Map<string, bigint>, entry);
  const state = await chain.at(blocks.to);
  const differences = CHECKS.map(async (check, index): Promise<Difference[]> => {
    const own = figures[index] as Map<string, bigint>;
    const held = [...own].filter(([, figure]) => figure !== 0n).map(([key]) => key);
    const said = await check.fromContract(state, held);
    if (!said) return [];
    return [...new Set([...own.keys(), ...said.keys()])]
      .map((key) => ({ check, key, ledger: own.get(key) ?? 0n, chain: said.get(key) ?? 0n }))
      .filter((figure) => figure.ledger !== figure.chain);
  });
  return (await Promise.all(differences)).flat().sort((a, b) => Number(isWritten(b)) - Number(isWritten(a)));
}

/** The last block before a figure begins to differ, found by bisecting: they agree on nothing before the range. */
async function findAgreed(
  { chain, ledger }: Pick<Auditing, 'chain' | 'ledger'>,
  { from, to }: Blocks,
  { check, key }: Difference,
): Promise<number> {
  const figures = new Map<string, bigint>();
  const steps = [{ block: from - 1, figure: 0n }];
  for await (const page of ledger.pagesBetween(subjectOf.protocol, { from, to }))
    for (const entry of page) {
      check.fromLedger(figures, entry);
      const figure = figures.get(key) ?? 0n;
      if (figure !== steps.at(-1)?.figure) steps.push({ block: entry.block, figure });
    }
  let [agreed, differs] = [from - 1, to];
  while (differs - agreed > 1) {
    const middle = Math.floor((agreed + differs) / 2);
    const said = (await check.fromContract(await chain.at(middle), [key]))?.get(key) ?? 0n;
    if (steps.findLast(({ block }) => block <= middle)?.figure === said) agreed = middle;
    else differs = middle;
  }
  return agreed;
}

/**
 * A block no later than `to` at which nothing differs that only events write: what is missing before a contradiction may
 * cancel itself out later, and then is not seen from the end. 0 if there is none, or no time to find it.
 */
async function findProven({ chain, ledger, mayGoOn }: Auditing, { from }: Blocks, to: number): Promise<number> {
  while (to >= from && (await mayGoOn())) {
    const differences = await findDifferences({ chain, ledger }, { from, to });
    const difference = differences.find(isWritten);
    if (!difference) return to;
    to = await findAgreed({ chain, ledger }, { from, to }, difference);
  }
  return 0;
}

interface Healing extends Auditing {
  search: LogSearch;
  /** Counts providers that left out logs, by their names. */
  providers: Record<string, number>;
}

/**
 * Searches blocks again with every provider, and amends the ledger by what all of them have together. Returns how many
 * transactions that changed.
 */
async function searchAgain({ chain, ledger, search, providers }: Healing, blocks: Blocks): Promise<number> {
  const { failover } = chain.rpc;
  const answers = await Promise.all(
    failover.providers.map(async (provider) => ({
      provider,
      // One that does not answer leaves it to the others.
      logs: await logsFrom(provider, search, blocks).catch(() => undefined),
    })),
  );
  const all = new Map(answers.flatMap(({ logs = [] }) => logs.map((log) => [placeOfLog(log), log] as const)));
  const drafts = toDrafts([...all.values()], search.emitters);
  const changed = await ledger.amend(await new EntryCompleter(chain).complete(drafts), blocks);
  for (const { provider, logs } of changed > 0 ? answers : []) {
    if (!logs || logs.length === all.size) continue;
    providers[provider.name] = (providers[provider.name] ?? 0) + 1;
    failover.penalize(provider);
  }
  return changed;
}

async function logsFrom(provider: Provider, search: LogSearch, blocks: Blocks): Promise<Log[]> {
  const logs: Log[] = [];
  for (let from = blocks.from; from <= blocks.to; ) {
    const found = await search.next({ from, to: blocks.to }, 'forwards', provider);
    for (const log of found.logs) logs.push(log);
    from = found.to + 1;
  }
  return logs;
}

function placeOfLog({ blockNumber, logIndex }: Log): string {
  return placeOf({ block: Number(blockNumber), logIndex: Number(logIndex) });
}
