import { ApiError } from '../runtime/errors.ts';
import type { NetworkName } from '../runtime/networks.ts';

export type Factory =
  /** Uniswap V2 and its copies: `getPair(a, b)`, constant product. */
  | { kind: 'v2'; address: string }
  /** Trader Joe's Liquidity Book: `getAllLBPairs(a, b)`, bins of constant price. */
  | { kind: 'lb'; address: string }
  /**
   * Concentrated liquidity. Uniswap V3 keys the pools of two tokens by fee, Ramses V3 and its copies by tick spacing,
   * Algebra Integral by the contract that created them.
   */
  | { kind: 'v3'; address: string; key: V3Key; tiers: readonly (number | string)[] };

export type V3Key = 'fee' | 'tickSpacing' | 'deployer';

export interface Exchange {
  code: string;
  aliases: readonly string[];
  name: string;
  factories: Partial<Record<NetworkName, readonly Factory[]>>;
}

const UNISWAP = { kind: 'v3', key: 'fee', tiers: [100, 500, 3_000, 10_000] } as const;
const PHARAOH = { kind: 'v3', key: 'tickSpacing', tiers: [1, 5, 10, 50, 100, 200] } as const;
/**
 * Blackhole's deployers, a contract for each tick spacing. The traded pools of ggAVAX/WAVAX and WAVAX/USDC were created by
 * the first ones, as their addresses prove (CREATE2).
 */
const BLACKHOLE_DEPLOYERS = [
  // The first ones: 1, 50, 100, 200.
  '0xDcFccf2e8c4EfBba9127B80eAc76c5A122125d29',
  '0x58b05074D52D1a84D8FfDAddA3c1b652e8C56994',
  '0xf9221dE143A0E57c324bF2a0f281e605e845D767',
  '0x5D433A94A4a2aA8f9AA34D8D15692Dc2E9960584',
  // The deployers that create pools today: 1, 10, 50, 100, 200.
  '0x43c4b7BD4C173992C6711c631859A2EAC84BF8Db',
  '0x48b1d49fB891bAb3543Db6e902cC54726A133acE',
  '0x14E4E36f70ff06DC874F0e827B174ced91e51Cc8',
  '0x5ef3876cA93b93c9BcfD637783Ed99412b1efF43',
  '0x0AFf494476Dc74CF7BB5Dd005c2B1fE7Be76efA2',
];
const BLACKHOLE = { kind: 'v3', key: 'deployer', tiers: BLACKHOLE_DEPLOYERS } as const;
const LIQUIDITY_BOOK: readonly Factory[] = [
  { kind: 'lb', address: '0x8e42f2F4101563bF679975178e880FD87d3eFd4e' },
  { kind: 'lb', address: '0xb43120c4745967fa9b93E79C149E66B0f2D6Fe0c' },
];

/** The exchange on which GGP is traded. The V1 pair is GGP's market; the protocol's own TWAP reads it, too. */
export const TRADER_JOE: Exchange = {
  code: 'tj',
  aliases: ['traderjoe', 'lfj'],
  name: 'Trader Joe (LFJ)',
  factories: {
    avalanche: [{ kind: 'v2', address: '0x9Ad6C38BE94206cA50bb0d90783181662f0Cfa10' }, ...LIQUIDITY_BOOK],
    fuji: [{ kind: 'v2', address: '0xF5c7d9733e5f53abCC1695820c4818C59B457C2C' }, ...LIQUIDITY_BOOK],
    devnet: [
      { kind: 'v2', address: '0x0B306BF915C4d645ff596e518fAf3F9669b97016' },
      { kind: 'lb', address: '0x9A9f2CCfdE556A7E9Ff0848998Aa4a0CFD8863AE' },
    ],
  },
};

/** The exchanges that the API supports, with the factories from their own documentation. */
export const EXCHANGES: readonly Exchange[] = [
  TRADER_JOE,
  {
    code: 'pangolin',
    aliases: ['png'],
    name: 'Pangolin',
    factories: {
      avalanche: [{ kind: 'v2', address: '0xefa94DE7a4656D787667C749f7E1223D71E9FD88' }],
      devnet: [{ kind: 'v2', address: '0x959922bE3CAee4b8Cd9a407cc3ac1C251C2007B1' }],
    },
  },
  {
    code: 'uniswap',
    aliases: ['uni'],
    name: 'Uniswap V3',
    factories: {
      avalanche: [{ ...UNISWAP, address: '0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD' }],
      devnet: [{ ...UNISWAP, address: '0x68B1D87F95878fE05B998F19b66F4baba5De1aed' }],
    },
  },
  {
    code: 'pharaoh',
    aliases: ['phar'],
    name: 'Pharaoh',
    factories: {
      avalanche: [{ ...PHARAOH, address: '0xAE6E5c62328ade73ceefD42228528b70c8157D0d' }],
      devnet: [{ ...PHARAOH, address: '0x3Aa5ebB10DC797CAC828524e59A333d0A371443c' }],
    },
  },
  {
    code: 'blackhole',
    aliases: ['black'],
    name: 'Blackhole',
    factories: {
      avalanche: [{ ...BLACKHOLE, address: '0x512eb749541B7cf294be882D636218c84a5e9E5F' }],
      devnet: [{ ...BLACKHOLE, address: '0x4ed7c70F96B99c776995fB64377f0d4aB3B0e1C1' }],
    },
  },
];

export function unknownExchange(): ApiError {
  const known = EXCHANGES.map(({ code }) => code).join(', ');
  return new ApiError('DEX_NOT_FOUND', `Unknown exchange. Known codes: ${known}.`);
}

/** The exchange of a code or an alias, in any case. Throws DEX_NOT_FOUND. */
export function requireExchange(name: string): Exchange {
  const wanted = name.toLowerCase();
  const exchange = EXCHANGES.find(({ code, aliases }) => code === wanted || aliases.includes(wanted));
  if (!exchange) throw unknownExchange();
  return exchange;
}
