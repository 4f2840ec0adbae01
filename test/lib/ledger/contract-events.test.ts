import { describe, expect, test } from '@jest/globals';
import { Interface, id, solidityPackedKeccak256, ZeroAddress, zeroPadValue } from 'ethers';
import { decodeLogs, type Log } from '../../../lib/ledger/contract-events.ts';
import { type ContractName, EVENTS, TOPICS } from '../../../lib/ledger/event-abis.ts';
import { LEDGER_VERSION } from '../../../lib/ledger/rows.ts';

/**
 * The ledger entries decoded from logs. Topics are from the protocol's reference, computed from the contracts'
 * signatures.
 */

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

const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';
const DEPOSIT = 'Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares)';
const WITHDRAW =
  'Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)';
const DONATED =
  'YieldDonated(bytes32 indexed source, address indexed caller, uint256 sharesBurnt, uint256 avaxEquivalent)';
const STAKED = 'GGPStaked(address indexed from, uint256 amount)';
const CLAIMED = 'GGPRewardsClaimed(address indexed to, uint256 amount)';
const STATUS = 'MinipoolStatusChanged(address indexed nodeID, uint8 indexed status)';
const RETURNED = 'DepositedFromStaking(address indexed caller, uint256 baseAmt, uint256 rewardsAmt)';
const RETURNED_V3 =
  'DepositedFromStaking(bytes32 indexed source, address indexed caller, uint256 baseAmt, uint256 rewardsAmt)';
const FEE = 'FeeCollected(bytes32 indexed source, uint256 feeAmount)';
const DELEGATED = 'WithdrawForDelegation(address indexed nodeID, uint256 amount)';
const SLASHED = 'GGPSlashed(address indexed nodeID, uint256 ggp)';

const TOPIC_OF = [
  ['MinipoolStatusChanged', '0xc9c043637725967252aedd2704cc65fee962e7b8a1e3cf8098587a66601e50c5'],
  ['MinipoolLaunched', '0x051432f8fe60e16e77c7d63dd8fbec40600ab62c8ab79ad5e332a41db28158ab'],
  ['GGPSlashed', '0xa10866a4e21985bc2d4130717769d773ffe207cffc5fb5d714c8c030e0677ec7'],
  ['GGPStaked', '0x3cd32fbc628a7c1c5a309e823125e5a4b8d98b9b31ad71d8338cc5f05829b199'],
  ['GGPWithdrawn', '0x24231562008debd875e9a0c93d43fda03c49a4578215067a1d7024b97dd15d24'],
  ['GGPRewardsClaimed', '0xe6efee8958feb2079af9a7a1df26a6fae99525397bebfc3f64a4b7c3b41984d1'],
  ['NewRewardsCycleStarted', '0x6b1d3dc5fce42913ead941789ebaa30a3b9d2f7d03eb1b72664ef963af99a4c8'],
  ['GGPInflated', '0xd3b0dc36c37f40ce88b39c8022936d7b39a19dc6ea4df881918f531d843d853e'],
  ['ClaimNodeOpRewardsTransferred', '0x9dc2a9c69bc4e59ac92c234a79a97954145d1cc38a2119fb9469bc2f558a8bca'],
  ['ProtocolDAORewardsTransferred', '0xcaa85a3f894711725580db005a3b1daafc415adf7e18be3e3dcec2618f089c4a'],
  ['MultisigRewardsTransferred', '0xd93981eb8fd94d58b54b8a8887cb8cd11245c68f7b6e287b4b7a045523c245be'],
  ['GGPPriceUpdated', '0x1826f74860bd5ff97bcab2245acae00a635acaa3dbc72e5c68b83ff34b1fac00'],
  ['Deposit', '0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7'],
  ['Withdraw', '0xfbde797d201c681b91056529119e0b02407c7bb96a4a2c75c01fc9667232c8db'],
  ['Transfer', '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
  ['NewRewardsCycle', '0x456468d0d5c249d1e9c2eb03d20f2a6627334ac8667838011f1df0013816f1cf'],
  ['DepositedFromStaking V1', '0xc427d2d659d7dba18f3b7dc230a5b3eeaf5775bdda96b5018efceed241e06e0e'],
  ['DepositedFromStaking V3', '0x7aa50fb4f250f9725bff6436208316b64f66ab969d3cf340fe345f2718fdee12'],
  ['DepositedAdditionalYield', '0xb0f90eb9923b5c0a32d2df54960511caffba716d1baa3d348d4af0cb2aa79f59'],
  ['WithdrawnForStaking V1', '0x14438a8606c512fda07a1e9dfefc371418ed542946338bfa1c87788e903b4d68'],
  ['WithdrawnForStaking V3', '0x95531cf01679ac5aa7d49c50fdb23ccff8bd527cdd85214ca1d81f6d2aee7780'],
  ['WithdrawForDelegation', '0x5c0634f49d80388cdf02b7c6f9888f47fa03d474b3161645312eefe213ed9d63'],
  ['DepositFromDelegation', '0x868e27795a5c07be99af73e34e168fea7fa7ff2f542f754f942eb7850efa184d'],
  ['FeeCollected', '0x156e588d1067ba3c8a6a7f4376ef70794f8afed114dc9d1421e054b65743e630'],
  ['YieldDonated', '0xc94c46ffbbc1b036a4912660fe60c404ba4d10638d365a46d1bac54abf76a849'],
  ['UnstakeRequested', '0x672d3037ab2b5e16a4cfc69d1259b034593964aea5a09f1d1059b114f2e8aceb'],
  ['RequestFulfilled', '0x29d1fd44cc39a4213a364818c158187934866b333b04a59815cdf69b58c809c0'],
  ['UnstakeClaimed', '0xec2af0315c3009f0d44cc1df95e9026a4b39e15989f60015637e232f0495515f'],
  ['RequestCancelled', '0x3796cd2bbde8f185a2341d1c3fb8207b168febf5cd44d360661956cfdc70a177'],
  ['TokenWithdrawn', id('TokenWithdrawn(bytes32,address,uint256)')],
  ['Upgraded', '0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b'],
  ['ExpiredSharesReturned', '0xfa7a4c66fb185204e7c31862b3a4004982f18694bc3fcc056a1d6af6944888ce'],
] as const;

test.each(TOPIC_OF)('%s is searched for', (_, topic) => {
  expect([...TOPICS]).toContain(topic);
});

test('no other event is searched for, because a table of this version was searched for these only', () => {
  expect([LEDGER_VERSION, EVENTS.length]).toEqual([6, 35]);
});

test.each<[type: string, Event, fields: object]>([
  ['ggpStaked', ['Staking', STAKED, ALICE, 4n], { staker: ALICE, amount: 4n }],
  [
    'ggpWithdrawn',
    ['Staking', 'GGPWithdrawn(address indexed to, uint256 amount)', ALICE, 4n],
    { staker: ALICE, amount: 4n },
  ],
  ['ggpSlashed', ['MinipoolManager', SLASHED, NODE, 4n], { nodeID: NODE, amount: 4n }],
  [
    'upgradeQueued',
    ['Timelock', 'TransactionQueued(address indexed target, bytes32 indexed id)', BOB, SOURCE],
    { id: SOURCE, target: BOB },
  ],
  [
    'contractUpgraded',
    ['TokenpstAVAX', 'Upgraded(address indexed implementation)', BOB],
    { name: 'TokenpstAVAX', address: ADDRESS.TokenpstAVAX, implementation: BOB },
  ],
  [
    'minipoolLaunched',
    [
      'MinipoolManager',
      'MinipoolLaunched(address indexed nodeID, bytes32 hardwareProvider, uint256 duration)',
      ...[NODE, SOURCE, 1_209_600n],
    ],
    { nodeID: NODE, hardwareProvider: SOURCE, duration: 1_209_600 },
  ],
  [
    'rewardsStreamed',
    ['TokenggAVAX', 'NewRewardsCycle(uint256 indexed cycleEnd, uint256 rewardsAmt)', 1_700_000_000n, 4n],
    { rewardsAmt: 4n, cycleEnd: 1_700_000_000 },
  ],
  [
    'unstakeRequested',
    [
      'WithdrawQueue',
      'UnstakeRequested(uint256 indexed requestId, address indexed requester, uint256 shares, uint256 expectedAssets, uint48 claimableTime)',
      ...[7n, ALICE, 4n, 5n, 1_700_000_000n],
    ],
    { requestId: 7, requester: ALICE, shares: 4n, expectedAssets: 5n, claimableTime: 1_700_000_000 },
  ],
  [
    'unstakeFulfilled',
    [
      'WithdrawQueue',
      'RequestFulfilled(bytes32 indexed source, uint256 indexed requestId, uint256 assets)',
      ...[SOURCE, 7n, 5n],
    ],
    { source: SOURCE, requestId: 7, assets: 5n },
  ],
  [
    'unstakeClaimed',
    [
      'WithdrawQueue',
      'UnstakeClaimed(uint256 indexed requestId, address indexed claimer, uint256 amount)',
      ...[7n, ALICE, 5n],
    ],
    { requestId: 7, requester: ALICE, assets: 5n },
  ],
  [
    'unstakeCancelled',
    [
      'WithdrawQueue',
      'RequestCancelled(uint256 indexed requestId, address indexed requester, uint256 shares)',
      ...[7n, ALICE, 4n],
    ],
    { requestId: 7, requester: ALICE, shares: 4n },
  ],
  [
    'unstakeReturned',
    [
      'WithdrawQueue',
      'ExpiredSharesReturned(uint256 indexed requestId, address indexed requester, uint256 shares)',
      ...[7n, ALICE, 4n],
    ],
    { requestId: 7, requester: ALICE, shares: 4n },
  ],
])('%s has the arguments of its event', (type, event, fields) => {
  expect(entries([event])).toEqual([{ type, ...fields }]);
});

describe('every movement of ggAVAX shares is one entry:', () => {
  const balanceOf = (holder: string, made: Record<string, unknown>[]) =>
    made.reduce((balance, entry) => {
      const shares = (entry.shares ?? 0n) as bigint;
      if (entry.type === 'ggAvaxDeposited') return balance + (entry.owner === holder ? shares : 0n);
      if (entry.type === 'ggAvaxWithdrawn') return balance - (entry.owner === holder ? shares : 0n);
      if (entry.type === 'yieldAdded') return balance - (entry.donor === holder ? shares : 0n);
      if (entry.type !== 'ggAvaxTransferred') return balance;
      return balance + (entry.to === holder ? shares : 0n) - (entry.from === holder ? shares : 0n);
    }, 0n);

  test('the transfers of a deposit, a withdrawal and a donation are not entries of their own', () => {
    const made = entries(
      [
        ['TokenggAVAX', TRANSFER, ZeroAddress, ALICE, 100n],
        ['TokenggAVAX', DEPOSIT, BOB, ALICE, 120n, 100n],
      ],
      [
        ['TokenggAVAX', TRANSFER, ALICE, ZeroAddress, 30n],
        ['TokenggAVAX', WITHDRAW, ALICE, BOB, ALICE, 36n, 30n],
      ],
      [
        ['TokenggAVAX', DONATED, SOURCE, ALICE, 5n, 6n],
        ['TokenggAVAX', TRANSFER, ALICE, ZeroAddress, 5n],
      ],
    );
    expect(made).toEqual([
      { type: 'ggAvaxDeposited', caller: BOB, owner: ALICE, assets: 120n, shares: 100n },
      { type: 'ggAvaxWithdrawn', caller: ALICE, receiver: BOB, owner: ALICE, assets: 36n, shares: 30n },
      { type: 'yieldAdded', source: 'donation', origin: SOURCE, donor: ALICE, shares: 5n, amount: 6n },
    ]);
    expect(balanceOf(ALICE, made)).toBe(65n);
  });

  test('each event explains one mint or burn, with the same holder and shares', () => {
    const made = entries([
      ['TokenggAVAX', TRANSFER, ZeroAddress, ALICE, 100n],
      ['TokenggAVAX', TRANSFER, ZeroAddress, ALICE, 100n],
      ['TokenggAVAX', TRANSFER, ZeroAddress, BOB, 100n],
      ['TokenggAVAX', DEPOSIT, ALICE, ALICE, 120n, 100n],
      ['TokenggAVAX', TRANSFER, ALICE, ZeroAddress, 7n],
      ['TokenggAVAX', TRANSFER, ALICE, BOB, 50n],
    ]);
    expect(made.map(({ type }) => type)).toEqual([
      'ggAvaxTransferred',
      'ggAvaxTransferred',
      'ggAvaxDeposited',
      'ggAvaxTransferred',
      'ggAvaxTransferred',
    ]);
    expect(balanceOf(ALICE, made)).toBe(143n);
    expect(balanceOf(BOB, made)).toBe(150n);
  });

  test('a transfer is an entry of its own unless a deposit or withdrawal has the same shares and holder', () => {
    const transfersOf = (...events: Event[]) =>
      entries(events)
        .filter(({ type }) => type === 'ggAvaxTransferred')
        .map(({ from, to, shares }) => [from, to, shares]);
    expect(
      transfersOf(
        ['TokenggAVAX', TRANSFER, BOB, ALICE, 100n],
        ['TokenggAVAX', TRANSFER, ZeroAddress, BOB, 100n],
        ['TokenggAVAX', TRANSFER, ZeroAddress, ALICE, 99n],
        ['TokenggAVAX', TRANSFER, ALICE, ZeroAddress, 100n],
        ['TokenggAVAX', TRANSFER, ZeroAddress, ALICE, 100n],
        ['TokenggAVAX', DEPOSIT, ALICE, ALICE, 120n, 100n],
      ),
    ).toEqual([
      [BOB, ALICE, 100n],
      [ZeroAddress, BOB, 100n],
      [ZeroAddress, ALICE, 99n],
      [ALICE, ZeroAddress, 100n],
    ]);
    expect(
      transfersOf(
        ['TokenggAVAX', TRANSFER, ZeroAddress, ALICE, 100n],
        ['TokenggAVAX', TRANSFER, ALICE, BOB, 100n],
        ['TokenggAVAX', TRANSFER, ALICE, ZeroAddress, 100n],
        ['TokenggAVAX', WITHDRAW, ALICE, ALICE, ALICE, 120n, 100n],
      ),
    ).toEqual([
      [ZeroAddress, ALICE, 100n],
      [ALICE, BOB, 100n],
    ]);
  });

  test('an event does not explain a mint or burn in another transaction', () => {
    const made = entries(
      [['TokenggAVAX', TRANSFER, ZeroAddress, ALICE, 100n]],
      [['TokenggAVAX', DEPOSIT, ALICE, ALICE, 120n, 100n]],
    );
    expect(made.map(({ type }) => type)).toEqual(['ggAvaxTransferred', 'ggAvaxDeposited']);
  });
});

describe('a claim', () => {
  const claims = (...events: Event[]) => entries(events).filter(({ type }) => type === 'ggpRewardsClaimed');

  /** GGP that a contract takes from the Vault. */
  const taken = (name: string, amount: bigint): Event => [
    'Vault',
    'TokenWithdrawn(bytes32 indexed by, address indexed tokenAddress, uint256 amount)',
    solidityPackedKeccak256(['string', 'address'], [name, GGP]),
    GGP,
    amount,
  ];
  const restaked = (...events: Event[]) => claims(...events).map((claim) => [claim.amount, claim.restaked]);

  test.each<[string, Event[], [bigint, bigint][]]>([
    ['in part', [taken('ClaimNodeOp', 40n), ['Staking', STAKED, ALICE, 40n], taken('ClaimNodeOp', 60n)], [[60n, 40n]]],
    ['in full', [taken('ClaimNodeOp', 40n), ['Staking', STAKED, ALICE, 40n]], [[0n, 40n]]],
    ['not at all', [taken('ClaimNodeOp', 60n)], [[60n, 0n]]],
    ['not at all, beside another stake', [['Staking', STAKED, ALICE, 40n], taken('ClaimNodeOp', 60n)], [[60n, 0n]]],
    ['not at all, beside a withdrawal', [taken('Staking', 40n), taken('ClaimNodeOp', 60n)], [[60n, 0n]]],
  ])('is restaked %s', (_, before, expected) => {
    const [amount] = expected[0] as [bigint, bigint];
    expect(restaked(...before, ['ClaimNodeOp', CLAIMED, ALICE, amount])).toEqual(expected);
  });

  test('counts what was taken since the one before it', () => {
    expect(
      restaked(
        taken('ClaimNodeOp', 40n),
        ['Staking', STAKED, ALICE, 40n],
        ['ClaimNodeOp', CLAIMED, ALICE, 0n],
        taken('ClaimNodeOp', 9n),
        ['ClaimNodeOp', CLAIMED, BOB, 9n],
      ),
    ).toEqual([
      [0n, 40n],
      [9n, 0n],
    ]);
  });
});

describe('a minipool', () => {
  const types = (...statuses: number[]) =>
    entries(statuses.map((status): Event => ['MinipoolManager', STATUS, NODE, status])).map(({ type, status }) => [
      type,
      status,
    ]);

  test('is created by a change to Prelaunch, even after it has ended', () => {
    expect(types(0)).toEqual([['minipoolCreated', undefined]]);
    expect(types(4, 0)).toEqual([
      ['minipoolStatusChanged', 4],
      ['minipoolCreated', undefined],
    ]);
  });

  test('is not created again when its next cycle begins', () => {
    expect(types(3, 0, 1)).toEqual([
      ['minipoolStatusChanged', 3],
      ['minipoolStatusChanged', 0],
      ['minipoolStatusChanged', 1],
    ]);
  });

  test('is not created again when its next cycle begins after slashing', () => {
    expect(
      entries([
        ['MinipoolManager', STATUS, NODE, 3],
        ['MinipoolManager', SLASHED, NODE, 1n],
        ['MinipoolManager', STATUS, NODE, 0],
      ]).map(({ type }) => type),
    ).toEqual(['minipoolStatusChanged', 'ggpSlashed', 'minipoolStatusChanged']);
  });

  test('of another node in the same transaction is created', () => {
    const other = zeroPadValue('0x0e', 20);
    expect(
      entries([
        ['MinipoolManager', STATUS, NODE, 3],
        ['MinipoolManager', STATUS, other, 0],
      ]).map(({ type }) => type),
    ).toEqual(['minipoolStatusChanged', 'minipoolCreated']);
  });
});

test('a rewards cycle has the amounts paid in its own transaction, or 0', () => {
  // The event's own amount is that of the previous cycle.
  const started: Event = ['RewardsPool', 'NewRewardsCycleStarted(uint256 totalRewardsAmt)', 11n];
  const inflated: Event = ['RewardsPool', 'GGPInflated(uint256 newTokens)', 100n];
  const toNodes: Event = ['RewardsPool', 'ClaimNodeOpRewardsTransferred(uint256 value)', 70n];
  const toDao: Event = ['RewardsPool', 'ProtocolDAORewardsTransferred(uint256 value)', 20n];
  const toMultisig: Event = ['RewardsPool', 'MultisigRewardsTransferred(uint256 value)', 10n];
  const none = { totalAmt: undefined, ClaimNodeOp: 0n, ClaimProtocolDAO: 0n, MultisigManager: 0n };
  expect(entries([started], [started, inflated, toNodes, toDao], [started, toMultisig])).toEqual([
    { type: 'rewardsCycleStarted', ...none },
    { type: 'rewardsCycleStarted', ...none, totalAmt: 100n, ClaimNodeOp: 70n, ClaimProtocolDAO: 20n },
    { type: 'rewardsCycleStarted', ...none, MultisigManager: 10n },
  ]);
});

test('yield is an entry net of the fee, for both versions of its event, unless the reward is 0', () => {
  expect(
    entries([
      ['TokenggAVAX', RETURNED_V3, SOURCE, BOB, 1_000n, 9n],
      ['TokenggAVAX', RETURNED, BOB, 1_000n, 8n],
      ['TokenggAVAX', RETURNED, BOB, 1_000n, 0n],
      [
        'TokenggAVAX',
        'DepositedAdditionalYield(bytes32 indexed source, address indexed caller, uint256 baseAmount, uint256 rewardAmt)',
        ...[SOURCE, BOB, 50n, 5n],
      ],
    ]),
  ).toEqual([
    { type: 'avaxReturned', source: SOURCE, caller: BOB, baseAmt: 1_000n, rewardsAmt: 9n, feeAVAX: 0n },
    { type: 'yieldAdded', source: 'staking', origin: SOURCE, amount: 9n },
    { type: 'avaxReturned', caller: BOB, baseAmt: 1_000n, rewardsAmt: 8n, feeAVAX: 0n },
    { type: 'yieldAdded', source: 'staking', amount: 8n },
    { type: 'avaxReturned', caller: BOB, baseAmt: 1_000n, rewardsAmt: 0n, feeAVAX: 0n },
    { type: 'yieldAdded', source: 'deposit', origin: SOURCE, amount: 45n, fee: 5n },
  ]);
});

test('what comes back from staking has the fee collected just before it, and the node that it was delegated to', () => {
  const made = entries([
    ['TokenggAVAX', FEE, SOURCE, 1n],
    ['TokenggAVAX', RETURNED_V3, SOURCE, BOB, 1_000n, 9n],
    ['TokenggAVAX', RETURNED_V3, SOURCE, BOB, 500n, 0n],
    [
      'MinipoolManager',
      'DepositFromDelegation(address indexed nodeID, uint256 amount, uint256 rewardsAmount)',
      ...[NODE, 500n, 0n],
    ],
  ]);
  expect(made).toEqual([
    { type: 'feeCollected', source: SOURCE, amount: 1n },
    { type: 'avaxReturned', source: SOURCE, caller: BOB, baseAmt: 1_000n, rewardsAmt: 9n, feeAVAX: 1n },
    { type: 'yieldAdded', source: 'staking', origin: SOURCE, amount: 9n, fee: 1n },
    { type: 'avaxReturned', source: SOURCE, caller: BOB, nodeID: NODE, baseAmt: 500n, rewardsAmt: 0n, feeAVAX: 0n },
  ]);
});

test('a return and its yield have the positions of two logs: its own, and that of the deposit of WAVAX beside it', () => {
  const logs = [
    ...logsOf([['TokenggAVAX', RETURNED, BOB, 1_000n, 8n]]),
    ...logsOf([['TokenggAVAX', RETURNED_V3, SOURCE, BOB, 1_000n, 9n]]),
  ].map((log, block) => ({ ...log, logIndex: '0x7', blockNumber: `0x${block}`, transactionHash: id(`tx ${block}`) }));
  expect(decodeLogs(logs, EMITTERS).map(({ block, type, logIndex }) => [block, type, logIndex])).toEqual([
    [0, 'avaxReturned', 8],
    [0, 'yieldAdded', 7],
    [1, 'avaxReturned', 6],
    [1, 'yieldAdded', 7],
  ]);
});

test('AVAX that leaves to be staked is an entry for both versions of its event, and a delegation names its node', () => {
  expect(
    entries([
      [
        'TokenggAVAX',
        'WithdrawnForStaking(bytes32 indexed purpose, address indexed caller, uint256 assets)',
        SOURCE,
        BOB,
        7n,
      ],
      ['TokenggAVAX', 'WithdrawnForStaking(address indexed caller, uint256 assets)', BOB, 8n],
      ['MinipoolManager', DELEGATED, NODE, 8n],
      ['MinipoolManager', DELEGATED, ZeroAddress, 9n],
    ]),
  ).toEqual([
    { type: 'avaxStaked', purpose: SOURCE, caller: BOB, assets: 7n },
    { type: 'avaxStaked', caller: BOB, assets: 8n },
    { type: 'delegationRegistered', nodeID: NODE, amount: 8n },
    { type: 'delegationRegistered', amount: 9n },
  ]);
});

test('an event from a contract other than its own is ignored, such as a price update by TwapGGP', () => {
  const event: Event = ['Oracle', 'GGPPriceUpdated(uint256 indexed price, uint256 timestamp)', 5n, 1_700_000_000n];
  expect(entries([event])).toEqual([{ type: 'priceUpdated', price: 5n, updatedAt: 1_700_000_000 }]);
  const [log] = logsOf([event]) as [Log];
  expect(decodeLogs([{ ...log, address: ADDRESS.Staking }], EMITTERS)).toEqual([]);
  expect(decodeLogs([{ ...log, address: BOB }], EMITTERS)).toEqual([]);
});

test('entries are in the order of the chain, whatever the order of logs', () => {
  const logs = logsOf(
    [['Staking', STAKED, ALICE, 1n]],
    [['Staking', STAKED, ALICE, 2n]],
    [
      ['Staking', STAKED, ALICE, 3n],
      ['Staking', STAKED, ALICE, 4n],
      ['Staking', STAKED, ALICE, 5n],
    ],
  );
  const drafts = decodeLogs([4, 2, 3, 0, 1].map((place) => logs[place]) as Log[], EMITTERS);
  expect(drafts.map(({ fields }) => fields.amount)).toEqual([1n, 2n, 3n, 4n, 5n]);
});
