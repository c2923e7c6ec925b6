// How retailer_w is queried: addresses, signed headers, tokens; and how its official APIs' answers are read.

import assert from 'node:assert/strict';
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import type { Access, RetailerQuestion, Source } from '../../../../src/read/retailers/adapter.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { retailerWAdapter } from '../../../../src/read/retailers/retailer-w/adapter.ts';
import * as book from '../../../../src/read/retailers/retailer-w/address-book.ts';
import * as given from './fixtures.ts';

const CONSUMER = 'a1b2c3d4-0000-1111-2222-333344445555';
const NOW = 1_724_112_000_000;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' });

function accessWith(
  credentials: Readonly<Record<string, string>>,
  token: string | null = null,
): Access {
  return { credentials, token, nowMs: NOW, newId: () => '11111111-2222-3333-4444-555555555555' };
}

function sourceNamed(name: string): Source {
  const source = retailerWAdapter.sources.find((each) => each.name === name);
  assert.ok(source !== undefined, name);
  return source;
}

const gtinOf = (text: string): Gtin14 => {
  const gtin = toGtin14(text);
  assert.ok(gtin !== null);
  return gtin;
};
const identifier = { kind: 'item_id', value: '100200300', retailer: 'retailer_w' } as const;
const PRODUCT: RetailerQuestion = { kind: 'product', identifier };
const BARCODE: RetailerQuestion = { kind: 'barcode', gtin: gtinOf('036000291452') };
const EAN: RetailerQuestion = { kind: 'barcode', gtin: gtinOf('4006381333931') };

test('official APIs are tried before pages', () => {
  const names = retailerWAdapter.sources.map(({ name }) => name);
  assert.deepEqual(names, ['affiliate', 'marketplace', 'page', 'page_offers']);
});

const oneLine = PEM.replaceAll('\n', '\\n');
const bare = PEM.replaceAll(/-----[^-]+-----|\n/g, '');
for (const [form, text] of [
  ['PEM', PEM],
  ['PEM in one line', oneLine],
  ['bare base64', bare],
] as const) {
  test(`the consumer id, the time and the key version, a line feed after each, are signed with a key written as ${form}`, () => {
    const credentials = { CONSUMER_ID: CONSUMER, KEY_VERSION: '2', PRIVATE_KEY: text };
    const request = sourceNamed('affiliate').request(BARCODE, accessWith(credentials));
    assert.equal(request?.url, `${book.AFFILIATE_BASE}/items?upc=036000291452&format=json`);
    const headers = request?.headers ?? {};
    assert.equal(headers['wm_consumer.id'], CONSUMER);
    assert.equal(headers['wm_consumer.intimestamp'], String(NOW));
    assert.equal(headers['wm_sec.key_version'], '2');
    const verify = createVerify('sha256').update(`${CONSUMER}\n1724112000000\n2\n`);
    assert.ok(verify.verify(publicKey, headers['wm_sec.auth_signature'] ?? '', 'base64'));
  });
}

test('without a usable key, and for what it does not know, the affiliate API is not asked', () => {
  const source = sourceNamed('affiliate');
  const good = accessWith({ CONSUMER_ID: CONSUMER, KEY_VERSION: '2', PRIVATE_KEY: PEM });
  assert.equal(
    source.request(PRODUCT, good)?.url,
    `${book.AFFILIATE_BASE}/items/100200300?format=json`,
  );
  assert.equal(source.request({ kind: 'seller', catalogSellerId: '1' }, good), null);
  for (const text of [
    '',
    'nonsense',
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
  ]) {
    assert.match(source.credentialProblem?.({ PRIVATE_KEY: text }) ?? '', /not an RSA key/);
    assert.equal(source.request(PRODUCT, accessWith({ PRIVATE_KEY: text })), null);
  }
});

/** By code as printed: how the affiliate API is asked for it. */
const CODES: readonly (readonly [code: string, query: string])[] = [
  ['036000291452', 'upc=036000291452'],
  ['0036000291452', 'upc=036000291452'],
  ['00036000291452', 'upc=036000291452'],
  ['4006381333931', 'gtin=04006381333931'],
  ['9780306406157', 'gtin=09780306406157'],
  ['10099900000019', 'gtin=10099900000019'],
  ['96385074', 'upc=000096385074'],
];
test('the affiliate API is asked for the reviews of an item, page by page', () => {
  const good = accessWith({ CONSUMER_ID: CONSUMER, KEY_VERSION: '2', PRIVATE_KEY: PEM });
  const source = sourceNamed('affiliate');
  const reviews = (page: number) =>
    source.request({ kind: 'reviews', identifier, page }, good)?.url;
  assert.equal(reviews(2), `${book.AFFILIATE_BASE}/reviews/100200300?page=2&format=json`);
  assert.equal(reviews(0), undefined);
  assert.equal(source.readerOf('reviews'), 'api:affiliate_reviews');
});

test('the affiliate API is asked for a code of 12 digits as UPC, for every other as GTIN of 14', () => {
  const good = accessWith({ CONSUMER_ID: CONSUMER, KEY_VERSION: '2', PRIVATE_KEY: PEM });
  for (const [code, query] of CODES) {
    const request = sourceNamed('affiliate').request({ kind: 'barcode', gtin: gtinOf(code) }, good);
    assert.equal(request?.url, `${book.AFFILIATE_BASE}/items?${query}&format=json`, code);
  }
});

test('an item of the affiliate API has the barcode that it repeats, and else none', () => {
  const codeOf = (codes: object) => {
    const item = { itemId: 100_200_300, name: 'Anvil', salePrice: 5, ...codes };
    const verdict = readAnswer(
      given.jsonPage({ items: [item] }),
      'api:affiliate_item',
      'retailer_w',
    );
    assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product');
    return verdict.value.listing.gtin;
  };
  assert.equal(codeOf({ gtin: '04006381333931' }), '04006381333931');
  assert.equal(codeOf({ upc: '036000291452', gtin: '04006381333931' }), '00036000291452');
  assert.equal(codeOf({}), null);
  assert.equal(codeOf({ gtin: '04006381333932' }), null, 'its check digit is wrong');
});

test('the marketplace token is asked for with both halves of the client, and read with its end', () => {
  const { token } = sourceNamed('marketplace');
  const request = token?.request(accessWith({ CLIENT_ID: 'client', CLIENT_SECRET: 'sécret' }));
  assert.equal(request?.method, 'POST');
  assert.equal(request?.url, `${book.MARKETPLACE_BASE}/token`);
  assert.equal(request?.body, 'grant_type=client_credentials');
  const expected = Buffer.from('client:sécret').toString('base64');
  assert.equal(request?.headers?.['authorization'], `Basic ${expected}`);
  const answer = given.jsonPage({ access_token: 'abc', token_type: 'Bearer', expires_in: 900 });
  assert.deepEqual(token?.read(answer), { token: 'abc', expiresInSeconds: 900 });
  assert.equal(token?.read(given.jsonPage({ error: 'x' })), null);
  assert.equal(token?.read(given.jsonPage({ access_token: 'abc' }, { status: 401 })), null);
});

test('the marketplace is asked for a barcode, in twelve digits or in fourteen', () => {
  const source = sourceNamed('marketplace');
  const access = accessWith({}, 'abc');
  const request = source.request(BARCODE, access);
  assert.equal(request?.url, `${book.MARKETPLACE_SEARCH}?upc=036000291452`);
  assert.equal(request?.headers?.['wm_sec.access_token'], 'abc');
  assert.equal(request?.headers?.['wm_qos.correlation_id'], '11111111-2222-3333-4444-555555555555');
  assert.ok(source.request(EAN, access)?.url.endsWith('?gtin=04006381333931'));
  assert.equal(source.request(PRODUCT, access), null);
  assert.equal(source.request(BARCODE, accessWith({})), null);
});

test('pages have an address for each question, and offers one with a hash of the day only', () => {
  const pages = sourceNamed('page');
  const urlOf = (question: RetailerQuestion) =>
    pages.request(question, accessWith({}))?.url ?? null;
  assert.equal(urlOf(PRODUCT), given.ITEM_URL);
  assert.equal(urlOf(BARCODE), `${given.HOST}/search?q=036000291452`);
  assert.equal(urlOf(EAN), `${given.HOST}/search?q=4006381333931`);
  const reviews = { kind: 'reviews', identifier, page: 2 } as const;
  assert.equal(
    urlOf(reviews),
    `${given.HOST}/reviews/product/100200300?page=2&sort=submission-desc`,
  );
  assert.equal(urlOf({ ...reviews, page: 0 }), null);
  assert.equal(urlOf({ kind: 'seller', catalogSellerId: '4650' }), `${given.HOST}/seller/4650`);
  assert.equal(urlOf({ kind: 'seller', catalogSellerId: '../x' }), null);
  assert.equal(urlOf({ kind: 'offers', identifier }), null);

  const offers = sourceNamed('page_offers');
  const asked = offers.request(
    { kind: 'offers', identifier },
    accessWith({ OFFERS_HASH: 'abcdef0123456789' }),
  );
  const url = new URL(asked?.url ?? '');
  assert.ok(url.pathname.endsWith('/abcdef0123456789'));
  assert.equal(JSON.parse(url.searchParams.get('variables') ?? '').itemId, '100200300');
  assert.equal(
    offers.request({ kind: 'offers', identifier }, accessWith({ OFFERS_HASH: '../../../x' })),
    null,
  );
  assert.deepEqual(offers.needs, ['OFFERS_HASH']);
});

function ask(page: Page, reader: string) {
  return readAnswer(page, reader, 'retailer_w');
}

test('an affiliate item gives what the API states, in US dollars', () => {
  const verdict = ask(given.jsonPage({ items: [given.AFFILIATE_ITEM] }), 'api:affiliate_item');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product');
  const { listing } = verdict.value;
  assert.deepEqual(
    [listing.title, listing.itemId, listing.gtin, listing.model, listing.brand, listing.variantId],
    ['Blue Mug - Large', '100200300', '00036000291452', 'BM-12', 'Acme', '100200300'],
  );
  assert.deepEqual(listing.price, { cents: 2450, currency: 'USD' });
  assert.deepEqual(listing.listPrice, { cents: 2999, currency: 'USD' });
  assert.deepEqual(listing.secondaryOfferPrice, { cents: 2300, currency: 'USD' });
  assert.deepEqual(
    [listing.inStock, listing.sellerName, listing.sellerType],
    [true, 'Some Shop', '3p'],
  );
  assert.deepEqual([listing.rating, listing.reviewCount], [4.5, 120]);
  assert.deepEqual(listing.categories, ['Home', 'Kitchen', 'Mugs']);
  assert.equal(listing.description, 'Holds tea');
  assert.equal(listing.imageUrl, 'https://images.example/mug.jpeg');
  assert.equal(listing.fulfillment?.shipping?.costCents, 0);
  const alone = ask(given.jsonPage(given.AFFILIATE_ITEM), 'api:affiliate_item');
  assert.ok(alone?.kind === 'read' && alone.value.kind === 'product');
  assert.deepEqual(alone.value.listing, listing);
});

test('a recommended price below the price of an affiliate item is not a list price', () => {
  const verdict = ask(given.jsonPage({ ...given.AFFILIATE_ITEM, msrp: 22 }), 'api:affiliate_item');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product');
  assert.deepEqual(verdict.value.listing.price, { cents: 2450, currency: 'USD' });
  assert.equal(verdict.value.listing.listPrice, null);
});

const STOCK: readonly (readonly [object, boolean | null])[] = [
  [{ stock: 'Available', availableOnline: true }, true],
  [{ stock: 'Last few items', availableOnline: undefined }, true],
  [{ stock: 'Available', availableOnline: false }, false],
  [{ stock: 'NOT_AVAILABLE', availableOnline: true }, false],
  [{ stock: 'Available', availableOnline: true, preOrder: true }, false],
  [{ stock: undefined, availableOnline: true }, true],
  [{ stock: undefined, availableOnline: undefined }, null],
];
for (const [fields, inStock] of STOCK) {
  test(`an affiliate item with ${JSON.stringify(fields)} has stock ${inStock}`, () => {
    const page = given.jsonPage({ ...given.AFFILIATE_ITEM, ...fields });
    const verdict = ask(page, 'api:affiliate_item');
    assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product');
    assert.equal(verdict.value.listing.inStock, inStock);
  });
}

const ANSWERS: readonly (readonly [string, string, Page, string])[] = [
  [
    'an unknown item',
    'api:affiliate_item',
    given.jsonPage({ errors: [{ code: 4023, message: 'Item not found' }] }),
    'not_found',
  ],
  ['an empty list', 'api:affiliate_item', given.jsonPage({ items: [] }), 'not_found'],
  ['a 404', 'api:affiliate_item', given.jsonPage({ errors: [] }, { status: 404 }), 'not_found'],
  [
    'another error',
    'api:affiliate_item',
    given.jsonPage({ errors: [{ code: 5000, message: 'System error' }] }),
    'retry',
  ],
  [
    'a service that is away for now',
    'api:affiliate_item',
    given.jsonPage({ errors: [{ code: 5003, message: 'Service not available' }] }),
    'retry',
  ],
  [
    'an item that is not had',
    'api:affiliate_item',
    given.jsonPage({ errors: [{ code: 4002, message: 'Item not available' }] }),
    'not_found',
  ],
  [
    'a throttle',
    'api:affiliate_item',
    given.jsonPage({}, { status: 429, headers: { 'retry-after': '7' } }),
    'blocked',
  ],
  ['another shape', 'api:affiliate_item', given.jsonPage({ hello: 1 }), 'unreadable'],
  [
    'a throttled marketplace',
    'api:marketplace_search',
    given.jsonPage({}, { status: 429 }),
    'blocked',
  ],
  [
    'a refusing marketplace',
    'api:marketplace_search',
    given.jsonPage({ error: [{ description: 'no' }] }, { status: 400 }),
    'retry',
  ],
  [
    'an error of the marketplace',
    'api:marketplace_search',
    given.jsonPage({ error: [{ description: 'no' }] }),
    'retry',
  ],
  [
    'a marketplace that was moved',
    'api:marketplace_search',
    given.jsonPage({ message: 'no route' }, { status: 404 }),
    'retry',
  ],
  [
    'a marketplace that has no such item',
    'api:marketplace_search',
    given.jsonPage({ error: [{ code: 'CONTENT_NOT_FOUND' }] }, { status: 404 }),
    'not_found',
  ],
  ['a list where an object belongs', 'api:marketplace_search', given.jsonPage([]), 'unreadable'],
];
for (const [what, reader, page, kind] of ANSWERS) {
  test(`${what} of an official API is ${kind}`, () => {
    assert.equal(ask(page, reader)?.kind, kind);
  });
}

test('a marketplace search gives its item; an empty object is not a hit', () => {
  const found = ask(given.jsonPage(given.MARKETPLACE_FOUND), 'api:marketplace_search');
  assert.ok(found?.kind === 'read' && found.value.kind === 'search');
  const [hit] = found.value.hits;
  assert.deepEqual(
    [hit?.itemId, hit?.title, hit?.price, hit?.sellerType, hit?.gtin],
    ['100200300', 'Blue Mug', { cents: 2450, currency: 'USD' }, '1p', null],
  );
  const none = ask(given.jsonPage({}), 'api:marketplace_search');
  assert.ok(none?.kind === 'read' && none.value.kind === 'search');
  assert.deepEqual(none.value, { kind: 'search', hits: [], total: 0 });
});
