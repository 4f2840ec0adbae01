/** Units of fields of events, values of points and columns of the archive. Their JSON is in lib/api/units.ts. */

/** Types of columns. `decimal`: a bigint, scaled by 1e18. `time`: Unix seconds. `integer`: at most 2^53. `number`: a double. */
export type ColumnType = 'decimal' | 'time' | 'integer' | 'number' | 'text' | 'flag';

/** Forms of the ledger's fields. `wei`: a bigint. `address` (20 bytes) and `bytes32`: lower-case 0x-hex. */
type LedgerForm = 'wei' | 'number' | 'address' | 'bytes32' | 'text';

export interface UnitDeclaration {
  column: ColumnType;
  /** For people: AVAX, percent, seconds. */
  symbol?: string;
  /** Only units of the ledger's fields have one. */
  ledger?: LedgerForm;
}

export const UNITS = {
  /** Wei. */
  avax: { column: 'decimal', symbol: 'AVAX', ledger: 'wei' },
  ggp: { column: 'decimal', symbol: 'GGP', ledger: 'wei' },
  ggAvax: { column: 'decimal', symbol: 'ggAVAX', ledger: 'wei' },
  /** Scaled by 1e18. */
  usd: { column: 'decimal', symbol: 'USD' },
  integer: { column: 'integer', ledger: 'number' },
  seconds: { column: 'integer', symbol: 'seconds', ledger: 'number' },
  unixTime: { column: 'time', ledger: 'number' },
  /** Number of the status in the contract. */
  status: { column: 'integer', ledger: 'number' },
  /** True or false; in points, 1 or 0. */
  flag: { column: 'flag' },
  address: { column: 'text', ledger: 'address' },
  nodeID: { column: 'text', ledger: 'address' },
  hash: { column: 'text', ledger: 'bytes32' },
  hardwareProvider: { column: 'text', ledger: 'bytes32' },
  /** A contract's name for the source or the purpose of AVAX. */
  ownName: { column: 'text', ledger: 'bytes32' },
  text: { column: 'text', ledger: 'text' },
} as const satisfies Record<string, UnitDeclaration>;

export type Unit = keyof typeof UNITS;

export type LedgerUnit = { [U in Unit]: (typeof UNITS)[U] extends { ledger: LedgerForm } ? U : never }[Unit];

/** Declares values of a unit, with their meaning: `stored.avax('Assets of the pool.')`. */
export const stored = Object.fromEntries(
  Object.keys(UNITS).map((unit) => [unit, (meaning: string) => ({ unit, meaning })]),
) as { [U in Unit]: (meaning: string) => { unit: U; meaning: string } };
