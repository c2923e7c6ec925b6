// The one shape that JSON-LD, microdata and RDFa are read into: an object with schema.org names. Knows
// how to look into such an object safely; knows nothing of products.

/** A schema.org thing: `@type`, `@id` and properties. Values come from a page: anything at all. */
export type SchemaNode = { readonly [name: string]: unknown };

/** Entries that are looked at of one property: no real page has more offers or variants. */
const LIST_LIMIT = 1000;

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of a node in lower case, for pages that write `Offers` or `lowprice`. Made once per node. */
const LOWER_NAMES = new WeakMap<SchemaNode, ReadonlyMap<string, string>>();

function lowerNames(node: SchemaNode): ReadonlyMap<string, string> {
  const known = LOWER_NAMES.get(node);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const name of Object.keys(node).slice(0, 200)) {
    const lower = name.toLowerCase();
    if (!names.has(lower)) names.set(lower, name);
  }
  LOWER_NAMES.set(node, names);
  return names;
}

/** An own property, in any letter case; inherited names (`constructor`, `toString`) are none. */
export function valueOf(node: SchemaNode, name: string): unknown {
  if (Object.hasOwn(node, name)) return node[name];
  const written = lowerNames(node).get(name.toLowerCase());
  return written === undefined ? undefined : node[written];
}

/** `{"0": {...}, "1": {...}}`: a list that somebody's language wrote as an object. */
function isNumbered(value: unknown): value is SchemaNode {
  if (!isNode(value) || !Object.hasOwn(value, '0')) return false;
  return Object.keys(value).every((name) => /^\d{1,4}$/.test(name));
}

/** A property as a list: absent is empty, a single value a list of one; lists within lists are opened. */
export function listOf(node: SchemaNode, name: string): readonly unknown[] {
  const value = valueOf(node, name);
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    const entries = (value as unknown[]).slice(0, LIST_LIMIT);
    return entries.some(Array.isArray) ? entries.flat(2).slice(0, LIST_LIMIT) : entries;
  }
  return isNumbered(value) ? Object.values(value).slice(0, LIST_LIMIT) : [value];
}

/**
 * A plain number or a text that is one; null for everything else. A page's object may have no way to become
 * a number, or a wrong one: `Number(value)` would throw.
 */
export function plainNumber(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const number = typeof value === 'string' ? Number(value.slice(0, 40)) : value;
  return Number.isFinite(number) ? number : null;
}

/** `https://schema.org/Product`, `schema:Product`, `Product` -> `product`. */
function bareType(type: string): string {
  const trimmed = type.slice(0, 200).trim().replace(/\/+$/, '');
  const cut = Math.max(
    trimmed.lastIndexOf('/'),
    trimmed.lastIndexOf('#'),
    trimmed.lastIndexOf(':'),
  );
  return trimmed.slice(cut + 1).toLowerCase();
}

/** Lower-case bare type names; lists within lists are opened. */
export function typesOf(node: SchemaNode): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [valueOf(node, '@type')];
  for (let steps = 0; open.length > 0 && steps < 50; steps += 1) {
    const value = open.shift();
    if (typeof value === 'string') found.push(bareType(value));
    else if (Array.isArray(value)) open.push(...(value as unknown[]).slice(0, 20));
  }
  return found;
}

export function hasType(node: SchemaNode, types: ReadonlySet<string>): boolean {
  return typesOf(node).some((type) => types.has(type));
}
