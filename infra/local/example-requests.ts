/**
 * A request for each endpoint, by its file, that the devnet answers with a 200. The README's examples, the bench and the tests of
 * all endpoints use these; on another network only the addresses differ.
 */
export const EXAMPLE_REQUESTS: Record<string, string> = {
  prices: '/prices',
  'prices/dex': '/prices/tj',
  'gg-avax': '/ggAvax',
  validators: '/validators?limit=1&sort=stake',
  'validators/node-id': '/validators/NodeID-3FmnJp11g6SbR97KXUGWo8hyASetUG9Jv',
  'rewards/by-stake': '/rewards/byStake?ggpStaked=6000&avaxStaked=1000',
  metrics: '/metrics',
  health: '/health',
};
