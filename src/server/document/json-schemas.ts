// Schemas as in the OpenAPI document: JSON Schema by zod, with every schema that has an id as a component.

import { z } from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

export type SchemaBook = {
  /** Returns the schema, with its components as references. `input` for requests, `output` for answers. */
  readonly write: (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;
  /** Returns the components of the schemas written so far, by name. */
  readonly components: () => Readonly<Record<string, JsonSchema>>;
};

export function createSchemaBook(): SchemaBook {
  const components = new Map<string, JsonSchema>();
  const known = {
    input: new Map<z.ZodType, JsonSchema>(),
    output: new Map<z.ZodType, JsonSchema>(),
  };
  return {
    write: (schema, io) => {
      const before = known[io].get(schema);
      if (before !== undefined) return before;
      const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: stated });
      for (const [name, each] of Object.entries($defs)) {
        const component = plain(each);
        const same = components.get(name);
        if (same !== undefined && JSON.stringify(same) !== JSON.stringify(component)) {
          throw new Error(`two schemas have the id ${name}`);
        }
        components.set(name, component);
      }
      const written = plain(own);
      known[io].set(schema, written);
      return written;
    },
    components: () => Object.fromEntries(components),
  };
}

/** Adds what a schema states itself: zod leaves out the default of what it transforms, which is what a caller sends. */
function stated({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: object;
}): void {
  const { id: _, ...facts } = z.globalRegistry.get(zodSchema) ?? {};
  Object.assign(jsonSchema, facts);
}

const LOCAL = '#/$defs/';
const SHARED = '#/components/schemas/';
const NULL = { type: 'null' };

/**
 * Normalizes a schema to the form that most documents have, so that client generators can read it: null as a second type,
 * one allowed value as an enumeration, the keys of a record as properties; without bounds and patterns that follow from the
 * type or format.
 */
function plain(schema: JsonSchema): JsonSchema {
  const {
    $ref,
    const: only,
    minimum,
    maximum,
    multipleOf,
    pattern,
    propertyNames,
    ...rest
  } = schema;
  const within = innerPlain(rest);
  const { enum: keys } = (propertyNames ?? {}) as { readonly enum?: readonly string[] };
  return withJoinedNull({
    ...within,
    ...(typeof $ref === 'string' ? { $ref: $ref.replace(LOCAL, SHARED) } : {}),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    // In binary fractions 19.99 is not a multiple of 0.01.
    ...(multipleOf === undefined || !Number.isInteger(multipleOf) ? {} : { multipleOf }),
    ...(pattern === undefined || schema['format'] !== undefined ? {} : { pattern }),
    ...(keys === undefined ? {} : propertiesOf(keys, within)),
  });
}

/** Normalizes the schemas within a schema. */
function innerPlain(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties, anyOf } = schema;
  const isSchema = (value: unknown): value is JsonSchema =>
    typeof value === 'object' && value !== null;
  const named = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(named.map(([name, each]) => [name, plain(each)])) }),
    ...(isSchema(items) ? { items: plain(items) } : {}),
    ...(isSchema(additionalProperties)
      ? { additionalProperties: plain(additionalProperties) }
      : {}),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as readonly JsonSchema[]).map(plain) }),
  };
}

/** Returns a record's keys as properties of one kind. */
function propertiesOf(keys: readonly string[], { additionalProperties }: JsonSchema): JsonSchema {
  const properties = Object.fromEntries(keys.map((key) => [key, additionalProperties]));
  return { properties, additionalProperties: false };
}

/** A schema or null becomes the schema with null next to its type; a choice or null becomes a choice with null. */
function withJoinedNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...own } = schema;
  const [inner, other, ...more] = (anyOf ?? []) as readonly JsonSchema[];
  if (inner === undefined || other?.['type'] !== 'null' || more.length > 0) return schema;
  const { type, anyOf: choices, enum: values } = inner;
  if (Array.isArray(choices)) return { ...inner, ...own, anyOf: [...choices, NULL] };
  if (typeof type !== 'string') return schema;
  const orNull = Array.isArray(values) ? { enum: [...values, null] } : {};
  return { ...inner, ...own, type: [type, 'null'], ...orNull };
}
