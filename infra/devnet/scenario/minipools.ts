import type { Operator } from './people.ts';

export interface MinipoolRow {
  /** Number of the node; the same number is the same node ID. */
  node: number;
  owner: Operator;
  day: number;
  days: number;
  /**
   * The course of its life; by default it runs all cycles that fit, and its owner withdraws. `waits`: the owner has not withdrawn
   * yet. `slashed`: no reward in the last cycle.
   */
  fate?: 'waits' | 'slashed' | 'queued' | 'launched' | 'fails' | 'canceled' | 'canceledByMultisig';
  /** Written by the multisig when it fails or cancels. */
  errorCode?: string;
  /** Name of the hardware provider. */
  hardware?: string;
  /** Registered with its BLS keys; old records have none. */
  bls?: boolean;
}

/** Every minipool, by day of creation. A cycle is 15 days, so 20 days hold one cycle and end with EC1. */
export const MINIPOOLS: readonly MinipoolRow[] = [
  { node: 1, owner: 'ada', day: -24.5, days: 90 },
  { node: 2, owner: 'elena', day: -24.5, days: 60 },
  { node: 3, owner: 'farid', day: -24, days: 90 },
  { node: 4, owner: 'greta', day: -24, days: 30 },
  { node: 5, owner: 'kaya', day: -23.5, days: 30 },
  { node: 6, owner: 'tara', day: -21, days: 90, fate: 'waits', bls: true },
  { node: 7, owner: 'liam', day: -19, days: 75 },
  { node: 8, owner: 'wim', day: -17, days: 20 },
  { node: 9, owner: 'nils', day: -14, days: 45, fate: 'slashed' },
  { node: 10, owner: 'yusuf', day: -11, days: 60 },
  { node: 11, owner: 'tara', day: -9, days: 75, fate: 'waits' },
  { node: 12, owner: 'ada', day: 0.5, days: 90, bls: true },
  { node: 13, owner: 'rosa', day: 1, days: 30, fate: 'fails', errorCode: 'E1' },
  { node: 14, owner: 'elena', day: 3, days: 90 },
  { node: 15, owner: 'liam', day: 4, days: 90 },
  { node: 16, owner: 'mona', day: 6, days: 90 },
  { node: 17, owner: 'greta', day: 8, days: 90 },
  { node: 18, owner: 'ada', day: 10, days: 90 },
  { node: 19, owner: 'jonas', day: 11, days: 90, bls: true },
  { node: 20, owner: 'tara', day: 12, days: 90 },
  { node: 21, owner: 'farid', day: 15, days: 90 },
  { node: 22, owner: 'clara', day: 18.5, days: 90 },
  { node: 23, owner: 'boris', day: 21, days: 75 },
  { node: 24, owner: 'boris', day: 22, days: 90 },
  { node: 25, owner: 'greta', day: 30, days: 75 },
  { node: 26, owner: 'olga', day: 31, days: 60, hardware: 'Artifact', bls: true },
  { node: 27, owner: 'nils', day: 33, days: 60 },
  { node: 28, owner: 'elena', day: 36, days: 60 },
  { node: 29, owner: 'pavel', day: 36.5, days: 60 },
  // Another owner on kaya's node: same index, record overwritten.
  { node: 5, owner: 'quinn', day: 41, days: 60 },
  { node: 30, owner: 'ada', day: 44, days: 60 },
  { node: 31, owner: 'yusuf', day: 50, days: 45 },
  { node: 32, owner: 'samir', day: 51, days: 30, fate: 'fails', errorCode: 'E2' },
  { node: 33, owner: 'vera', day: 56, days: 45, hardware: 'Artifact', bls: true },
  { node: 34, owner: 'liam', day: 58, days: 45 },
  { node: 35, owner: 'umar', day: 61, days: 30, fate: 'canceled' },
  { node: 36, owner: 'elena', day: 62, days: 45 },
  { node: 37, owner: 'hugo', day: 66, days: 15 },
  { node: 38, owner: 'umar', day: 68, days: 30, fate: 'fails', errorCode: 'E3' },
  // The same node once more.
  { node: 1, owner: 'ada', day: 68.5, days: 45 },
  { node: 39, owner: 'farid', day: 69, days: 45 },
  { node: 40, owner: 'tara', day: 70, days: 45 },
  { node: 41, owner: 'xenia', day: 71, days: 30, hardware: 'Cascadia', bls: true },
  { node: 42, owner: 'olga', day: 72.5, days: 15, fate: 'waits', hardware: 'Artifact' },
  { node: 43, owner: 'rosa', day: 77, days: 30, fate: 'canceledByMultisig', errorCode: 'E1' },
  { node: 44, owner: 'ines', day: 80, days: 30, bls: true },
  { node: 45, owner: 'quinn', day: 89.2, days: 30, fate: 'queued' },
  { node: 46, owner: 'samir', day: 89.25, days: 60, fate: 'queued', bls: true },
  { node: 47, owner: 'vera', day: 89.4, days: 45, fate: 'launched', hardware: 'Artifact', bls: true },
  { node: 48, owner: 'pavel', day: 89.5, days: 15, fate: 'launched' },
  { node: 49, owner: 'rosa', day: 89.6, days: 30, fate: 'queued' },
];
