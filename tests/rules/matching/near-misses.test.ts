// Pairs of two products that differ in one thing (a part made for the other, the next size or generation, another flavour), in
// kinds of at least twenty, and pairs of one product. They were written by hand and were known when the rules were made.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { similarityOf } from '../../../src/rules/matching/pair/compare.ts';
import { prepareListing } from '../../../src/rules/matching/prepared/prepared.ts';
import { MODEL } from './shipped-model.ts';

/** For the pairs of each kind with two products. */
const GOAL = 0.9;

/** The kind for pairs of one product. */
const SAME = 'same';

const rows = readFileSync(new URL('near-misses.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => {
    const [kind = '', one = '', two = '', ...more] = line.split('\t');
    assert.ok(kind !== '' && one !== '' && two !== '' && more.length === 0, line);
    return { kind, titles: [one, two] as const };
  });

/** Returns how likely two titles are one product, by the shipped model. */
function similarity([one, two]: readonly [string, string]): number {
  const [first, second] = [one, two].map((title) => prepareListing({ title }, MODEL.vocabulary));
  assert.ok(first !== undefined && second !== undefined);
  return similarityOf(MODEL, first, second);
}

for (const [kind, pairs] of Map.groupBy(rows, (row) => row.kind)) {
  const isSame = kind === SAME;
  const title = isSame
    ? 'of two titles of one product, nine of ten are accepted'
    : `near misses of the kind "${kind}": nine of ten are refused`;
  test(title, (t) => {
    const scores = pairs.map(({ titles }) => ({ titles, likely: similarity(titles) }));
    const misses = scores.filter(({ likely }) => likely >= MODEL.threshold !== isSame);
    t.diagnostic(`${pairs.length - misses.length} of ${pairs.length}`);
    const shown = misses.map(
      ({ likely, titles }) => `${likely.toFixed(2)}  ${titles.join('  |  ')}`,
    );
    for (const line of shown) t.diagnostic(line);
    assert.ok(pairs.length >= 20);
    assert.ok(pairs.length - misses.length >= GOAL * pairs.length, shown.join('\n'));
  });
}
