import type { ChainRpc } from '../chain/rpc.ts';
import { type Claim, readClaims } from '../contracts/claim-node-op.ts';
import type { Dataset } from '../endpoint.ts';

/**
 * Claims are known only from logs, and nobody can search all logs of a chain for one request: endpoints give some thousand
 * blocks at a time, and mainnet has more than 60 million. So one list of everybody's claims is kept, without gaps from a block
 * to the head. Each refresh adds what is new at its head, and with what is left of its allowance goes on backwards at its
 * other end: with a request now and then it reaches the first claim within a day. Answers say how far it has come.
 */
export interface Claims {
  /** First and last block that was searched. */
  from: number;
  to: number;
  /** Newest first. */
  claims: Claim[];
}

/** How much one refresh may search. */
export interface Allowance {
  /** Blocks of one `eth_getLogs`: every endpoint gives as many. */
  windowBlocks: number;
  windows: number;
  /** No window is begun later. */
  milliseconds: number;
}

const ALLOWANCE: Allowance = { windowBlocks: 2_000, windows: 48, milliseconds: 1_500 };
const PARALLEL_WINDOWS = 4;
/** Blocks searched again at the head: the endpoint that was asked may not have had them yet. */
const OVERLAP = 100;
/** Headers read in one request, where logs come without the time of their block. */
const MAX_HEADERS = 100;

export const claimsDataset: Dataset<Claims> = {
  name: 'claims',
  freshSeconds: 60,
  async read({ chain }, previous) {
    const view = await chain.latest();
    const { number: head } = await view.block();
    const readWindow = (from: number, to: number) => readClaims(chain.rpc, view.addresses.ClaimNodeOp, from, to);
    return withTimes(chain.rpc, await searchClaims(readWindow, head, previous));
  },
};

interface Window {
  from: number;
  to: number;
}

/**
 * The claims up to `head`, joined to `previous`; if more is new than the allowance lets search, the list starts over at the
 * head. Throws what `readWindow` throws for new blocks. Where it fails further back (an endpoint that keeps no old logs), the
 * search ends for this time.
 */
export async function searchClaims(
  readWindow: (from: number, to: number) => Promise<Claim[]>,
  head: number,
  previous?: Claims,
  allowance: Allowance = ALLOWANCE,
): Promise<Claims> {
  const { windowBlocks, windows, milliseconds } = allowance;
  const deadline = performance.now() + milliseconds;
  const readAll = async (group: readonly Window[]) => {
    const found = await Promise.all(group.map(({ from, to }) => readWindow(from, to)));
    return found.flatMap((claims) => claims.toReversed());
  };

  const start = previous ? firstNewBlock(previous, head) : Math.max(0, head - windowBlocks + 1);
  const newer = windowsBack(head, start, windowBlocks);
  if (newer.length > windows) return searchClaims(readWindow, head, undefined, allowance);
  const claims: Claim[] = [];
  for (let next = 0; next < newer.length; next += PARALLEL_WINDOWS) {
    claims.push(...(await readAll(newer.slice(next, next + PARALLEL_WINDOWS))));
  }
  claims.push(...(previous?.claims ?? []).filter(({ block }) => block < start));

  let from = previous?.from ?? start;
  for (let left = windows - newer.length; left > 0 && from > 0 && performance.now() < deadline; ) {
    const blocks = Math.min(left, PARALLEL_WINDOWS) * windowBlocks;
    const older = windowsBack(from - 1, Math.max(0, from - blocks), windowBlocks);
    const found = await readAll(older).catch(() => undefined);
    if (!found) break;
    claims.push(...found);
    from = Math.max(0, from - blocks);
    left -= older.length;
  }
  return { from, to: Math.max(head, previous?.to ?? 0), claims };
}

/** Where the search at the head begins. An endpoint whose head is behind has nothing new. */
function firstNewBlock({ from, to }: Claims, head: number): number {
  return head > to ? Math.max(from, to - OVERLAP + 1) : to + 1;
}

/** The blocks from `last` back to `first` in windows, the newest one first. */
function windowsBack(last: number, first: number, windowBlocks: number): Window[] {
  const windows: Window[] = [];
  for (let to = last; to >= first; to -= windowBlocks)
    windows.push({ from: Math.max(first, to - windowBlocks + 1), to });
  return windows;
}

/** The claims with the times of their blocks; the oldest of many that lack it get theirs another time. */
async function withTimes(rpc: ChainRpc, claims: Claims): Promise<Claims> {
  const untimed = claims.claims.filter(({ timestamp }) => timestamp === undefined).map(({ block }) => block);
  const blocks = [...new Set(untimed)].slice(0, MAX_HEADERS);
  if (blocks.length === 0) return claims;
  const headers = await Promise.all(blocks.map((block) => rpc.header(block)));
  const times = new Map(headers.map(({ number, timestamp }) => [number, timestamp]));
  return {
    ...claims,
    claims: claims.claims.map((claim) => {
      const timestamp = claim.timestamp ?? times.get(claim.block);
      return timestamp === undefined ? claim : { ...claim, timestamp };
    }),
  };
}
