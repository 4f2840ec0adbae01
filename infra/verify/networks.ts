/** Addresses of the contracts on each network. Shares nothing with the service that is verified. */

import type { Quoter } from './sale.ts';

export interface Network {
  /** Used unless `--rpc` names another. */
  rpcUrl?: string;
  /** The protocol's registry of contracts. */
  Storage: string;
  /** Time (unix seconds) of the P-Chain's Helicon upgrade, which lowers rewards. */
  heliconTime: number;
  /** Not in the registry, like the other two. */
  WithdrawQueue: string;
  WAVAX: string;
  /** Chainlink AVAX/USD, 8 decimals. */
  AvaxUsdFeed: string;
  /** Chainlink EUR/USD, 8 decimals. */
  EurUsdFeed?: string;
  /** Contracts around the protocol, where they are known. */
  TokenpstAVAX?: string;
  XGGP?: string;
  XAVAX?: string;
  AssetLocker?: string;
  /** Trader Joe's V1 factory, whose pair is the market of GGP. */
  JoeFactory: string;
  /** BENQI's staked AVAX. */
  SAVAX?: string;
  /** By the codes of the exchanges that have one. */
  quoters?: Record<string, Quoter>;
}

/** By chain ID. Sources: the lists of deployments that the protocol, Avalanche and Chainlink publish. */
export const NETWORKS: Record<string, Network> = {
  43114: {
    rpcUrl: 'https://api.avax.network/ext/bc/C/rpc',
    Storage: '0x1cEa17F9dE4De28FeB6A102988E12D4B90DfF1a9',
    heliconTime: 1_790_089_200,
    WithdrawQueue: '0x61f908D4992a790A2792D3C36850B4b9eB5849A3',
    WAVAX: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    AvaxUsdFeed: '0x0A77230d17318075983913bC2145DB16C7366156',
    EurUsdFeed: '0x192f2DBA961Bb0277520C082d6bfa87D5961333E',
    TokenpstAVAX: '0x6b37756DF77A3798fd4F1476eF48C62bE7e5aAF8',
    XGGP: '0xdF34022e8a280fc79499cA560439Bb6f9797EbD8',
    XAVAX: '0x36213ca1483869c5616be738Bf8da7C9B34Ace8d',
    AssetLocker: '0xd7c8f6A6b4F2389464aaaBDf57BD864f9dcbD07B',
    JoeFactory: '0x9Ad6C38BE94206cA50bb0d90783181662f0Cfa10',
    SAVAX: '0x2b2C81e08f1Af8835a78Bb2A90AE924ACE0eA4bE',
    quoters: {
      uniswap: { key: 'fee', address: '0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F' },
      pharaoh: { key: 'tickSpacing', address: '0xB7297301b7CC659BB96D51754643A0Df6eEA2138' },
      blackhole: {
        ...{ key: 'deployer', address: '0x3e182bcf14Be6142b9217847ec1112e3c39Eb689' },
        factory: '0x512eb749541B7cf294be882D636218c84a5e9E5F',
        deployers: [
          '0xDcFccf2e8c4EfBba9127B80eAc76c5A122125d29',
          '0x58b05074D52D1a84D8FfDAddA3c1b652e8C56994',
          '0xf9221dE143A0E57c324bF2a0f281e605e845D767',
          '0x5D433A94A4a2aA8f9AA34D8D15692Dc2E9960584',
          '0x43c4b7BD4C173992C6711c631859A2EAC84BF8Db',
          '0x48b1d49fB891bAb3543Db6e902cC54726A133acE',
          '0x14E4E36f70ff06DC874F0e827B174ced91e51Cc8',
          '0x5ef3876cA93b93c9BcfD637783Ed99412b1efF43',
          '0x0AFf494476Dc74CF7BB5Dd005c2B1fE7Be76efA2',
        ],
      },
    },
  },
  43113: {
    rpcUrl: 'https://api.avax-test.network/ext/bc/C/rpc',
    Storage: '0x399D78327E665D21c8B9582D4843CA5DCA0e7dc4',
    heliconTime: 1_785_250_800,
    WithdrawQueue: '0x2978377d8714975985353673cfA32543fE48C903',
    WAVAX: '0xd00ae08403B9bbb9124bB305C09058E32C39A48c',
    AvaxUsdFeed: '0x5498BB86BC934c8D34FDA08E81D444153d0D06aD',
    JoeFactory: '0xF5c7d9733e5f53abCC1695820c4818C59B457C2C',
  },
  /** The devnet of `npm start`. */
  43112: {
    Storage: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    heliconTime: 1_790_089_200,
    WithdrawQueue: '0xa85233C63b9Ee964Add6F2cffe00Fd84eb32338f',
    WAVAX: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
    AvaxUsdFeed: '0xc6e7DF5E7b4f2A278906862b61205850344D4e7d',
    EurUsdFeed: '0x192f2DBA961Bb0277520C082d6bfa87D5961333E',
    TokenpstAVAX: '0x09635F643e140090A9A8Dcd712eD6285858ceBef',
    XGGP: '0xc5a5C42992dECbae36851359345FE25997F5C42d',
    XAVAX: '0xE6E340D132b5f46d1e472DebcD681B2aBc16e57E',
    AssetLocker: '0x67d269191c92Caf3cD7723F116c85e6E9bf55933',
    JoeFactory: '0x0B306BF915C4d645ff596e518fAf3F9669b97016',
    SAVAX: '0x84eA74d481Ee0A5332c457a4d796187F6Ba67fEB',
    quoters: {
      uniswap: { key: 'fee', address: '0x4A679253410272dd5232B3Ff7cF5dbB88f295319' },
      pharaoh: { key: 'tickSpacing', address: '0x7a2088a1bFc9d81c55368AE168C2C02570cB814F' },
      blackhole: {
        ...{ key: 'deployer', address: '0x9E545E3C0baAB3E08CdfD552C960A1050f373042' },
        factory: '0xa37aE2b259D35aF4aBdde122eC90B204323ED304',
        deployers: ['0xDcFccf2e8c4EfBba9127B80eAc76c5A122125d29'],
      },
    },
  },
};
