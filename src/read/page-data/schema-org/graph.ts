// The schema.org nodes of a page, from JSON-LD or microdata, in page order, each with the property path leading to it, and
// with references resolved.

import { linkNodes } from './graph-links.ts';
import { isNode, valueOf } from './node.ts';
import type { PlacedNode, SchemaNode } from './node.ts';

/** Maximum number of values visited on one page, to bound the time spent on a hostile page. */
export const NODE_LIMIT = 20_000;

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

type GraphOptions = {
  /** The address that relative ids are resolved against. */
  readonly base?: URL | null;
  readonly remarks?: readonly string[];
};

/** Builds the graph below the given roots. Visits at most `NODE_LIMIT` values and adds a remark when there are more. */
export function graphOf(
  roots: readonly unknown[],
  { base = null, remarks = [] }: GraphOptions = {},
): Graph {
  const { nodes, cut } = placeNodes(roots);
  const more = `more than ${NODE_LIMIT} values of structured data: the rest was not read`;
  return { nodes: linkNodes(nodes, base), remarks: cut ? [...remarks, more] : remarks };
}
