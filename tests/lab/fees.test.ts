// npm run lab -- fees: what it compares, what it reports for a miss, and how it ends.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';

const scratch = temporaryFolder();
const folder = scratch.path;
after(() => scratch[Symbol.dispose]());

const PROGRAM = new URL('../../lab/eval/fees.ts', import.meta.url).pathname;

function run(data: unknown, ...options: string[]) {
  const path = join(folder, 'fees.json');
  writeFileSync(path, typeof data === 'string' ? data : JSON.stringify(data));
  return spawnSync(process.execPath, [PROGRAM, '--data', path, ...options], { encoding: 'utf8' });
}

const BOOK = {
  card: 'retailer_w.referral.2025-03',
  input: { category: 'books', fee_base_usd: 30 },
  expected_usd: 4.5,
};
const PARCEL = {
  card: 'retailer_a.fba.2026-01-15',
  input: { table: 'standard', sides_in: [3, 3, 3], unit_weight_lb: 0.5, price_usd: 20 },
  tier: 'large_standard',
  billing_weight_lb: 0.5,
  expected_usd: 3.95,
};
const BOX = {
  card: 'retailer_w.wfs.2024',
  input: { sides_in: [3, 3, 3], unit_weight_lb: 2, retail_price_usd: 9, apparel: true },
  shipping_weight_lb: 3,
  expected_usd: 6.95,
};

test('vectors that hold end with 0 and one line of sums', () => {
  const { status, stdout, stderr } = run({ vectors: [BOOK, PARCEL, BOX] }, '--json');
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { vectors: 3, right: 3, missed: 0 });
  assert.match(run({ vectors: [BOOK] }).stdout, /^1 of 1 vectors to the cent\n$/);
});

test('a cent too much, another tier and another weight are misses, each with its line', () => {
  const wrong = [
    { ...BOOK, expected_usd: 4.51 },
    { ...PARCEL, tier: 'small_standard' },
    { ...BOX, shipping_weight_lb: 4 },
    { ...BOOK, card: 'retailer_w.referral.1999' },
  ];
  const { status, stdout, stderr } = run({ vectors: [BOOK, ...wrong] }, '--json');
  assert.equal(status, 1);
  assert.deepEqual(JSON.parse(stdout), { vectors: 5, right: 1, missed: 4 });
  const lines = stderr.trimEnd().split('\n');
  assert.equal(lines.length, 5);
  assert.match(lines[0] ?? '', /^vector 2 .*450, not 451/);
  assert.match(lines[1] ?? '', /size tier is "large_standard"/);
  assert.match(lines[2] ?? '', /billed weight is 3, not 4/);
  assert.match(lines[3] ?? '', /no_card_on_this_day/);
});

test('a fee that nobody can know is expected as null', () => {
  const { input } = PARCEL;
  const unknown = [
    { ...BOOK, input: { category: null, fee_base_usd: 30 }, expected_usd: null },
    { ...BOOK, input: { category: 'books', fee_base_usd: null }, expected_usd: null },
    { card: PARCEL.card, input: { ...input, unit_weight_lb: null }, expected_usd: null },
    { card: PARCEL.card, input: { ...input, sides_in: [3, null, 3] }, expected_usd: null },
    { card: PARCEL.card, input: { ...input, sides_in: null }, expected_usd: null },
    { card: PARCEL.card, input: { ...input, table: 'unheard_of' }, expected_usd: null },
    { card: BOX.card, input: { ...BOX.input, hazmat: null }, expected_usd: null },
    { ...BOOK, day: '2025-03-24', expected_usd: null },
  ];
  assert.equal(run({ vectors: unknown }).status, 0);
});

test('a vector may name a retailer and a day in place of a card', () => {
  const { card: _, ...rest } = PARCEL;
  const asked = { ...rest, retailer: 'retailer_a', kind: 'fulfillment' };
  const dated = [
    { ...asked, day: '2026-01-15' },
    { ...asked, day: '2026-01-14', expected_usd: 3.9 },
    { ...asked, day: '2024-04-14', expected_usd: null },
  ];
  const { status, stdout } = run({ vectors: dated });
  assert.equal(status, 0, stdout);
});

test('unreadable vectors are reported, and a run without vectors fails', () => {
  for (const data of [
    '{',
    '{}',
    '{"vectors":[]}',
    '{"vectors":[{"card":"x"}]}',
    { vectors: [{ input: {} }] },
  ]) {
    const { status, stderr } = run(data);
    assert.equal(status, 1);
    assert.match(stderr, /cannot be read/);
  }
  const bad = spawnSync(process.execPath, [PROGRAM, '--dat', 'x'], { encoding: 'utf8' });
  assert.equal(bad.status, 2);
  assert.match(bad.stderr, /usage:/);
});
