/**
 * A body's fields, each declared once: `fields<Source>()({ name: unit(meaning, value) })` is the schema and makes the
 * body. The units are in `units.ts`.
 */

import * as z from 'zod/mini';
import { model } from './schemas.ts';

/** A field: its schema, made on demand, and its value in JSON, made from the source of the body. */
export interface Field<Source, Schema extends z.ZodMiniType> {
  schema: () => Schema;
  value: (source: Source) => z.input<Schema>;
}

type Declared<Source> = Record<string, Field<Source, z.ZodMiniType>>;
type ShapeOf<Fields extends Declared<never>> = { [Name in keyof Fields]: ReturnType<Fields[Name]['schema']> };

export interface Fields<Source, Shape extends z.core.$ZodShape> {
  /** The schemas of the fields, to make an object of, together with other fields or alone. */
  shape: () => Shape;
  /** The names of the fields. */
  names: readonly string[];
  /** The fields of a body. */
  body: (source: Source) => z.input<z.ZodMiniObject<Shape>>;
}

/** The fields of bodies that are made from a `Source`, in their order. */
export function fields<Source>() {
  return <Own extends Declared<Source>>(declared: Own): Fields<Source, ShapeOf<Own>> => {
    const own = Object.entries(declared);
    return {
      names: own.map(([name]) => name),
      shape: () => Object.fromEntries(own.map(([name, { schema }]) => [name, schema()])) as ShapeOf<Own>,
      body: (source) =>
        Object.fromEntries(own.map(([name, { value }]) => [name, value(source)])) as z.input<
          z.ZodMiniObject<ShapeOf<Own>>
        >,
    };
  };
}

/** The unit of a field's values: their schema and their JSON. */
export interface Unit<Value, Schema extends z.ZodMiniType> {
  /** A field that every body has. */
  <Source>(meaning: string, value: (source: Source) => Value): Field<Source, Schema>;
  /** A field that a body lacks if its value is undefined. */
  optional<Source>(
    meaning: string,
    value: (source: Source) => Value | undefined,
  ): Field<Source, z.ZodMiniOptional<Schema>>;
  /** The schema and the JSON of such a value, where it is not a field. */
  schema: (meaning: string) => Schema;
  json: (value: Value) => z.input<Schema>;
}

/** The unit whose values `json` writes. */
export function unit<Value, Schema extends z.ZodMiniType>(
  schema: (meaning: string) => Schema,
  json: (value: Value) => z.input<Schema>,
): Unit<Value, Schema> {
  const field = <Source>(meaning: string, value: (source: Source) => Value): Field<Source, Schema> => ({
    schema: () => schema(meaning),
    value: (source) => json(value(source)),
  });
  const optional = <Source>(meaning: string, value: (source: Source) => Value | undefined) => ({
    schema: () => z.optional(schema(meaning)),
    value: (source: Source) => {
      const known = value(source);
      return known === undefined ? undefined : json(known);
    },
  });
  return Object.assign(field, { optional, schema, json });
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
  return unit<Source, z.ZodMiniObject<Shape>>(schema, own.body);
}

/** Lists of a unit. */
export function list<Value, Schema extends z.ZodMiniType>(
  of: Unit<Value, Schema>,
): Unit<readonly Value[], z.ZodMiniArray<Schema>> {
  return unit(
    (meaning) => described(z.array(of.schema('')), meaning),
    (values) => values.map(of.json) as z.input<z.ZodMiniArray<Schema>>,
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
