/**
 * What a contradiction concerns: only what follows from the events in question. The state is written without an event
 * where the guardian writes to the protocol's storage, which nothing heals; so one such figure must not take down
 * everything else for ever. A contradiction is named `<view> (<contract>)`, and by an address, a node or a request.
 */

export const EVERYTHING = /(?:)/;

/** ggAVAX, which no other contract can write. */
export const GG_AVAX = /\((TokenggAVAX|WithdrawQueue)\)/;

/** The rewards cycles, and what the pool has yielded. */
export const REWARDS_CYCLES = /\((RewardsPool|Vault)\)/;
export const YIELDS = /\((TokenggAVAX|RewardsPool|Vault)\)/;

/** The cycles of minipools. */
export const MINIPOOLS = /\(MinipoolManager\)/;

/** What only its own contract can write, with an event: if that differs, an event is missing. */
export const WRITTEN_WITH_EVENTS = /\((TokenggAVAX|WithdrawQueue|Vault)\)/;

/** The ggAVAX of one holder (lower-case 0x-hex): not what others hold. */
export function ofHolder(holder: string): RegExp {
  return new RegExp(`${GG_AVAX.source}( ${holder}| \\d+)?$`);
}

/** The claims of one staker (0x-hex). */
export function ofClaims(staker: string): RegExp {
  return new RegExp(`\\((Vault|Staking)\\)( ${staker})?$`, 'i');
}
