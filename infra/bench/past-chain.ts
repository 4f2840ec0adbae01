/**
 * A provider of a chain as long and uneven as mainnet's (uneven-blocks.ts), in which the contracts have the state of a devnet's last
 * block at all times. It keeps a public provider's limits of a batch.
 */

import { toTag } from '../../lib/chain/block-calls.ts';
import type { LocalServer } from '../devnet/listen.ts';
import { startRpcServer } from './rpc-server.ts';
import { HEAD_BLOCK, timeOf } from './uneven-blocks.ts';

const LIMITS = { mostCalls: 40, mostBytes: 5_000_000 };
/** Placeholders for the block's number and time in remembered answers of Multicall3. */
const [NUMBER, TIME] = ['0b10c', '0711e'].map((sign) => sign.repeat(13).slice(0, 64)) as [string, string];

/** ABI words before a number in an answer of Multicall3: success, offset of the bytes, and their length. */
const RESULT = [1, 64, 32].map(word).join('');

/** Starts the provider over a devnet that stands still. */
export async function startPastChain(devnetUrl: string): Promise<LocalServer> {
  const ask = async (method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
    const answered = await fetch(devnetUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    return (await answered.json()) as { result: string; error?: object };
  };
  const { result: head } = (await ask('eth_getBlockByNumber', ['latest', false])) as unknown as {
    result: { number: string; timestamp: string };
  };
  const remembered = new Map<string, Promise<string>>();
  const readAt = async (call: { data: string }, block: number) => {
    const answer = remembered.get(call.data) ?? rememberable(call);
    remembered.set(call.data, answer);
    return (await answer).replace(NUMBER, word(block)).replace(TIME, word(timeOf(block)));
  };
  const rememberable = async (call: object) =>
    (await ask('eth_call', [call, 'latest'])).result
      .replace(RESULT + word(head.number), RESULT + NUMBER)
      .replace(RESULT + word(head.timestamp), RESULT + TIME);
  return startRpcServer(async (method, params) => {
    if (method === 'eth_getBlockByNumber') return { result: createHeader(parseNumber(params[0])) };
    if (method === 'eth_call') return { result: await readAt(params[0], parseNumber(params[1])) };
    const { result, error } = await ask(method, params);
    return error ? { error } : { result };
  }, LIMITS);
}

function parseNumber(tag: string): number {
  return tag === 'latest' ? HEAD_BLOCK - 1 : Number(tag);
}

function createHeader(number: number): object {
  return { number: toTag(number), timestamp: toTag(timeOf(number)), logsBloom: `0x${'0'.repeat(512)}` };
}

function word(value: string | number): string {
  return Number(value).toString(16).padStart(64, '0');
}
