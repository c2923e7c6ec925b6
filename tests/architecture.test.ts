// The plan of the source tree holds: who imports whom, where effects come in, how large things are. Each
// rule is also shown a tree that breaks it, so that a rule that sees nothing is noticed.

import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { addressBooks } from './support/address-books.ts';
import { RULES } from './support/architecture-rules.ts';
import { only, readTree } from './support/source-tree.ts';
import type { SourceTree } from './support/source-tree.ts';

const ROOT = dirname(import.meta.dirname);
const SRC = new Map(
  [...readTree(ROOT, 'src/**/*.ts')].map(([path, text]) => [path.slice('src/'.length), text]),
);

test('there is a source tree to look at', () => {
  assert.ok(SRC.size > 50 && SRC.has('main.ts'));
});

for (const { name, sentence, broken } of RULES) {
  test(`${name}: ${sentence}`, () => {
    assert.deepEqual(broken(SRC), [], sentence);
  });
}

/** A small tree that keeps every rule, with files replaced or added. */
function treeWith(files: Readonly<Record<string, string>>): SourceTree {
  const base = {
    'main.ts': "// Opens.\nimport { run } from './cli/run.ts';\nrun();\n",
    'cli/run.ts':
      "// Runs.\nimport { a } from '../domain/a.ts';\nimport { fetcher } from '../fetch/fetcher.ts';\n" +
      "import { book } from '../retailers/retailer-b/book.ts';\n" +
      'export const run = (): unknown => [a, fetcher, book];\n',
    'domain/a.ts': '// A.\nexport const a = 1;\n',
    'fetch/fetcher.ts':
      "// Fetches.\nimport { request } from 'undici';\nexport const fetcher = (): number => Date.now();\nvoid request;\n",
    'retailers/retailer-b/book.ts': '// Book.\nexport const book = 1;\n',
  };
  return new Map(Object.entries({ ...base, ...files }));
}

const A = '// A.\nexport const a = ';
const VIOLATIONS: readonly (readonly [rule: string, files: Readonly<Record<string, string>>])[] = [
  ['rooms', { 'domain/a.ts': "// A.\nexport { fetcher as a } from '../fetch/fetcher.ts';\n" }],
  ['rooms', { 'domain/a.ts': `${A}import('../fetch/fetcher.ts');\n` }],
  ['rooms', { 'domain/a.ts': "// A.\nexport type { Gone as a } from './gone.ts';\n" }],
  ['rooms', { 'elsewhere/b.ts': '// B.\nexport const b = 1;\n' }],
  ['rooms', { 'sandbox/b.ts': "// B.\nexport { book } from '../retailers/retailer-b/book.ts';\n" }],
  [
    'cycles',
    {
      'domain/a.ts': "// A.\nexport { b as a } from './b.ts';\n",
      'domain/b.ts': "// B.\nexport { a as b } from './a.ts';\n",
    },
  ],
  [
    'retailers apart',
    { 'retailers/retailer-h/x.ts': "// X.\nexport { book } from '../retailer-b/book.ts';\n" },
  ],
  [
    'packages',
    { 'domain/a.ts': "// A.\nimport { join } from 'node:path';\nexport const a = join;\n" },
  ],
  ['packages', { 'domain/a.ts': "// A.\nexport { request as a } from 'undici';\n" }],
  ['packages', { 'fetch/fetcher.ts': "// F.\nexport * from '@scope/unknown/part';\n" }],
  ['effects', { 'domain/a.ts': `${A}Date.now();\n` }],
  ['effects', { 'domain/a.ts': `${A}new Date();\n` }],
  ['effects', { 'domain/a.ts': `${A}\`\${Math.random()}\`;\n` }],
  ['effects', { 'domain/a.ts': `${A}/[/']/.test('') ? setTimeout : 0;\n` }],
  ['effects', { 'cli/run.ts': "// R.\nexport const run = process.env['X'];\n" }],
  ['effects', { 'fetch/fetcher.ts': "// F.\nexport const fetcher = fetch('http://x');\n" }],
  ['side effects', { 'domain/a.ts': "// A.\nimport './b.ts';\nexport const a = 1;\n" }],
  ['sizes', { 'domain/a.ts': `${A}1;\n${'void a;\n'.repeat(300)}` }],
  ['sizes', { 'domain/a.ts': `${A}[${'1, '.repeat(40)}];\n` }],
  ['sizes', { 'domain/a.ts': `// ${'word '.repeat(30)}\nexport const a = 1;\n` }],
  ['names', { 'domain/utils.ts': '// U.\nexport const u = 1;\n' }],
  ['names', { 'domain/common/b.ts': '// B.\nexport const b = 1;\n' }],
  ['names', { 'domain/CamelCase.ts': '// C.\nexport const c = 1;\n' }],
  ['exports', { 'domain/a.ts': '// A.\nexport default 1;\n' }],
  ['any', { 'domain/a.ts': '// A.\nexport const a: any = 1;\n' }],
  ['any', { 'domain/a.ts': `${A}[] as any;\n` }],
  ['any', { 'domain/a.ts': '// A.\nexport const a = new Map<string, any>();\n' }],
  ['opening lines', { 'domain/a.ts': 'export const a = 1;\n' }],
  ['opening lines', { 'domain/a.ts': `${'// A.\n'.repeat(5)}export const a = 1;\n` }],
  ['dead files', { 'domain/b.ts': '// B.\nexport const b = 1;\n' }],
];

test('a tree that keeps every rule breaks none', () => {
  for (const { name, broken } of RULES) assert.deepEqual(broken(treeWith({})), [], name);
});

for (const [at, [name, files]] of VIOLATIONS.entries()) {
  test(`the rule "${name}" sees violation ${at + 1}`, () => {
    const rule = RULES.find((one) => one.name === name);
    assert.notDeepEqual(rule?.broken(treeWith(files)), []);
  });
}

test('every rule has a violation that shows it at work', () => {
  const shown = new Set(VIOLATIONS.map(([name]) => name));
  assert.deepEqual(
    RULES.map(({ name }) => name).filter((name) => !shown.has(name)),
    [],
  );
});

test('words in comments, texts and expressions are no code', () => {
  const harmless = [
    '// Date.now() and setTimeout',
    '/* Math.random() */',
    "export const a = 'process.env';",
    'export const b = "fetch(1)";',
    'export const c = `new Date() ${1}`;',
    'export const d = /setTimeout "\\/ [/"]/u;',
    'export const e = 6 / 2 / 1;',
    "export const f = { fetch: (x: number) => x }; f.fetch(1); export const g = 'it\\'s any';",
    'export const h = new Date(0);',
  ].join('\n');
  const tree = treeWith({ 'domain/a.ts': `// A.\n${harmless}\n` });
  for (const name of ['effects', 'any']) {
    assert.deepEqual(RULES.find((rule) => rule.name === name)?.broken(tree), []);
  }
  assert.equal(only('code', harmless).split('\n').length, harmless.split('\n').length);
});

test('real host names of known retailers stand in their address books and nowhere else (D3)', () => {
  const books = addressBooks();
  assert.equal(books.length, 7);
  const hosts = books.flatMap((book) => [...book.hosts, ...book.shortLinkHosts]);
  const pattern = new RegExp(
    `(?<![\\w-])(?:${hosts.map((host) => host.replaceAll('.', '\\.')).join('|')})(?![\\w-]|\\.[a-z])`,
    'i',
  );
  const files = [
    ...readTree(
      ROOT,
      '{src,tests,eval,bench,build,bin,docs}/**/*.{ts,js,md,tsv,txt,json,html,sql}',
    ),
    ...readTree(ROOT, '*.{md,json}'),
  ];
  const wrong = files
    .filter(([path]) => !/^(?:src|tests)\/retailers\/retailer-\w\/address-book/.test(path))
    .filter(([, text]) => pattern.test(text))
    .map(([path]) => path);
  assert.deepEqual(wrong, []);
});
