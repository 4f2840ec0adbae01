/** Entries of operators: GGP, minipools, and the cycles in which GGP is distributed. */

import { stored } from '../../values/units.ts';
import { defineEntries, fromArgument, optional } from './entry-field.ts';

const { address, avax, ggp, hardwareProvider, integer, nodeID, seconds, status } = stored;

const STAKER = address('Address of the staker.');
const NODE_ID = nodeID('');
const OWNER = optional(address('Owner of the minipool at this block.'));

const OF_A_STAKER = { staker: ['staker'] } as const;
/** `owner` is the node's at that block. */
const OF_A_MINIPOOL = { node: ['nodeID'], staker: ['owner'] } as const;

const staking = defineEntries({ emitter: 'Staking', groups: ['ggp'], participants: OF_A_STAKER });
const claim = defineEntries({ emitter: 'ClaimNodeOp', groups: ['ggp'], participants: OF_A_STAKER });
const minipool = defineEntries({ emitter: 'MinipoolManager', groups: ['minipools'], participants: OF_A_MINIPOOL });
const slashing = defineEntries({
  emitter: 'MinipoolManager',
  groups: ['minipools', 'ggp'],
  participants: OF_A_MINIPOOL,
});
const cycle = defineEntries({ emitter: 'RewardsPool', groups: ['ggp'], participants: {} });

const STATUS_CHANGED = 'event MinipoolStatusChanged(address indexed nodeID, uint8 indexed status)';

export const OPERATOR_ENTRIES = {
  ggpStaked: staking('GGP staked', ['event GGPStaked(address indexed from, uint256 amount)'], {
    staker: fromArgument('from', STAKER),
    amount: ggp('GGP staked, including GGP that a rewards claim restakes.'),
  }),
  ggpWithdrawn: staking('GGP withdrawn', ['event GGPWithdrawn(address indexed to, uint256 amount)'], {
    staker: fromArgument('to', STAKER),
    amount: ggp('GGP withdrawn.'),
  }),
  /** `amount` and `restaked` are together what ClaimNodeOp took from the Vault for the claim. */
  ggpRewardsClaimed: claim('GGP rewards claimed', ['event GGPRewardsClaimed(address indexed to, uint256 amount)'], {
    staker: STAKER,
    amount: ggp('GGP paid out.'),
    restaked: ggp('GGP restaked in the same transaction, in addition to `amount`.'),
  }),
  ggpSlashed: slashing('GGP slashed', ['event GGPSlashed(address indexed nodeID, uint256 ggp)'], {
    nodeID: NODE_ID,
    owner: OWNER,
    amount: fromArgument('ggp', ggp("GGP taken from the owner's stake.")),
  }),
  /** A change to Prelaunch that does not follow a cycle in the same transaction: a new node, or one that is used again. */
  minipoolCreated: minipool('Minipool created', [STATUS_CHANGED], { nodeID: NODE_ID, owner: OWNER }),
  minipoolStatusChanged: minipool('Minipool', [STATUS_CHANGED], {
    nodeID: NODE_ID,
    owner: OWNER,
    status: status(
      'New status. Minipools withdrawn in 2023 and part of 2024 lack the change to `finished`, because the contract had no event for it.',
    ),
    rewardAVAX: optional(
      avax(
        "The operator's reward of the ended cycle, compounded or to be withdrawn. Only if `status` is `withdrawable`; omitted if the minipool was relaunched, or withdrawn with less, in the same block. The sum since creation or relaunch is `avaxNodeOpLifetimeRewardAmt`.",
      ),
    ),
  }),
  minipoolLaunched: minipool(
    'Minipool launched',
    ['event MinipoolLaunched(address indexed nodeID, bytes32 hardwareProvider, uint256 duration)'],
    {
      nodeID: NODE_ID,
      owner: OWNER,
      hardwareProvider: hardwareProvider('Hardware provider.'),
      duration: seconds('Total validation time requested.'),
    },
  ),
  /** The parts are by claiming contract. */
  rewardsCycleStarted: cycle('Rewards cycle started', ['event NewRewardsCycleStarted(uint256 totalRewardsAmt)'], {
    number: integer('Number of the cycle.'),
    totalAmt: optional(ggp('GGP minted at the start of the cycle, for the time before.')),
    ClaimNodeOp: ggp('Part of `totalAmt` for node operators.'),
    ClaimProtocolDAO: ggp('Part of `totalAmt` for the DAO.'),
    MultisigManager: ggp('Part of `totalAmt` for the multisigs.'),
  }),
};
