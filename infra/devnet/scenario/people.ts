import { getAddress } from 'ethers';

/** People by role. The order determines the account of each person. */
const STAFF = ['deployer', 'guardian', 'rialto', 'keeper'] as const;

/** Hold ggAVAX. */
const LIQUID_STAKERS = ['alba', 'bruno', 'carla', 'diego', 'erika', 'fabio', 'gilda', 'henri'] as const;

/** Stake GGP and run nodes. */
const OPERATORS = [
  ...['ada', 'boris', 'clara', 'dmitri', 'elena', 'farid', 'greta', 'hugo', 'ines', 'jonas', 'kaya', 'liam', 'mona'],
  ...['nils', 'olga', 'pavel', 'quinn', 'rosa', 'samir', 'tara', 'umar', 'vera', 'wim', 'xenia', 'yusuf'],
] as const;

const NAMES = [...STAFF, ...LIQUID_STAKERS, ...OPERATORS];

export type LiquidStaker = (typeof LIQUID_STAKERS)[number];
export type Operator = (typeof OPERATORS)[number];
export type People = Record<(typeof NAMES)[number], string>;

/** anvil's arguments for their accounts: the well-known mnemonic, and more AVAX each than anybody spends. */
export const ACCOUNTS = [
  ['--mnemonic', 'test test test test test test test test test test test junk'],
  ['--accounts', `${NAMES.length}`],
  ['--balance', '10000000'],
].flat();

export function namePeople(accounts: readonly string[]): People {
  return Object.fromEntries(NAMES.map((name, index) => [name, getAddress(accounts[index] ?? '')])) as People;
}
