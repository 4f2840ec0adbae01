/** Addresses that the protocol's `Storage` registry does not hold, from its published deployment lists and the projects named. */

export type NetworkName = 'devnet' | 'fuji' | 'avalanche';

export interface Network {
  name: NetworkName;
  chainId: number;
  /** A block explorer of Etherscan's kind, where there is one. */
  explorer?: string;
  storage: string;
  /** A block before the protocol's first event. */
  firstBlock: number;
  withdrawQueue: string;
  /** Managers that have been replaced, the oldest first: their events are part of the protocol's past. */
  former: { readonly MinipoolManager: readonly string[]; readonly Staking: readonly string[] };
  wavax: string;
  /** BENQI's staked AVAX, where it exists; some pools trade ggAVAX for it. */
  sAvax?: string;
  /** Dollar tokens, 6 decimals, in order of preference; one unit is taken as 1 USD. */
  usdc: readonly string[];
  /** Chainlink AVAX/USD, 8 decimals. */
  avaxUsdFeed: string;
  /** Chainlink EUR/USD, 8 decimals, where there is one. */
  eurUsdFeed?: string;
  pstAvax?: string;
  xGgp?: string;
  xAvax?: string;
  assetLocker?: string;
  timelock?: string;
  /** Unix seconds of the Helicon upgrade, which lowered the reward rate of new validations and raised the uptime needed. */
  heliconTime: number;
  rpcUrls: readonly string[];
  pChainUrls: readonly string[];
  dataApiUrl: string;
  /** In paths of the Data API. */
  dataApiNetwork: 'mainnet' | 'fuji';
}

/** The addresses of contracts around the protocol in which people have funds, by name. */
export function contractsAround({ withdrawQueue, pstAvax, xGgp, xAvax, assetLocker }: Network) {
  return { WithdrawQueue: withdrawQueue, TokenpstAVAX: pstAvax, xGGP: xGgp, xAVAX: xAvax, AssetLocker: assetLocker };
}

/** Contracts behind a proxy, by name. An explorer shows their functions in tabs of their own. */
const PROXIES = ['TokenggAVAX', 'WithdrawQueue', 'TokenpstAVAX', 'AssetLocker', 'xGGP', 'xAVAX'];

/** The page of an explorer that sends transactions to a contract. Undefined on networks without an explorer. */
export function writePageOf({ explorer }: Network, name: string, address: string): string | undefined {
  return explorer && `${explorer}/address/${address}#write${PROXIES.includes(name) ? 'Proxy' : ''}Contract`;
}

/** The same address on every chain that has it. https://github.com/mds1/multicall */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const DATA_API = 'https://data-api.avax.network';

export const NETWORKS: Record<NetworkName, Network> = {
  avalanche: {
    name: 'avalanche',
    chainId: 43114,
    explorer: 'https://snowscan.xyz',
    storage: '0x1cEa17F9dE4De28FeB6A102988E12D4B90DfF1a9',
    // March 2023. The registry was created in about block 28.4 million.
    firstBlock: 28_000_000,
    withdrawQueue: '0x61f908D4992a790A2792D3C36850B4b9eB5849A3',
    former: {
      MinipoolManager: [
        '0xC8De41C35FB389286546cF4107102a7656Da7037',
        '0x9E6579161C6F53722541eDbd5Ac96779C5b280e9',
        '0xb84fA022c7fE1CE3a1F94C49f2F13236C3d1Ed08',
        '0x17395Ad76b236FABeaC3634b78fF8F6970222199',
        // When it was registered is not published.
        '0xE51262211948c338C50640F1d5BdBa4f4D208dEA',
      ],
      Staking: ['0x439776D3786719e1243b628ef05e905679374a5F', '0x9946e68490D71Fe976951e360f295c4Cf8531D00'],
    },
    wavax: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    sAvax: '0x2b2C81e08f1Af8835a78Bb2A90AE924ACE0eA4bE',
    usdc: ['0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', '0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664'],
    avaxUsdFeed: '0x0A77230d17318075983913bC2145DB16C7366156',
    eurUsdFeed: '0x192f2DBA961Bb0277520C082d6bfa87D5961333E',
    pstAvax: '0x6b37756DF77A3798fd4F1476eF48C62bE7e5aAF8',
    xGgp: '0xdF34022e8a280fc79499cA560439Bb6f9797EbD8',
    xAvax: '0x36213ca1483869c5616be738Bf8da7C9B34Ace8d',
    assetLocker: '0xd7c8f6A6b4F2389464aaaBDf57BD864f9dcbD07B',
    timelock: '0xcd385F1947D532186f3F6aaa93966E3e9C14af41',
    // 2026-09-22 15:00 UTC, avalanchego v1.15.0
    heliconTime: 1_790_089_200,
    rpcUrls: [
      'https://api.avax.network/ext/bc/C/rpc',
      'https://avalanche-c-chain-rpc.publicnode.com',
      'https://avalanche.drpc.org',
    ],
    pChainUrls: ['https://api.avax.network/ext/bc/P'],
    dataApiUrl: DATA_API,
    dataApiNetwork: 'mainnet',
  },
  fuji: {
    name: 'fuji',
    chainId: 43113,
    explorer: 'https://testnet.snowscan.xyz',
    storage: '0x399D78327E665D21c8B9582D4843CA5DCA0e7dc4',
    // Before the protocol's code was published, in December 2022.
    firstBlock: 10_000_000,
    withdrawQueue: '0x2978377d8714975985353673cfA32543fE48C903',
    former: { MinipoolManager: [], Staking: [] },
    wavax: '0xd00ae08403B9bbb9124bB305C09058E32C39A48c',
    usdc: ['0xB6076C93701D6a07266c31066B298AeC6dd65c2d'],
    avaxUsdFeed: '0x5498BB86BC934c8D34FDA08E81D444153d0D06aD',
    timelock: '0x07f025229B68500459d902942E40041B546671C8',
    // 2026-07-28 15:00 UTC, avalanchego v1.15.0-fuji
    heliconTime: 1_785_250_800,
    rpcUrls: ['https://api.avax-test.network/ext/bc/C/rpc', 'https://avalanche-fuji-c-chain-rpc.publicnode.com'],
    pChainUrls: ['https://api.avax-test.network/ext/bc/P'],
    dataApiUrl: DATA_API,
    dataApiNetwork: 'fuji',
  },
  /** The embedded chain of `npm start` (infra/devnet). Its providers are known only when it runs. */
  devnet: {
    name: 'devnet',
    chainId: 43112,
    storage: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    firstBlock: 1,
    withdrawQueue: '0xa85233C63b9Ee964Add6F2cffe00Fd84eb32338f',
    // Found in the registry, like any contract that is not listed.
    former: { MinipoolManager: [], Staking: [] },
    wavax: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
    sAvax: '0x4A679253410272dd5232B3Ff7cF5dbB88f295319',
    usdc: ['0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9'],
    avaxUsdFeed: '0xc6e7DF5E7b4f2A278906862b61205850344D4e7d',
    eurUsdFeed: '0x192f2DBA961Bb0277520C082d6bfa87D5961333E',
    pstAvax: '0x09635F643e140090A9A8Dcd712eD6285858ceBef',
    xGgp: '0xc5a5C42992dECbae36851359345FE25997F5C42d',
    xAvax: '0x9A676e781A523b5d0C0e43731313A708CB607508',
    assetLocker: '0x67d269191c92Caf3cD7723F116c85e6E9bf55933',
    timelock: '0x7a2088a1bFc9d81c55368AE168C2C02570cB814F',
    heliconTime: 1_790_089_200,
    rpcUrls: [],
    pChainUrls: [],
    dataApiUrl: '',
    dataApiNetwork: 'mainnet',
  },
};
