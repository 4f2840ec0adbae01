/** Minipools of an operator or of a node. */

import { useContext } from 'preact/hooks';
import { day, duration } from '../dashboard/format.ts';
import type { Minipool } from './bodies.ts';
import { Links } from './links.ts';
import { type Fact, Facts, Identifier, Quantity, Status, When } from './quantity.tsx';
import { Table } from './table.tsx';

const MEANINGS: Record<Minipool['status'], string> = {
  prelaunch: 'waiting to be launched',
  launched: 'its AVAX is on its way to the validator',
  staking: 'the node is validating',
  withdrawable: 'ended; the owner can withdraw',
  finished: 'ended; the owner has withdrawn',
  canceled: 'its AVAX was returned before launch',
  error: 'never started; the owner can withdraw',
};

/** Error codes that Rialto, the protocol's multisig, writes. */
const ERRORS: Record<string, string> = {
  E1: 'The node was already validating.',
  E2: 'The node’s status could not be determined.',
  E3: 'Staking the AVAX failed.',
  EC1: 'Ended early: there was no time for another cycle.',
};

export function MinipoolTable({ minipools }: { minipools: readonly Minipool[] }) {
  const { canCopy } = useContext(Links);
  return (
    <Table
      caption="Minipools of this address"
      rows={minipools}
      empty="No minipools."
      columns={[
        ['Node', ({ nodeID }) => <Identifier id={nodeID} kind="node" />],
        // Where nothing copies it, it is in the table, for transactions.
        !canCopy && ['Node ID in hex', ({ nodeIDHex }) => <Identifier id={nodeIDHex} />, 'wide'],
        ['Status', ({ status }) => <Status status={status} />],
        ['Operator’s AVAX', ({ avaxNodeOpAmt }) => <Quantity amount={avaxNodeOpAmt} unit="AVAX" />, 'number'],
        ['End', endText],
        ['Earned so far', (pool) => <Quantity amount={pool.avaxNodeOpLifetimeRewardAmt} unit="AVAX" />, 'number'],
        minipools.some((minipool) => noteOn(minipool)) && ['Note', noteOn, 'wide'],
      ]}
    />
  );
}

/** The end of all cycles: past, or planned. */
function endText({ endTime, expectedEndTime }: Minipool): string {
  if (endTime) return day(endTime);
  return expectedEndTime ? `planned ${day(expectedEndTime)}` : '–';
}

/** A fault of a minipool, in words. */
function noteOn({ errorCode, ggpSlashAmt }: Minipool): string {
  const fault = errorCode === undefined ? '' : (ERRORS[errorCode] ?? `Error ${errorCode}.`);
  return ggpSlashAmt === '0' ? fault : `${fault} ${ggpSlashAmt} GGP slashed for a cycle without a reward.`.trim();
}

export function MinipoolFacts({ minipool }: { minipool: Minipool }) {
  const { status, owner, startTime, nodeIDHex, txID } = minipool;
  const facts: Fact[] = [
    ['Status', <Status status={status} />, MEANINGS[status]],
    ['Owner', <Identifier id={owner} kind="address" />],
    ['End', endText(minipool)],
    startTime > 0 && ['Cycle started', <When time={startTime} />],
    ['Planned duration', duration(minipool.duration), 'of all cycles'],
    ['Operator’s AVAX', <Quantity amount={minipool.avaxNodeOpAmt} unit="AVAX" />],
    ['AVAX of liquid stakers', <Quantity amount={minipool.avaxLiquidStakerAmt} unit="AVAX" />],
    ['Earned so far', <Quantity amount={minipool.avaxNodeOpLifetimeRewardAmt} unit="AVAX" />, 'the operator’s share'],
    ['Node ID in hex', <Identifier id={nodeIDHex} />, 'for transactions'],
    txID !== undefined && ['P-Chain transaction', <Identifier id={txID} />],
  ];
  const note = noteOn(minipool);
  return (
    <>
      <Facts facts={facts} />
      {note && <p class="problem">{note}</p>}
    </>
  );
}
