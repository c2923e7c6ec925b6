// Every change to what an answer may state goes through data/answers/answer-writes.ts, so that what is attached there
// misses nothing. A scan over the text of `src`, like tests/architecture.test.ts.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const SRC = join(import.meta.dirname, '../../src');
const PLACE = 'data/answers/answer-writes.ts';

/** Table -> the file whose statements write it. */
const OWNERS: Readonly<Record<string, string>> = {
  listings: 'data/answers/listing-writes.ts',
  cells: 'data/answers/barcode-answers.ts',
  observations: 'data/history/recent-observations.ts',
  packed_observations: 'data/history/packed-observations.ts',
  archived_offers: 'data/answers/offers.ts',
  offer_lists: 'data/answers/offers.ts',
  reviews: 'data/answers/reviews.ts',
  review_totals: 'data/answers/reviews.ts',
  sellers: 'data/answers/sellers.ts',
  shops: 'data/answers/shops.ts',
  shop_facts: 'data/answers/shops.ts',
  shop_doors: 'data/answers/shops.ts',
};

/** Files with statements whose table is a parameter, and why none of them changes an answer. */
const ANY_TABLE: Readonly<Record<string, string>> = {
  'data/maintenance/table-rows.ts': 'the move copies rows as they are into an empty database',
  'data/maintenance/move-progress.ts': 'the progress of a move, in a table of its own',
  'data/postgres/partitions.ts': 'rows of a month move into its partition, out of the rest',
  'data/answers/reading-counts.ts': 'counts of what was read',
  'data/maintenance/take-down.ts': 'what watches of a host have seen',
};

/** Files that may write every table, and why no answer changes. */
const ALL_TABLES: Readonly<Record<string, string>> = {
  'data/postgres/compacted-years.ts': 'a year reads as the rows that are taken out for it',
  'data/maintenance/apply-terms.ts':
    'deletes what no read gives any more, and revises where a row goes whole',
  'data/answers/own-facts.ts':
    'deletes what an organization brought, and revises each of its listings',
};

/** File -> text. */
type Tree = ReadonlyMap<string, string>;

const SOURCES: Tree = new Map(
  globSync('**/*.ts', { cwd: SRC })
    .sort()
    .map((path) => [path, readFileSync(join(SRC, path), 'utf8')]),
);

const WRITE =
  /\b(?:insert\s+into|update|delete\s+from|replace\s+into|merge\s+into|truncate(?:\s+table)?|copy)\s+(?:only\s+)?(\w+|\$\{)/g;

/** Returns statements outside the file of their table. */
function strayStatements(tree: Tree): readonly string[] {
  const checked = [...tree].filter(([path]) => !(path in ALL_TABLES));
  return checked.flatMap(([path, text]) =>
    [...text.matchAll(WRITE)].flatMap(([words, table = '']) => {
      const isAllowed = table === '${' ? path in ANY_TABLE : (OWNERS[table] ?? path) === path;
      return isAllowed ? [] : [`${path}: ${words}`];
    }),
  );
}

const SIGNATURE = /^export function (\w+)\([^]*?\)(?:: (.*))? \{$/gm;

/** Returns functions of those files that make statements and are imported outside the one place. */
function strayCallers(tree: Tree): readonly string[] {
  const owners = [...new Set(Object.values(OWNERS))];
  return owners.flatMap((owner) => {
    const makers = [...(tree.get(owner) ?? '').matchAll(SIGNATURE)]
      .filter(([, , returned = '']) => /\bStatement\b/.test(returned))
      .map(([, name = '']) => name);
    const file = basename(owner);
    const importLine = new RegExp(`^import \\{([^}]*)\\} from '[^']*/${file}';`, 'gm');
    return [...tree]
      .filter(([path]) => path !== PLACE && !(path in ALL_TABLES))
      .flatMap(([path, text]) =>
        [...text.matchAll(importLine)]
          .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
          .filter((name) => makers.includes(name))
          .map((name) => `${path}: ${name}`),
      );
  });
}

test('a statement that writes what answers are made of stands in the file of its table', () => {
  assert.deepEqual(strayStatements(SOURCES), []);
  const [found] = [...(SOURCES.get('data/answers/listing-writes.ts') ?? '').matchAll(WRITE)];
  assert.equal(found?.[1], 'listings');
});

test('only answer-writes.ts uses such statements', () => {
  assert.deepEqual(strayCallers(SOURCES), []);
});

test('the scan sees a statement that stands elsewhere, and a caller that goes around the place', () => {
  const elsewhere = 'lookup/elsewhere.ts';
  const statements = [
    'insert into listings (id) values ($1)',
    'update cells set status = $1',
    'delete from reviews',
    'insert\n      into sellers (seller_key) values ($1)',
    'delete from ${table} where id = $1',
    'truncate shops',
  ];
  for (const text of statements) {
    const tree = new Map([...SOURCES, [elsewhere, `const text = \`${text}\`;`]]);
    assert.equal(strayStatements(tree).length, 1, text);
  }
  const lines = [
    "import { upsertListing } from './answers/listing-writes.ts';",
    "import {\n  listingIdOf,\n  upsertListing,\n} from './answers/listing-writes.ts';",
    "import { deleteYear } from './history/packed-observations.ts';",
    "import { upsertSeller } from './answers/sellers.ts';",
    "import { upsertReviewTotals } from './answers/reviews.ts';",
  ];
  for (const line of lines) {
    assert.equal(strayCallers(new Map([...SOURCES, [elsewhere, line]])).length, 1, line);
  }
  const reader = "import { listingIdOf, type NotedListing } from './answers/listing-writes.ts';";
  assert.deepEqual(strayCallers(new Map([...SOURCES, [elsewhere, reader]])), []);
});

test('every exception is still one', () => {
  for (const path of Object.keys(ANY_TABLE)) {
    const tables = [...(SOURCES.get(path) ?? '').matchAll(WRITE)].map(([, table]) => table);
    assert.ok(tables.includes('${'), path);
  }
});
