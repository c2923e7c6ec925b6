import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProductPage } from '../../../src/read/retailers/registry.ts';
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

function countOf(product: object, slug?: string): number | null {
  const verdict = readProductPage(pageOf(ld({ ...MUG, ...product })), slug);
  assert.equal(verdict.kind, 'read');
  return verdict.kind === 'read' ? verdict.value.packCount : null;
}

test('the pack count is that of the field, else that of the title, with every reader', () => {
  const quantity = [{ '@type': 'PropertyValue', name: 'Package Quantity', value: '6' }];
  for (const slug of [undefined, 'someshop']) {
    assert.equal(countOf({ name: 'Blue Mug (Pack of 4)' }, slug), 4);
    assert.equal(countOf({ name: 'Blue Mug (Pack of 4)', additionalProperty: quantity }, slug), 6);
    assert.equal(countOf({ additionalProperty: quantity }, slug), 6);
    assert.equal(countOf({}, slug), null);
  }
});

test('specifications are kept as far as they have 16,384 characters, with every reader', () => {
  const rows = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => ({
      '@type': 'PropertyValue',
      name: `row ${at}`.padEnd(16),
      value: 'v'.repeat(length),
    }));
  for (const [count, length, kept] of [
    [0, 1, 0],
    [40, 100, 40],
    [250, 1_000, 16],
  ] as const) {
    const page = pageOf(ld({ ...MUG, additionalProperty: rows(count, length) }));
    const verdict = readProductPage(page);
    assert.equal(verdict.kind === 'read' && verdict.value.specs.length, kept, `${count} rows`);
  }
});

test('a title that says used, renewed or defective wins over a field that says new or nothing, with every reader', () => {
  const conditionOf = (product: object, slug?: string) => {
    const verdict = readProductPage(pageOf(ld({ ...MUG, ...product })), slug);
    return verdict.kind === 'read' ? verdict.value.condition : undefined;
  };
  const offers = { ...MUG.offers, itemCondition: 'https://schema.org/NewCondition' };
  for (const slug of [undefined, 'someshop', 'retailer_h', 'retailer_l']) {
    assert.equal(conditionOf({ name: 'Blue Mug (Refurbished)', offers }, slug), 'refurbished');
    assert.equal(conditionOf({ name: 'Blaue Tasse gebraucht' }, slug), 'used_good');
    assert.equal(conditionOf({ offers }, slug), 'new');
  }
});

test('dangerous goods are what the page declares, never what it does not say', () => {
  const hazmatOf = (product: object) => {
    const verdict = readProductPage(pageOf(ld({ ...MUG, ...product })));
    return verdict.kind === 'read' ? verdict.value.hazmat : undefined;
  };
  const word = 'https://schema.org/DangerousGoodConsideration';
  assert.equal(hazmatOf({ hasAdultConsideration: word }), true);
  assert.equal(
    hazmatOf({ hasAdultConsideration: ['AlcoholConsideration', { '@id': word }] }),
    true,
  );
  assert.equal(hazmatOf({ hasAdultConsideration: 'AlcoholConsideration' }), null);
  assert.equal(hazmatOf({ name: 'Lithium Battery Flammable Spray' }), null);
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

/** A complete product: every property that a reader uses. */
