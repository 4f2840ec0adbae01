/** Entries of ggAVAX and of the AVAX behind it. */

import { stored } from '../../values/units.ts';
import { defineEntries, fromArgument, optional } from './entry-field.ts';

const { address, avax, ggAvax, nodeID, ownName, text, unixTime } = stored;

// Since V3; before, without `source`.
const DEPOSITED_FROM_STAKING = [
  'event DepositedFromStaking(bytes32 indexed source, address indexed caller, uint256 baseAmt, uint256 rewardsAmt)',
  'event DepositedFromStaking(address indexed caller, uint256 baseAmt, uint256 rewardsAmt)',
] as const;

const GG_AVAX = { emitter: 'TokenggAVAX', groups: ['ggAvax'] } as const;
const held = defineEntries({ ...GG_AVAX, participants: { holder: ['owner'] } });
const moved = defineEntries({ ...GG_AVAX, participants: { holder: ['from', 'to'] } });
const streamed = defineEntries({ ...GG_AVAX, participants: {} });
const gained = defineEntries({ ...GG_AVAX, participants: { holder: ['donor'] } });
const staked = defineEntries({ emitter: 'TokenggAVAX', groups: ['pool'], participants: {} });
const returned = defineEntries({ emitter: 'TokenggAVAX', groups: ['pool'], participants: { node: ['nodeID'] } });
const delegated = defineEntries({ emitter: 'MinipoolManager', groups: ['pool'], participants: { node: ['nodeID'] } });

export const POOL_ENTRIES = {
  ggAvaxDeposited: held(
    'ggAVAX deposit',
    ['event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares)'],
    {
      caller: address('Address that paid the AVAX.'),
      owner: address('Address that received the shares.'),
      assets: avax('AVAX deposited.'),
      shares: ggAvax('Shares minted.'),
    },
  ),
  ggAvaxWithdrawn: held(
    'ggAVAX withdrawal',
    [
      'event Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
    ],
    {
      caller: address('Address that called the contract.'),
      receiver: address('Address that received the AVAX.'),
      owner: address('Address whose shares were burned: the withdrawal queue when it fulfills a request.'),
      assets: avax('AVAX paid out.'),
      shares: ggAvax('Shares burned.'),
    },
  ),
  /** Only one that no other entry explains. */
  ggAvaxTransferred: moved(
    'ggAVAX transfer',
    ['event Transfer(address indexed from, address indexed to, uint256 value)'],
    {
      from: address(
        'Sender. The zero address if shares were minted without a deposit. A transfer of 0 shares is no evidence of its sender: anyone can make one from any address (address poisoning).',
      ),
      to: address('Recipient. The zero address can hold shares, too.'),
      shares: fromArgument('value', ggAvax('Shares transferred; 0 is possible.')),
      rate: avax('Redemption rate of one ggAVAX in the state of this block.'),
      assets: avax('Value of the shares in the state of this block.'),
    },
  ),
  rewardsStreamed: streamed(
    'ggAVAX rewards started streaming',
    ['event NewRewardsCycle(uint256 indexed cycleEnd, uint256 rewardsAmt)'],
    {
      rewardsAmt: avax('Rewards that the pool releases evenly until `cycleEnd`.'),
      cycleEnd: unixTime('End of the stream.'),
    },
  ),
  /** `donation` is the one source that changes a balance. */
  yieldAdded: gained(
    'Yield added to ggAVAX',
    [
      ...DEPOSITED_FROM_STAKING,
      'event DepositedAdditionalYield(bytes32 indexed source, address indexed caller, uint256 baseAmount, uint256 rewardAmt)',
      'event YieldDonated(bytes32 indexed source, address indexed caller, uint256 sharesBurnt, uint256 avaxEquivalent)',
    ],
    {
      source: text(
        '`staking`: rewards from minipools and delegations, net of `fee`. `deposit`: yield from elsewhere, net of `fee`. `donation`: shares that `donor` burned.',
      ),
      origin: optional(ownName('Source of the yield')),
      amount: avax('AVAX gained by the pool. For a donation, the value of the burned shares at the rate after it.'),
      fee: optional(avax('AVAX kept by the protocol. Omitted if it kept none.')),
      shares: optional(ggAvax('Shares burned. Omitted unless `source` is `donation`.')),
      donor: optional(address('Address whose shares were burned. Omitted unless `source` is `donation`.')),
    },
  ),
  // Since V3; before, without `purpose`.
  avaxStaked: staked(
    'AVAX staked',
    [
      'event WithdrawnForStaking(bytes32 indexed purpose, address indexed caller, uint256 assets)',
      'event WithdrawnForStaking(address indexed caller, uint256 assets)',
    ],
    {
      purpose: optional(ownName('Purpose')),
      caller: address('Contract or account that took the AVAX.'),
      assets: avax('AVAX taken out of the pool.'),
    },
  ),
  avaxReturned: returned('AVAX back from staking', DEPOSITED_FROM_STAKING, {
    source: optional(ownName('Source')),
    caller: address('Contract or account that brought the AVAX.'),
    nodeID: optional(nodeID('Node that the AVAX was delegated to. Omitted unless the transaction names one.')),
    baseAmt: avax('Principal that came back.'),
    rewardsAmt: avax('Reward that came with it, net of `feeAVAX`. If it is not 0, it is also a `yieldAdded`.'),
    feeAVAX: avax('AVAX of the reward that the protocol kept.'),
  }),
  feeCollected: staked('Fee collected', ['event FeeCollected(bytes32 indexed source, uint256 feeAmount)'], {
    source: ownName('Source of the yield'),
    amount: fromArgument('feeAmount', avax('AVAX that went to the treasury.')),
  }),
  delegationRegistered: delegated(
    'AVAX delegated',
    ['event WithdrawForDelegation(address indexed nodeID, uint256 amount)'],
    {
      nodeID: optional(nodeID('Node named for the delegation. Omitted if none was.')),
      amount: avax('AVAX taken for a delegation outside minipools. The same AVAX is an `avaxStaked`.'),
    },
  ),
};
