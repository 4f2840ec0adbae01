import { getCreateAddress } from 'ethers';

/** anvil's first account. It only creates contracts, so its nonces are their positions in the order of creation. */
const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/**
 * The order decides the addresses, and was chosen so that TokenGGP < TokenggAVAX < WAVAX < USDC, as on mainnet: GGP is
 * token0 of its pairs. SAVAX is before TokenggAVAX, as on mainnet: it is token0 of their pool.
 */
export const CREATION_ORDER = [
  ...['Storage', 'Vault', 'ProtocolDAO', 'WAVAX', 'USDC', 'MultisigManager', 'TokenGGP', 'TokenggAVAX', 'Oracle'],
  ...['Staking', 'FirstMinipoolManager', 'RewardsPool', 'ClaimNodeOp', 'ClaimProtocolDAO', 'XAVAX', 'JoeFactory'],
  ...['PangolinFactory', 'LBFactory', 'UniswapV3Factory', 'PharaohFactory'],
  ...['AvaxUsdFeed', 'Trader', 'BlackholeFactory'],
  // Without code before day 25 of the 90, the others before day 45.
  ...['MinipoolManager', 'WithdrawQueue', 'SAVAX', 'Timelock', 'TokenpstAVAX', 'XGGP', 'AssetLocker'],
] as const;

/** Contracts that are not created but etched, so that they are where other networks have them. */
export const ETCHED = {
  EurUsdFeed: '0x192f2DBA961Bb0277520C082d6bfa87D5961333E',
  Multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
};

export type ContractName = (typeof CREATION_ORDER)[number] | keyof typeof ETCHED;

/** Addresses of the devnet's contracts. They never change, so the network's configuration can contain them. */
export const DEVNET_ADDRESSES = {
  ...Object.fromEntries(CREATION_ORDER.map((name, nonce) => [name, getCreateAddress({ from: DEPLOYER, nonce })])),
  ...ETCHED,
} as Record<ContractName, string>;
