import { expect, test } from '@jest/globals';
import { CallPredictor } from '../../../lib/chain/call-predictor.ts';
import { Snapshot } from '../../../lib/chain/snapshot.ts';
import { multicallRpc } from './multicall-rpc.ts';

/**
 * Snapshots that remember which calls came after the first batch, on a chain that answers each call with the call's own
 * data.
 */

const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
const TARGET = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

/** A chain that notes the batches sent: the data of their calls, without those for the block. */
const chainOf = (batches: string[][]) =>
  multicallRpc(
    ({ target, callData }) => (target === MULTICALL ? [true, word(7)] : [callData !== '0xdead', callData]),
    (calls) => batches.push(calls.filter(({ target }) => target !== MULTICALL).map(({ callData }) => callData)),
  );

/** The batches of a reading that asks for `first`, and then for `later`. */
async function read(predictor: CallPredictor, first: string[], later: string[]): Promise<string[][]> {
  const batches: string[][] = [];
  const snapshot = new Snapshot(chainOf(batches), MULTICALL, 'latest', { predictor });
  const ask = (all: string[]) => Promise.all(all.map((data) => snapshot.call({ to: TARGET, data })));
  expect(await ask(first)).toEqual(first);
  expect(await ask(later)).toEqual(later);
  return batches;
}

test('calls that came later last time are prefetched, and only new ones need a second request', async () => {
  const predictor = new CallPredictor();
  expect(await read(predictor, ['0x01'], ['0xa1', '0xa2'])).toEqual([['0x01'], ['0xa1', '0xa2']]);
  expect(await read(predictor, ['0x01'], ['0xa1', '0xa2'])).toEqual([['0x01', '0xa1', '0xa2']]);
  expect(await read(predictor, ['0x01'], ['0xa2', '0xa3'])).toEqual([['0x01', '0xa1', '0xa2'], ['0xa3']]);
});

test('a new container learns what another one asked for later, but not instead of what it knows itself', async () => {
  const other = new CallPredictor();
  await read(other, ['0x01'], ['0xa1']);
  const predictor = new CallPredictor();
  predictor.learn(other.calls);
  expect(await read(predictor, ['0x01'], ['0xa1'])).toEqual([['0x01', '0xa1']]);
  predictor.learn([{ to: TARGET, data: '0xa2' }]);
  expect(await read(predictor, ['0x01'], ['0xa1'])).toEqual([['0x01', '0xa1']]);
});

test('a call that two readings did not use is no longer prefetched', async () => {
  const predictor = new CallPredictor();
  await read(predictor, ['0x01'], ['0xa1']);
  await read(predictor, ['0x01'], ['0xa2']);
  expect(await read(predictor, ['0x01'], ['0xa2'])).toEqual([['0x01', '0xa1', '0xa2']]);
  expect(await read(predictor, ['0x01'], ['0xa2'])).toEqual([['0x01', '0xa2']]);
});

test('a prefetched call that fails affects nobody unless it is used, and then only its caller', async () => {
  const predictor = new CallPredictor();
  predictor.note({ to: TARGET, data: '0xdead' });
  expect(await read(predictor, ['0x01'], [])).toEqual([['0x01', '0xdead']]);
  const snapshot = new Snapshot(chainOf([]), MULTICALL, 'latest', { predictor });
  await snapshot.block();
  await expect(snapshot.call({ to: TARGET, data: '0xdead' })).rejects.toMatchObject({
    code: 'CALL_EXCEPTION',
    data: '0xdead',
  });
  await expect(snapshot.call({ to: TARGET, data: '0xa1' })).resolves.toBe('0xa1');
});

test('at most 250 calls are remembered, because they have to fit into the first batch', () => {
  const predictor = new CallPredictor();
  const calls = Array.from({ length: 251 }, (_, index) => ({ to: TARGET, data: `0x${index}` }));
  for (const call of calls) predictor.note(call);
  expect(predictor.begin()).toEqual(calls.slice(0, 250));
  // A remembered call stays as long as it is used, even when the list is full.
  for (let reading = 2; reading <= 4; reading++) {
    predictor.note(calls[249] as (typeof calls)[number]);
    expect(predictor.begin()).toContainEqual(calls[249]);
  }
  expect(predictor.begin()).toEqual([calls[249]]);
});

test('a call with a gas limit of its own is not remembered: it is one of many', async () => {
  const predictor = new CallPredictor();
  const snapshot = new Snapshot(chainOf([]), MULTICALL, 'latest', { predictor });
  await snapshot.block();
  await snapshot.call({ to: TARGET, data: '0xa1', gasLimit: 100_000 });
  await snapshot.call({ to: TARGET, data: '0xa2' });
  expect(predictor.begin()).toEqual([{ to: TARGET, data: '0xa2' }]);
});

test('snapshots without a name remember nothing', async () => {
  const batches: string[][] = [];
  for (const _ of [1, 2]) {
    const snapshot = new Snapshot(chainOf(batches), MULTICALL);
    await snapshot.call({ to: TARGET, data: '0x01' });
    await snapshot.call({ to: TARGET, data: '0xa1' });
  }
  expect(batches).toEqual([['0x01'], ['0xa1'], ['0x01'], ['0xa1']]);
});
