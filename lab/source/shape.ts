// npm run lab -- shape [--root DIR] [--json]: the size and shape of `src` as numbers, so that two checkouts can be compared:
// files and lines, files of each wing, arrows between wings (and those in both directions), circular imports.
// lab/source/executed-lines.ts counts the code that one lookup runs through.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: dirname(dirname(import.meta.dirname)) },
    json: { type: 'boolean', default: false },
  },
});
const ROOT = resolve(values.root);
const SMALL_LINES = 40;

const shape = shapeOf(ROOT);
if (values.json) console.log(JSON.stringify(shape));
else print();

function print(): void {
  const { files, lines, codeLines, wings, arrows, small, circles, backUp } = shape;
  console.log(`files below src           ${files}`);
  console.log(`lines                     ${lines}`);
  console.log(`lines of code             ${codeLines}`);
  console.log(`wings                     ${Object.keys(wings).length}`);
  for (const [wing, count] of Object.entries(wings).toSorted(([, a], [, b]) => b - a)) {
    console.log(`  ${wing.padEnd(24)}${count}`);
  }
  console.log(`arrows between wings      ${arrows}`);
  console.log(`files under ${SMALL_LINES} lines      ${small}`);
  console.log(`circles of imports        ${circles}`);
  console.log(`imports back up           ${backUp.length}`);
  for (const each of backUp.slice(0, 10)) console.log(`  ${each}`);
}

type Shape = {
  readonly files: number;
  readonly lines: number;
  /** Without comments and blank lines. */
  readonly codeLines: number;
  readonly wings: Readonly<Record<string, number>>;
  readonly arrows: number;
  readonly small: number;
  readonly circles: number;
  readonly backUp: readonly string[];
};

function shapeOf(root: string): Shape {
  const src = join(root, 'src');
  const texts = new Map(
    globSync('**/*.ts', { cwd: src }).map((path) => [path, readFileSync(join(src, path), 'utf8')]),
  );
  const lineCounts = [...texts.values()].map((text) => text.trimEnd().split('\n').length);
  const wings: Record<string, number> = {};
  for (const path of texts.keys()) wings[wingOf(path)] = (wings[wingOf(path)] ?? 0) + 1;
  const edges = [...texts].flatMap(([from, text]) =>
    importsOf(text).map((to) => [from, normalize(join(dirname(from), to))] as const),
  );
  const between = edges.filter(([, to]) => !to.startsWith('..'));
  return {
    files: texts.size,
    lines: sumOf(lineCounts),
    codeLines: sumOf([...texts.values()].map(codeLinesOf)),
    wings,
    arrows: new Set(
      between
        .map(([from, to]) => [wingOf(from), wingOf(to)])
        .filter(([from, to]) => from !== to)
        .map(String),
    ).size,
    small: lineCounts.filter((count) => count < SMALL_LINES).length,
    circles: rings(edges).length,
    backUp: backUpOf(edges),
  };
}

function wingOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, each) => sum + each, 0);
}

function codeLinesOf(text: string): number {
  return text.split('\n').filter((line) => !/^\s*(?:\/\/.*|\/?\*.*)?$/.test(line)).length;
}

/** Returns the relative paths in a module's import and export lines. */
function importsOf(text: string): readonly string[] {
  const lines = /^(?:import|export)\b[^;]*?\bfrom\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gms;
  return [...text.matchAll(lines)].map(([, from, called]) => from ?? called ?? '');
}

type Edges = readonly (readonly [from: string, to: string])[];

/** Returns groups of more than one file that reach each other, by Tarjan's algorithm. */
function rings(edges: Edges): readonly (readonly string[])[] {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) (next.get(from) ?? next.set(from, []).get(from) ?? []).push(to);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    let lowest = order.get(node) ?? 0;
    path.push(node);
    for (const to of next.get(node) ?? []) {
      if (!order.has(to)) lowest = Math.min(lowest, visit(to));
      else if (path.includes(to)) lowest = Math.min(lowest, order.get(to) ?? 0);
    }
    low.set(node, lowest);
    if (lowest === order.get(node)) {
      const ring = path.splice(path.indexOf(node));
      if (ring.length > 1) found.push(ring);
    }
    return lowest;
  };
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** Imports between wings that reach each other in both directions: one of the two points upward. */
function backUpOf(edges: Edges): readonly string[] {
  const between = edges
    .filter(([from, to]) => from.includes('/') && to.includes('/') && wingOf(from) !== wingOf(to))
    .map(([from, to]) => ({ from, to, pair: [wingOf(from), wingOf(to)] as const }));
  const joined = rings(between.map(({ pair }) => pair));
  return between
    .filter(({ pair: [a, b] }) => joined.some((ring) => ring.includes(a) && ring.includes(b)))
    .map(({ from, to }) => `${from} imports ${to}`);
}
