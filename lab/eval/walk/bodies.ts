// Reads bodies of answers in a walk without trusting their types.

export type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an empty object if there is none. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** Returns its objects; none if it is not a list. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the value at this path of names; null: nothing. */
export function valueAt(body: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => objectOf(value)[name] ?? null, body);
}

export function numberAt(body: unknown, ...names: readonly string[]): number | null {
  const value = valueAt(body, ...names);
  return typeof value === 'number' ? value : null;
}

export function textAt(body: unknown, ...names: readonly string[]): string | null {
  const value = valueAt(body, ...names);
  return typeof value === 'string' ? value : null;
}

/** Milliseconds since 1970; null: no time is stated. */
export function timeAt(body: unknown, ...names: readonly string[]): number | null {
  const text = textAt(body, ...names);
  return text === null ? null : Date.parse(text);
}

/** Returns the part of an answer that is the same whenever the call is made. */
export function lasting(body: Json): Json {
  const { tokens_consumed: _consumed, tokens_remaining: _left, request_id: _id, ...rest } = body;
  return rest;
}

/** Returns the paths to differing values, with both values; at most `most`. */
export function differencesOf(one: unknown, other: unknown, most = 6): readonly string[] {
  const found: string[] = [];
  const look = (a: unknown, b: unknown, way: string): void => {
    if (found.length === most || JSON.stringify(a) === JSON.stringify(b)) return;
    const isBoth = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null;
    if (!isBoth) {
      found.push(`${way}: ${short(a)} / ${short(b)}`);
      return;
    }
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
      look(Reflect.get(a, name), Reflect.get(b, name), way === '' ? name : `${way}.${name}`);
  };
  look(one, other, '');
  return found;
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 160);
}
