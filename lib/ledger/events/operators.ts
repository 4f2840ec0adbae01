import {
  address,
  avax,
  called,
  type EntryDeclaration,
  ggp,
  hardwareProvider,
  integer,
  nodeID,
  optional,
  seconds,
  status,
} from './entry-field.ts';

/** What operators do and get: GGP, minipools, and the cycles in which GGP is distributed. */

const STAKER = address('Address of the staker.');
const NODE_ID = nodeID('');
const OWNER = optional(address('Owner of the minipool at this block.'));

const OF_A_STAKER = { staker: ['staker'] } as const;
/** `owner` is the node's at that block. */
const OF_A_MINIPOOL = { node: ['nodeID'], staker: ['owner'] } as const;

const STATUS_CHANGED = 'event MinipoolStatusChanged(address indexed nodeID, uint8 indexed status)';

export const OPERATOR_ENTRIES = {
  ggpStaked: {
    label: 'GGP staked',
    groups: ['ggp'],
    emitter: 'Staking',
    events: ['event GGPStaked(address indexed from, uint256 amount)'],
    fields: {
      staker: called('from', STAKER),
      amount: ggp('GGP staked, including GGP that a rewards claim restakes.'),
    },
    concerns: OF_A_STAKER,
  },
  ggpWithdrawn: {
    label: 'GGP withdrawn',
    groups: ['ggp'],
    emitter: 'Staking',
    events: ['event GGPWithdrawn(address indexed to, uint256 amount)'],
    fields: { staker: called('to', STAKER), amount: ggp('GGP withdrawn.') },
    concerns: OF_A_STAKER,
  },
  /** `amount` and `restaked` are together what ClaimNodeOp took from the Vault for the claim. */
  ggpRewardsClaimed: {
    label: 'GGP rewards claimed',
    groups: ['ggp'],
    emitter: 'ClaimNodeOp',
    events: ['event GGPRewardsClaimed(address indexed to, uint256 amount)'],
    fields: {
      staker: STAKER,
      amount: ggp('GGP paid out.'),
      restaked: ggp('GGP restaked in the same transaction, in addition to `amount`.'),
    },
    concerns: OF_A_STAKER,
  },
  ggpSlashed: {
    label: 'GGP slashed',
    groups: ['minipools', 'ggp'],
    emitter: 'MinipoolManager',
    events: ['event GGPSlashed(address indexed nodeID, uint256 ggp)'],
    fields: { nodeID: NODE_ID, owner: OWNER, amount: called('ggp', ggp("GGP taken from the owner's stake.")) },
    concerns: OF_A_MINIPOOL,
  },
  /** A change to Prelaunch that does not follow a cycle in the same transaction: a new node, or one that is used again. */
  minipoolCreated: {
    label: 'Minipool created',
    groups: ['minipools'],
    emitter: 'MinipoolManager',
    events: [STATUS_CHANGED],
    fields: { nodeID: NODE_ID, owner: OWNER },
    concerns: OF_A_MINIPOOL,
  },
  minipoolStatusChanged: {
    label: 'Minipool',
    groups: ['minipools'],
    emitter: 'MinipoolManager',
    events: [STATUS_CHANGED],
    fields: {
      nodeID: NODE_ID,
      owner: OWNER,
      status: status(
        'New status. Minipools withdrawn in 2023 and part of 2024 lack the change to `finished`, for which the contract had no event.',
      ),
      rewardAVAX: optional(
        avax(
          "The operator's reward from the cycle that ended, compounded or to be withdrawn. Only if `status` is `withdrawable`; omitted, too, if the minipool was relaunched in the same block. The sum since the minipool was created or relaunched is its `avaxNodeOpLifetimeRewardAmt`.",
        ),
      ),
    },
    concerns: OF_A_MINIPOOL,
  },
  minipoolLaunched: {
    label: 'Minipool launched',
    groups: ['minipools'],
    emitter: 'MinipoolManager',
    events: ['event MinipoolLaunched(address indexed nodeID, bytes32 hardwareProvider, uint256 duration)'],
    fields: {
      nodeID: NODE_ID,
      owner: OWNER,
      hardwareProvider: hardwareProvider('Hardware provider.'),
      duration: seconds('Total validation time requested.'),
    },
    concerns: OF_A_MINIPOOL,
  },
  /** The parts are by claiming contract. */
  rewardsCycleStarted: {
    label: 'Rewards cycle started',
    groups: ['ggp'],
    emitter: 'RewardsPool',
    events: ['event NewRewardsCycleStarted(uint256 totalRewardsAmt)'],
    fields: {
      number: integer('Number of the cycle.'),
      totalAmt: ggp('GGP minted at the start of the cycle. It pays for the time before.'),
      ClaimNodeOp: ggp('Part of `totalAmt` for node operators.'),
      ClaimProtocolDAO: ggp('Part of `totalAmt` for the DAO.'),
      MultisigManager: ggp('Part of `totalAmt` for the multisigs.'),
    },
    concerns: {},
  },
} as const satisfies Record<string, EntryDeclaration>;
