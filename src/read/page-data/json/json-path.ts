// Safe access to JSON of unknown shape: a path returns the value there or nothing. Only own properties count, so page
// content never reaches an object's prototype.

/** Returns the value at a dotted path (`a.b.0.c`; a number is an index); undefined if there is none. */
export function at(value: unknown, path: string): unknown {
  let here: unknown = value;
  for (const key of path === '' ? [] : path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

/** Returns a non-blank string, or a finite number as a string; null for everything else. */
export function textAt(value: unknown, path = ''): string | null {
  const found = at(value, path);
  if (typeof found === 'number' && Number.isFinite(found)) return String(found);
  return typeof found === 'string' && found.trim() !== '' ? found : null;
}

/** Returns a finite number, also when written as a string; null for everything else. */
export function numberAt(value: unknown, path = ''): number | null {
  const found = at(value, path);
  if (typeof found === 'number') return Number.isFinite(found) ? found : null;
  if (typeof found !== 'string' || !/^\s*-?\d{1,15}(?:\.\d{1,10})?\s*$/.test(found)) return null;
  return Number(found);
}

/** Returns a boolean, also when written as the string `true` or `false`; null for everything else. */
export function boolAt(value: unknown, path = ''): boolean | null {
  const found = at(value, path);
  if (typeof found === 'boolean') return found;
  if (found === 'true') return true;
  return found === 'false' ? false : null;
}

/** Returns at most `most` members of a list; empty if there is no list. */
export function listAt(value: unknown, path = '', most = 500): readonly unknown[] {
  const found = at(value, path);
  return Array.isArray(found) ? found.slice(0, most) : [];
}

/** Whether the value is an object with at least one own property. */
export function hasObjectAt(value: unknown, path = ''): boolean {
  const found = at(value, path);
  return typeof found === 'object' && found !== null && Object.keys(found).length > 0;
}
