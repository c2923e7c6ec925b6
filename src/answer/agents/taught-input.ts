// The arguments of a tool call, as models and scripts write them: a number, a boolean or a list as text, a code as a number. The
// answer to a call that cannot be parsed includes a valid call, because an agent corrects its call by that answer.

import type { z } from 'zod';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

import { once } from '../../base/once.ts';
import { allowedBy } from '../wire/allowed.ts';

/** Maximum wrong arguments listed: the first ones are enough to correct a call. */
const MOST_NAMED = 5;
/** The JSON Schema draft that the protocol uses. */
const JSON_SCHEMA = 'draft-2020-12';

type WrittenSchema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
};

/** Returns a tool's schema, which rejects input in one sentence. `example` is a valid call. */
export function taughtInput<Schema extends z.ZodObject>(
  name: string,
  schema: Schema,
  example: Readonly<z.infer<Schema>>,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const known = Object.entries(schema.shape).map(([argument, type]) =>
    (type as z.ZodType).safeParse(undefined).success ? argument : `${argument} (required)`,
  );
  const { jsonSchema, ...standard } = schema['~standard'];
  const written = once((): WrittenSchema => {
    // Means the same in every draft since 7, so it names none: clients refuse one that they do not know.
    const { $schema: _, ...rest } = jsonSchema.input({ target: JSON_SCHEMA });
    return rest;
  });
  const right = `${name} accepts ${known.join(', ')}, for example ${JSON.stringify(example)}.`;
  return {
    '~standard': {
      ...standard,
      // Cached, because an MCP server requests it whenever it lists its tools, and `/mcp` creates a server for each call.
      jsonSchema: {
        ...jsonSchema,
        input: (options) =>
          options.target === JSON_SCHEMA ? written() : jsonSchema.input(options),
      },
      validate: (given) => {
        const input = typedArguments(given, written().properties ?? {});
        const read = schema.safeParse(input);
        if (read.success) return { value: read.data };
        const wrong = read.error.issues.slice(0, MOST_NAMED).map((issue) => wordsOf(issue, input));
        return { issues: [{ message: `${wrong.join(' ')} ${right}` }] };
      },
    },
  };
}

function wordsOf(issue: z.core.$ZodIssue, input: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, MOST_NAMED).map((key) => JSON.stringify(key.slice(0, 40)));
    return `${names.join(' and ')} ${issue.keys.length === 1 ? 'is' : 'are'} not known.`;
  }
  const [argument] = issue.path;
  if (argument === undefined) return 'The arguments are not an object.';
  const name = String(argument);
  const value = (input as Readonly<Record<string, unknown>>)[name];
  if (value === undefined) return `${name} is missing.`;
  if (issue.code === 'invalid_type' && issue.expected === 'string' && typeof value === 'number') {
    return `${name} is a number that cannot be a code, or has lost digits; send it in quotes.`;
  }
  const allowed = allowedBy(issue);
  return allowed.length === 0
    ? `${name} is wrong.`
    : `${name} is invalid; it must be ${allowed.join(' or ')}.`;
}

/** The part of an argument's JSON Schema that this file uses. */
type Property = { readonly type?: unknown };

/** A JSON number. A double preserves 15 digits of any decimal number. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const MOST_DIGITS = 15;
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false };

/**
 * Returns the input with each argument converted to the type that the tool takes, if that keeps its meaning. Other
 * arguments are unchanged.
 */
function typedArguments(
  input: unknown,
  properties: Readonly<Record<string, Property | undefined>>,
): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, typed(value, properties[name]?.type)]),
  );
}

function typed(value: unknown, type: unknown): unknown {
  if (typeof value === 'number' && type === 'string') return codeOf(value) ?? value;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (type === 'array') return listIn(text) ?? value;
  if (type === 'boolean') return BOOLEANS[text.toLowerCase()] ?? value;
  if (type !== 'number' && type !== 'integer') return value;
  const digits = text.replace(/e.*$/i, '').replaceAll(/\D/g, '').length;
  return NUMBER.test(text) && digits <= MOST_DIGITS ? Number(text) : value;
}

/** Parses a JSON list. Any other text becomes a list of that one text. */
function listIn(text: string): readonly unknown[] | null {
  if (!text.startsWith('[')) return text === '' ? null : [text];
  try {
    return JSON.parse(text) as readonly unknown[];
  } catch {
    return null;
  }
}

/** Larger numbers lost digits when they were parsed, and no code is negative or has decimals. */
const codeOf = (value: number): string | null =>
  Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
