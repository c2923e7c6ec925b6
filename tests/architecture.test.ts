// Which wings import which, where each package may be used, and where time, randomness and environment enter. Reads lines,
// not syntax.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'node:test';

import { once } from '../src/base/once.ts';

const ROOT = dirname(import.meta.dirname);

/** Wing -> wings that it may import. */
const WINGS: Readonly<Record<string, string>> = {
  base: '',
  read: 'base',
  rules: 'base read',
  egress: 'base rules',
  data: 'base rules',
  answer: 'base read rules data',
  server: 'base rules data answer',
  edge: 'base read rules egress data answer server sandbox',
  // Next to `src`. It may not know the readers: a simulator that shares code with them proves nothing.
  sandbox: 'base',
};

/** No clock, randomness, file, network, environment or state; reading threads are effects around pure readers. */
const PURE = /^(?:base|rules|read(?!\/threads))\//;

/** Package or Node module -> the files that may import it. Anything not listed may not be imported at all. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  'csv-parse': /^edge\/sheets\/read-text\.ts$/,
  'hyparquet-writer': /^edge\/sheets\/write-table\.ts$/,
  undici: /^egress\//,
  tldts: /^(?:read\/retailers\/addresses\/shop-slug|egress\/chain)\.ts$/,
  zod: /^(?:answer\/(?:wire|agents)|server)\//,
  rou3: /^server\/table\.ts$/,
  '@modelcontextprotocol/server':
    /^(?:answer\/agents\/(?:mcp-server|mcp-stdio|answer|tool-answer)|server\/routes\/mcp)\.ts$/,
  nodemailer: /^egress\/send-mail\.ts$/,
  pg: /^data\/postgres\//,
  'node:buffer': /^(?:egress|sandbox)\//,
  'node:cluster': /^edge\/cli\//,
  'node:constants': /^egress\//,
  'node:crypto':
    /^(?:(?:data|sandbox|egress\/signing|edge\/(?:wiring|runs|sheets)|read\/retailers\/retailer-w|answer\/lookup\/watches\/manage-(?:watches|channels))\b|(?:server\/(?:encoding|batch\/read-lines)|rules\/channels\/webhook|read\/candidates\/placed-texts)\.ts)/,
  'node:dns': /^egress\//,
  'node:fs':
    /^(?:edge\/(?:app|package-files|sheets\/(?:output-file|write-table))\.ts$|answer\/metrics\/process-figures\.ts|(?:edge\/(?:cli|runs)|data)\/|read\/threads\/(?:reader-thread|time-limit)\.ts$)/,
  'node:http': /^(?:server|sandbox)\//,
  'node:module': /^(?:(?:read\/threads|data)\/|edge\/cli\/service\/serve\.ts$)/,
  'node:net': /^egress\//,
  'node:os': /^(?:(?:egress|data|read\/threads)\/|edge\/app\.ts$)/,
  // main.ts: whether npm started this package.
  'node:path': /^(?:(?:edge\/(?:cli|wiring)|data)\/|edge\/main\.ts$)/,
  'node:sqlite': /^data\/sqlite\//,
  'node:stream':
    /^(?:(?:edge\/(?:cli|sheets)|egress|server|sandbox)\/|(?:answer\/agents\/mcp-stdio|base\/content-codings)\.ts$)/,
  'node:timers': /^(?:egress|read\/threads|edge\/wiring)\//,
  'node:tls': /^egress\//,
  'node:util': /^edge\/cli\//,
  'node:v8':
    /^(?:answer\/metrics\/|edge\/(?:cli\/service\/serve|wiring\/quiet-collection)\.ts$|read\/threads\/reader-pool\.ts$)/,
  // Interrupts a reader in its thread, and finds the engine's collector; only our own code is run.
  'node:vm': /^(?:read\/threads\/time-limit|edge\/wiring\/quiet-collection)\.ts$/,
  'node:worker_threads': /^(?:(?:read\/threads|data)\/|edge\/runs\/sheet-thread\.ts$)/,
  'node:zlib':
    /^(?:(?:egress|data\/metering|server|sandbox)\/|answer\/lookup\/cache\/cached-bodies\.ts$|base\/content-codings\.ts$|edge\/(?:sheets\/zip-(?:directory|stream)|cli\/data\/dump-file|cli\/history\/import-barcodes)\.ts$)/,
};

const OWN_TIME =
  /^(?:edge\/main\.ts$|base\/log\.ts|(?:egress|read\/threads|edge\/wiring)\/|.*-thread\.ts|server\/(?:listen\/listener|send)\.ts)/;

/** What only some files may access: all others receive it as an argument. */
const EFFECTS: readonly (readonly [what: RegExp, allowedIn: RegExp])[] = [
  [/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(?:Timeout|Interval)\b/, OWN_TIME],
  [
    /\bsetImmediate\b/,
    /^(?:(?:egress|read\/threads)\/|server\/(?:listen\/listener|batch\/others-run)\.ts|data\/write-queue\.ts|edge\/wiring\/event-loop\.ts)/,
  ],
  [/\bMath\.random\b/, /^(?:edge\/wiring\/watching|egress\/guarded-fetcher)\.ts$/],
  [/\bprocess\.(?:env\b|exit\()/, /^edge\/main\.ts$/],
  // The demo calls the service it has just started, the console the one it links to, doctor its own, and a run the one it
  // is given.
  [
    /(?<![.\w$])fetch\(|\bnew (?:WebSocket|EventSource)\b/,
    /^edge\/(?:cli\/(?:service\/(?:console|doctor-service)|sandbox\/demo)|runs\/call-service)\.ts$/,
  ],
  [/\beval\(|\bnew Function\b/, /^$/],
];

const ENTRY = /^edge\/main\.ts$|-thread\.ts$/;
const EMPTY_NAME =
  /(?:^|\/)(?:index|utils?|helpers?|common|types?|misc|shared|models|constants)(?:\.ts|\/)/;
const IMPORT =
  /^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '([^']+)'|\b(?:import|getBuiltinModule)\('([^']+)'\)/gm;

const EXPORTED = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
const EXPORTED_TYPE = /^export (?:type|interface) (\w+)/gm;

/** Exported values and types; a schema and its type share a name. */
const exportedBy = (text: string): ReadonlySet<string> =>
  new Set(
    [EXPORTED, EXPORTED_TYPE].flatMap((what) =>
      [...text.matchAll(what)].map(([, name = '']) => name),
    ),
  );

const inTree = (path: string): string => path.replace(/^src\//, '');
const inRepository = (path: string): string =>
  /^(?:sandbox|lab|build|console)\//.test(path) ? path : `src/${path}`;

/** Exported names that only tests import, and why these may. */
const FOR_TESTS: Readonly<Record<string, string>> = {
  UCP_TRAPS: 'every trap of the simulated catalogue is set',
  OFFICIAL_APIS: 'every simulated API is queried',
  failuresOf: 'every failure of a simulated API is caused',
  lineColour: 'its contrast is measured without a browser',
  offerTruth: 'answers are compared with the simulated market',
  ROUTES: 'pages and types made from the route table are compared with it',
  isSafeSqliteVersion: 'tests run with a single build of SQLite',
  readMigrations: 'databases of earlier versions are made with it',
  sellerTruth: 'answers are compared with the simulated market',
  sentencesOf: 'a pure function of a module that otherwise needs a browser',
  stepsToFind: 'a pure function of a module that otherwise needs a browser',
};

type Tree = ReadonlyMap<string, string>;
type Rule = (tree: Tree) => readonly string[];

const wing = (path: string): string => path.split('/')[0] ?? path;
const says = ([from, to]: readonly [string, string]): string => `${from} imports ${to}`;

function importsOf(tree: Tree): readonly (readonly [from: string, to: string])[] {
  return [...tree].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].map(([line, static_, effect, dynamic]) => {
      const to = static_ ?? effect ?? dynamic ?? '';
      if (to.startsWith('.'))
        return [from, inTree(posix.join(posix.dirname(inRepository(from)), to))] as const;
      // Type imports of a package are erased at run time.
      return [from, line.startsWith('import type') ? '' : to] as const;
    }),
  );
}

function codeLines(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

const RULES: Readonly<Record<string, Rule>> = {
  'a wing imports only what the table names': (tree) =>
    importsOf(tree)
      .filter(([from, to]) => {
        if (!to.endsWith('.ts') || wing(from) === wing(to)) return false;
        return !tree.has(to) || WINGS[wing(from)]?.split(' ').includes(wing(to)) !== true;
      })
      .map(says),
  'one retailer knows no other': (tree) =>
    importsOf(tree)
      .filter((edge) => {
        const [own, other] = edge.map(
          (path) => /^read\/retailers\/(retailer-\w+)\//.exec(path)?.[1],
        );
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
  'nothing in a pure wing changes': (tree) =>
    [...tree]
      .filter(([path, text]) => PURE.test(path) && /^let /m.test(text))
      .map(([path]) => path),
  'every file is imported, or is an entry point': (tree) => {
    const alive = new Set(importsOf(tree).map(([, to]) => to));
    return [...tree.keys()].filter((path) => !alive.has(path) && !ENTRY.test(path));
  },
  'what no other program file imports is not exported': (tree) =>
    [...tree].flatMap(([path, text]) =>
      [...exportedBy(text)]
        .filter((name) => !imported().has(`${inRepository(path)} ${name}`))
        .filter((name) => FOR_TESTS[name] === undefined)
        .map((name) => `${path} exports ${name}`),
    ),
  // Readers of different retailers are distinguished by their folder; the sandbox may share nothing with what it stands in for.
  'a name that is exported stands for one thing': (tree) => {
    const paths = [...tree.keys()].filter(
      (path) => !/^(?:sandbox|read\/retailers\/retailer-\w)/.test(path),
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

const FROM = /^(?:import|export)\b([^;]*?)\bfrom '(\.[^']+)'/gm;
const LATER = /\bimport\('(\.[^']+)'\)/g;
const TAKEN_LATER =
  /\bconst ([[{][^=;]*) = await\b|\bimport\('[^']+'\)\.(?:then\(\((\{[^)]*)\)|(\w+))|\(await [^;]*?\)\)\.(\w+)/g;

/** `path name` of what files outside the tests import. Where a module is loaded later, the name alone must fit. */
const imported = once(() => {
  const code = [...readTree('{src,sandbox,lab,build,console}/**/*.{ts,js}')];
  const matches = (pattern: RegExp) =>
    code.flatMap(([from, text]) =>
      [...text.matchAll(pattern)].map(([, ...found]) => ({ from, found })),
    );
  const words = (text: string | undefined) => text?.match(/\w+/g) ?? [];
  const pathOf = (from: string, to = '') => posix.join(posix.dirname(from), to);
  const early = matches(FROM).flatMap(({ from, found: [names, to] }) =>
    words(names).map((name) => `${pathOf(from, to)} ${name}`),
  );
  const takenLater = new Set(matches(TAKEN_LATER).flatMap(({ found }) => found.flatMap(words)));
  const later = new Set(matches(LATER).map(({ from, found: [to] }) => pathOf(from, to)));
  const late = [...later].flatMap((path) => [...takenLater].map((name) => `${path} ${name}`));
  return new Set([...early, ...late]);
});

/** Files of `src` by their path in it, those of the sandbox by their path in the repository. */
const SRC: Tree = new Map(
  [...readTree('{src,sandbox}/**/*.ts')].map(([path, text]) => [inTree(path), text]),
);

/** One file that breaks each rule, next to files that keep them all: a rule that matches nothing is noticed. */
const BROKEN: readonly (readonly [path: string, code: string])[] = [
  ['base/b.ts', "export { a } from '../egress/a.ts';"],
  ['read/retailers/retailer-h/b.ts', "export { a } from '../retailer-b/a.ts';"],
  ['base/b.ts', "export { a } from './b.ts';"],
  ['base/b.ts', "import {\n  join,\n} from 'node:path';"],
  ['base/b.ts', 'export const b = Date.now();'],
  ['base/b.ts', 'let b = 1;'],
  ['base/b.ts', 'export const b = 1;'],
  ['base/b.ts', 'export const forNobody = 1;'],
  ['base/b.ts', 'export type Listing = string;'],
  ['base/utils.ts', 'export const b = 1;'],
];

for (const [at, [sentence, broken]] of Object.entries(RULES).entries()) {
  test(sentence, () => {
    const [path, code] = BROKEN[at] ?? ['', ''];
    assert.notDeepEqual(broken(new Map([...SRC, [path, `// B.\n\n${code}\n`]])), []);
    assert.ok(SRC.size > 300 && importsOf(SRC).length > 2_000);
    assert.deepEqual(broken(SRC), []);
  });
}

test('what nobody imports from the lab, the build or the console is not exported', () => {
  const unused = RULES['what no other program file imports is not exported'];
  assert.deepEqual(unused?.(readTree('{lab,build,console}/**/*.{ts,js}')), []);
});

test('a name that is exported for tests is exported', () => {
  const exported = [...readTree('{src,sandbox,console}/**/*.{ts,js}')].flatMap(([path, text]) =>
    [...exportedBy(text)].filter((name) => !imported().has(`${path} ${name}`)),
  );
  assert.deepEqual(
    Object.keys(FOR_TESTS).filter((name) => !exported.includes(name)),
    [],
  );
});

const ROWS = Object.entries(WINGS).map(([name, may]) => [name, may.split(' ')] as const);

test('what a wing may import, it imports', () => {
  const used = new Set(importsOf(SRC).map(([from, to]) => `${wing(from)} ${wing(to)}`));
  const idle = ROWS.flatMap(([from, may]) =>
    may.filter((to) => to !== '' && !used.has(`${from} ${to}`)).map((to) => `${from} ${to}`),
  );
  assert.deepEqual(idle, []);
});

test('the table of ARCHITECTURE.md says of each wing what it may import', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(?:src\/)?([\w-]+)` \| .* \| (.*) \|$/gm)].map(
    ([, name = '', may = '']) => [name, may === 'nothing' ? [''] : may.split(', ')] as const,
  );
  // Browsers load the console: no wing may import it.
  assert.deepEqual({ ...Object.fromEntries(ROWS), console: [''] }, Object.fromEntries(rows));
});
