// Two listings: what decides, what is given as the reason, and that no shop text breaks or reverses a comparison.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bandOf, comparePair, similarityOf } from '../../../src/rules/matching/pair/compare.ts';
import { isVetoed } from '../../../src/rules/matching/pair/conflicts.ts';
import type { Reason } from '../../../src/rules/matching/pair/conflicts.ts';
import { prepareListing } from '../../../src/rules/matching/prepared/prepared.ts';
import type { MatchInput, Prepared } from '../../../src/rules/matching/prepared/prepared.ts';
import { MODEL } from './shipped-model.ts';

function listing(input: string | MatchInput): Prepared {
  return prepareListing(typeof input === 'string' ? { title: input } : input, MODEL.vocabulary);
}

const SAME: readonly (readonly [MatchInput | string, MatchInput | string])[] = [
  ['Halden ZX-4410B laser printer black', 'Halden ZX4410B Laser Printer'],
  ['Halden VideoStudio 11 Pro', 'halden video studio pro 11'],
  ['Corvane TK-2210 Drive 64GB', 'corvane tk2210 64 gb drive'],
  ['Corvane HDX9920Q 27" monitor', 'Corvane HDX9920Q Monitor 27-inch'],
];

test('listings of one product are taken for one', () => {
  for (const [one, two] of SAME) {
    const { similarity, reason, detail } = comparePair(MODEL, listing(one), listing(two));
    assert.ok(similarity >= MODEL.threshold, `${JSON.stringify([one, two])}: ${similarity}`);
    assert.deepEqual([reason, detail], [null, null]);
  }
});

test('how an amount is spaced changes no similarity, and in another unit it is likely too', () => {
  for (const { spellings, unit } of [
    { spellings: ['500 g', '500g', '500-g'], unit: '0,5 kg' },
    { spellings: ['1.5 L', '1,5l', '1,5-l'], unit: '1500 ml' },
    { spellings: ['2 x 250ml', '2x250 ml', '2x 250 ml'], unit: '2 x 0.25l' },
  ]) {
    const [first = '', ...others] = spellings;
    const known = listing(`Arden Spaghetti Sauce Basil ${first}`);
    const likenessOf = (said: string) =>
      similarityOf(MODEL, known, listing(`Arden Basil Sauce ${said} Spaghetti`));
    assert.ok(likenessOf(first) >= MODEL.threshold, first);
    for (const other of others) assert.equal(likenessOf(other), likenessOf(first), other);
    assert.ok(likenessOf(unit) >= MODEL.threshold, unit);
  }
});

test('a forest without stops, as training gives it, counts each tree once', () => {
  const { forest } = MODEL;
  const never = { ...forest, stops: forest.stops.map(() => -(2 ** 31)) };
  for (const [one, two] of SAME) {
    const [a, b] = [listing(one), listing(two)];
    assert.equal(
      similarityOf({ ...MODEL, forest: { ...forest, stops: new Int32Array(0) } }, a, b),
      similarityOf({ ...MODEL, forest: never }, a, b),
      JSON.stringify([one, two]),
    );
  }
});

test('what is counted is not a model number, in German either', () => {
  for (const title of ['Arden Akku 4er Blister', 'Arden Batterien 10er-Pack']) {
    assert.deepEqual(listing(title).codes, [], title);
  }
});

type Conflicting = readonly [
  one: MatchInput | string,
  two: MatchInput | string,
  reason: Reason,
  detail: string,
];

const SETTLED: readonly Conflicting[] = [
  ['Corvane pads pack of 12', 'Corvane pads pack of 6', 'pack_count', 'pack_count 12 vs 6'],
  [
    { title: 'Corvane pads', packCount: 2 },
    { title: 'Corvane pads', packCount: 3 },
    'pack_count',
    'pack_count 2 vs 3',
  ],
  ['Corvane TK-2210 64GB', 'Corvane TK-2210 128 GB', 'capacity', 'capacity 64gb vs 128gb'],
  ['Corvane drive 500GB', 'Corvane drive 1TB', 'capacity', 'capacity 500gb vs 1024gb'],
  ['Corvane sleeve 13"', 'Corvane sleeve 15.6 inch', 'size', 'size 13in vs 15.6in'],
  ['Corvane pasta 500 g', 'Corvane pasta 1kg', 'size', 'size 500g vs 1000g'],
  ['Corvane soil 20L', 'Corvane soil 40 l', 'size', 'size 20000ml vs 40000ml'],
  ['Corvane oil 250 ml (2 pack)', 'Corvane oil 500ml (2 pack)', 'size', 'size 250ml vs 500ml'],
  [
    { title: 'Corvane lamp', gtin: '00012345678905' },
    { title: 'Corvane lamp', gtin: '00036000291452' },
    'barcode',
    'barcode 00012345678905 vs 00036000291452',
  ],
];

test('other barcodes, pack counts, capacities and sizes settle the matter', () => {
  for (const [one, two, reason, detail] of SETTLED) {
    const [a, b] = [listing(one), listing(two)];
    assert.ok(isVetoed(a, b), detail);
    const found = comparePair(MODEL, a, b);
    assert.equal(found.similarity, 0.01, detail);
    assert.deepEqual([found.reason, found.detail], [reason, detail]);
    assert.equal(bandOf(MODEL, found.similarity), 'disagree');
  }
});

const UNSETTLED: readonly (readonly [string, string])[] = [
  ['Corvane drive 1TB', 'Corvane drive 1000 GB'],
  ['Corvane monitor 27"', 'Corvane monitor 26.5 inch'],
  ['Corvane phone 6GB 128GB', 'Corvane phone 128GB'],
  ['Corvane pads', 'Corvane pads pack of 1'],
  ['Corvane card 64GB 540MB/s', 'Corvane card 64 GB 16MB'],
  ['Corvane water 6 x 1.5 l', 'Corvane water 9 l'],
  ['Corvane crisps 25 g (10 bags)', 'Corvane crisps 10 bags 250g'],
  ['Corvane whey 24g protein', 'Corvane whey 907 g'],
];

test('rounding, a missing count, a second amount, and what is in each next to what is in all settle nothing', () => {
  for (const [one, two] of UNSETTLED) assert.ok(!isVetoed(listing(one), listing(two)), one);
});

const UNLIKE: readonly Conflicting[] = [
  ['Halden QN65Q80 television', 'Halden QN55Q80 television', 'model', 'model qn65q80 vs qn55q80'],
  [
    'Halden office suite for mac',
    'Corvane tax suite for windows',
    'platform',
    'platform mac vs win',
  ],
  ['Halden runner shoe nero', 'Halden walker sandal white', 'colour', 'colour black vs white'],
  [
    { title: 'garden chair', brand: 'Halden' },
    { title: 'desk lamp', brand: 'Corvane' },
    'brand',
    'brand halden vs corvane',
  ],
  ['garden chair', 'desk lamp', 'title', 'title "garden chair" vs "desk lamp"'],
];

test('the reason is the strongest contradiction, in words, in the order that was asked', () => {
  for (const [one, two, reason, detail] of UNLIKE) {
    const found = comparePair(MODEL, listing(one), listing(two));
    assert.ok(found.similarity < MODEL.threshold, `${detail}: ${found.similarity}`);
    assert.deepEqual([found.reason, found.detail], [reason, detail]);
    const [first, second] = detail.slice(reason.length + 1).split(' vs ');
    const turned = comparePair(MODEL, listing(two), listing(one));
    assert.equal(turned.detail, `${reason} ${second} vs ${first}`);
  }
});

test('equal barcodes outweigh titles that have nothing in common', () => {
  const gtin = '00012345678905';
  const found = comparePair(
    MODEL,
    listing({ title: 'garden chair', gtin }),
    listing({ title: 'Gartenstuhl', gtin }),
  );
  assert.ok(found.similarity >= 0.98);
});
