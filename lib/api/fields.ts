/** A body's fields, each declared once: `object<Source>()({ name: unit(meaning, read) })` is the schema and makes the body. */

import * as z from 'zod/mini';
import { REASONS, type Reason } from './reasons.ts';

/** The reason of a missing or incomplete field. A bare reason applies whenever the value is undefined. */
type Missing<Source> = Reason | ((source: Source) => Reason | undefined);

/** Reports that a field is missing or incomplete. */
type Report = (name: string, reason: Reason) => void;

/** A field: its schema, made on demand, and its value in JSON, made from the source of the body. */
export interface Field<Source, Schema extends z.ZodMiniType> {
  schema: () => Schema;
  write: (source: Source, report: Report, name: string) => z.input<Schema>;
  /** The names that it may report, under its own name. */
  gaps?: (name: string) => readonly string[];
}

/** A field whose value is the source's property of the same name. */
interface Named<Value, Schema extends z.ZodMiniType> extends Field<unknown, Schema> {
  json: (value: Value, report?: Report) => z.input<Schema>;
}

export type FieldsOf<Source> = Record<string, Field<Source, z.ZodMiniType>>;
type ShapeOf<Own> = {
  [Name in keyof Own]: Own[Name] extends { schema: () => infer Schema extends z.ZodMiniType } ? Schema : never;
};
/** The names of fields without a property of that name, and of its type, in the source. */
type Lacking<Source, Own> = {
  [Name in keyof Own]: Own[Name] extends Named<infer Value, z.ZodMiniType>
    ? Name extends keyof Source
      ? [Source[Name]] extends [Value]
        ? never
        : Name
      : Name
    : never;
}[keyof Own];
type IfNone<Names> = [Names] extends [never] ? [] : [lacking: Names];

/** The unit of a field's values: their schema and their JSON. */
export interface Unit<Value, Schema extends z.ZodMiniType> {
  /** A field that every body has; `missing` returns a reason if its value is incomplete. */
  <Source>(meaning: string, read: (source: Source) => Value, missing?: Missing<Source>): Field<Source, Schema>;
  (meaning?: string): Named<Value, Schema>;
  /** A field that a body lacks if its value is undefined; without a reason, the value does not exist. */
  optional: {
    <Source>(
      meaning: string,
      read: (source: Source) => Value | undefined,
      missing?: Missing<Source>,
    ): Field<Source, z.ZodMiniOptional<Schema>>;
    (meaning?: string): Named<Value | undefined, z.ZodMiniOptional<Schema>>;
  };
  /** The schema and the JSON of such a value, where it is not a field. */
  schema: (meaning?: string) => Schema;
  json: (value: Value, report?: Report) => z.input<Schema>;
  /** The names of the parts that a value may report. */
  parts: readonly string[];
}

/** The unit whose values `json` writes. */
export function unit<Value, Schema extends z.ZodMiniType>(
  schema: (meaning: string) => Schema,
  json: (value: Value, report?: Report) => z.input<Schema>,
  gaps: readonly string[] = [],
  /** The name of a part of the field `name`. */
  nameOf = (name: string, part: string) => `${name}.${part}`,
): Unit<Value, Schema> {
  const fieldWith =
    (schemaOf: (meaning: string) => z.ZodMiniType) =>
    (meaning = '', read?: (source: object) => Value | undefined, missing?: Missing<object>) => ({
      schema: () => schemaOf(meaning),
      write(source: object, report: Report, name: string) {
        const value = read ? read(source) : (source as Record<string, Value | undefined>)[name];
        const reason = typeof missing === 'function' ? missing(source) : value === undefined ? missing : undefined;
        if (reason) report(name, reason);
        return value === undefined ? undefined : json(value, (part, reason) => report(nameOf(name, part), reason));
      },
      gaps: (name: string) => [...(missing ? [name] : []), ...gaps.map((part) => nameOf(name, part))],
    });
  const optional = fieldWith((meaning) => z.optional(schema(meaning)));
  const rest = { optional, schema: (meaning = '') => schema(meaning), json, parts: gaps };
  return Object.assign(fieldWith(schema), rest) as unknown as Unit<Value, Schema>;
}

export function json<Source, Schema extends z.ZodMiniType>(
  schema: () => Schema,
  write: (source: Source) => z.input<Schema>,
): Field<Source, Schema> {
  return { schema, write };
}

/**
 * Objects made from a `Source`, with their fields in this order. `name` is the name of a schema with several uses. `about`
 * describes the schema where its uses have other descriptions or none.
 */
export function object<Source>(name?: string, about?: string) {
  return <Own extends FieldsOf<Source>>(fields: Own, ..._: IfNone<Lacking<Source, Own>>) => {
    const declared = Object.entries(fields);
    const schema = (meaning: string) => {
      const shape = Object.fromEntries(declared.map(([name, field]) => [name, field.schema()])) as ShapeOf<Own>;
      return described(name ? model(name, z.object(shape), about) : z.object(shape), meaning || about);
    };
    const write = (source: Source, report: Report = () => {}) =>
      Object.fromEntries(declared.map(([name, field]) => [name, field.write(source, report, name)])) as z.input<
        z.ZodMiniObject<ShapeOf<Own>>
      >;
    const gaps = declared.flatMap(([name, field]) => field.gaps?.(name) ?? []);
    return Object.assign(unit(schema, write, gaps), { fields });
  };
}

/** Like {@link object}, with `partial` and `reasons`. `typeName` is the type of the names of missing or incomplete fields. */
export function partialObject<Source>(typeName: string, name?: string) {
  return <Own extends FieldsOf<Source>>(fields: Own, ...lacking: IfNone<Lacking<Source, Own>>) => {
    const { parts, schema, json } = object<Source>()(fields, ...lacking);
    const extended = () => {
      const whole = z.object({ ...schema().shape, ...partialShape(typeName, parts) });
      return name ? model(name, whole) : whole;
    };
    const write = (source: Source) => {
      const found: Record<string, Reason> = {};
      const whole = json(source, (name, reason) => {
        found[name] ??= reason;
      });
      const partial = parts.filter((name) => found[name]);
      const reasons = Object.fromEntries(partial.map((name) => [name, found[name]]));
      return { ...whole, ...(partial.length > 0 && { partial, reasons }) } as z.input<ReturnType<typeof extended>>;
    };
    return Object.assign(unit(extended, write), { fields });
  };
}

/** The schemas of `partial` and `reasons`. */
export function partialShape(typeName: string, names: readonly string[]) {
  const reason = model('PartialReason', z.enum(Object.keys(REASONS) as Reason[]));
  const meanings = Object.entries(REASONS).map(([code, meaning]) => `\`${code}\`: ${meaning}`);
  return {
    partial: z.optional(described(z.array(model(typeName, z.enum(names))), 'Omitted or incomplete; see `reasons`.')),
    reasons: z.optional(
      described(
        model('PartialReasons', z.record(z.string(), reason)),
        `Reason for each field in \`partial\`. ${meanings.join('; ')}.`,
      ),
    ),
  };
}

/** Lists of a unit. The first gap of an entry counts for all, under the name that it has in the entry. */
export function list<Value, Schema extends z.ZodMiniType>({ schema, json, parts }: Unit<Value, Schema>) {
  return unit<readonly Value[], z.ZodMiniArray<Schema>>(
    (meaning) => described(z.array(schema()), meaning),
    (values, report) => values.map((value) => json(value, report)) as z.input<z.ZodMiniArray<Schema>>,
    parts,
    (_, part) => part,
  );
}

/** One of a few words; `name` is the name of their schema. */
export function choice<const Word extends string>(name: string, words: readonly Word[]) {
  return unit(
    (meaning) => described(model(name, z.enum(words)), meaning),
    (word: Word) => word,
  );
}

/** Names a schema. The OpenAPI document has it once, described by `about` or else by its first use. */
export function model<Schema extends z.ZodMiniType>(name: string, schema: Schema, about?: string): Schema {
  return schema.check(z.meta({ title: name, about }));
}

export function described<Schema extends z.ZodMiniType>(schema: Schema, meaning: string | undefined): Schema {
  return meaning ? schema.check(z.describe(meaning)) : schema;
}
