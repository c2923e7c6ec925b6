// The answer to a tool call that cannot be parsed. An agent corrects its call by that answer, so it includes a valid call.

import type { z } from 'zod';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

import { once } from '../../base/once.ts';
import { allowedBy } from '../wire/allowed.ts';
import { typedArguments } from './typed-arguments.ts';

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
