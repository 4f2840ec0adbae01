import { Interface, type Result, solidityPackedKeccak256, ZeroAddress } from 'ethers';
import type { Chain } from '../chain/chain.ts';
import { decodeAggregate3, encodeAggregate3 } from '../chain/multicall.ts';
import { toQuantity } from '../chain/rpc.ts';
import { WAD } from '../rewards/wad.ts';
import type { Entry } from './entry.ts';
import type { Draft } from './events.ts';

/**
 * What a log does not tell and its block does: read once, when an entry is recorded. Rates, owners, requesters and numbers of cycles
 * are those of the state after the block; endpoints have to keep old states for that, as for history.
 */

/** Blocks whose state or header is asked for in one go: three JSON-RPC batches. */
const BLOCKS_AT_ONCE = 120;

const ABI = new Interface([
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function getAddress(bytes32 key) view returns (address)',
  'function getRequestInfo(uint256 requestId) view returns ((address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds))',
  'function getRewardsCycleCount() view returns (uint256)',
  'function getUint(bytes32 key) view returns (uint256)',
]);

/** What ethers decodes: of the type that the signature says. */
type Answer = Result[number];

/** A read of the state after a block. */
interface StateRead {
  block: number;
  to: string;
  view: string;
  args: readonly unknown[];
}

/** Entries of one network from their drafts. Remembers the index of each node, which never changes. */
export class Details {
  readonly #chain: Chain;
  readonly #indexes = new Map<string, bigint>();

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** The entries, whole. Throws UPSTREAM_UNAVAILABLE if no endpoint keeps the state of their blocks. */
  async complete(drafts: readonly Draft[]): Promise<Entry[]> {
    const [times] = await Promise.all([this.#readTimes(drafts), this.#readIndexes(drafts)]);
    const requesters = requestersIn(drafts);
    const missing = drafts.map((draft) => this.#missing(draft, requesters));
    const answers = await this.#readStates(missing.flatMap((field) => field?.read ?? []));
    return drafts.map((draft, place) => {
      const { block, logIndex, txHash, type, fields } = draft;
      const field = missing[place];
      const value = field?.read ? field.parse(answers.shift()) : field?.known;
      return {
        block,
        logIndex,
        timestamp: draft.timestamp ?? times.get(block),
        txHash,
        type,
        ...fields,
        ...(field && value !== undefined && { [field.name]: value }),
      } as Entry;
    });
  }

  /** The field that a draft lacks. */
  #missing({ type, block, emitter, fields }: Draft, requesters: ReadonlyMap<number, string>): MissingField | undefined {
    switch (type) {
      case 'ggAvaxTransferred':
        return {
          name: 'rate',
          read: { block, to: emitter, view: 'convertToAssets', args: [WAD] },
          parse: (rate) => rate,
        };
      case 'rewardsCycleStarted':
        return { name: 'number', read: { block, to: emitter, view: 'getRewardsCycleCount', args: [] }, parse: Number };
      case 'unstakeFulfilled': {
        const known = requesters.get(fields.requestId as number);
        const read = { block, to: emitter, view: 'getRequestInfo', args: [fields.requestId] };
        return known
          ? { name: 'requester', known }
          : { name: 'requester', read, parse: ({ requester }) => knownAddress(requester) };
      }
      case 'ggpSlashed':
      case 'minipoolCreated':
      case 'minipoolLaunched':
      case 'minipoolStatusChanged': {
        const key = solidityPackedKeccak256(
          ['string', 'int256', 'string'],
          ['minipool.item', this.#indexes.get(fields.nodeID as string) ?? -1n, '.owner'],
        );
        return { name: 'owner', read: this.#readRegistry(block, 'getAddress', key), parse: knownAddress };
      }
      default:
        return undefined;
    }
  }

  #readRegistry(block: number, view: 'getAddress' | 'getUint', key: string): StateRead {
    return { block, to: this.#chain.network.storage, view, args: [key] };
  }

  /** The indexes of nodes that are new here. They are stored plus one. */
  async #readIndexes(drafts: readonly Draft[]): Promise<void> {
    const blocks = new Map(drafts.map(({ block, fields }) => [fields.nodeID as string | undefined, block]));
    const unknown = [...blocks].filter(([node]) => node !== undefined && !this.#indexes.has(node)) as [
      string,
      number,
    ][];
    const answers = await this.#readStates(
      unknown.map(([node, block]) => {
        return this.#readRegistry(
          block,
          'getUint',
          solidityPackedKeccak256(['string', 'address'], ['minipool.index', node]),
        );
      }),
    );
    for (const [place, [node]] of unknown.entries()) this.#indexes.set(node, answers[place] - 1n);
  }

  /** What the contracts returned, in the order of the reads; one `eth_call` a block, many blocks a request. */
  async #readStates(reads: readonly StateRead[]): Promise<Answer[]> {
    const byBlock = [...Map.groupBy(reads, ({ block }) => block)];
    const answers = new Map<StateRead, Answer>();
    for (let next = 0; next < byBlock.length; next += BLOCKS_AT_ONCE) {
      const group = byBlock.slice(next, next + BLOCKS_AT_ONCE);
      const calls = group.map(([block, ofBlock]) => {
        const inner = ofBlock.map(({ to, view, args }) => ({ to, data: ABI.encodeFunctionData(view, args) }));
        const call = { to: this.#chain.network.multicall3, data: encodeAggregate3(inner) };
        return { method: 'eth_call', params: [call, toQuantity(block)] };
      });
      const results = await this.#chain.rpc.batch(calls, (returned) =>
        returned.map((data, place) => decodeAggregate3(String(data), group[place]?.[1].length ?? 0)),
      );
      for (const [place, [, ofBlock]] of group.entries())
        for (const [index, read] of ofBlock.entries()) {
          const { success, data } = results[place]?.[index] ?? { success: false, data: '0x' };
          if (!success || data === '0x') throw new Error(`a contract refused ${read.view} at block ${read.block}`);
          answers.set(read, ABI.decodeFunctionResult(read.view, data)[0]);
        }
    }
    return reads.map((read) => answers.get(read));
  }

  /** The times of blocks whose logs do not tell. */
  async #readTimes(drafts: readonly Draft[]): Promise<ReadonlyMap<number, number>> {
    const blocks = [...new Set(drafts.filter(({ timestamp }) => !timestamp).map(({ block }) => block))];
    const times = new Map<number, number>();
    for (let next = 0; next < blocks.length; next += BLOCKS_AT_ONCE) {
      const headers = blocks.slice(next, next + BLOCKS_AT_ONCE).map((block) => this.#chain.rpc.header(block));
      for (const { number, timestamp } of await Promise.all(headers)) times.set(number, timestamp);
    }
    return times;
  }
}

type MissingField =
  | { name: string; known: string; read?: never }
  | { name: string; read: StateRead; parse: (answer: Answer) => bigint | number | string | undefined };

/** Who asked, by the number of their request: a request that ends in the block that fulfils it is no longer in its state. */
function requestersIn(drafts: readonly Draft[]): ReadonlyMap<number, string> {
  const told = drafts.filter(({ type, fields }) => type.startsWith('unstake') && fields.requester);
  return new Map(told.map(({ fields }) => [fields.requestId as number, fields.requester as string]));
}

/** The address as the ledger keeps it, or undefined for zero. */
function knownAddress(address: string): string | undefined {
  return address === ZeroAddress ? undefined : address.toLowerCase();
}
