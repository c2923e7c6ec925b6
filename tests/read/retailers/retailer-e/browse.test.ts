// retailer_e: how its API answers are read, and how the API is queried.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import type { Access, RetailerQuestion } from '../../../../src/read/retailers/adapter.ts';
import { browseSource } from '../../../../src/read/retailers/retailer-e/browse-source.ts';
import { retailerEAdapter } from '../../../../src/read/retailers/retailer-e/adapter.ts';
import { retailerEReaders } from '../../../../src/read/retailers/retailer-e/readers.ts';
import { API_ORIGIN, searchUrl } from '../../../../src/read/retailers/retailer-e/address-book.ts';
import { assertHolds, readersOf } from '../own-readers.ts';
import * as e from './fixtures.ts';

const { read, ...readers } = readersOf('retailer_e');
const listingOf = (changes: object = {}): Listing =>
  readers.listingOf(e.answer(e.item(changes)), 'api:browse_item');

test('an item holds every fact that the API states', () => {
  assertHolds(listingOf(), {
    url: e.URL_OF_ITEM,
    itemId: e.ITEM,
    variantId: null,
    title: 'Acme Quiet Drill & Driver',
    brand: 'Acme',
    mpn: 'QD-5-A',
    model: 'QD-5',
    gtin: toGtin14(e.UPC),
    price: { cents: 11_900, currency: 'USD' },
    listPrice: { cents: 17_950, currency: 'USD' },
    inStock: true,
    unavailable: false,
    condition: 'new',
    imageUrl: 'https://pictures.example/drill.jpg',
    description: 'Drills quietly.',
    categories: ['Tools', 'Power Tools', 'Drills'],
    sellerName: 'drill-depot',
    sellerType: '3p',
    sellerRating: 4.9,
    sellerReviewCount: 1234,
    rating: 4.5,
    reviewCount: 2,
    ratingDistribution: { '5': 1, '4': 1, '3': 0, '2': 0, '1': 0 },
    deliveryDate: '2026-11-25',
    weightLbs: 4.95,
    packCount: null,
  });
  assert.deepEqual(listingOf().fulfillment?.shipping, {
    available: true,
    costCents: 0,
    date: '2026-11-25',
  });
});

const OUT = [{ estimatedAvailabilityStatus: 'OUT_OF_STOCK' }];

const CASES: readonly (readonly [string, object, Readonly<Partial<Listing>>])[] = [
  [
    'a barcode field that says nothing is no barcode, nor is a wrong one',
    { gtin: 'Does not apply' },
    { gtin: null },
  ],
  ['a wrong check digit is no barcode', { gtin: '099900000013' }, { gtin: null }],
  [
    'without a barcode field the item specifics count',
    { gtin: undefined, localizedAspects: [{ name: 'EAN', value: '4006381333931' }] },
    { gtin: toGtin14('4006381333931') },
  ],
  [
    'placeholders are not a brand or a part number',
    { brand: 'Unbranded', mpn: 'N/A' },
    { brand: null, mpn: null },
  ],
  [
    'what an auction stands at is not a price',
    { buyingOptions: ['AUCTION'], currentBidPrice: { value: '5.00', currency: 'USD' } },
    { price: null, listPrice: null },
  ],
  [
    'an auction that can also be bought has its fixed price',
    { buyingOptions: ['AUCTION', 'FIXED_PRICE'] },
    { price: { cents: 11_900, currency: 'USD' } },
  ],
  [
    "a converted amount gives way to the seller's own",
    {
      price: {
        value: '126.60',
        currency: 'USD',
        convertedFromValue: '100.00',
        convertedFromCurrency: 'GBP',
      },
    },
    { price: { cents: 10_000, currency: 'GBP' }, listPrice: null },
  ],
  [
    'a price without a currency has none',
    { price: { value: '5' } },
    { price: { cents: 500, currency: null } },
  ],
  ['zero is not a price', { price: { value: '0.00', currency: 'USD' } }, { price: null }],
  [
    'out of stock keeps its price',
    { estimatedAvailabilities: OUT },
    { inStock: false, unavailable: false, price: { cents: 11_900, currency: 'USD' } },
  ],
  [
    'limited stock is stock',
    { estimatedAvailabilities: [{ estimatedAvailabilityStatus: 'LIMITED_STOCK' }] },
    { inStock: true },
  ],
  ['no word on stock is not a guess', { estimatedAvailabilities: [] }, { inStock: null }],
  [
    'an item whose end is past is over',
    { itemEndDate: '2026-11-19T00:00:00.000Z' },
    { inStock: false, unavailable: true, price: null },
  ],
  [
    'an end to come changes nothing',
    { itemEndDate: '2026-11-30T00:00:00.000Z' },
    { inStock: true },
  ],
  ['a lot counts its items', { lotSize: 24 }, { packCount: 24 }],
  [
    'conditions go by id',
    { conditionId: '3000', condition: 'Whatever' },
    { condition: 'used_good' },
  ],
  ['new with defects is not new', { conditionId: '1750' }, { condition: 'open_box' }],
  [
    'without an id conditions go by name',
    { conditionId: undefined, condition: 'New with imperfections' },
    { condition: 'open_box' },
  ],
  [
    'new with tags is new',
    { conditionId: undefined, condition: 'New with tags' },
    { condition: 'new' },
  ],
  [
    'a variation is part of the address',
    { itemId: `v1|${e.ITEM}|77` },
    { itemId: e.ITEM, variantId: '77', url: `${e.URL_OF_ITEM}?var=77` },
  ],
];

describe('items', () => {
  for (const [name, changes, facts] of CASES) {
    test(name, () => assertHolds(listingOf(changes), facts));
  }
});

test('of a group of variations the first that can be bought is read', () => {
  const items = [
    e.item({ itemId: `v1|${e.ITEM}|1`, estimatedAvailabilities: OUT }),
    e.item({ itemId: `v1|${e.ITEM}|2` }),
  ];
  const verdict = read(e.answer({ items }), 'api:browse_item');
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'product');
  assert.equal(verdict.value.listing.variantId, '2');
});

test('an item is one offer, with its returns and its shipping', () => {
  const verdict = read(e.answer(e.item()), 'api:browse_offers');
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'offers');
  const [offer] = verdict.value.offers.offers;
  assert.equal(verdict.value.offers.totalOffers, 1);
  assert.ok(offer !== undefined);
  assert.deepEqual(offer.shipping, { cents: 0, currency: 'USD' });
  assert.deepEqual(offer.price, { cents: 11_900, currency: 'USD' });
  assert.deepEqual(
    [offer.returnable, offer.returnWindowDays, offer.freeReturns, offer.quantityAvailable],
    [true, 30, true, 7],
  );
  assert.deepEqual([offer.deliveryDate, offer.maxDeliveryDate], ['2026-11-25', '2026-11-28']);
});

describe('searches', () => {
  function hitsOf(body: unknown) {
    const verdict = read(e.answer(body), 'api:browse_search');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'search', JSON.stringify(verdict));
    return verdict.value;
  }

  test('each item once, new goods first', () => {
    const used = e.item({
      itemId: 'v1|200000000002|0',
      legacyItemId: '200000000002',
      conditionId: '3000',
    });
    const { hits, total } = hitsOf({
      total: 3,
      itemSummaries: [used, e.item(), e.item(), null, {}],
    });
    assert.deepEqual(
      hits.map(({ itemId }) => itemId),
      [e.ITEM, '200000000002'],
    );
    assert.equal(total, 3);
    assert.deepEqual(hits[0]?.listPrice, { cents: 17_950, currency: 'USD' });
  });

  test('nothing found is an empty list', () => {
    assert.deepEqual(hitsOf({ href: 'x', total: 0, limit: 50 }), {
      kind: 'search',
      hits: [],
      total: 0,
    });
  });
});

const VERDICTS: readonly (readonly [string, Page, string])[] = [
  ['an unknown id', e.answer(e.error(11_001), 404), 'not_found'],
  ['an API that was moved', e.answer({ errors: [{ errorId: 2002 }] }, 404), 'retry'],
  ['an API that was closed', e.answer('', 410), 'retry'],
  ['an id of another marketplace', e.answer(e.error(11_004), 409), 'not_found'],
  [
    'an id that stands for a group is left to the page',
    e.answer(e.error(11_006), 400),
    'unreadable',
  ],
  ['a refused token', e.answer(e.error(1001), 401), 'blocked'],
  ['too many calls', e.answer(e.error(2001), 429), 'blocked'],
  ['a fault of theirs', e.answer(e.error(11_000), 500), 'retry'],
  ['no item', e.answer({ hello: 1 }), 'unreadable'],
  ['no JSON', e.answer('<html>'), 'unreadable'],
];

describe('errors of the API', () => {
  for (const [name, page, kind] of VERDICTS) {
    test(name, () => assert.equal(read(page, 'api:browse_item').kind, kind));
  }
});

const ACCESS: Access = {
  credentials: { CLIENT_ID: 'me', CLIENT_SECRET: 'secret' },
  token: 'T',
  nowMs: 0,
  newId: () => 'id',
};
const gtin = toGtin14(e.UPC);
assert.ok(gtin !== null);

function ask(name: string, question: RetailerQuestion) {
  const source = retailerEAdapter.sources.find((each) => each.name === name);
  assert.ok(source !== undefined, name);
  assert.ok(source.readerOf(question.kind) in retailerEReaders);
  return source.request(question, ACCESS);
}

const own = (value: string) => ({ kind: 'retailer_item', value, retailer: 'retailer_e' }) as const;

describe('sources', () => {
  test('the API is asked first and wants its two credentials', () => {
    assert.deepEqual(
      retailerEAdapter.sources.map(({ name, needs, isAuthoritative }) => [
        name,
        needs,
        isAuthoritative,
      ]),
      [
        ['browse', ['CLIENT_ID', 'CLIENT_SECRET'], true],
        ['page', [], true],
        ['search', [], false],
      ],
    );
  });

  test('a listing and one variation of it', () => {
    const plain = ask('browse', { kind: 'product', identifier: own(e.ITEM) });
    const url = new URL(plain?.url ?? '');
    assert.equal(url.origin, API_ORIGIN);
    assert.equal(url.searchParams.get('legacy_item_id'), e.ITEM);
    assert.equal(url.searchParams.get('legacy_variation_id'), null);
    assert.equal(plain?.headers?.['authorization'], 'Bearer T');
    const varied = ask('browse', { kind: 'offers', identifier: own(`${e.ITEM}?var=7`) });
    assert.equal(new URL(varied?.url ?? '').searchParams.get('legacy_variation_id'), '7');
  });

  test('every call names the place of the buyer, where the operator gives one', () => {
    const placesWith = (credentials: Readonly<Record<string, string>>) => {
      const access = { ...ACCESS, credentials: { ...ACCESS.credentials, ...credentials } };
      const questions: readonly RetailerQuestion[] = [
        { kind: 'product', identifier: own(e.ITEM) },
        { kind: 'offers', identifier: own(e.ITEM) },
        { kind: 'barcode', gtin },
      ];
      return questions.map(
        (question) => browseSource.request(question, access)?.headers?.['x-ebay-c-enduserctx'],
      );
    };
    // The value as in the published contract of the API.
    const place = 'contextualLocation=country%3DUS%2Czip%3D19406';
    assert.deepEqual(placesWith({ ZIP_CODE: '19406' }), [place, place, place]);
    assert.deepEqual(placesWith({}), [undefined, undefined, undefined]);
  });

  test('a place is a zip code of five digits, and no credential', () => {
    const problemOf = (ZIP_CODE: string) =>
      browseSource.credentialProblem?.({ ...ACCESS.credentials, ZIP_CODE }) ?? null;
    for (const zip of ['19406', '00501']) assert.equal(problemOf(zip), null, zip);
    for (const zip of [
      '1940',
      '194061',
      '19406-1234',
      'K1A 0B1',
      '1940６',
      '19406,x=1',
      '-1234',
      ' ',
    ]) {
      assert.match(problemOf(zip) ?? '', /^ZIP_CODE must be a zip code of five digits$/, zip);
    }
    assert.equal(browseSource.credentialProblem?.(ACCESS.credentials), null);
    assert.ok(!browseSource.needs.includes('ZIP_CODE'));
  });

  test('a catalog product is asked of the pages only', () => {
    const identifier = own('epid:123');
    assert.equal(ask('browse', { kind: 'product', identifier }), null);
    assert.ok(ask('page', { kind: 'product', identifier })?.url.endsWith('/p/123'));
  });

  test('a barcode is asked of the API by its own parameter and of the pages by word', () => {
    const url = new URL(ask('browse', { kind: 'barcode', gtin })?.url ?? '');
    assert.equal(url.searchParams.get('gtin'), e.UPC);
    assert.equal(ask('search', { kind: 'barcode', gtin })?.url, searchUrl(e.UPC));
    assert.equal(ask('page', { kind: 'barcode', gtin }), null);
  });

  test('the token is asked for with both credentials and kept as long as it says', () => {
    const token = retailerEAdapter.sources[0]?.token;
    assert.ok(token !== undefined);
    const request = token.request({ ...ACCESS, token: null });
    assert.equal(request.method, 'POST');
    assert.equal(request.headers?.['authorization'], `Basic ${btoa('me:secret')}`);
    const form = new URLSearchParams(request.body);
    assert.equal(form.get('grant_type'), 'client_credentials');
    assert.deepEqual(token.read(e.answer({ access_token: 'abc', expires_in: 7200 })), {
      token: 'abc',
      expiresInSeconds: 7200,
    });
    for (const broken of [
      e.answer({}),
      e.answer('x'),
      e.answer({ access_token: 'a\nb', expires_in: 1 }),
    ]) {
      assert.equal(token.read(broken), null);
    }
    assert.equal(token.read(e.answer({ access_token: 'abc', expires_in: 7200 }, 401)), null);
  });
});
