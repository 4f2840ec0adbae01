import { describe, expect, test } from '@jest/globals';
import { Interface, id, solidityPackedKeccak256, ZeroAddress } from 'ethers';
import { decodeLogs, type Log } from '../../../lib/ledger/contract-events.ts';
import { type ContractName, EVENTS } from '../../../lib/ledger/event-abis.ts';
import { LEDGER_VERSION } from '../../../lib/ledger/rows.ts';

/** The ledger entries decoded from logs, which ethers encodes from the signatures of the protocol's reference. */

const ADDRESS: Record<ContractName, string> = {
  ClaimNodeOp: `0x${'c1'.repeat(20)}`,
  MinipoolManager: `0x${'c2'.repeat(20)}`,
  Oracle: `0x${'c3'.repeat(20)}`,
  RewardsPool: `0x${'c4'.repeat(20)}`,
  Staking: `0x${'c5'.repeat(20)}`,
  TokenggAVAX: `0x${'c6'.repeat(20)}`,
  Vault: `0x${'c7'.repeat(20)}`,
  WithdrawQueue: `0x${'c8'.repeat(20)}`,
  TokenpstAVAX: `0x${'c9'.repeat(20)}`,
  xGGP: `0x${'ca'.repeat(20)}`,
  xAVAX: `0x${'cb'.repeat(20)}`,
  AssetLocker: `0x${'cc'.repeat(20)}`,
  Timelock: `0x${'cd'.repeat(20)}`,
};
const EMITTERS = new Map(Object.entries(ADDRESS).map(([name, address]) => [address, name as ContractName]));
const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const NODE = `0x${'0d'.repeat(20)}`;
const GGP = `0x${'66'.repeat(20)}`;
const SOURCE = id('source');

/** One event of a transaction: its emitter, signature and arguments. */
type Event = [emitter: ContractName, signature: string, ...args: unknown[]];

/** The logs of transactions, each in a block of its own. */
function logsOf(...transactions: Event[][]): Log[] {
  return transactions.flatMap((events, block) =>
    events.map(([emitter, signature, ...args], logIndex) => {
      const abi = new Interface([`event ${signature}`]);
      const event = abi.getEvent(signature.slice(0, signature.indexOf('('))) as never;
      return {
        address: ADDRESS[emitter],
        ...abi.encodeEventLog(event, args),
        blockNumber: `0x${(block + 1).toString(16)}`,
        logIndex: `0x${logIndex.toString(16)}`,
        transactionHash: id(String(block)),
      };
    }),
  );
}

const entries = (...transactions: Event[][]): Record<string, unknown>[] =>
  decodeLogs(logsOf(...transactions), EMITTERS).map(({ type, fields }) => ({ type, ...fields }));

/** Events of a contract, by their signature: `stake(ALICE, 4n)` is an event of Staking. */
const of =
  (emitter: ContractName) =>
  (signature: string) =>
  (...args: unknown[]): Event => [emitter, signature, ...args];
const [ggAvax, minipools, staking, queue] = [
  of('TokenggAVAX'),
  of('MinipoolManager'),
  of('Staking'),
  of('WithdrawQueue'),
];
const [pool, timelock] = [of('RewardsPool'), of('Timelock')];

const transfer = ggAvax('Transfer(address indexed from, address indexed to, uint256 value)');
const deposit = ggAvax('Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares)');
const withdrawal = ggAvax(
  'Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
);
const donation = ggAvax(
  'YieldDonated(bytes32 indexed source, address indexed caller, uint256 sharesBurnt, uint256 avaxEquivalent)',
);
const additionalYield = ggAvax(
  'DepositedAdditionalYield(bytes32 indexed source, address indexed caller, uint256 baseAmount, uint256 rewardAmt)',
);
const returned = ggAvax('DepositedFromStaking(address indexed caller, uint256 baseAmt, uint256 rewardsAmt)');
const returnedV3 = ggAvax(
  'DepositedFromStaking(bytes32 indexed source, address indexed caller, uint256 baseAmt, uint256 rewardsAmt)',
);
const taken = ggAvax('WithdrawnForStaking(address indexed caller, uint256 assets)');
const takenV3 = ggAvax('WithdrawnForStaking(bytes32 indexed purpose, address indexed caller, uint256 assets)');
const fee = ggAvax('FeeCollected(bytes32 indexed source, uint256 feeAmount)');
const streamed = ggAvax('NewRewardsCycle(uint256 indexed cycleEnd, uint256 rewardsAmt)');
const delegated = minipools('WithdrawForDelegation(address indexed nodeID, uint256 amount)');
const undelegated = minipools('DepositFromDelegation(address indexed nodeID, uint256 amount, uint256 rewardsAmount)');
const status = minipools('MinipoolStatusChanged(address indexed nodeID, uint8 indexed status)');
const slashed = minipools('GGPSlashed(address indexed nodeID, uint256 ggp)');
const launched = minipools('MinipoolLaunched(address indexed nodeID, bytes32 hardwareProvider, uint256 duration)');
const stake = staking('GGPStaked(address indexed from, uint256 amount)');
const unstake = staking('GGPWithdrawn(address indexed to, uint256 amount)');
const claim = of('ClaimNodeOp')('GGPRewardsClaimed(address indexed to, uint256 amount)');
const price = of('Oracle')('GGPPriceUpdated(uint256 indexed price, uint256 timestamp)');
const requested = queue(
  'UnstakeRequested(uint256 indexed requestId, address indexed requester, uint256 shares, uint256 expectedAssets, uint48 claimableTime)',
);
const fulfilled = queue('RequestFulfilled(bytes32 indexed source, uint256 indexed requestId, uint256 assets)');
const claimed = queue('UnstakeClaimed(uint256 indexed requestId, address indexed claimer, uint256 amount)');
const cancelled = queue('RequestCancelled(uint256 indexed requestId, address indexed requester, uint256 shares)');
const expired = queue('ExpiredSharesReturned(uint256 indexed requestId, address indexed requester, uint256 shares)');
const queued = timelock('TransactionQueued(address indexed target, bytes32 indexed id)');
const executed = timelock('TransactionExecuted(address indexed target, bytes32 indexed id)');
const aborted = timelock('TransactionAborted(address indexed target, bytes32 indexed id)');
const upgraded = of('TokenpstAVAX')('Upgraded(address indexed implementation)');

test('no other event is indexed, because a table of this version was made from these only', () => {
  expect([LEDGER_VERSION, EVENTS.length]).toEqual(['6.6', 35]);
});

const TIME = 1_700_000_000;

test.each<[type: string, Event, fields: object]>([
  ['ggpStaked', stake(ALICE, 4n), { staker: ALICE, amount: 4n }],
  ['ggpWithdrawn', unstake(ALICE, 4n), { staker: ALICE, amount: 4n }],
  ['ggpSlashed', slashed(NODE, 4n), { nodeID: NODE, amount: 4n }],
  ['minipoolLaunched', launched(NODE, SOURCE, 9n), { nodeID: NODE, hardwareProvider: SOURCE, duration: 9 }],
  ['rewardsStreamed', streamed(TIME, 4n), { rewardsAmt: 4n, cycleEnd: TIME }],
  ['feeCollected', fee(SOURCE, 4n), { source: SOURCE, amount: 4n }],
  ['avaxStaked', takenV3(SOURCE, BOB, 7n), { purpose: SOURCE, caller: BOB, assets: 7n }],
  ['avaxStaked', taken(BOB, 8n), { caller: BOB, assets: 8n }],
  ['delegationRegistered', delegated(NODE, 8n), { nodeID: NODE, amount: 8n }],
  ['delegationRegistered', delegated(ZeroAddress, 9n), { amount: 9n }],
  [
    'unstakeRequested',
    requested(7n, ALICE, 4n, 5n, TIME),
    { requestId: 7, requester: ALICE, shares: 4n, expectedAssets: 5n, claimableTime: TIME },
  ],
  ['unstakeFulfilled', fulfilled(SOURCE, 7n, 5n), { source: SOURCE, requestId: 7, assets: 5n }],
  ['unstakeClaimed', claimed(7n, ALICE, 5n), { requestId: 7, requester: ALICE, assets: 5n }],
  ['unstakeCancelled', cancelled(7n, ALICE, 4n), { requestId: 7, requester: ALICE, shares: 4n }],
  ['unstakeReturned', expired(7n, ALICE, 4n), { requestId: 7, requester: ALICE, shares: 4n }],
  ['priceUpdated', price(5n, TIME), { price: 5n, updatedAt: TIME }],
  ['upgradeQueued', queued(BOB, SOURCE), { id: SOURCE, target: BOB }],
  ['upgradeExecuted', executed(BOB, SOURCE), { id: SOURCE, target: BOB }],
  ['upgradeAborted', aborted(BOB, SOURCE), { id: SOURCE, target: BOB }],
  ['contractUpgraded', upgraded(BOB), { name: 'TokenpstAVAX', address: ADDRESS.TokenpstAVAX, implementation: BOB }],
])('%s has the arguments of its event', (type, event, fields) => {
  expect(entries([event])).toEqual([{ type, ...fields }]);
});

describe('every movement of ggAVAX shares is one entry:', () => {
  test('the transfers of a deposit, a withdrawal and a donation are not entries of their own', () => {
    expect(
      entries(
        [transfer(ZeroAddress, ALICE, 100n), deposit(BOB, ALICE, 120n, 100n)],
        [transfer(ALICE, ZeroAddress, 30n), withdrawal(ALICE, BOB, ALICE, 36n, 30n)],
        [donation(SOURCE, ALICE, 5n, 6n), transfer(ALICE, ZeroAddress, 5n)],
      ),
    ).toEqual([
      { type: 'ggAvaxDeposited', caller: BOB, owner: ALICE, assets: 120n, shares: 100n },
      { type: 'ggAvaxWithdrawn', caller: ALICE, receiver: BOB, owner: ALICE, assets: 36n, shares: 30n },
      { type: 'yieldAdded', source: 'donation', origin: SOURCE, donor: ALICE, shares: 5n, amount: 6n },
    ]);
  });

  const transfersOf = (...transactions: Event[][]) =>
    entries(...transactions)
      .filter(({ type }) => type === 'ggAvaxTransferred')
      .map(({ from, to, shares }) => [from, to, shares]);

  test('a transfer is an entry of its own unless a deposit or withdrawal has the same shares and holder', () => {
    const others: [from: string, to: string, shares: bigint][] = [
      [BOB, ALICE, 100n],
      [ZeroAddress, BOB, 100n],
      [ZeroAddress, ALICE, 99n],
      [ALICE, ZeroAddress, 100n],
    ];
    const transfers = others.map((one) => transfer(...one));
    expect(transfersOf([...transfers, transfer(ZeroAddress, ALICE, 100n), deposit(BOB, ALICE, 120n, 100n)])).toEqual(
      others,
    );
    const burned = [transfer(ALICE, BOB, 100n), transfer(ALICE, ZeroAddress, 100n)];
    expect(transfersOf([...burned, withdrawal(BOB, BOB, ALICE, 120n, 100n)])).toEqual([[ALICE, BOB, 100n]]);
  });

  test('each event explains one mint, of its own transaction', () => {
    const mint = transfer(ZeroAddress, ALICE, 100n);
    const minted = [ZeroAddress, ALICE, 100n];
    expect(transfersOf([mint, mint, deposit(ALICE, ALICE, 120n, 100n)])).toEqual([minted]);
    const deposits = [deposit(ALICE, ALICE, 120n, 100n), deposit(BOB, ALICE, 120n, 100n)];
    expect(transfersOf([mint, mint, ...deposits])).toEqual([]);
    expect(transfersOf([mint], [deposit(ALICE, ALICE, 120n, 100n)])).toEqual([minted]);
  });
});

describe('a claim', () => {
  /** GGP that a contract takes from the Vault. */
  const fromVault = (name: string, amount: bigint): Event => [
    'Vault',
    'TokenWithdrawn(bytes32 indexed by, address indexed tokenAddress, uint256 amount)',
    solidityPackedKeccak256(['string', 'address'], [name, GGP]),
    GGP,
    amount,
  ];
  const restaked = (...events: Event[]) =>
    entries(events)
      .filter(({ type }) => type === 'ggpRewardsClaimed')
      .map(({ staker, amount, restaked }) => [staker, amount, restaked]);

  test.each<[string, Event[], paid: bigint, restaked: bigint]>([
    ['in part', [fromVault('ClaimNodeOp', 40n), stake(ALICE, 40n), fromVault('ClaimNodeOp', 60n)], 60n, 40n],
    ['in full', [fromVault('ClaimNodeOp', 40n), stake(ALICE, 40n)], 0n, 40n],
    ['not at all, beside another stake', [stake(ALICE, 40n), fromVault('ClaimNodeOp', 60n)], 60n, 0n],
    ['not at all, beside a withdrawal', [fromVault('Staking', 40n), fromVault('ClaimNodeOp', 60n)], 60n, 0n],
  ])('is restaked %s', (_, before, paid, expected) => {
    expect(restaked(...before, claim(ALICE, paid))).toEqual([[ALICE, paid, expected]]);
  });

  test('counts what was taken since the one before it', () => {
    const first = [fromVault('ClaimNodeOp', 40n), stake(ALICE, 40n), claim(ALICE, 0n)];
    expect(restaked(...first, fromVault('ClaimNodeOp', 9n), claim(BOB, 9n))).toEqual([
      [ALICE, 0n, 40n],
      [BOB, 9n, 0n],
    ]);
  });

  test('that is told twice is a dispute of its block', () => {
    const told = () => restaked(fromVault('ClaimNodeOp', 9n), claim(BOB, 9n), claim(BOB, 9n));
    expect(told).toThrow('GGPRewardsClaimed, pays more than the contract has withdrawn');
  });
});

test.each<[string, Event[], types: string[]]>([
  ['created by a change to Prelaunch', [status(NODE, 0)], ['minipoolCreated']],
  [
    'created anew after it has ended',
    [status(NODE, 4), status(NODE, 0)],
    ['minipoolStatusChanged 4', 'minipoolCreated'],
  ],
  [
    'not created by its next cycle',
    [status(NODE, 3), status(NODE, 0), status(NODE, 1)],
    ['minipoolStatusChanged 3', 'minipoolStatusChanged 0', 'minipoolStatusChanged 1'],
  ],
  [
    'not created by its next cycle after slashing',
    [status(NODE, 3), slashed(NODE, 1n), status(NODE, 0)],
    ['minipoolStatusChanged 3', 'ggpSlashed', 'minipoolStatusChanged 0'],
  ],
  [
    "created beside another one's end",
    [status(NODE, 3), status(BOB, 0)],
    ['minipoolStatusChanged 3', 'minipoolCreated'],
  ],
])('a minipool is %s', (_, events, types) => {
  const made = entries(events);
  expect(made.map(({ type, status }) => `${type}${status === undefined ? '' : ` ${status}`}`)).toEqual(types);
  expect(made.at(-1)?.nodeID).toBe(events.at(-1)?.[2]);
});

test('a rewards cycle has the amounts paid in its own transaction, or 0', () => {
  // The event's own amount is that of the previous cycle.
  const started = pool('NewRewardsCycleStarted(uint256 totalRewardsAmt)')(11n);
  const inflated = pool('GGPInflated(uint256 newTokens)')(100n);
  const toNodes = pool('ClaimNodeOpRewardsTransferred(uint256 value)')(70n);
  const toDao = pool('ProtocolDAORewardsTransferred(uint256 value)')(20n);
  const toMultisig = pool('MultisigRewardsTransferred(uint256 value)')(10n);
  const none = { totalAmt: undefined, ClaimNodeOp: 0n, ClaimProtocolDAO: 0n, MultisigManager: 0n };
  expect(entries([started], [started, inflated, toNodes, toDao], [started, toMultisig])).toEqual([
    { type: 'rewardsCycleStarted', ...none },
    { type: 'rewardsCycleStarted', ...none, totalAmt: 100n, ClaimNodeOp: 70n, ClaimProtocolDAO: 20n },
    { type: 'rewardsCycleStarted', ...none, MultisigManager: 10n },
  ]);
});

test('yield is an entry net of the fee, for both versions of its event, unless the reward is 0', () => {
  const back = { type: 'avaxReturned', caller: BOB, baseAmt: 1_000n, feeAVAX: 0n };
  expect(
    entries([
      returnedV3(SOURCE, BOB, 1_000n, 9n),
      returned(BOB, 1_000n, 8n),
      returned(BOB, 1_000n, 0n),
      additionalYield(SOURCE, BOB, 50n, 5n),
    ]),
  ).toEqual([
    { ...back, source: SOURCE, rewardsAmt: 9n },
    { type: 'yieldAdded', source: 'staking', origin: SOURCE, amount: 9n },
    { ...back, rewardsAmt: 8n },
    { type: 'yieldAdded', source: 'staking', amount: 8n },
    { ...back, rewardsAmt: 0n },
    { type: 'yieldAdded', source: 'deposit', origin: SOURCE, amount: 45n, fee: 5n },
  ]);
});

test('what comes back from staking has the fee collected just before it, and the node that it was delegated to', () => {
  const back = { type: 'avaxReturned', source: SOURCE, caller: BOB };
  expect(
    entries([
      fee(SOURCE, 1n),
      returnedV3(SOURCE, BOB, 1_000n, 9n),
      returnedV3(SOURCE, BOB, 500n, 0n),
      undelegated(NODE, 500n, 0n),
    ]),
  ).toEqual([
    { type: 'feeCollected', source: SOURCE, amount: 1n },
    { ...back, baseAmt: 1_000n, rewardsAmt: 9n, feeAVAX: 1n },
    { type: 'yieldAdded', source: 'staking', origin: SOURCE, amount: 9n, fee: 1n },
    { ...back, nodeID: NODE, baseAmt: 500n, rewardsAmt: 0n, feeAVAX: 0n },
  ]);
});

test('a return and its yield have the positions of two logs: its own, and that of the deposit of WAVAX beside it', () => {
  const logs = logsOf([returned(BOB, 1_000n, 8n)], [returnedV3(SOURCE, BOB, 1_000n, 9n)]);
  const made = decodeLogs(
    logs.map((log) => ({ ...log, logIndex: '0x7' })),
    EMITTERS,
  );
  expect(made.map(({ block, type, logIndex }) => [block, type, logIndex])).toEqual([
    [1, 'avaxReturned', 8],
    [1, 'yieldAdded', 7],
    [2, 'avaxReturned', 6],
    [2, 'yieldAdded', 7],
  ]);
});

test('an event from a contract other than its own is ignored, such as a price update by TwapGGP', () => {
  const [log] = logsOf([price(5n, TIME)]) as [Log];
  for (const address of [ADDRESS.Staking, BOB]) expect(decodeLogs([{ ...log, address }], EMITTERS)).toEqual([]);
});

test('an event whose parameters are in other topics than its contract declares does not decode', () => {
  const [log] = logsOf([stake(ALICE, 1n)]) as [Log];
  const [topic, staker] = log.topics as [string, string];
  for (const topics of [[topic], [topic, log.data, staker]])
    expect(() => decodeLogs([{ ...log, topics }], EMITTERS)).toThrow('log 0 of block 1, GGPStaked, does not decode');
});

test('entries are in the order of the chain, whatever the order of logs', () => {
  const logs = logsOf([stake(ALICE, 1n)], [stake(ALICE, 2n)], [stake(ALICE, 3n), stake(ALICE, 4n), stake(ALICE, 5n)]);
  const made = decodeLogs([4, 2, 3, 0, 1].map((place) => logs[place]) as Log[], EMITTERS);
  expect(made.map(({ fields }) => fields.amount)).toEqual([1n, 2n, 3n, 4n, 5n]);
});
