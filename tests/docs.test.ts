// The documents match the code: settings, fault codes, files, packages; and their links work.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { figureGroups, figuresPage } from '../build/figures-page.ts';
import { PROGRAMS } from '../lab/programs.ts';
import { envExample, withTables } from '../build/settings-pages.ts';
import { FAULT_CODES } from '../src/base/fault.ts';
import { FAULT_STATUS } from '../src/server/problems/fault-status.ts';
import { productCode, toGtin14 } from '../src/base/identifiers/gtin.ts';
import { SETTING_NAMES } from '../src/edge/settings/read-settings.ts';

const ROOT = dirname(import.meta.dirname);
const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).sort();

/** The word limit of all documents: more cannot be kept accurate. */
const MAX_WORDS = 45_000;

function text(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Returns the cells of a page's table rows. */
function rowsOf(page: string): readonly (readonly string[])[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
}

test('the documents that a newcomer looks for are there', () => {
  const wanted = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'docs/run/settings.md',
    'docs/use/errors.md',
    'docs/dependencies.md',
  ];
  assert.deepEqual(
    wanted.filter((path) => !PAGES.includes(path)),
    [],
  );
  assert.match(text('LICENSE'), /Apache License\s+Version 2\.0/);
});

test('every setting is in .env.example and in docs/run/settings.md, and nothing else is', () => {
  const named = (pattern: RegExp, page: string): string[] =>
    [...new Set([...page.matchAll(pattern)].map(([, name = '']) => name))].sort();
  const settings = [...SETTING_NAMES].sort();
  assert.ok(settings.length > 5);
  assert.deepEqual(named(/^#([A-Z_]+)=/gm, text('.env.example')), settings);
  assert.deepEqual(named(/^\| `([A-Z_]+)`/gm, text('docs/run/settings.md')), settings);
});

test('.env.example and the tables of docs/run/settings.md are those of `npm run docs -- settings`', () => {
  assert.equal(text('.env.example'), envExample());
  assert.equal(text('docs/run/settings.md'), withTables(text('docs/run/settings.md')));
});

test('every fault code is in docs/use/errors.md with the status it answers with', () => {
  const listed = new Map(
    rowsOf(text('docs/use/errors.md')).map(([status = '', code = '']) => [
      code.replaceAll('`', ''),
      Number(status),
    ]),
  );
  for (const code of FAULT_CODES) assert.equal(listed.get(code), FAULT_STATUS[code], code);
});

test('every package that is asked for is explained in docs/dependencies.md, and no other', () => {
  const manifest = JSON.parse(text('package.json')) as Record<string, Record<string, string>>;
  const asked = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
  const explained = rowsOf(text('docs/dependencies.md')).flatMap(([names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  assert.deepEqual([...new Set(explained)].sort(), asked.sort());
});

/** Returns the anchor of a heading, as code hosting sites generate it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function brokenLinks(pages: readonly string[]): readonly string[] {
  return pages.flatMap((page) => {
    const prose = text(page).replaceAll(/^```[\s\S]*?^```/gm, '');
    return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(ROOT, file))) return true;
        if (anchor === undefined) return false;
        const headings = [...text(file).matchAll(/^#+ (.+)$/gm)];
        return !headings.some(([, heading = '']) => anchorOf(heading) === anchor);
      })
      .map((target) => `${page}: ${target}`);
  });
}

test('relative links lead to files and headings that exist', () => {
  assert.deepEqual(brokenLinks(PAGES), []);
});

test('the documents together are short enough to be kept true', () => {
  const pages = globSync('**/*.md', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  });
  const words = pages.flatMap((page) => text(page).match(/\S+/g) ?? []);
  assert.ok(pages.length > 25);
  assert.ok(words.length <= MAX_WORDS, `${words.length} words, at most ${MAX_WORDS}`);
  const changes = text('CHANGELOG.md').match(/\S+/g) ?? [];
  assert.ok(changes.length <= 2_600, `CHANGELOG.md has ${changes.length} words`);
});

test('docs/figures.md is what `npm run docs -- figures` writes', () => {
  assert.equal(text('docs/figures.md'), figuresPage(figureGroups()));
});

test('every figure says what it is of, what gave it, and when', () => {
  for (const { figures, ...shared } of figureGroups()) {
    for (const figure of figures) {
      const { name, value, command = '', date = '' } = { ...shared, ...figure };
      assert.ok(name !== '' && value !== '' && command !== '', name);
      assert.match(date, /^\d{4}-\d\d-\d\d$/, name);
    }
  }
});

test('at most 25 decisions stand, of at most 200 words each', () => {
  const decisions = PAGES.filter((page) => page.startsWith('docs/decisions/'));
  assert.ok(decisions.length <= 25);
  for (const page of decisions) assert.ok(text(page).split(/\s+/).length <= 200, page);
});

test('every document stands in the index of docs/', () => {
  const index = text('docs/README.md');
  const pages = globSync(['docs/*.md', 'docs/{use,run,how}/*.md'], { cwd: ROOT }).map((path) =>
    path.replace('docs/', ''),
  );
  assert.deepEqual(
    pages.filter((page) => page !== 'README.md' && !index.includes(`](${page})`)),
    [],
  );
});

/** A line that is a comment, or ends in one. */
const COMMENT = /^\s*(?:\/\/|\/?\*|--)|^[^'"`]*\/\/ /;

/** Sources, tests and documents, without this file, whose patterns would match themselves. */
const CITING = globSync(
  ['{src,sandbox,tests,lab,build}/**/*.{ts,sql}', 'docs/**/*.md', '*.md', 'deploy/**/*.{sh,js}'],
  { cwd: ROOT, exclude: ['**/node_modules/**', 'tests/docs.test.ts'] },
).sort();

test('there are at most 16 npm scripts, and what the documents and comments call is one, or a program of the lab', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  assert.ok(Object.keys(scripts).length <= 16);
  for (const page of [...CITING, '.ci/run', 'build/figures.json']) {
    // In the changelog, entries of earlier releases stay.
    if (page === 'CHANGELOG.md') continue;
    const calls = /\bnpm run ([a-z][a-z:-]*)(?: -- ([a-z][a-z-]*))?/g;
    for (const [call, name = '', program] of text(page).matchAll(calls)) {
      assert.ok(Object.hasOwn(scripts, name), `${page}: ${call}`);
      if (name !== 'lab' || program === undefined) continue;
      assert.ok(Object.hasOwn(PROGRAMS, program), `${page}: ${call}`);
    }
  }
});

test('every rule that is cited by its number has a line in docs/how/rules.md', () => {
  const rules = new Set(
    [...text('docs/how/rules.md').matchAll(/^- \*\*(D\d+)\*\* /gm)].map(([, rule = '']) => rule),
  );
  assert.ok(rules.size > 50);
  const unknown = CITING.flatMap((path) =>
    [...text(path).matchAll(/(?<![\w#-])(D[1-9]\d?)[a-z]?(?![\w-])/g)]
      .filter(([, rule = '']) => !rules.has(rule))
      .map(([citation]) => `${path}: ${citation}`),
  );
  assert.deepEqual(unknown, []);
});

const TREE = globSync(
  '{src,sandbox,console,tests,lab,build,bin,deploy,clients}/**/*.{ts,js,sql,tsv}',
  {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  },
);

test('every source file that a document or a comment names by its folder is there', () => {
  const gone = CITING.flatMap((path) => {
    const lines = text(path).split('\n');
    const prose = path.endsWith('.md') ? lines : lines.filter((line) => COMMENT.test(line));
    return (
      [
        ...prose
          .join('\n')
          .matchAll(/(?<![\w./-])(?:\.\/)?((?:[\w.-]+\/)+[\w-]+\.(?:ts|js|sql|tsv))\b/g),
      ]
        // With an `x` in the place of a name it is a pattern (tests/recipes.test.ts).
        .filter(([, named = '']) => !/(?:^|[/_-])x[./]/.test(named))
        .filter(([, named]) => !TREE.some((file) => `/${file}`.endsWith(`/${named}`)))
        .map(([, named]) => `${path}: ${named}`)
    );
  });
  assert.deepEqual(gone, []);
});

/** Citations of documents that are not in the repository: a reader cannot look them up. */
const ABSENT =
  /\b(?:security|vocabularies|identifiers|reference) \d|\bretailer facts\b|\bspecification(?:: |'s\b)|\barchitecture: |\bground[- ]\d|\bdesign\//i;

test('no comment cites a document that is not in the repository', () => {
  const citing = CITING.filter((path) =>
    text(path)
      .split('\n')
      .some((line) => (path.endsWith('.md') || COMMENT.test(line)) && ABSENT.test(line)),
  );
  const rooms = Map.groupBy(citing, (path) => path.split('/').slice(0, 2).join('/'));
  assert.deepEqual(
    [...rooms].map(([room, paths]) => `${room}: ${paths.length} files`),
    [],
  );
});

/** Text of the source files below a folder. */
const textBelow = (folder: string): string =>
  TREE.filter((file) => file.startsWith(folder) && file.endsWith('.ts'))
    .map(text)
    .join('\n');

test('the words of docs/words.md are those of the code, the wire and the database', () => {
  const rows = rowsOf(text('docs/words.md')).slice(2);
  const places = [
    [textBelow('src/'), rows.map(([, own]) => own)],
    [textBelow('src/answer/wire/'), rows.map(([, , own]) => own)],
    [text('src/data/schema/sqlite/0001-initial.sql'), rows.map(([, , , own]) => own)],
  ] as const;
  const missing = places.flatMap(([where, cells]) => {
    const named = cells.flatMap((cell = '') => [...cell.matchAll(/`([A-Za-z_\d]+)`/g)]);
    assert.ok(named.length > 10);
    return named.filter(([, name]) => !new RegExp(`\\b${name}\\b`).test(where));
  });
  assert.deepEqual(
    missing.map(([name]) => name),
    [],
  );
});

test('the fields of a product in the README of the TypeScript client are those of a record', () => {
  const examples = JSON.parse(text('assets/examples.json')) as readonly {
    readonly operation: string;
    readonly status: number;
    readonly body: Readonly<Record<string, unknown>>;
  }[];
  const record = examples.find((each) => each.operation === 'getProduct' && each.status === 200);
  const fields = [...text('clients/typescript/README.md').matchAll(/\bproduct\.(\w+)/g)];
  assert.ok(fields.length > 1);
  for (const [, field = ''] of fields) assert.ok(field in (record?.body ?? {}), field);
});

test('the barcodes of examples are codes that the service takes', () => {
  const pages = globSync(['README.md', 'docs/{,use/,run/}*.md', 'clients/*/README.md'], {
    cwd: ROOT,
  });
  const codes = pages.flatMap((page) =>
    [...text(page).matchAll(/(?<![\w.-])\d{12,14}(?![\w.-])/g)].map(([code]) => `${page}: ${code}`),
  );
  assert.ok(codes.length > 10);
  const refused = codes.filter((each) => {
    const code = toGtin14(each.split(': ')[1] ?? '');
    return code === null || !productCode(code).usable;
  });
  assert.deepEqual(refused, []);
});
