// `npm run figures [-- --root DIR] [--json]`: the size and shape of a checkout as numbers, so that two of them can be
// held against each other: files and lines, files of each folder, imports in circles and between rooms in both
// directions, and how many files and functions one held lookup passes through.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: dirname(import.meta.dirname) },
    json: { type: 'boolean', default: false },
  },
});
const ROOT = resolve(values.root);
const SMALL_LINES = 40;
const LARGE_FOLDER = 45;

const shape = shapeOf(ROOT);
const figures = { ...shape, heldLookup: await passedByHeldLookup(ROOT) };
if (values.json) console.log(JSON.stringify(figures));
else print();

function print(): void {
  const { files, lines, folders, small, circles, backUp, heldLookup } = figures;
  console.log(`files below src           ${files}`);
  console.log(`lines                     ${lines}`);
  console.log(`folders                   ${Object.keys(folders).length}`);
  const largest = Object.entries(folders).toSorted(([, a], [, b]) => b - a);
  for (const [folder, count] of largest.slice(0, 6)) {
    const mark = count > LARGE_FOLDER ? `  more than ${LARGE_FOLDER}` : '';
    console.log(`  ${folder.padEnd(24)}${count}${mark}`);
  }
  console.log(`files under ${SMALL_LINES} lines      ${small}`);
  console.log(`circles of imports        ${circles}`);
  console.log(`imports back up           ${backUp.length}`);
  for (const each of backUp.slice(0, 10)) console.log(`  ${each}`);
  console.log(
    `one held lookup passes    ${heldLookup.files} files, ${heldLookup.functions} functions`,
  );
}

type Shape = {
  readonly files: number;
  readonly lines: number;
  readonly folders: Readonly<Record<string, number>>;
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
  const folders: Record<string, number> = {};
  for (const path of texts.keys()) folders[dirname(path)] = (folders[dirname(path)] ?? 0) + 1;
  const edges = [...texts].flatMap(([from, text]) =>
    importsOf(text).map((to) => [from, normalize(join(dirname(from), to))] as const),
  );
  return {
    files: texts.size,
    lines: lineCounts.reduce((sum, count) => sum + count, 0),
    folders,
    small: lineCounts.filter((count) => count < SMALL_LINES).length,
    circles: rings(edges).length,
    backUp: backUpOf(edges),
  };
}

/** Relative addresses that a module names in its import and export lines. */
function importsOf(text: string): readonly string[] {
  const lines = /^(?:import|export)\b[^;]*?\bfrom\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gms;
  return [...text.matchAll(lines)].map(([, from, called]) => from ?? called ?? '');
}

type Edges = readonly (readonly [from: string, to: string])[];

/** Groups of more than one that reach each other, by Tarjan's algorithm. */
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

/** Imports between rooms that reach each other in both directions: one of the two runs back up. */
function backUpOf(edges: Edges): readonly string[] {
  const room = (path: string) => path.split('/')[0] ?? path;
  const between = edges
    .filter(([from, to]) => from.includes('/') && to.includes('/') && room(from) !== room(to))
    .map(([from, to]) => ({ from, to, pair: [room(from), room(to)] as const }));
  const joined = rings(between.map(({ pair }) => pair));
  return between
    .filter(({ pair: [a, b] }) => joined.some((ring) => ring.includes(a) && ring.includes(b)))
    .map(({ from, to }) => `${from} imports ${to}`);
}

type Passed = { readonly files: number; readonly functions: number };

/** Asks a running service for a product it holds, and counts what of its source ran meanwhile. */
async function passedByHeldLookup(root: string): Promise<Passed> {
  using folder = temporaryFolder();
  const data = folder.path;
  const program = join(root, 'bin/openshelf.js');
  const key = await printed(program, ['keys', 'create', '--org', 'x', '--data', data, '--json']);
  const args = ['--inspect=127.0.0.1:0', program, 'serve', '--sandbox', '--port', '0', '--json'];
  const service = spawn(process.execPath, [...args, '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const inspector = lineWith(service.stderr, /ws:\/\/\S+/);
    const announced = lineWith(service.stdout, /^\{.*\}$/);
    const world = await printed(program, ['sandbox', '--describe', '--json']);
    const { url } = JSON.parse(await announced) as { url: string };
    const ask = async () => {
      const headers = { authorization: `Bearer ${String(key['key'])}` };
      const response = await fetch(`${url}/v1/products/${String(world['upc'])}`, { headers });
      await response.text();
      if (response.status !== 200) throw new Error(`a lookup ended with ${response.status}`);
    };
    await ask();
    await untilQuiet(url);
    // Twice: caches that an answer fills are full then.
    await ask();
    await ask();
    return await coverage(await inspector, `${root}/src/`, ask);
  } finally {
    service.kill('SIGKILL');
  }
}

/** Until the other retailers were asked, and what is written about it stands. */
async function untilQuiet(url: string): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text();
    if (/openshelf_jobs\{state="waiting"\} 0/.test(text) && /state="running"\} 0/.test(text))
      return;
  }
}

async function printed(program: string, args: readonly string[]): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(child, 'close');
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

async function lineWith(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  for await (const line of createInterface({ input: stream })) {
    const [found] = pattern.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`the service ended before it said ${pattern.source}`);
}

type Script = {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
};

/** Files and functions below a folder that ran at least once during some work. */
async function coverage(
  inspector: string,
  below: string,
  work: () => Promise<void>,
): Promise<Passed> {
  const socket = new WebSocket(inspector);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  let sent = 0;
  const send = async (method: string, params: object = {}): Promise<unknown> => {
    const id = (sent += 1);
    const answered = new Promise<unknown>((resolve) => {
      const heard = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as { id?: number; result?: unknown };
        if (message.id !== id) return;
        socket.removeEventListener('message', heard);
        resolve(message.result);
      };
      socket.addEventListener('message', heard);
    });
    socket.send(JSON.stringify({ id, method, params }));
    return answered;
  };
  await send('Profiler.enable');
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await send('Profiler.takePreciseCoverage');
  await work();
  const { result } = (await send('Profiler.takePreciseCoverage')) as { result: readonly Script[] };
  socket.close();
  const own = result.filter(({ url }) => url.startsWith(`file://${below}`));
  const ran = own.map(({ functions }) =>
    functions.filter((each) => (each.ranges[0]?.count ?? 0) > 0),
  );
  return {
    files: ran.filter((functions) => functions.length > 0).length,
    functions: ran.reduce((sum, functions) => sum + functions.length, 0),
  };
}
