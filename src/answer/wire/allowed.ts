// Describes for the sender the values that a schema accepts in place of one that it rejected.

/** The fields used from zod's issue type. */
export type SchemaIssue = {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
  /** For a wrong type: the expected one. */
  readonly expected?: string | undefined;
  /** For a value that is not allowed: the allowed ones. */
  readonly values?: readonly unknown[] | undefined;
  /** For a value or a length that is out of bounds: the name of the bounded quantity. */
  readonly origin?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly inclusive?: boolean | undefined;
  readonly divisor?: number | bigint | undefined;
  /** For a union: the issues of each of its members. */
  readonly errors?: readonly (readonly SchemaIssue[])[] | undefined;
  /** For a schema that states itself what it accepts: `allowed`. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
};

const TYPE_WORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['a string'],
  number: ['a number'],
  int: ['a whole number'],
  boolean: ['true', 'false'],
  array: ['a list'],
  object: ['an object'],
};

/** Lists what a schema accepts in place of this issue's value: in its own words, else in those for zod's checks. */
export function allowedBy(issue: SchemaIssue): readonly string[] {
  const own = issue.params?.['allowed'];
  if (Array.isArray(own)) return own.map(String);
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_WORDS[issue.expected ?? ''] ?? [];
    case 'invalid_value':
      return (issue.values ?? []).map(String);
    case 'invalid_union':
      return (issue.errors ?? []).flat().flatMap(allowedBy);
    case 'too_small':
      return [
        `${issue.inclusive === false ? 'more than' : 'at least'} ${sizeOf(issue, issue.minimum)}`,
      ];
    case 'too_big':
      return [
        `${issue.inclusive === false ? 'less than' : 'at most'} ${sizeOf(issue, issue.maximum)}`,
      ];
    case 'not_multiple_of':
      return [`a multiple of ${issue.divisor}`];
    default:
      return [];
  }
}

/** Formats `1 character`, `20 entries`, or the bound of a number. */
function sizeOf({ origin }: SchemaIssue, bound: number | bigint | undefined): string {
  const isOne = Number(bound) === 1;
  if (origin === 'string') return `${bound} ${isOne ? 'character' : 'characters'}`;
  if (origin === 'array') return `${bound} ${isOne ? 'entry' : 'entries'}`;
  return `${bound}`;
}
