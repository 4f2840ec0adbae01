/**
 * A body's fields, each declared once: `fields<Source>()({ name: unit(meaning, value) })` is the schema and makes the
 * body. The units are in `units.ts`.
 */

import * as z from 'zod/mini';
import { ifKnown } from '../runtime/if-known.ts';
import { partialShape, type Reason } from './reasons.ts';
import { model } from './schemas.ts';

/** The reason of a missing or incomplete field. A bare reason applies whenever the value is undefined. */
type Missing<Source> = Reason | ((source: Source) => Reason | undefined);

/** A name in `partial`, and its reason in the body of a source. */
interface Gap<Source> {
  name: string;
  reason: (source: Source) => Reason | undefined;
}

/** A field: its schema, made on demand, and its value in JSON, made from the source of the body. */
export interface Field<Source, Schema extends z.ZodMiniType> {
  schema: () => Schema;
  value: (source: Source) => z.input<Schema>;
  /** The gaps that the field, of this name, and its parts may have. */
  gaps?: (name: string) => Gap<Source>[];
}

type Declared<Source> = Record<string, Field<Source, z.ZodMiniType>>;
type ShapeOf<Fields extends Declared<never>> = { [Name in keyof Fields]: ReturnType<Fields[Name]['schema']> };

export interface Fields<Source, Shape extends z.core.$ZodShape> {
  /** The schemas of the fields, to make an object of, together with other fields or alone. */
  shape: () => Shape;
  /** The gaps that the fields and their parts may have. */
  gaps: readonly Gap<Source>[];
  /** The fields of a body. */
  body: (source: Source) => z.input<z.ZodMiniObject<Shape>>;
}

/** The fields of bodies that are made from a `Source`, in their order. */
export function fields<Source>() {
  return <Own extends Declared<Source>>(declared: Own): Fields<Source, ShapeOf<Own>> & { declared: Own } => {
    const own = Object.entries(declared);
    return {
      declared,
      shape: () => Object.fromEntries(own.map(([name, { schema }]) => [name, schema()])) as ShapeOf<Own>,
      gaps: own.flatMap(([name, { gaps }]) => gaps?.(name) ?? []),
      body: (source) =>
        Object.fromEntries(own.map(([name, { value }]) => [name, value(source)])) as z.input<
          z.ZodMiniObject<ShapeOf<Own>>
        >,
    };
  };
}

/**
 * Like {@link fields}, for a body that names its missing and incomplete fields: `partial` and `reasons` follow its other
 * fields. `typeName` is the name of the type of these names.
 */
export function partialFields<Source>(typeName: string) {
  return <Own extends Declared<Source>>(declared: Own) => {
    const { shape, gaps, body } = fields<Source>()(declared);
    const names = gaps.map(({ name }) => name);
    return {
      shape: () => ({ ...shape(), ...partialShape(typeName, names) }),
      gaps,
      body: (source: Source) => {
        const missing = gaps.flatMap(
          ({ name, reason }) => ifKnown((why) => [[name, why] as const], reason(source)) ?? [],
        );
        const [partial, reasons] = [missing.map(([name]) => name), Object.fromEntries<Reason>(missing)];
        return { ...body(source), ...(partial.length > 0 && { partial, reasons }) };
      },
    };
  };
}

/** The unit of a field's values: their schema and their JSON. */
export interface Unit<Value, Schema extends z.ZodMiniType> {
  /** A field that every body has; `missing` returns a reason if its value is incomplete. */
  <Source>(meaning: string, value: (source: Source) => Value, missing?: Missing<Source>): Field<Source, Schema>;
  /** A field that a body lacks if its value is undefined; without a reason, the value does not exist. */
  optional<Source>(
    meaning: string,
    value: (source: Source) => Value | undefined,
    missing?: Missing<Source>,
  ): Field<Source, z.ZodMiniOptional<Schema>>;
  /** The schema and the JSON of such a value, where it is not a field. */
  schema: (meaning: string) => Schema;
  json: (value: Value) => z.input<Schema>;
  /** The gaps that parts of a value may have; `prefix` precedes their names. */
  gaps: (prefix: string) => Gap<Value>[];
}

/** The unit whose values `json` writes. */
export function unit<Value, Schema extends z.ZodMiniType>(
  schema: (meaning: string) => Schema,
  json: (value: Value) => z.input<Schema>,
  gaps: (prefix: string) => Gap<Value>[] = () => [],
): Unit<Value, Schema> {
  const gapsOf =
    <Source>(value: (source: Source) => Value | undefined, missing?: Missing<Source>) =>
    (name: string): Gap<Source>[] => {
      const ofField =
        typeof missing === 'function'
          ? missing
          : (source: Source) => (value(source) === undefined ? missing : undefined);
      const ofParts = gaps(`${name}.`).map(({ name, reason }) => ({
        name,
        reason: (source: Source) => ifKnown(reason, value(source)),
      }));
      return missing ? [{ name, reason: ofField }, ...ofParts] : ofParts;
    };
  const field = <Source>(meaning: string, value: (source: Source) => Value, missing?: Missing<Source>) => ({
    schema: () => schema(meaning),
    value: (source: Source) => json(value(source)),
    gaps: gapsOf(value, missing),
  });
  const optional: Unit<Value, Schema>['optional'] = (meaning, value, missing) => ({
    schema: () => z.optional(schema(meaning)),
    value: (source) => ifKnown(json, value(source)),
    gaps: gapsOf(value, missing),
  });
  return Object.assign(field, { optional, schema, json, gaps });
}

/** A field whose value is JSON already. */
export function json<Source, Schema extends z.ZodMiniType>(
  schema: () => Schema,
  value: (source: Source) => z.input<Schema>,
): Field<Source, Schema> {
  return { schema, value };
}

/**
 * Objects with fields of their own. `name` is the name of their schema, undefined for a schema that is used once. `about`
 * describes the schema where its uses differ.
 */
export function object<Source, Shape extends z.core.$ZodShape>(
  name: string | undefined,
  own: Fields<Source, Shape>,
  about?: string,
): Unit<Source, z.ZodMiniObject<Shape>> {
  const schema = (meaning: string) => {
    const shape = z.object(own.shape());
    return described(name ? model(name, shape, about) : shape, meaning);
  };
  return unit<Source, z.ZodMiniObject<Shape>>(schema, own.body, (prefix) =>
    own.gaps.map(({ name, reason }) => ({ name: prefix + name, reason })),
  );
}

/** Lists of a unit. A gap of one entry counts for all, under the name that it has in the entry. */
export function list<Value, Schema extends z.ZodMiniType>(
  of: Unit<Value, Schema>,
): Unit<readonly Value[], z.ZodMiniArray<Schema>> {
  return unit(
    (meaning) => described(z.array(of.schema('')), meaning),
    (values) => values.map(of.json) as z.input<z.ZodMiniArray<Schema>>,
    () =>
      of.gaps('').map(({ name, reason }) => ({
        name,
        reason: (values: readonly Value[]) => values.map(reason).find((each) => each),
      })),
  );
}

/** One of a few words; `name` is the name of their schema. */
export function choice<const Word extends string>(name: string, words: readonly Word[]) {
  return unit(
    (meaning) => described(model(name, z.enum(words)), meaning),
    (word: Word) => word,
  );
}

function described<Schema extends z.ZodMiniType>(schema: Schema, meaning: string): Schema {
  return meaning ? schema.check(z.describe(meaning)) : schema;
}
