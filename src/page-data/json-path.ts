// Safe ways into JSON of unknown shape: whatever the value is, a path gives what stands there or nothing.
// Only own properties count, so that no text of a page can reach into an object's prototype.

/** The value at a dotted path (`a.b.0.c`; a number is an index); undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  let here: unknown = value;
  for (const key of path === '' ? [] : path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

/** Text that is not blank; a finite number as its text; null for everything else. */
export function textAt(value: unknown, path = ''): string | null {
  const found = at(value, path);
  if (typeof found === 'number' && Number.isFinite(found)) return String(found);
  return typeof found === 'string' && found.trim() !== '' ? found : null;
}

/** A finite number, or a text that is nothing but one. */
export function numberAt(value: unknown, path = ''): number | null {
  const found = at(value, path);
  if (typeof found === 'number') return Number.isFinite(found) ? found : null;
  if (typeof found !== 'string' || !/^\s*-?\d{1,15}(?:\.\d{1,10})?\s*$/.test(found)) return null;
  return Number(found);
}

/** A boolean, or the words `true` and `false`. */
export function boolAt(value: unknown, path = ''): boolean | null {
  const found = at(value, path);
  if (typeof found === 'boolean') return found;
  if (found === 'true') return true;
  return found === 'false' ? false : null;
}

/** A list; empty where there is none. At most `most` members are looked at. */
export function listAt(value: unknown, path = '', most = 500): readonly unknown[] {
  const found = at(value, path);
  return Array.isArray(found) ? found.slice(0, most) : [];
}

/** Whether an object with at least one own property stands there. */
export function hasObjectAt(value: unknown, path = ''): boolean {
  const found = at(value, path);
  return typeof found === 'object' && found !== null && Object.keys(found).length > 0;
}
