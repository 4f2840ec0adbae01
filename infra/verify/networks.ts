/** Addresses of the contracts on each network, from other lists than those of `lib`. */

import { DEVNET_ADDRESSES } from '../devnet/addresses.ts';

/** By name. `rpcUrl` is used unless `--rpc` names another. */
export type Network = Partial<Record<string, string>>;

/** What a network lacks of these does not exist there. All other contracts are in the registry. */
const AVALANCHE = {
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
};
export const UNREGISTERED: readonly string[] = Object.keys(AVALANCHE);

/** By chain ID. Sources: the lists of deployments that the protocol, Avalanche and Chainlink publish. */
export const NETWORKS: Record<string, Network> = {
  43114: AVALANCHE,
  43113: {
    rpcUrl: 'https://api.avax-test.network/ext/bc/C/rpc',
    Storage: '0x399D78327E665D21c8B9582D4843CA5DCA0e7dc4',
    WithdrawQueue: '0x2978377d8714975985353673cfA32543fE48C903',
    WAVAX: '0xd00ae08403B9bbb9124bB305C09058E32C39A48c',
    AvaxUsdFeed: '0x5498BB86BC934c8D34FDA08E81D444153d0D06aD',
    JoeFactory: '0xF5c7d9733e5f53abCC1695820c4818C59B457C2C',
  },
  43112: DEVNET_ADDRESSES,
};
