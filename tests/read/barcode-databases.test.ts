// What barcode databases answer, in the shapes of their documentation: facts as they state them, and null for every gap.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import type { Page } from '../../src/base/listing/page.ts';
import {
  openFactsRequest,
  readDumpRow,
  readOpenFacts,
} from '../../src/read/barcode-databases/open-facts.ts';
import {
  openLibraryRequest,
  readOpenLibrary,
} from '../../src/read/barcode-databases/open-library.ts';

const GTIN = '04000000000017' as Gtin14;
const CODE = '4000000000017';
const ISBN = '09780000000002' as Gtin14;

const page = (body: unknown, answer: Partial<Page> = {}): Page => ({
  requestedUrl: '',
  url: `https://world.openfoodfacts.org/api/v2/product/${CODE}.json`,
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  fetchedAtMs: 0,
  ...answer,
});

const product = (facts: object, answer: Partial<Page> = {}) =>
  readOpenFacts(page({ code: CODE, status: 1, product: { code: CODE, ...facts } }, answer), GTIN);

const factsOf = (facts: object) => {
  const answer = product(facts);
  return answer.kind === 'known' ? answer.facts : null;
};

test('a product of Open Food Facts is what the documented answer states', () => {
  const stated = {
    product_name: 'Oat drink',
    brands: 'Cobbleton, Cobbleton Bio',
    quantity: '6 x 1 l',
    product_quantity: 1000,
    product_quantity_unit: 'ml',
    categories_tags: ['en:plant-milks', 'fr:boissons-a-l-avoine'],
    countries_tags: ['en:germany'],
    image_front_url: 'https://images.openfoodfacts.org/images/products/400/front.jpg',
    product_type: 'food',
  };
  assert.deepEqual(factsOf(stated), {
    source: 'open_food_facts',
    url: `https://world.openfoodfacts.org/product/${CODE}`,
    title: 'Oat drink',
    brand: 'Cobbleton',
    imageUrl: 'https://images.openfoodfacts.org/images/products/400/front.jpg',
    categories: ['plant milks', 'boissons a l avoine'],
    specs: [{ name: 'Quantity', value: '6 x 1 l' }],
    packCount: 6,
  });
});

test('a gap stays a gap, and a product without any name is not known', () => {
  for (const [facts, expected] of [
    [{ product_name: 'Tea' }, { title: 'Tea', brand: null, imageUrl: null, packCount: null }],
    [{ product_name: '', product_name_fr: 'Thé', product_name_en: '' }, { title: 'Thé' }],
    [{ product_name_de: 'Tee', product_name_en: 'Tea' }, { title: 'Tea' }],
    [{ product_name: ' - ', generic_name: 'Herbal tea' }, { title: 'Herbal tea' }],
    [
      { product_name: 'Tea &amp; milk', brands: '' },
      { title: 'Tea & milk', brand: null },
    ],
    [
      { product_name: 'Tea', image_front_url: 'https://elsewhere.example/x.jpg' },
      { imageUrl: null },
    ],
    [
      { product_name: 'Tea', product_quantity: '250', product_quantity_unit: 'g' },
      { specs: [{ name: 'Quantity', value: '250 g' }] },
    ],
    [{ product_name: 'Tea', product_quantity: '250' }, { specs: [] }],
  ] as const) {
    const read = factsOf(facts) ?? assert.fail(JSON.stringify(facts));
    assert.deepEqual({ ...read, ...expected }, read);
  }
  assert.equal(product({ brands: 'Cobbleton', quantity: '1 l' }).kind, 'unknown');
});

test('404 and status 0 are "unknown"; a refusal, a failure, a page and another code are no answer', () => {
  const none = { code: CODE, status: 0, status_verbose: 'product not found' };
  const html = { headers: { 'content-type': 'text/html' } };
  for (const [answer, kind] of [
    [page(none, { status: 404 }), 'unknown'],
    [page(none), 'unknown'],
    [page('<h1>Not found</h1>', { status: 404, ...html }), 'failed'],
    [page('<h1>Just a moment</h1>', html), 'failed'],
    [page('', { status: 503 }), 'failed'],
    [page({ status: 1 }, { status: 429 }), 'failed'],
    [
      page({ code: CODE, status: 1, product: { code: '4000000000024', product_name: 'Tea' } }),
      'failed',
    ],
    [page('{"status":1'), 'failed'],
  ] as const) {
    assert.equal(readOpenFacts(answer, GTIN).kind, kind);
  }
});

test('a redirect is followed to a database of the family and nowhere else', () => {
  const redirected = (location: string) =>
    readOpenFacts(page('', { status: 302, headers: { location } }), GTIN);
  const there = redirected(`https://de.openbeautyfacts.org/api/v2/product/${CODE}.json`);
  assert.ok(there.kind === 'elsewhere');
  assert.equal(there.source, 'open_beauty_facts');
  for (const location of [
    'https://world.openbeautyfacts.org.evil.example/api',
    'https://evil.example/openbeautyfacts.org',
    '/api/v2/product/1.json',
    'javascript:1',
    '',
  ]) {
    assert.equal(redirected(location).kind, 'failed', location);
  }
  const beauty = { url: 'https://world.openbeautyfacts.org/api/v2/product/1.json' };
  const held = product({ product_name: 'Soap' }, beauty);
  assert.ok(held.kind === 'known' && held.facts.source === 'open_beauty_facts');
});

test('a request names the code in 13 digits, or 8, with all product types', () => {
  const url = new URL(openFactsRequest(GTIN, 'open_food_facts').url);
  assert.equal(url.pathname, `/api/v2/product/${CODE}.json`);
  assert.equal(url.searchParams.get('product_type'), 'all');
  assert.match(
    openFactsRequest('00000040000018' as Gtin14, 'open_pet_food_facts').url,
    /openpetfoodfacts\.org\/api\/v2\/product\/40000018\.json/,
  );
  assert.equal(
    openLibraryRequest(ISBN).url,
    'https://openlibrary.org/api/books?bibkeys=ISBN:9780000000002&format=json&jscmd=data',
  );
});

test('a book is what Open Library states, and its publisher is not its brand', () => {
  const book = {
    url: 'https://openlibrary.org/books/OL1M/A_Book',
    title: 'A Book',
    subtitle: 'And more',
    authors: [{ name: 'A. Author', url: '' }, { name: 'B. Author' }],
    publishers: [{ name: 'Cobbleton Press' }],
    publish_date: '1999',
    number_of_pages: 120,
    subjects: [{ name: 'Gardens' }],
    cover: { large: 'https://covers.openlibrary.org/b/id/1-L.jpg' },
  };
  const read = readOpenLibrary(page({ 'ISBN:9780000000002': book }), ISBN);
  assert.deepEqual(read, {
    kind: 'known',
    facts: {
      source: 'open_library',
      url: book.url,
      title: 'A Book: And more',
      brand: null,
      imageUrl: book.cover.large,
      categories: ['Gardens'],
      specs: [
        { name: 'Author', value: 'A. Author, B. Author' },
        { name: 'Publisher', value: 'Cobbleton Press' },
        { name: 'Published', value: '1999' },
        { name: 'Pages', value: '120' },
      ],
      packCount: null,
    },
  });
  const bare = readOpenLibrary(page({ 'ISBN:9780000000002': { title: 'A Book' } }), ISBN);
  assert.ok(bare.kind === 'known' && bare.facts.specs.length === 0 && bare.facts.imageUrl === null);
  assert.equal(readOpenLibrary(page({}), ISBN).kind, 'unknown');
  for (const answer of [page('[]'), page('<h1>Busy</h1>'), page({}, { status: 503 })]) {
    assert.equal(readOpenLibrary(answer, ISBN).kind, 'failed');
  }
});

test('a row of a dump is read as an answer is, whichever product type or address it states', () => {
  const row = {
    code: '4006381333931',
    product_name: 'Oat drink',
    categories_tags: 'en:plant-milks,en:drinks',
  };
  assert.deepEqual(readDumpRow(row)?.facts.categories, ['plant milks', 'drinks']);
  const sourceOf = (fields: object) => readDumpRow({ ...row, ...fields })?.facts.source;
  assert.equal(sourceOf({}), 'open_food_facts');
  assert.equal(sourceOf({ product_type: 'petfood' }), 'open_pet_food_facts');
  assert.equal(
    sourceOf({ url: 'http://world-en.openbeautyfacts.org/product/1/soap' }),
    'open_beauty_facts',
  );
  for (const code of ['', '4006381333932', '2000000000008', 'x']) {
    assert.equal(readDumpRow({ ...row, code }), null, code);
  }
  assert.equal(readDumpRow({ code: '4006381333931', product_name: '' }), null);
});
