/** Withdrawal requests. */

import { stored } from '../../values/units.ts';
import { defineEntries, fromArgument, optional } from './entry-field.ts';

const { address, avax, ggAvax, integer, ownName, unixTime } = stored;

const REQUEST_ID = integer('ID of the request.');
const REQUESTER = address('Address that owns the request and may claim it.');

const request = defineEntries({ emitter: 'WithdrawQueue', groups: ['queue'], participants: { holder: ['requester'] } });

export const QUEUE_ENTRIES = {
  unstakeRequested: request(
    'Withdrawal requested',
    [
      'event UnstakeRequested(uint256 indexed requestId, address indexed requester, uint256 shares, uint256 expectedAssets, uint48 claimableTime)',
    ],
    {
      requestId: REQUEST_ID,
      requester: REQUESTER,
      shares: ggAvax('Shares handed to the queue.'),
      expectedAssets: avax('AVAX promised, fixed by the request.'),
      claimableTime: unixTime('When the AVAX is expected to be claimable.'),
    },
  ),
  unstakeFulfilled: request(
    'Withdrawal funded',
    ['event RequestFulfilled(bytes32 indexed source, uint256 indexed requestId, uint256 assets)'],
    {
      source: optional(ownName('Source of the AVAX')),
      requestId: REQUEST_ID,
      requester: optional(REQUESTER),
      assets: avax('AVAX set aside for the request.'),
    },
  ),
  unstakeClaimed: request(
    'Withdrawal claimed',
    ['event UnstakeClaimed(uint256 indexed requestId, address indexed claimer, uint256 amount)'],
    {
      requestId: REQUEST_ID,
      requester: fromArgument('claimer', REQUESTER),
      assets: fromArgument('amount', avax('AVAX paid out.')),
    },
  ),
  unstakeCancelled: request(
    'Withdrawal canceled',
    ['event RequestCancelled(uint256 indexed requestId, address indexed requester, uint256 shares)'],
    {
      requestId: REQUEST_ID,
      requester: REQUESTER,
      shares: ggAvax(
        'Shares returned to the requester: as many as the promised AVAX buys then, which is fewer than were handed to the queue if their value has risen.',
      ),
    },
  ),
  unstakeReturned: request(
    'Expired withdrawal returned',
    ['event ExpiredSharesReturned(uint256 indexed requestId, address indexed requester, uint256 shares)'],
    {
      requestId: REQUEST_ID,
      requester: REQUESTER,
      shares: ggAvax(
        'Shares returned to the requester after expiration: those handed to the queue or, if AVAX had been set aside, those that it bought.',
      ),
    },
  ),
};
