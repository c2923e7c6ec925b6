// The schema.org nodes of a page, from JSON-LD or microdata, in page order, each with the property path leading to it, and
// with references resolved.

import { isNode, typesOf, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';

/** Maximum number of values visited on one page, to bound the time spent on a hostile page. */
export const NODE_LIMIT = 20_000;

/** A node and its position below the root of its block. */
export type PlacedNode = {
  readonly node: SchemaNode;
  /** Names of the properties leading to it; empty for a root. */
  readonly path: readonly string[];
  readonly parent: SchemaNode | null;
};

export type Graph = {
  /** In page order, parents before children. */
  readonly nodes: readonly PlacedNode[];
  readonly remarks: readonly string[];
};

export const EMPTY_GRAPH: Graph = { nodes: [], remarks: [] };

type Step = {
  readonly value: unknown;
  readonly path: readonly string[];
  readonly parent: SchemaNode | null;
};

function isReference(node: SchemaNode): boolean {
  return Object.keys(node).every((name) => name === '@id' || name === '@type');
}

function placeNodes(roots: readonly unknown[]): { nodes: PlacedNode[]; cut: boolean } {
  const nodes: PlacedNode[] = [];
  const open: Step[] = roots.map((value) => ({ value, path: [], parent: null })).reverse();
  let steps = 0;
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    steps += 1;
    if (steps > NODE_LIMIT) return { nodes, cut: true };
    const { value, path, parent } = step;
    if (Array.isArray(value)) {
      const members = value as unknown[];
      for (let index = Math.min(members.length, NODE_LIMIT) - 1; index >= 0; index -= 1) {
        open.push({ value: members[index], path, parent });
      }
    } else if (isNode(value)) {
      nodes.push({ node: value, path, parent });
      const names = Object.keys(value).slice(0, NODE_LIMIT);
      for (let index = names.length - 1; index >= 0; index -= 1) {
        const name = names[index] ?? '';
        const child = valueOf(value, name);
        if (typeof child === 'object' && child !== null) {
          open.push({ value: child, path: [...path, name], parent: value });
        }
      }
    }
  }
  return { nodes, cut: false };
}

/** Maps each `@id` to the node with the most properties. */
function indexById(nodes: readonly PlacedNode[]): Map<string, SchemaNode> {
  const byId = new Map<string, SchemaNode>();
  // The properties are counted once for each node: thousands of nodes may share the id of one with thousands of properties.
  const sizes = new Map<string, number>();
  for (const { node } of nodes) {
    const id = valueOf(node, '@id');
    if (typeof id !== 'string' || isReference(node)) continue;
    const size = Object.keys(node).length;
    if (size <= (sizes.get(id) ?? 0)) continue;
    sizes.set(id, size);
    byId.set(id, node);
  }
  return byId;
}

/** Returns the target of a reference; null when the reference states a type that the target does not have. */
function targetOf(byId: ReadonlyMap<string, SchemaNode>, value: unknown): SchemaNode | null {
  if (!isNode(value)) return null;
  const id = valueOf(value, '@id');
  const target = typeof id === 'string' ? byId.get(id) : undefined;
  if (target === undefined || target === value || !isReference(value)) return null;
  const types = typesOf(value);
  const fits = types.length === 0 || types.some((type) => typesOf(target).includes(type));
  return fits ? target : null;
}

/** Returns the value with references replaced by their targets; lists are modified in place. */
function linked(byId: ReadonlyMap<string, SchemaNode>, value: unknown): unknown {
  if (!Array.isArray(value)) return targetOf(byId, value) ?? value;
  const members = value as unknown[];
  for (const [index, member] of members.entries()) {
    members[index] = targetOf(byId, member) ?? member;
  }
  return members;
}

/**
 * Replaces references (`"brand": {"@id": "#acme"}`) with their targets. The result may be cyclic: readers only descend a
 * fixed number of levels.
 */
function linkReferences(nodes: readonly PlacedNode[], byId: ReadonlyMap<string, SchemaNode>): void {
  if (byId.size === 0) return;
  for (const { node } of nodes) {
    const open = node as Record<string, unknown>;
    for (const name of Object.keys(open)) {
      const value = open[name];
      if (name === '__proto__' || typeof value !== 'object' || value === null) continue;
      open[name] = linked(byId, value);
    }
  }
}

/** Builds the graph below the given roots. Visits at most `NODE_LIMIT` values and adds a remark when there are more. */
export function graphOf(roots: readonly unknown[], remarks: readonly string[] = []): Graph {
  const { nodes, cut } = placeNodes(roots);
  linkReferences(nodes, indexById(nodes));
  const more = `more than ${NODE_LIMIT} values of structured data: the rest was not read`;
  return { nodes, remarks: cut ? [...remarks, more] : remarks };
}
