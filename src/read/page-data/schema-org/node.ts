// A schema.org node, the common shape of JSON-LD, microdata and RDFa: an object with schema.org names, and safe access to
// its properties.

/** `@type`, `@id` and properties. Values come from a page and may be anything. */
export type SchemaNode = { readonly [name: string]: unknown };

/** A node and its position below the root of its block. */
export type PlacedNode = {
  readonly node: SchemaNode;
  /** Names of the properties leading to it; empty for a root. */
  readonly path: readonly string[];
  readonly parent: SchemaNode | null;
};

/** Maximum number of entries read from one property: no real page has more offers or variants. */
const LIST_LIMIT = 1000;

/** Whether a value is an object, as nodes are. */
export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lower-case names of a node, for pages that write `Offers` or `lowprice`; built once per node. */
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

/** Returns an own property, ignoring case; inherited ones (`constructor`, `toString`) do not count. */
export function valueOf(node: SchemaNode, name: string): unknown {
  if (Object.hasOwn(node, name)) return node[name];
  const written = lowerNames(node).get(name.toLowerCase());
  return written === undefined ? undefined : node[written];
}

/** Returns a property as a list: empty when absent, a single value as a list of one, nested lists flattened. */
export function listOf(node: SchemaNode, name: string): readonly unknown[] {
  const value = valueOf(node, name);
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [value];
  const entries = (value as unknown[]).slice(0, LIST_LIMIT);
  return entries.some(Array.isArray) ? entries.flat(2).slice(0, LIST_LIMIT) : entries;
}

/**
 * Returns a finite number, also when written as a string; null for everything else. `Number(value)` is not safe: it throws
 * for objects without a conversion.
 */
export function plainNumber(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const number = typeof value === 'string' ? Number(value.slice(0, 40)) : value;
  return Number.isFinite(number) ? number : null;
}

/** A bare type name, the most common form. */
const BARE = /^[A-Za-z]{1,200}$/;

/** Reduces `https://schema.org/Product`, `schema:Product`, `Product` to `product`. */
function bareType(type: string): string {
  if (BARE.test(type)) return type.toLowerCase();
  const trimmed = type.slice(0, 200).trim().replace(/\/+$/, '');
  const cut = Math.max(
    trimmed.lastIndexOf('/'),
    trimmed.lastIndexOf('#'),
    trimmed.lastIndexOf(':'),
  );
  return trimmed.slice(cut + 1).toLowerCase();
}

/** Returns the type names in lower case without namespace; nested lists are flattened. */
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

/** Whether a node has one of these types (lower case). */
export function hasType(node: SchemaNode, types: ReadonlySet<string>): boolean {
  const stated = valueOf(node, '@type');
  if (typeof stated === 'string') return types.has(bareType(stated));
  return typesOf(node).some((type) => types.has(type));
}
