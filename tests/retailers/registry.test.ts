import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../src/domain/page.ts';
import { readProductPage } from '../../src/retailers/registry.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';
import { CHOICE_CASES, CONFLICT_CASES, JSON_LD_CASES } from './generic-cases.ts';
import { BROKEN_CASES, MARKUP_CASES, OTHER_CASES } from './generic-markup-cases.ts';
import { ld, MUG, pageOf } from './page-fixtures.ts';

const STORE = JSON.stringify({
  product: { id: 1, title: 'Blue Mug', body_html: '', variants: [{ id: 2, price: '3.00' }] },
});

test('JSON of a hosted store, with and without a content type', () => {
  for (const type of ['application/json', '', 'text/html']) {
    const verdict = readProductPage(pageOf(STORE, { headers: { 'content-type': type } }));
    assert.equal(verdict.kind, 'read', type);
    if (verdict.kind === 'read') assert.equal(verdict.value.itemId, '1');
  }
});

test('a JSON body that is a schema.org product', () => {
  const headers = { 'content-type': 'application/ld+json' };
  const verdict = readProductPage(pageOf(JSON.stringify(MUG), { headers }));
  assert.equal(verdict.kind, 'read');
});

test('a slug without a reader of its own is read as any shop', () => {
  assert.equal(readProductPage(pageOf(ld(MUG)), 'someshop').kind, 'read');
});

test('text around a product changes neither its price nor its barcode', () => {
  const verdict = readProductPage(pageOf(`${'x'.repeat(3_000_000)}${ld(MUG)}`));
  assert.equal(verdict.kind, 'read');
  if (verdict.kind !== 'read') return;
  assert.deepEqual(verdict.value.price, { cents: 1250, currency: 'USD' });
});

/** Texts that a strict parser must accept, may accept or must refuse: none may stop a reader. */
const JSON_TEXTS: readonly string[] = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '-0',
  '-',
  '-1.5e+9',
  '1e309',
  '1e-400',
  '.5',
  '1.',
  '01',
  '0x1',
  '1_000',
  '+1',
  '"',
  '"a',
  '"\\',
  '"\\u',
  '"\\uD800"',
  '"\\uDFFF\\uD800"',
  '"\\x"',
  '"\u0000"',
  '"\u2028"',
  '"\\"',
  "'a'",
  '[',
  ']',
  '[]',
  '[,]',
  '[1,]',
  '[,1]',
  '[1 2]',
  '[1}',
  '[[',
  ']]',
  '[null,',
  '[""],',
  '[1]]',
  '["a",\n4\n,1,',
  '[NaN]',
  '[Infinity]',
  '{',
  '}',
  '{}',
  '{,}',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{"a":1,,}',
  '{"a" "b"}',
  '{a:1}',
  '{1:1}',
  '{"a":1}x',
  '{"a":1}{"b":2}',
  '{"a":1',
  '{"":0}',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '{"@type":"Product"',
  '{"@type":"Product","offers":',
  '{"@type":"Product","offers":[',
  '{"@type":["Product",["Product",["Product"]]]}',
  '{"@type":"Product","name":{"name":{"name":"x"}},"offers":{"offers":{"offers":{}}}}',
  '{"@type":"Product","name":["a",{"@value":"b"}],"offers":[[{"price":1}]]}',
  '{"@type":"Product","name":1,"sku":[],"brand":[{}],"image":[[[]]],"offers":[null,1,"x",[]]}',
  '{"@type":"Product","name":"x","sku":"y","aggregateRating":"5","weight":{"value":{}},"category":[{}],"url":"http://["}',
  '{"@type":"ProductGroup","name":"x","sku":"y","hasVariant":[null,{"offers":{"price":1}},"x"]}',
  '{"@graph":{"@graph":{"@graph":[]}}}',
  '\ufeff{}',
  '\ufeff',
  '\u0000',
  '*',
  '<null>',
  '{"a":"\t"}',
  '// x',
  '/* x',
  '[1] // x',
  '{"a":/*b*/1}',
];

test('every text of a table of malformed and odd JSON gives a verdict', () => {
  for (const text of JSON_TEXTS) {
    for (const page of [
      pageOf(ld(text)),
      pageOf(text, { headers: {} }),
      pageOf(text, { headers: { 'content-type': 'application/json' } }),
    ]) {
      assert.equal(typeof readProductPage(page).kind, 'string', text);
    }
  }
});

const MUTATIONS = 3000;

function mutated(body: Uint8Array, other: Uint8Array, random: () => number): Uint8Array {
  const at = integerBelow(random, body.length + 1);
  const copy = Uint8Array.from(body);
  switch (integerBelow(random, 6)) {
    case 0:
      return copy.subarray(0, at);
    case 1: {
      for (let count = 1 + integerBelow(random, 8); count > 0; count -= 1) {
        const index = integerBelow(random, Math.max(1, copy.length));
        copy[index] = (copy[index] ?? 0) ^ (1 << integerBelow(random, 8));
      }
      return copy;
    }
    case 2: {
      const from = integerBelow(random, other.length + 1);
      const piece = other.subarray(from, from + integerBelow(random, 400));
      return Uint8Array.from([...copy.subarray(0, at), ...piece, ...copy.subarray(at)]);
    }
    case 3: {
      const to = at + integerBelow(random, 200);
      return Uint8Array.from([...copy.subarray(0, at), ...copy.subarray(to)]);
    }
    case 4:
      return Uint8Array.from([...copy.subarray(at), ...copy.subarray(0, at)]);
    default:
      return Uint8Array.from([...copy.subarray(0, at), ...copy]);
  }
}

test('readers give a verdict on any bytes', (context) => {
  const seed = seedOf(20_261_120);
  context.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const pages: readonly Page[] = [
    ...[
      ...JSON_LD_CASES,
      ...CHOICE_CASES,
      ...CONFLICT_CASES,
      ...MARKUP_CASES,
      ...BROKEN_CASES,
      ...OTHER_CASES,
    ].map(({ page }) => page),
    pageOf(STORE, { headers: { 'content-type': 'application/json' } }),
    pageOf(STORE, { headers: {}, url: 'https://shop.example/products/a.js?variant=2' }),
  ];
  const charsets = ['utf-8', 'utf-16le', 'shift_jis', 'gb18030', 'iso-2022-jp', 'nonsense'];
  // 3,000 changes of the whole table in turn keep the suite quick; `MUTATIONS` a page is a longer run.
  const each = Number(process.env['READER_MUTATIONS'] ?? Math.ceil(MUTATIONS / pages.length));
  for (const page of pages) {
    for (let round = 0; round < each; round += 1) {
      const body = mutated(page.body, pick(random, pages).body, random);
      const type = round % 5 === 0 ? `text/html; charset=${pick(random, charsets)}` : 'text/html';
      const verdict = readProductPage({ ...page, body, headers: { 'content-type': type } });
      assert.equal(typeof verdict.kind, 'string');
      if (verdict.kind !== 'read') continue;
      const { price, imageUrl, title } = verdict.value;
      assert.ok(price === null || (Number.isSafeInteger(price.cents) && price.cents > 0));
      assert.ok(imageUrl === null || /^https?:/.test(imageUrl));
      assert.ok(title !== null && title.length > 0 && title.length <= 1000);
    }
  }
});
