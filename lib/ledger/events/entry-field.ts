/**
 * `lib/ledger/events`: the declaration of each entry type: the events it is decoded from, its fields and its participants.
 * The table's rows, the API's schemas and bodies, the archive's columns, docs/events.md and the dashboard's words follow
 * from it.
 */

import type { LedgerUnit } from '../../values/units.ts';

export interface EntryField {
  unit: LedgerUnit;
  meaning: string;
  /** Name of the event's argument, if it differs. */
  argument?: string;
  /** It may be missing. */
  isOptional?: true;
}

/** The groups of events that people choose from. */
export type Group = 'ggAvax' | 'pool' | 'queue' | 'minipools' | 'ggp' | 'rules';

export interface EntryDeclaration {
  label: string;
  groups: readonly Group[];
  emitter: string;
  /** The events as the contract declares them; where its versions differ, all forms. */
  events: readonly string[];
  fields: Readonly<Record<string, EntryField>>;
  /** The fields that name the participants, besides the protocol. */
  participants: { readonly [Kind in SubjectKind]?: readonly string[] };
}

export type SubjectKind = 'staker' | 'node' | 'holder';

/** A field that may be missing. */
export function optional<Field extends EntryField>(field: Field): Field & { isOptional: true } {
  return { ...field, isOptional: true };
}

/** A field with another name than the event's argument. */
export function fromArgument<Field extends EntryField>(argument: string, field: Field): Field {
  return { ...field, argument };
}

export function defineEntries<const Common extends Pick<EntryDeclaration, 'emitter' | 'groups' | 'participants'>>(
  common: Common,
) {
  return <const Event extends string, Fields extends EntryDeclaration['fields']>(
    label: string,
    events: readonly Event[],
    fields: Fields,
  ) => ({ ...common, label, events, fields });
}
