// Who imports whom, which package belongs where, where time, chance and environment come in. Reads lines, not syntax.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'node:test';

import { once } from '../src/base/once.ts';

const ROOT = dirname(import.meta.dirname);

/** Room -> rooms and single files that it may import beside itself. The pure ones come first. */
const ROOMS: Readonly<Record<string, string>> = {
  core: '',
  identifiers: 'core',
  listing: 'core identifiers',
  titles: 'listing',
  matching: 'core listing titles',
  fees: 'core listing',
  history: 'core listing',
  product: 'core identifiers listing matching fees history',
  'page-data': 'core identifiers listing',
  // One retailer never imports another: each can be taken out with its folder.
  retailers: 'core identifiers listing titles page-data',
  watches: 'core identifiers listing history product',
  channels: 'core listing watches',
  wire: 'core identifiers listing fees history product watches channels',
  sheets: 'core identifiers',
  runs: 'core identifiers product wire sheets',
  agents: 'core listing wire',
  // It may not know the readers: a simulator that shares code with them proves nothing.
  sandbox: 'core',
  reading: 'core listing retailers',
  fetch: 'core listing channels',
  store: 'core identifiers listing history product watches channels',
  collect: 'core identifiers listing matching history product retailers watches store',
  lookup:
    'core identifiers listing matching fees history product retailers watches channels store collect',
  metering: 'core store',
  indexer: 'core listing history watches channels store collect',
  metrics: 'core listing retailers store',
  http: 'core fees product wire lookup metering metrics agents log.ts',
  cli: '*',
  wiring: '*',
  'app.ts': '*',
  settings: 'core fetch retailers store',
  'config.ts': 'history fetch retailers settings',
  'package-files.ts': 'http',
  'log.ts': '',
  'main.ts': 'cli',
};

const PURE = [
  'core',
  'identifiers',
  'listing',
  'titles',
  'matching',
  'fees',
  'history',
  'product',
  'watches',
  'channels',
];
const READERS = ['page-data', 'retailers'];

/** Package or Node module -> the files that may import it. What is not listed may be imported by nobody. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  'csv-parse': /^sheets\/read-text\.ts$/,
  hucre: /^sheets\/workbook\.ts$/,
  'hyparquet-writer': /^sheets\/write-table\.ts$/,
  undici: /^fetch\//,
  tldts: /^(?:retailers\/addresses\/shop-slug|fetch\/chain)\.ts$/,
  '@hono/zod-openapi': /^(?:wire|http|agents)\//,
  '@hono/node-server': /^http\//,
  hono: /^http\//,
  '@modelcontextprotocol/server':
    /^(?:agents\/(?:mcp-server|mcp-stdio|screen-lines|answer|tools)|http\/routes\/mcp)\.ts$/,
  nodemailer: /^fetch\/send-mail\.ts$/,
  pg: /^store\/postgres\//,
  'node:buffer': /^(?:fetch|sandbox)\//,
  'node:cluster': /^cli\//,
  'node:constants': /^fetch\//,
  'node:crypto':
    /^(?:(?:metering|wiring|store|sandbox|runs|sheets|retailers\/retailer-w|lookup\/watches\/manage-(?:watches|channels))\b|(?:http\/(?:prepared-text|batch\/read-lines)|channels\/webhook)\.ts)/,
  'node:dns': /^fetch\//,
  'node:fs':
    /^(?:app\.ts|package-files\.ts|metrics\/process-figures\.ts|(?:cli|store|runs)\/|(?:reading\/time-limit|sheets\/(?:output-file|write-table))\.ts$)/,
  'node:http': /^(?:http|sandbox)\//,
  'node:module': /^(?:reading|store)\//,
  'node:net': /^fetch\//,
  'node:os': /^(?:fetch|store|reading)\//,
  // main.ts: whether npm started this package.
  'node:path': /^(?:(?:cli|store|wiring)\/|main\.ts$)/,
  'node:sqlite': /^store\/sqlite\//,
  'node:stream': /^(?:(?:cli|fetch|http|sandbox|sheets)\/|agents\/screen-lines\.ts$)/,
  'node:timers': /^(?:fetch|reading|wiring)\//,
  'node:tls': /^fetch\//,
  'node:util': /^cli\//,
  'node:v8': /^(?:metrics\/|cli\/service\/serve\.ts$)/,
  // It interrupts a reader in its thread; nothing is run that is not our own.
  'node:vm': /^reading\/time-limit\.ts$/,
  'node:worker_threads': /^(?:(?:reading|store)\/|runs\/sheet-thread\.ts$)/,
  'node:zlib':
    /^(?:(?:fetch|metering|http|sandbox)\/|(?:sheets\/zip-directory|cli\/data\/dump-file)\.ts$)/,
};

const OWN_TIME =
  /^(?:main\.ts$|log\.ts|(?:fetch|reading|wiring)\/|.*-thread\.ts|http\/door\/listener\.ts)/;

/** What only some files may reach for: everybody else is handed it. */
const EFFECTS: readonly (readonly [what: RegExp, allowedIn: RegExp])[] = [
  [/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(?:Timeout|Interval)\b/, OWN_TIME],
  [
    /\bsetImmediate\b/,
    /^(?:(?:fetch|reading)\/|http\/(?:door\/listener|batch\/others-run)\.ts|store\/write-queue\.ts|wiring\/event-loop\.ts)/,
  ],
  [/\bMath\.random\b/, /^(?:wiring\/outside|fetch\/guarded-fetcher)\.ts$/],
  [/\bprocess\.(?:env\b|exit\()/, /^main\.ts$/],
  // The demo calls the service it has just started, the console the one that it leads to, and a run the one that it is given.
  [
    /(?<![.\w$])fetch\(|\bnew (?:WebSocket|EventSource)\b/,
    /^(?:cli\/(?:service\/console|sandbox\/demo)|runs\/call-service)\.ts$/,
  ],
  [/\beval\(|\bnew Function\b/, /^$/],
];

const ENTRY = /^main\.ts$|-thread\.ts$/;
const EMPTY_NAME =
  /(?:^|\/)(?:index|utils?|helpers?|common|types?|misc|shared|models|constants)(?:\.ts|\/)/;
const IMPORT =
  /^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '([^']+)'|\b(?:import|getBuiltinModule)\('([^']+)'\)/gm;

const EXPORTED = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
const EXPORTED_TYPE = /^export (?:type|interface) (\w+)/gm;

/** Values and types; a schema and its type share a name. */
const exportedBy = (text: string): ReadonlySet<string> =>
  new Set(
    [EXPORTED, EXPORTED_TYPE].flatMap((what) =>
      [...text.matchAll(what)].map(([, name = '']) => name),
    ),
  );

type Tree = ReadonlyMap<string, string>;
type Rule = (tree: Tree) => readonly string[];

const room = (path: string): string => path.split('/')[0] ?? path;
const says = ([from, to]: readonly [string, string]): string => `${from} imports ${to}`;

function importsOf(tree: Tree): readonly (readonly [from: string, to: string])[] {
  return [...tree].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].map(([line, static_, effect, dynamic]) => {
      const to = static_ ?? effect ?? dynamic ?? '';
      if (to.startsWith('.')) return [from, posix.join(posix.dirname(from), to)] as const;
      // Types of a package vanish when the file runs.
      return [from, line.startsWith('import type') ? '' : to] as const;
    }),
  );
}

function codeLines(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

const RULES: Readonly<Record<string, Rule>> = {
  'a room imports only what the table names': (tree) =>
    importsOf(tree)
      .filter(([from, to]) => {
        if (!to.endsWith('.ts') || room(from) === room(to)) return false;
        const may = ROOMS[room(from)]?.split(' ') ?? [];
        return !tree.has(to) || !['*', room(to), to].some((name) => may.includes(name));
      })
      .map(says),
  'one retailer knows no other': (tree) =>
    importsOf(tree)
      .filter((edge) => {
        const [own, other] = edge.map((path) => /^retailers\/(retailer-\w+)\//.exec(path)?.[1]);
        return own !== undefined && other !== undefined && own !== other;
      })
      .map(says),
  'no file imports itself through others': (tree) => {
    const next = Map.groupBy(importsOf(tree), ([from]) => from);
    const done = new Set<string>();
    const walk = (path: string, way: readonly string[]): readonly string[] => {
      if (way.includes(path)) return [[...way.slice(way.indexOf(path)), path].join(' -> ')];
      if (done.has(path)) return [];
      const found = (next.get(path) ?? []).flatMap(([, to]) => walk(to, [...way, path]));
      done.add(path);
      return found;
    };
    return [...tree.keys()].flatMap((path) => walk(path, []));
  },
  'a package is imported where the table says': (tree) =>
    importsOf(tree)
      .filter(([from, to]) => {
        const name = to
          .split('/')
          .slice(0, to.startsWith('@') ? 2 : 1)
          .join('/');
        return to !== '' && !to.endsWith('.ts') && PACKAGES[name]?.test(from) !== true;
      })
      .map(says),
  'time, chance, environment and network are handed in': (tree) =>
    [...tree].flatMap(([path, text]) =>
      EFFECTS.filter(([what, allowed]) => !allowed.test(path) && what.test(codeLines(text))).map(
        ([what]) => `${path} uses ${what.source}`,
      ),
    ),
  'nothing in a pure room changes': (tree) =>
    [...tree]
      .filter(([path, text]) => [...PURE, ...READERS].includes(room(path)) && /^let /m.test(text))
      .map(([path]) => path),
  'every file is imported, or is an entry point': (tree) => {
    const alive = new Set(importsOf(tree).map(([, to]) => to));
    return [...tree.keys()].filter((path) => !alive.has(path) && !ENTRY.test(path));
  },
  'a value that only its own file uses is not exported': (tree) =>
    [...tree].flatMap(([path, text]) =>
      [...text.matchAll(EXPORTED)]
        .map(([, name = '']) => name)
        // A schema and its type share a name: the type stands in the signatures of others.
        .filter(
          (name) => (filesWith().get(name) ?? 0) <= 1 && !text.includes(`export type ${name} `),
        )
        .map((name) => `${path} exports ${name}`),
    ),
  // Readers of different retailers are told apart by their folder; the sandbox may share nothing with what it stands in for.
  'a name that is exported stands for one thing': (tree) => {
    const paths = [...tree.keys()].filter(
      (path) => !/^(?:sandbox|retailers\/retailer-\w)/.test(path),
    );
    const names = paths.flatMap((path) =>
      [...exportedBy(tree.get(path) ?? '')].map((name) => ({ name, path })),
    );
    return [...Map.groupBy(names, ({ name }) => name)]
      .filter(([, places]) => places.length > 1)
      .map(
        ([name, places]) =>
          `${name} is exported by ${places.map(({ path }) => path).join(' and ')}`,
      );
  },
  'a name says what the file holds, and its first line what it is for': (tree) =>
    [...tree]
      .filter(([path, text]) => EMPTY_NAME.test(path) || !/^(?:\/\/ .*\n){1,4}\n/.test(text))
      .map(([path]) => path),
};

function readTree(pattern: string): Tree {
  const paths = globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** How many files have a word, this one not counted. */
const filesWith = once(() => {
  const files = new Map<string, number>();
  const code = readTree('{src,tests,eval,bench,build,prove}/**/*.{ts,js}');
  for (const [path, text] of code) {
    if (path === 'tests/architecture.test.ts') continue;
    for (const word of new Set(text.match(/\w+/g))) files.set(word, (files.get(word) ?? 0) + 1);
  }
  return files;
});

const SRC: Tree = new Map(
  [...readTree('src/**/*.ts')].map(([path, text]) => [path.slice(4), text]),
);

/** A file that breaks each rule, beside those that keep all: a rule that sees nothing is noticed. */
const BROKEN: readonly (readonly [path: string, code: string])[] = [
  ['core/b.ts', "export { a } from '../fetch/a.ts';"],
  ['retailers/retailer-h/b.ts', "export { a } from '../retailer-b/a.ts';"],
  ['core/b.ts', "export { a } from './b.ts';"],
  ['core/b.ts', "import {\n  join,\n} from 'node:path';"],
  ['core/b.ts', 'export const b = Date.now();'],
  ['core/b.ts', 'let b = 1;'],
  ['core/b.ts', 'export const b = 1;'],
  ['core/b.ts', 'export const forNobody = 1;'],
  ['core/b.ts', 'export type Listing = string;'],
  ['core/utils.ts', 'export const b = 1;'],
];

for (const [at, [sentence, broken]] of Object.entries(RULES).entries()) {
  test(sentence, () => {
    const [path, code] = BROKEN[at] ?? ['', ''];
    assert.notDeepEqual(broken(new Map([...SRC, [path, `// B.\n\n${code}\n`]])), []);
    assert.ok(SRC.size > 300 && importsOf(SRC).length > 2_000);
    assert.deepEqual(broken(SRC), []);
  });
}

const ROWS = Object.entries(ROOMS).map(([name, may]) => [name, may.split(' ')] as const);

test('what a room may import, it imports', () => {
  const used = new Set(importsOf(SRC).map(([from, to]) => `${room(from)} ${room(to)}`));
  const idle = ROWS.flatMap(([from, may]) =>
    may.filter((to) => /\w/.test(to) && !used.has(`${from} ${to}`)).map((to) => `${from} ${to}`),
  );
  assert.deepEqual(idle, []);
});

test('the table of ARCHITECTURE.md says of each room what it may import', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([\w-]+)` \| .* \| (.*) \|$/gm)].map(
    ([, name = '', may = '']) => [name, may === 'nothing' ? [''] : may.split(', ')] as const,
  );
  const rooms = ROWS.filter(([name, may]) => !name.includes('.') && !may.includes('*')).map(
    ([name, may]) => [name, may.filter((each) => !each.includes('.'))] as const,
  );
  // Browsers load the console: no room may import it.
  assert.deepEqual({ ...Object.fromEntries(rooms), console: [''] }, Object.fromEntries(rows));
});
