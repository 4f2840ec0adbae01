/**
 * Values with their unit and meaning, declared once where they are stored: events' fields (lib/ledger/events), values of
 * points (lib/history) and columns of the archive.
 */

/** Declares values of a unit, with their meaning. */
export const inUnit =
  <const Unit extends string>(unit: Unit) =>
  (meaning: string) => ({ unit, meaning });

/** Wei. */
export const avax = inUnit('avax');
export const ggp = inUnit('ggp');
export const ggAvax = inUnit('ggAvax');
/** Scaled by 1e18. */
export const usd = inUnit('usd');
export const integer = inUnit('integer');
export const seconds = inUnit('seconds');
export const unixTime = inUnit('unixTime');
export const address = inUnit('address');
export const hash = inUnit('hash');
export const text = inUnit('text');
/** True or false; in points, 1 or 0. */
export const flag = inUnit('flag');
