// The recipes of CONTRIBUTING.md name files: each exists, so that a reader who follows a recipe finds every file it
// mentions.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = dirname(import.meta.dirname);
const PAGE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

const [, RECIPES = ''] = /^## Recipes\n([\s\S]*?)^## /m.exec(PAGE) ?? [];

/** Each recipe by its heading. */
const recipes = new Map(
  RECIPES.split(/^### /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return [title, lines.join('\n')] as const;
    }),
);

/** A file, or a folder of the repository; written from the root, with an `x` in the place of a name that a person chooses. */
const PATH =
  /^(?:[\w./-]+\.(?:ts|js|json|md|sql|tsv)|\.env\.example|(?:src|tests|sandbox|console|clients|assets|build|lab|docs|deploy|bin)(?:\/[\w.-]+)*\/?)$/;
function pathsIn(text: string): readonly string[] {
  const spans = [...text.matchAll(/`([^`\s]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => PATH.test(span));
}

/** An `x` stands for any name: `retailer-x/adapter.ts` must exist for at least one retailer. */
function isThere(path: string): boolean {
  const pattern = path.replaceAll(/(?<=[/_-])x(?=[./]|$)/g, '*').replace(/\/$/, '');
  return globSync(pattern, { cwd: ROOT }).length > 0;
}

const WANTED = [
  'A retailer',
  'A field of the record',
  'A wrong price of a shop',
  'The price of a call',
];

for (const title of new Set([...WANTED, ...recipes.keys()])) {
  test(`the recipe "${title}" is a numbered list, and every file that it names is there`, () => {
    const text = recipes.get(title) ?? '';
    assert.match(text, /^1\. /m);
    const paths = pathsIn(text);
    assert.ok(!WANTED.includes(title) || paths.length >= 4, paths.join(' '));
    assert.deepEqual(
      paths.filter((path) => !isThere(path)),
      [],
    );
  });
}

test('a file that is gone is noticed, also where a name is chosen', () => {
  const text = '`src/none.ts`, `npm run check`, `route({ path })`, `sandbox/retailer-x/none.ts`';
  const paths = pathsIn(text);
  assert.deepEqual(paths, ['src/none.ts', 'sandbox/retailer-x/none.ts']);
  assert.deepEqual([...paths, 'sandbox/retailer-x/'].map(isThere), [false, false, true]);
});

test('CONTRIBUTING.md is short enough to be read whole', () => {
  assert.ok((PAGE.match(/\S+/g) ?? []).length <= 2_000);
});
