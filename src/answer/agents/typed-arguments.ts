// Arguments as models and scripts write them: a number, a boolean or a list as text, a code as a number. Each is taken where
// nothing is lost by it.

/** The part of an argument's JSON Schema that is read. */
type Property = { readonly type?: unknown };

/** A number of JSON. Doubles keep 15 digits of any decimal number. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const MOST_DIGITS = 15;
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Returns the input with each argument in the type that the tool takes, if it states the same; others as they are. */
export function typedArguments(
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

/** The list that a text of JSON is, or the list of the one text. */
function listIn(text: string): readonly unknown[] | null {
  if (!text.startsWith('[')) return text === '' ? null : [text];
  try {
    return JSON.parse(text) as readonly unknown[];
  } catch {
    return null;
  }
}

/** Larger numbers have lost digits when they were parsed, and no code is negative or has decimals. */
const codeOf = (value: number): string | null =>
  Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
