import {
  address,
  avax,
  called,
  type EntryDeclaration,
  ggAvax,
  integer,
  optional,
  ownName,
  unixTime,
} from './entry-field.ts';

/** Withdrawal requests. */

const REQUEST_ID = integer('ID of the request.');
const REQUESTER = address('Address that owns the request and may claim it.');

const OF_THE_QUEUE = {
  groups: ['queue'],
  emitter: 'WithdrawQueue',
  concerns: { holder: ['requester'] },
} as const;

export const QUEUE_ENTRIES = {
  unstakeRequested: {
    ...OF_THE_QUEUE,
    label: 'Withdrawal requested',
    events: [
      'event UnstakeRequested(uint256 indexed requestId, address indexed requester, uint256 shares, uint256 expectedAssets, uint48 claimableTime)',
    ],
    fields: {
      requestId: REQUEST_ID,
      requester: REQUESTER,
      shares: ggAvax('Shares handed to the queue.'),
      expectedAssets: avax('AVAX promised, fixed by the request.'),
      claimableTime: unixTime('When the AVAX is expected to be claimable.'),
    },
  },
  unstakeFulfilled: {
    ...OF_THE_QUEUE,
    label: 'Withdrawal funded',
    events: ['event RequestFulfilled(bytes32 indexed source, uint256 indexed requestId, uint256 assets)'],
    fields: {
      source: optional(ownName('Source of the AVAX')),
      requestId: REQUEST_ID,
      requester: optional(REQUESTER),
      assets: avax('AVAX set aside for the request.'),
    },
  },
  unstakeClaimed: {
    ...OF_THE_QUEUE,
    label: 'Withdrawal claimed',
    events: ['event UnstakeClaimed(uint256 indexed requestId, address indexed claimer, uint256 amount)'],
    fields: {
      requestId: REQUEST_ID,
      requester: called('claimer', REQUESTER),
      assets: called('amount', avax('AVAX paid out.')),
    },
  },
  unstakeCancelled: {
    ...OF_THE_QUEUE,
    label: 'Withdrawal canceled',
    events: ['event RequestCancelled(uint256 indexed requestId, address indexed requester, uint256 shares)'],
    fields: {
      requestId: REQUEST_ID,
      requester: REQUESTER,
      shares: ggAvax(
        'Shares returned to the requester: those that the promised AVAX buys by then, so fewer than were handed to the queue if their value has risen.',
      ),
    },
  },
  unstakeReturned: {
    ...OF_THE_QUEUE,
    label: 'Expired withdrawal returned',
    events: ['event ExpiredSharesReturned(uint256 indexed requestId, address indexed requester, uint256 shares)'],
    fields: {
      requestId: REQUEST_ID,
      requester: REQUESTER,
      shares: ggAvax(
        'Shares returned to the requester after the request had expired: those handed to the queue or, if AVAX had been set aside for the request, the shares that this AVAX bought.',
      ),
    },
  },
} as const satisfies Record<string, EntryDeclaration>;
