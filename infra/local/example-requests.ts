/**
 * A request for each endpoint, by its file, that the devnet answers with a 200. The README's examples, the bench and the tests of
 * all endpoints use these; on another network only the addresses differ.
 */
export const EXAMPLE_REQUESTS: Record<string, string> = {
  prices: '/prices',
  'prices/history': '/prices/history',
  'prices/dex': '/prices/tj',
  'prices/dex-history': '/prices/tj/history',
  'gg-avax': '/ggAvax',
  'gg-avax/history': '/ggAvax/history',
  withdrawals: '/withdrawals',
  'withdrawals/address': '/withdrawals/0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  stakers: '/stakers?eligible=true&sort=ggpStaked&limit=5',
  'stakers/address': '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  minipools: '/minipools?status=prelaunch,launched,staking&limit=5',
  'minipools/node-id': '/minipools/NodeID-ACvymxvWpX1Mt95toBZGoij4aAgkfR53G',
  validators: '/validators?limit=1&sort=stake',
  'validators/node-id': '/validators/NodeID-3FmnJp11g6SbR97KXUGWo8hyASetUG9Jv',
  'rewards/by-stake': '/rewards/byStake?ggpStaked=6000&avaxStaked=1000',
  'rewards/address': '/rewards/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  'rewards/cycle': '/rewards/cycle',
  metrics: '/metrics',
  'metrics/history': '/metrics/history',
  'metrics/apy': '/metrics/apy',
  'metrics/apy-history': '/metrics/apy/history',
  'node-op-spread': '/nodeOpSpread',
  'supply/ggp-total': '/supply/ggp/total',
  flags: '/flags',
  'flags/key': '/flags/windDown',
  root: '/',
  health: '/health',
};
