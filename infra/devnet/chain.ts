import type { Interface, Result } from 'ethers';
import type { Rpc, RpcRequest } from './rpc.ts';

export interface Contract {
  address: string;
  abi: Interface;
}

export interface Transaction {
  from: string;
  /** Absent for a contract creation. */
  to?: string;
  data: string;
  /** AVAX wei. */
  value: bigint;
  label: string;
}

/** A transaction that calls `label`, a method of a contract. */
export function call(
  from: string,
  { address, abi }: Contract,
  label: string,
  args: readonly unknown[] = [],
  value = 0n,
) {
  return { from, to: address, data: abi.encodeFunctionData(label, args), value, label } satisfies Transaction;
}

/** Reads a view at the latest block. */
export type Read = (contract: Contract, method: string, args?: readonly unknown[]) => Promise<Result>;

export function createReader(rpc: Rpc): Read {
  return async ({ address, abi }, method, args = []) => {
    const data = abi.encodeFunctionData(method, args);
    return abi.decodeFunctionResult(method, (await rpc.send('eth_call', { to: address, data }, 'latest')) as string);
  };
}

const hex = (value: bigint | number) => `0x${value.toString(16)}`;
const GAS_LIMIT = hex(30_000_000);

/**
 * Writes blocks whose transactions must all succeed. Two HTTP requests per block: its transactions, then `evm_mine`. anvil works on the requests of a batch concurrently, so nonces
 * are counted here, and falling gas prices order the transactions. A block is under way while the next one is prepared, and its
 * receipts are requested with the next one's transactions: a failure surfaces late, but with its own name.
 */
export function createBlockWriter(rpc: Rpc) {
  const latest = createReader(rpc);
  const nonces = new Map<string, number>();
  let underWay: Promise<void> = Promise.resolve();
  let unverified: { transaction: Transaction; hash: string }[] = [];

  const verify = async (receipts: unknown[]) => {
    const failed = unverified.find((_, index) => (receipts[index] as { status: string } | null)?.status !== '0x1');
    if (!failed) return;
    const trace = await rpc.send('debug_traceTransaction', failed.hash, { tracer: 'callTracer' });
    const { label, from, to = 'a new contract' } = failed.transaction;
    throw new Error(`${label} from ${from} to ${to} failed with ${(trace as { output?: string }).output}`);
  };

  const receiptRequests = () => unverified.map(({ hash }): RpcRequest => ['eth_getTransactionReceipt', hash]);

  const write = async (timestamp: number, transactions: Transaction[]) => {
    const unknown = [...new Set(transactions.map(({ from }) => from))].filter((from) => !nonces.has(from));
    const counts = await rpc.batch(unknown.map((from) => ['eth_getTransactionCount', from, 'latest']));
    for (const [index, from] of unknown.entries()) nonces.set(from, Number(counts[index]));

    const receipts = receiptRequests();
    const sent = transactions.map(({ from, to, data, value }, index): RpcRequest => {
      const nonce = nonces.get(from) ?? 0;
      nonces.set(from, nonce + 1);
      const price = { gas: GAS_LIMIT, gasPrice: hex(transactions.length - index) };
      return ['eth_sendTransaction', { from, to, data, value: hex(value), nonce: hex(nonce), ...price }];
    });
    const results = await rpc.batch([...receipts, ...sent]);
    await verify(results.slice(0, receipts.length));
    await rpc.send('evm_mine', { timestamp });
    const hashes = results.slice(receipts.length) as string[];
    unverified = transactions.map((transaction, index) => ({ transaction, hash: hashes[index] ?? '' }));
  };

  return {
    /** Mines one block with these transactions, in this order. Resolves before the node has finished it. */
    async mine(timestamp: number, transactions: Transaction[]) {
      await underWay;
      underWay = write(timestamp, transactions);
      // The next call awaits it; until then a failure must not count as unhandled.
      underWay.catch(() => {});
    },
    /** Reads a view at the last block given to mine(). */
    async read(...view: Parameters<Read>) {
      await underWay;
      return latest(...view);
    },
    /** Resolves when every block is written and good. */
    async finish() {
      await underWay;
      await verify(await rpc.batch(receiptRequests()));
    },
  };
}
