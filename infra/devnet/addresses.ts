/**
 * Addresses of the devnet's contracts. One account creates them in a fixed order, so the addresses never change and
 * the network configuration can contain them. All other addresses are found through Storage or a factory.
 */
export const DEVNET_ADDRESSES = {
  Storage: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  WAVAX: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
  USDC: '0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9',
  TokenGGP: '0x0165878A594ca255338adfa4d48449f69242Eb8F',
  /** From day 45 of the 90 on; no code before. */
  WithdrawQueue: '0xa85233C63b9Ee964Add6F2cffe00Fd84eb32338f',
  TokenpstAVAX: '0x09635F643e140090A9A8Dcd712eD6285858ceBef',
  XGGP: '0xc5a5C42992dECbae36851359345FE25997F5C42d',
  AssetLocker: '0x67d269191c92Caf3cD7723F116c85e6E9bf55933',
  XAVAX: '0x9A676e781A523b5d0C0e43731313A708CB607508',
  Timelock: '0x7a2088a1bFc9d81c55368AE168C2C02570cB814F',
  JoeFactory: '0x0B306BF915C4d645ff596e518fAf3F9669b97016',
  PangolinFactory: '0x959922bE3CAee4b8Cd9a407cc3ac1C251C2007B1',
  LBFactory: '0x9A9f2CCfdE556A7E9Ff0848998Aa4a0CFD8863AE',
  UniswapV3Factory: '0x68B1D87F95878fE05B998F19b66F4baba5De1aed',
  PharaohFactory: '0x3Aa5ebB10DC797CAC828524e59A333d0A371443c',
  BlackholeFactory: '0x4ed7c70F96B99c776995fB64377f0d4aB3B0e1C1',
  SAVAX: '0x4A679253410272dd5232B3Ff7cF5dbB88f295319',
  AvaxUsdFeed: '0xc6e7DF5E7b4f2A278906862b61205850344D4e7d',
  EurUsdFeed: '0x192f2DBA961Bb0277520C082d6bfa87D5961333E',
  Multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
} as const;
