import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { loadArtifacts } from '../../../infra/devnet/compile.ts';
import { abiOf } from '../../../infra/devnet/protocol.ts';

/** docs/events.md lists every event with its place in the API (test/integration/generated.test.ts), or the reason for its absence. */

const document = readFileSync('docs/events.md', 'utf8');

/** The rows of the table under a heading, as cells. */
function tableOf(heading: string): string[][] {
  const section = document.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  const textOf = (cell: string) => cell.trim().replace(/^`([^`]*)`$/, '$1');
  return lines.slice(2).map((line) => line.slice(1, -1).split('|').map(textOf));
}

const artifacts = loadArtifacts();
const nameOf = ([contract, event]: string[]) => `${contract} ${event}`;
const recorded = tableOf('Events in the ledger').map(nameOf);
const leftOut = tableOf('Events that are not');

test('every event that is not in the ledger has a reason', () => {
  expect(leftOut.length).toBeGreaterThan(60);
  expect(leftOut.filter(([, , reason]) => !reason)).toEqual([]);
  expect(leftOut.map(nameOf).filter((name) => recorded.includes(name))).toEqual([]);
});

/** Contracts of the devnet that stand for the protocol's. */
const CONTRACTS = [
  ...['ClaimNodeOp', 'ClaimProtocolDAO', 'MinipoolManager', 'MultisigManager', 'Oracle', 'RewardsPool', 'Staking'],
  ...['Storage', 'Timelock', 'TokenggAVAX', 'Vault', 'WithdrawQueue'],
];

test.each(CONTRACTS)('every event of the compiled %s is listed', async (name) => {
  const listed = [...recorded, ...leftOut.map(nameOf)];
  abiOf(await artifacts, name).forEachEvent((event) => {
    const sighash = event.format('sighash');
    const [own, proxy] = [`${name} ${sighash}`, `proxies ${sighash}`];
    expect([own, listed.includes(own) || listed.includes(proxy)]).toEqual([own, true]);
  });
});
