// Links the nodes of a page by `@id`: joins the facts from several places about one thing, replaces references with the
// nodes they name, and gives a product the offers that name it.

import { hasType, isNode, listOf, typesOf, valueOf } from './node.ts';
import type { PlacedNode, SchemaNode } from './node.ts';

const OFFERS: ReadonlySet<string> = new Set(['offer', 'aggregateoffer']);
/** Maximum length of an id that is resolved. */
const ID_LENGTH = 4096;

function isReference(node: SchemaNode): boolean {
  return Object.keys(node).every((name) => name === '@id' || name === '@type');
}

/** Returns an `@id` in the form in which ids are compared; null when it is none. */
function keyOf(id: unknown, base: URL | null): string | null {
  if (typeof id !== 'string' || id === '') return null;
  if (id.startsWith('_:') || id.length > ID_LENGTH) return id;
  return URL.parse(id, base?.href)?.href ?? id;
}

/** The nodes of a page by id, and those that were joined with another. */
class NodesById {
  readonly #base: URL | null;
  readonly #nodes = new Map<string, SchemaNode>();
  readonly #joined = new Map<SchemaNode, SchemaNode>();

  /** Keeps the node with the most properties for each id. */
  constructor(placed: readonly PlacedNode[], base: URL | null) {
    this.#base = base;
    // The properties are counted once for each node: thousands of nodes may share the id of one with thousands of properties.
    const sizes = new Map<string, number>();
    const others: (readonly [string, SchemaNode])[] = [];
    for (const { node } of placed) {
      const key = this.#keyOf(node);
      if (key === null || isReference(node)) continue;
      others.push([key, node]);
      const size = Object.keys(node).length;
      if (size <= (sizes.get(key) ?? 0)) continue;
      sizes.set(key, size);
      this.#nodes.set(key, node);
    }
    for (const [key, node] of others) {
      const main = this.#nodes.get(key);
      if (main === undefined || main === node || !mayJoin(main, node)) continue;
      for (const name of Object.keys(node)) {
        if (!Object.hasOwn(main, name) && name !== '__proto__') {
          (main as Record<string, unknown>)[name] = node[name];
        }
      }
      this.#joined.set(node, main);
    }
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  get hasJoined(): boolean {
    return this.#joined.size > 0;
  }

  #keyOf(node: SchemaNode): string | null {
    return keyOf(valueOf(node, '@id'), this.#base);
  }

  /** Returns the node that a joined one became part of. */
  joined(node: SchemaNode): SchemaNode | null {
    return this.#joined.get(node) ?? null;
  }

  /** Returns the target of a reference; null when the reference states a type that the target does not have. */
  targetOf(value: unknown): SchemaNode | null {
    if (!isNode(value)) return null;
    const joined = this.joined(value);
    if (joined !== null || !isReference(value)) return joined;
    const target = this.named(valueOf(value, '@id'));
    if (target === null || target === value) return null;
    return fits(target, value) || typesOf(value).length === 0 ? target : null;
  }

  /** Returns the node with this id. */
  named(id: unknown): SchemaNode | null {
    const key = keyOf(id, this.#base);
    return key === null ? null : (this.#nodes.get(key) ?? null);
  }
}

function fits(target: SchemaNode, node: SchemaNode): boolean {
  const types = typesOf(target);
  return typesOf(node).some((type) => types.includes(type));
}

/**
 * Whether two nodes with one id say nothing different: shops also give one id to several things. Objects are not compared.
 */
function mayJoin(main: SchemaNode, node: SchemaNode): boolean {
  if (typesOf(main).length > 0 && typesOf(node).length > 0 && !fits(main, node)) return false;
  return Object.keys(node).every((name) => {
    if (name.startsWith('@') || !Object.hasOwn(main, name)) return true;
    const value = node[name];
    return typeof value !== 'object' && value === main[name];
  });
}

/** Returns the value with references replaced by their targets; lists are modified in place. */
function linked(byId: NodesById, value: unknown): unknown {
  if (!Array.isArray(value)) return byId.targetOf(value) ?? value;
  const members = value as unknown[];
  for (const [index, member] of members.entries()) {
    members[index] = byId.targetOf(member) ?? member;
  }
  return members;
}

/**
 * Replaces references (`"brand": {"@id": "#acme"}`) with their targets. The result may be cyclic: readers only descend a
 * fixed number of levels.
 */
function linkReferences(placed: readonly PlacedNode[], byId: NodesById): void {
  for (const { node } of placed) {
    const open = node as Record<string, unknown>;
    for (const name of Object.keys(open)) {
      const value = open[name];
      if (name === '__proto__' || typeof value !== 'object' || value === null) continue;
      open[name] = linked(byId, value);
    }
  }
}

/**
 * Adds an offer to the product that it names (`itemOffered`), unless it is among the offers of something already. An offer of
 * several products is the price of none of them.
 */
function linkOffers(placed: readonly PlacedNode[], byId: NodesById): void {
  const naming = placed.filter(
    ({ node }) => hasType(node, OFFERS) && listOf(node, 'itemOffered').length === 1,
  );
  if (naming.length === 0) return;
  const offered = new Set(placed.flatMap(({ node }) => listOf(node, 'offers')));
  const inside = new Map(placed.map(({ node, parent }) => [node, parent]));
  for (const { node } of naming) {
    const [item] = listOf(node, 'itemOffered');
    const product = typeof item === 'string' ? byId.named(item) : item;
    // A product inside its offer is read with the offer around it.
    if (offered.has(node) || !isNode(product) || inside.get(product) === node) continue;
    if (!inside.has(product) || isReference(product)) continue;
    const offers = valueOf(product, 'offers');
    const open = product as Record<string, unknown>;
    if (Array.isArray(offers)) offers.push(node);
    else open['offers'] = offers === undefined || offers === null ? node : [offers, node];
  }
}

/**
 * Puts the node that a joined one became part of in its place. Of several places the one nearest to the root counts: a review
 * may say more about the product than the page does.
 */
function withoutJoined(placed: readonly PlacedNode[], byId: NodesById): readonly PlacedNode[] {
  const nearest = new Map<SchemaNode, PlacedNode>();
  for (const { node, path, parent } of placed) {
    const whole = byId.joined(node) ?? node;
    const known = nearest.get(whole);
    if (known !== undefined && known.path.length <= path.length) continue;
    const around = parent === null ? null : (byId.joined(parent) ?? parent);
    nearest.set(whole, { node: whole, path, parent: around });
  }
  return [...nearest.values()];
}

/** Links the nodes of a page; those with one id become one where they agree. Ids are relative to `base`. */
export function linkNodes(placed: readonly PlacedNode[], base: URL | null): readonly PlacedNode[] {
  const byId = new NodesById(placed, base);
  if (byId.isEmpty) return placed;
  linkReferences(placed, byId);
  const left = byId.hasJoined ? withoutJoined(placed, byId) : placed;
  linkOffers(left, byId);
  return left;
}
