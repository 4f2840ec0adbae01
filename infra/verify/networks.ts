/** Addresses of the contracts on each network, from other lists than those of `lib`. */

/** `rpcUrl` is used unless `--rpc` names another. A network may lack what is optional. */
export type Network = Record<'Storage' | 'WithdrawQueue' | 'WAVAX' | 'AvaxUsdFeed' | 'JoeFactory', string> &
  Partial<Record<'rpcUrl' | 'EurUsdFeed' | 'TokenpstAVAX' | 'XGGP' | 'XAVAX' | 'AssetLocker', string>>;

/** By chain ID. Sources: the lists of deployments that the protocol, Avalanche and Chainlink publish. */
export const NETWORKS: Record<string, Network> = {
  43114: {
    rpcUrl: 'https://api.avax.network/ext/bc/C/rpc',
    Storage: '0x1cEa17F9dE4De28FeB6A102988E12D4B90DfF1a9',
    WithdrawQueue: '0x61f908D4992a790A2792D3C36850B4b9eB5849A3',
    WAVAX: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    AvaxUsdFeed: '0x0A77230d17318075983913bC2145DB16C7366156',
    EurUsdFeed: '0x192f2DBA961Bb0277520C082d6bfa87D5961333E',
    TokenpstAVAX: '0x6b37756DF77A3798fd4F1476eF48C62bE7e5aAF8',
    XGGP: '0xdF34022e8a280fc79499cA560439Bb6f9797EbD8',
    XAVAX: '0x36213ca1483869c5616be738Bf8da7C9B34Ace8d',
    AssetLocker: '0xd7c8f6A6b4F2389464aaaBDf57BD864f9dcbD07B',
    JoeFactory: '0x9Ad6C38BE94206cA50bb0d90783181662f0Cfa10',
  },
  43113: {
    rpcUrl: 'https://api.avax-test.network/ext/bc/C/rpc',
    Storage: '0x399D78327E665D21c8B9582D4843CA5DCA0e7dc4',
    WithdrawQueue: '0x2978377d8714975985353673cfA32543fE48C903',
    WAVAX: '0xd00ae08403B9bbb9124bB305C09058E32C39A48c',
    AvaxUsdFeed: '0x5498BB86BC934c8D34FDA08E81D444153d0D06aD',
    JoeFactory: '0xF5c7d9733e5f53abCC1695820c4818C59B457C2C',
  },
  /** The devnet of `npm start`. */
  43112: {
    Storage: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    WithdrawQueue: '0xa85233C63b9Ee964Add6F2cffe00Fd84eb32338f',
    WAVAX: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
    AvaxUsdFeed: '0xc6e7DF5E7b4f2A278906862b61205850344D4e7d',
    EurUsdFeed: '0x192f2DBA961Bb0277520C082d6bfa87D5961333E',
    TokenpstAVAX: '0x09635F643e140090A9A8Dcd712eD6285858ceBef',
    XGGP: '0xc5a5C42992dECbae36851359345FE25997F5C42d',
    XAVAX: '0xE6E340D132b5f46d1e472DebcD681B2aBc16e57E',
    AssetLocker: '0x67d269191c92Caf3cD7723F116c85e6E9bf55933',
    JoeFactory: '0x0B306BF915C4d645ff596e518fAf3F9669b97016',
  },
};
