import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { Fragment, type FunctionFragment } from 'ethers';
import type * as z from 'zod/mini';
import { minipools } from '../../../functions/minipools.ts';
import { settings } from '../../../functions/settings.ts';
import { stakers } from '../../../functions/stakers.ts';
import { withdrawals } from '../../../functions/withdrawals.ts';
import { type Artifacts, loadArtifacts } from '../../../infra/devnet/compile.ts';
import { abiOf } from '../../../infra/devnet/protocol.ts';
import { EVENTS } from '../../../lib/ledger/event-abis.ts';

/** docs/events.md lists every event, field and setting with its place in the API, or the reason for its absence. */

const document = readFileSync('docs/events.md', 'utf8');

/** The rows of the table under a heading, as cells. */
function tableOf(heading: string): string[][] {
  const section = document.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')),
  );
}

let artifacts: Artifacts;
const nameOf = ([contract, event]: string[]) => `${contract} ${event}`;
const recorded = tableOf('Events in the ledger').map(nameOf);
const leftOut = tableOf('Events that are not');

beforeAll(async () => {
  artifacts = await loadArtifacts();
});

test('exactly the events in the ledger are searched for, and every other one has a reason', () => {
  expect(leftOut.length).toBeGreaterThan(60);
  expect(leftOut.filter(([, , reason]) => !reason)).toEqual([]);
  const searched = Object.entries(EVENTS).flatMap(([contract, abi]) =>
    abi.map((event) => `${contract} ${Fragment.from(event).format('sighash')}`),
  );
  expect(recorded.toSorted()).toEqual(searched.sort());
  expect(leftOut.map(nameOf).filter((name) => recorded.includes(name))).toEqual([]);
});

/** Contracts of the devnet that stand for the protocol's. */
const CONTRACTS = [
  ...['ClaimNodeOp', 'ClaimProtocolDAO', 'MinipoolManager', 'MultisigManager', 'Oracle', 'RewardsPool', 'Staking'],
  ...['Storage', 'Timelock', 'TokenggAVAX', 'TwapGGP', 'Vault', 'WithdrawQueue'],
];

test.each(CONTRACTS)('every event of the compiled %s is listed', (name) => {
  const listed = [...recorded, ...leftOut.map(nameOf)];
  abiOf(artifacts, name).forEachEvent((event) => {
    const sighash = event.format('sighash');
    const [own, proxy] = [`${name} ${sighash}`, `proxies ${sighash}`];
    expect([own, listed.includes(own) || listed.includes(proxy)]).toEqual([own, true]);
  });
});

const fieldsOf = (contract: string, view: string) => {
  const [output] = (abiOf(artifacts, contract).getFunction(view) as FunctionFragment).outputs;
  return (output?.components ?? []).map(({ name }) => name);
};
const columnsOf = (list: z.ZodMiniArray) => Object.keys((list.def.element as z.ZodMiniObject).shape);

test('every field of every record is in an answer, or has a reason', () => {
  const missing = (record: string, fields: string[], list: z.ZodMiniArray) => {
    const served = columnsOf(list);
    // Percentages and names are served under the names that say so.
    const isServed = (field: string) => served.includes(field) || served.includes(`${field}Percent`);
    return fields.filter((field) => !isServed(field)).map((field) => [record, field]);
  };
  expect([
    ...missing('Staker', fieldsOf('Staking', 'getStaker'), stakers.response().shape.stakers),
    ...missing('Minipool', fieldsOf('MinipoolManager', 'getMinipool'), minipools.response().shape.minipools),
    ...missing('UnstakeRequest', fieldsOf('WithdrawQueue', 'getRequestInfo'), withdrawals.response().shape.requests),
  ]).toEqual(tableOf('Fields').map(([record, field]) => [record, field]));
});

/** Settings whose API names state the quantity that they are a share of. */
const OTHER_NAMES: Record<string, string> = {
  getTargetGGAVAXReserveRate: 'targetReservePercent',
  getFeeBips: 'feePercent',
  getMinipoolNodeCommissionFeePct: 'minipoolNodeCommissionFeePercent',
  getExpectedAVAXRewardsRate: 'expectedAVAXRewardsPercent',
  getMinCollateralizationRatio: 'minCollateralPercent',
  getMaxCollateralizationRatio: 'maxCollateralPercent',
  getClaimingContractPct: 'distributionPercent',
};

test('every setting of the DAO is in /settings, or has a reason', () => {
  const views: string[] = [];
  abiOf(artifacts, 'ProtocolDAO').forEachFunction(({ name, constant }) => {
    if (constant && name !== 'store' && name !== 'version') views.push(name);
  });
  const served = Object.keys(settings.response().shape);
  const servedAs = (view: string) =>
    OTHER_NAMES[view] ?? view.replace(/^get(.)/, (_, first: string) => first.toLowerCase());
  const missing = views.filter((view) => !served.includes(servedAs(view)));
  expect(missing.sort()).toEqual(
    tableOf('Settings')
      .map(([view]) => view)
      .sort(),
  );
});
