/** Numbers of answers that `npm run verify` does not compare, by the reason; `*` stands for all that begins so. */
export const UNCOMPARED: Record<string, readonly string[]> = {
  'what was asked for': ['/prices/at prices.asked', '/rewards/byStake ggpStaked'],
  'how many a list has on all pages': ['/holders total', '/stakers total', '/minipools total'],
  'sums over all pages, and all events or days': [
    ...['receivedAVAX', 'returned', 'rewardsUSD', 'rewardsEUR', 'averageAprPercent', 'usdFrom', 'eurFrom'],
    ...['days.aprPercent', 'days.usdFrom', 'days.eurFrom', '/ggAvax/{address}/rewards totals.*', 'nextCursor'],
  ],
  'what the ledger has recorded': ['coverage.fromBlock', 'coverage.sources', 'recordedCycles'],
  'dates of other answers, and announced ones: test/functions compares them': ['deadlines.time'],
  'from the index of validators and the P-Chain': ['/validators *', '/validators/{nodeID} *'],
  'a state of the service': ['/health *', '/flags *', '/flags/{key} *'],
  'of the pools of exchanges, whose own tests compare it': ['pools.feePercent', 'pools.depth2PercentAVAX'],
};
