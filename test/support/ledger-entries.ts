import { declarationOf, TYPES } from '../../lib/ledger/events/entry-types.ts';
import type { Entry } from '../../lib/ledger/ledger-entry.ts';
import { type LedgerUnit, UNITS } from '../../lib/values/units.ts';

/** 2024-12-30, so that the entries are in two years. */
const START = 1_735_516_800;
const hex = (bytes: number, seed: number) => `0x${seed.toString(16).padStart(2, '0').repeat(bytes)}`;

/** Wei that no double holds, the largest one among them. */
const AMOUNTS = [1n, 123_456_789_012_345_678_901n, 10n ** 38n - 1n, 2n ** 256n - 1n, 0n];

/** A value of each unit, different for each entry. */
function sampleValue(unit: LedgerUnit, seed: number): string | number | bigint {
  const samples = {
    wei: AMOUNTS[seed % AMOUNTS.length] as bigint,
    // The third one is what contracts write for "without end".
    number: [seed, START + seed, 2 ** 48 - 1][seed % 3] as number,
    address: hex(20, (seed % 250) + 1),
    bytes32: hex(32, (seed % 250) + 1),
    text: ['staking', 'a "b", c', 'ä\r\n=1+1'][seed % 3] as string,
  };
  return samples[UNITS[unit].ledger];
}

/** Entries of every type: the first of each has all its fields, the second only those that none lacks. */
export function entriesFrom(block: number, seed = 0): Entry[] {
  return TYPES.flatMap((type, place) =>
    [true, false].map((isWhole, index) => {
      const fields = Object.entries(declarationOf(type).fields).filter(([, { isOptional }]) => isWhole || !isOptional);
      const at = seed + place * 2 + index;
      return {
        block: block + place,
        logIndex: index,
        timestamp: START + (block + place) * 3_600,
        txHash: hex(32, (at % 250) + 1),
        type,
        ...Object.fromEntries(fields.map(([name, { unit }], field) => [name, sampleValue(unit, at + field)])),
      } as Entry;
    }),
  );
}
