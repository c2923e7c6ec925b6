// retailer_a: which of its sources is asked what, and how answers of the Selling Partner API are read.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page, PageRequest } from '../../../../src/base/listing/page.ts';
import type { Access, RetailerQuestion, Source } from '../../../../src/read/retailers/adapter.ts';
import { retailerAAdapter } from '../../../../src/read/retailers/retailer-a/adapter.ts';
import { retailerAReaders } from '../../../../src/read/retailers/retailer-a/readers.ts';
import {
  offersUrl,
  searchUrl,
  SELLING_PARTNER_API,
} from '../../../../src/read/retailers/retailer-a/address-book.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { readersOf } from '../own-readers.ts';
import * as a from './fixtures.ts';

const CREDENTIALS = {
  CREATORS_ID: 'id',
  CREATORS_SECRET: 'secret&more',
  CREATORS_VERSION: '3.1',
  PARTNER_TAG: 'acme-20',
  SP_CLIENT_ID: 'client',
  SP_CLIENT_SECRET: 'hush',
  SP_REFRESH_TOKEN: 'Atzr|1',
  SP_SELLER_ID: 'A9SELF',
};

function accessOf(
  token: string | null,
  credentials: Readonly<Record<string, string>> = CREDENTIALS,
): Access {
  return { credentials, token, nowMs: 0, newId: () => 'id-1' };
}

function sourceNamed(name: string): Source {
  const source = retailerAAdapter.sources.find((each) => each.name === name);
  assert.ok(source !== undefined);
  return source;
}

const gtinOf = (text: string): Gtin14 => {
  const gtin = toGtin14(text);
  assert.ok(gtin !== null);
  return gtin;
};
const PRODUCT: RetailerQuestion = { kind: 'product', identifier: a.CANDIDATE };
const OFFERS: RetailerQuestion = { kind: 'offers', identifier: a.CANDIDATE };
const BARCODE: RetailerQuestion = { kind: 'barcode', gtin: gtinOf('099900000012') };

const QUESTIONS: readonly RetailerQuestion[] = [
  PRODUCT,
  OFFERS,
  BARCODE,
  { kind: 'restriction', identifier: a.CANDIDATE },
  { kind: 'fulfillment_eligibility', identifier: a.CANDIDATE },
];

const queryOf = (request: PageRequest | null): Record<string, string> =>
  Object.fromEntries(new URL(request?.url ?? '').searchParams);

const { listingOf } = readersOf('retailer_a');

function readHits(page: Page, reader: string): readonly Listing[] {
  const verdict = readAnswer(page, reader, 'retailer_a');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'search', JSON.stringify(verdict));
  return verdict.value.hits;
}

describe('which source is asked what', () => {
  test('official APIs come first; each is asked only what it can answer', () => {
    const asked: readonly (readonly string[])[] = retailerAAdapter.sources.map((source) => [
      source.name,
      ...QUESTIONS.map((question) =>
        source.request(question, accessOf('T')) === null ? '-' : source.readerOf(question.kind),
      ),
    ]);
    assert.deepEqual(asked, [
      [
        'selling_partner',
        'api:catalog_item',
        'api:item_offers',
        'api:catalog_search',
        'api:restrictions',
        'api:inbound_eligibility',
      ],
      ['creators', 'api:creators_items', '-', 'api:creators_search', '-', '-'],
      ['page', 'product', 'offers', '-', '-', '-'],
      ['search', '-', '-', 'search', '-', '-'],
    ]);
    for (const source of retailerAAdapter.sources) {
      for (const question of QUESTIONS) {
        assert.ok(
          source.readerOf(question.kind) in retailerAReaders ||
            source.request(question, accessOf('T')) === null,
        );
      }
      assert.equal(source.needs.length > 0, source.isOfficial === true, source.name);
      assert.equal(source.needs.length > 0, source.token !== undefined, source.name);
    }
  });

  test('pages need no credentials', () => {
    const none = accessOf(null, {});
    assert.equal(sourceNamed('page').request(PRODUCT, none)?.url, a.URL_OF_PAGE);
    assert.equal(sourceNamed('page').request(OFFERS, none)?.url, offersUrl(a.ASIN));
    assert.equal(sourceNamed('search').request(BARCODE, none)?.url, searchUrl('099900000012'));
    assert.equal(sourceNamed('creators').request(PRODUCT, none), null);
    assert.equal(sourceNamed('selling_partner').request(BARCODE, none), null);
  });

  test('questions that this retailer cannot answer make no request', () => {
    const foreign = { kind: 'item_id', value: '123456', retailer: 'retailer_w' } as const;
    const questions: readonly RetailerQuestion[] = [
      { kind: 'product', identifier: foreign },
      { kind: 'offers', identifier: foreign },
      { kind: 'reviews', identifier: a.CANDIDATE, page: 1 },
      { kind: 'seller', catalogSellerId: '1' },
      { kind: 'product', identifier: { ...a.CANDIDATE, value: '../../../x' } },
    ];
    for (const source of retailerAAdapter.sources) {
      for (const question of questions) {
        assert.equal(
          source.request(question, accessOf('T')),
          null,
          `${source.name} ${question.kind}`,
        );
      }
    }
  });
});

describe('tokens', () => {
  test('a refresh token goes to Login', () => {
    const login = sourceNamed('selling_partner').token?.request(accessOf(null));
    assert.equal(login?.url, SELLING_PARTNER_API.tokenUrl);
    assert.equal(new URLSearchParams(login?.body).get('refresh_token'), 'Atzr|1');
    assert.equal(login?.method, 'POST');
  });

  test('an answer holds a token or none', () => {
    const read = sourceNamed('creators').token?.read;
    const ANSWERS: readonly (readonly [Page, number | null])[] = [
      [a.json({ access_token: 'abc', expires_in: 3600 }), 3600],
      [a.json({ access_token: 'abc' }), 3600],
      [a.json({ access_token: 'a b' }), null],
      [a.json({ access_token: 7, expires_in: 60 }), 60],
      [a.json({ error: 'invalid_client' }, 401), null],
      [a.json([]), null],
    ];
    for (const [page, seconds] of ANSWERS) {
      assert.equal(read?.(page)?.expiresInSeconds ?? null, seconds);
    }
  });
});

describe('Selling Partner API', () => {
  test('a barcode is asked for as the kind that it is', () => {
    const KINDS: readonly (readonly [string, string, string])[] = [
      ['099900000012', 'UPC', '099900000012'],
      ['4006381333931', 'EAN', '4006381333931'],
      ['9780306406157', 'ISBN', '9780306406157'],
      ['10099900000019', 'GTIN', '10099900000019'],
    ];
    for (const [code, type, value] of KINDS) {
      const question: RetailerQuestion = { kind: 'barcode', gtin: gtinOf(code) };
      const request = sourceNamed('selling_partner').request(question, accessOf('T'));
      const query = queryOf(request);
      assert.deepEqual([query['identifiersType'], query['identifiers']], [type, value]);
      assert.equal(query['marketplaceIds'], SELLING_PARTNER_API.marketplaceId);
      assert.equal(request?.headers?.['x-amz-access-token'], 'T');
    }
  });

  test('the catalog gives codes, sizes of item and package, pack and hazard, and no price', () => {
    const [listing] = readHits(a.json(a.CATALOG), 'api:catalog_search');
    const expected: Partial<Listing> = {
      asin: a.ASIN,
      gtin: gtinOf('099900000012'),
      title: 'Acme Anvil',
      brand: 'Acme',
      model: 'AN-10',
      mpn: 'AN10-S',
      price: null,
      imageUrl: 'https://pictures.example/1.jpg',
      categories: ['Tools', 'Anvils'],
      weightLbs: 10,
      weightAssembledLbs: 10,
      dimensions: { heightIn: 6, widthIn: 4, lengthIn: 12 },
      dimensionsPackage: null,
      packCount: 2,
      hazmat: true,
    };
    for (const [name, value] of Object.entries(expected)) {
      assert.deepEqual(listing?.[name as keyof Listing], value, name);
    }
    assert.ok(Math.abs((listing?.weightPackageLbs ?? 0) - 11.0231) < 0.001);
    assert.deepEqual(readHits(a.json({ numberOfResults: 0, items: [] }), 'api:catalog_search'), []);
  });

  test('an ASIN is searched in the catalog as a barcode is, and its item read the same', () => {
    const request = sourceNamed('selling_partner').request(PRODUCT, accessOf('T'));
    const query = queryOf(request);
    assert.deepEqual([query['identifiersType'], query['identifiers']], ['ASIN', a.ASIN]);
    const listing = listingOf(a.json(a.CATALOG), 'api:catalog_item');
    assert.deepEqual(listing, readHits(a.json(a.CATALOG), 'api:catalog_search')[0]);
    assert.deepEqual(listingOf(a.json(a.CATALOG.items[0]), 'api:catalog_item'), listing);
    const kindOf = (body: unknown) =>
      readAnswer(a.json(body), 'api:catalog_item', 'retailer_a')?.kind;
    assert.equal(kindOf({ numberOfResults: 0, items: [] }), 'not_found');
    assert.equal(kindOf({ items: [{ asin: a.ASIN }] }), 'unreadable');
  });

  test('the catalog’s dangerous goods: a UN number, lithium that comes with it, a regulation, silence', () => {
    const [item] = a.CATALOG.items;
    const hazmatOf = (attributes: object) => {
      const body = { ...a.CATALOG, items: [{ ...item, attributes }] };
      return readHits(a.json(body), 'api:catalog_search')[0]?.hazmat;
    };
    const regulation = (value: string) => ({
      supplier_declared_dg_hz_regulation: [{ value }],
    });
    const lithium = { battery: [{ cell_composition: [{ value: 'lithium_ion' }] }] };
    const without = regulation('not_applicable');
    assert.equal(hazmatOf({ hazmat: [{ value: 'UN3481' }], ...without }), true);
    assert.equal(hazmatOf({ ...lithium, batteries_included: [{ value: true }] }), true);
    assert.equal(hazmatOf({ ...lithium, batteries_included: [{ value: false }] }), null);
    assert.equal(hazmatOf({ batteries_included: [{ value: true }] }), null);
    assert.equal(hazmatOf(without), false);
    for (const value of ['ghs', 'storage', 'transportation', 'waste', 'other']) {
      assert.equal(hazmatOf(regulation(value)), true, value);
    }
    assert.equal(hazmatOf(regulation('unknown')), null);
    assert.equal(hazmatOf({}), null);
  });

  test('offers have price, shipping and who sends them', () => {
    const verdict = readAnswer(a.json(a.ITEM_OFFERS), 'api:item_offers', 'retailer_a');
    assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'offers');
    const { offers, totalOffers } = verdict.value.offers;
    assert.deepEqual([offers.length, totalOffers], [1, 12]);
    const [offer] = offers;
    assert.deepEqual(
      [
        offer?.sellerId,
        offer?.sellerType,
        offer?.price,
        offer?.shipping,
        offer?.isBuyBox,
        offer?.fulfilledA,
        offer?.condition,
        offer?.inStock,
        offer?.sellerReviewCount,
      ],
      [
        'A1ACMEOUTLET1',
        '3p',
        { cents: 2450, currency: 'USD' },
        { cents: 0, currency: 'USD' },
        true,
        true,
        'new',
        true,
        812,
      ],
    );
  });
});

describe('the featured offer of the Selling Partner API', () => {
  const [offer, other] = a.ITEM_OFFERS.payload.Offers;
  const saleOf = (payload: object) => {
    const body = { payload: { ...a.ITEM_OFFERS.payload, ...payload } };
    const verdict = readAnswer(a.json(body), 'api:item_offers', 'retailer_a');
    assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'offers');
    const sale = verdict.value.product;
    return [sale?.price?.cents ?? null, sale?.inStock, sale?.sellerId, sale?.condition];
  };
  const NEW = { condition: 'New', ListingPrice: { CurrencyCode: 'USD', Amount: 23 } };
  const USED = { condition: 'Used', ListingPrice: { CurrencyCode: 'USD', Amount: 9 } };
  const cases: readonly (readonly [string, object, readonly unknown[]])[] = [
    ['its price and seller are the listing’s', {}, [2450, true, 'A1ACMEOUTLET1', 'new']],
    [
      'without one the price is unknown',
      { Offers: [{ ...offer, IsBuyBoxWinner: false }] },
      [null, true, null, null],
    ],
    [
      'the summary states it where the list does not',
      { Offers: [{ ...offer, IsBuyBoxWinner: false }], Summary: { BuyBoxPrices: [USED, NEW] } },
      [2300, true, null, null],
    ],
    [
      'a used one is not the price of new goods',
      { Offers: [{ ...offer, IsBuyBoxWinner: false }], Summary: { BuyBoxPrices: [USED] } },
      [null, true, null, null],
    ],
    [
      'without offers nothing is in stock',
      { status: 'NoBuyableOffers', Offers: [] },
      [null, false, null, null],
    ],
    ['an offer without price and seller is none', { Offers: [other] }, [null, false, null, null]],
    [
      'one that comes later is not in stock',
      { Offers: [{ ...offer, ShippingTime: { availabilityType: 'FUTURE_WITH_DATE' } }] },
      [2450, false, 'A1ACMEOUTLET1', 'new'],
    ],
  ];
  for (const [name, payload, expected] of cases) {
    test(name, () => assert.deepEqual(saleOf(payload), expected));
  }

  test('a list price is one only above the price', () => {
    const stated = (Amount: number) => {
      const Summary = { ListPrice: { CurrencyCode: 'USD', Amount } };
      const body = { payload: { ...a.ITEM_OFFERS.payload, Summary } };
      const verdict = readAnswer(a.json(body), 'api:item_offers', 'retailer_a');
      assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'offers');
      return verdict.value.product?.listPrice?.cents ?? null;
    };
    assert.deepEqual([stated(29.99), stated(20)], [2999, null]);
  });
});

test('every API says why it refuses, and when to ask again', () => {
  const READERS = Object.keys(retailerAReaders).filter((name) => name.startsWith('api:'));
  assert.equal(READERS.length, 7);
  for (const reader of READERS) {
    const throttled = readAnswer(
      a.json({ errors: [{ code: 'QuotaExceeded' }] }, 429, { 'retry-after': '7' }),
      reader,
      'retailer_a',
    );
    assert.deepEqual(throttled, {
      kind: 'retry',
      why: 'the API answered 429: QuotaExceeded',
      retryAfterSeconds: 7,
    });
    const refused = readAnswer(
      a.json({ reason: 'AssociateNotEligible' }, 403),
      reader,
      'retailer_a',
    );
    assert.deepEqual(refused, { kind: 'retry', why: 'the API answered 403: AssociateNotEligible' });
    assert.equal(readAnswer(a.json({}, 404), reader, 'retailer_a')?.kind, 'not_found');
    assert.equal(readAnswer(a.json({}, 500), reader, 'retailer_a')?.kind, 'retry');
    assert.equal(readAnswer(a.json([]), reader, 'retailer_a')?.kind, 'unreadable');
    assert.equal(readAnswer(a.json('x'), reader, 'retailer_a')?.kind, 'unreadable');
  }
});
