// retailer_a: the requests to its official APIs, and how their answers are read.

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
  CREATORS_API,
  offersUrl,
  searchUrl,
  SELLING_PARTNER_API,
} from '../../../../src/read/retailers/retailer-a/address-book.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
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

function readProduct(page: Page, reader: string): Listing {
  const verdict = readAnswer(page, reader, 'retailer_a');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product', JSON.stringify(verdict));
  return verdict.value.listing;
}

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
        '-',
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
  test('client credentials go to the service of their version, the refresh token to Login', () => {
    const creators = sourceNamed('creators').token;
    const third = creators?.request(accessOf(null));
    assert.equal(third?.url, CREATORS_API.tokens['3.1'].url);
    assert.deepEqual(Object.fromEntries(new URLSearchParams(third?.body)), {
      grant_type: 'client_credentials',
      client_id: 'id',
      client_secret: 'secret&more',
      scope: CREATORS_API.tokens['3.1'].scope,
    });
    const second = creators?.request(accessOf(null, { ...CREDENTIALS, CREATORS_VERSION: '2.1' }));
    assert.equal(second?.url, CREATORS_API.tokens['2.1'].url);
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

describe('Creators API', () => {
  test('a request names item, partner and marketplace; the token stands in the header of its version', () => {
    const request = sourceNamed('creators').request(PRODUCT, accessOf('T'));
    const body = JSON.parse(request?.body ?? '') as Record<string, unknown>;
    assert.equal(request?.url, `${CREATORS_API.origin}/catalog/v1/getItems`);
    assert.deepEqual([body['itemIds'], body['partnerTag']], [[a.ASIN], 'acme-20']);
    assert.equal(body['marketplace'], CREATORS_API.marketplace);
    // Without these two, a members-only offer looks like any other.
    for (const name of ['dealDetails', 'type']) {
      assert.ok((body['resources'] as string[]).includes(`offersV2.listings.${name}`), name);
    }
    assert.equal(request?.headers?.['authorization'], 'Bearer T');
    const older = accessOf('T', { ...CREDENTIALS, CREATORS_VERSION: '2.1' });
    const second = sourceNamed('creators').request(PRODUCT, older);
    assert.equal(second?.headers?.['authorization'], 'Bearer T, Version 2.1');
    const search = sourceNamed('creators').request(BARCODE, accessOf('T'));
    assert.equal(
      (JSON.parse(search?.body ?? '') as { keywords?: string }).keywords,
      '099900000012',
    );
  });

  test('an item gives its facts and the offer of the buy box', () => {
    const listing = readProduct(
      a.json({ itemsResult: { items: [a.CREATORS_ITEM] } }),
      'api:creators_items',
    );
    const expected: Partial<Listing> = {
      asin: a.ASIN,
      url: a.URL_OF_PAGE,
      gtin: gtinOf('099900000012'),
      title: 'Acme Anvil',
      brand: 'Acme',
      model: 'AN-10',
      mpn: 'AN10-S',
      description: 'Rings clear Made of steel',
      imageUrl: 'https://pictures.example/l.jpg',
      categories: ['Tools', 'Anvils'],
      price: { cents: 2450, currency: 'USD' },
      listPrice: { cents: 2999, currency: 'USD' },
      inStock: true,
      condition: 'new',
      sellerName: 'Acme Outlet',
      sellerId: 'A1ACMEOUTLET1',
      sellerType: '3p',
      weightLbs: 10,
      dimensions: { heightIn: 6, widthIn: 4, lengthIn: 12 },
      variantId: a.ASIN,
    };
    for (const [name, value] of Object.entries(expected)) {
      assert.deepEqual(listing[name as keyof Listing], value, name);
    }
  });

  test('codes are read as either public description spells their kinds', () => {
    for (const kind of ['upcs', 'upCs', 'eans', 'eaNs']) {
      const externalIds = { [kind]: { displayValues: ['099900000012'] } };
      const itemInfo = { ...a.CREATORS_ITEM.itemInfo, externalIds };
      const page = a.json({ itemsResult: { items: [{ ...a.CREATORS_ITEM, itemInfo }] } });
      assert.equal(readProduct(page, 'api:creators_items').gtin, '00099900000012', kind);
    }
  });

  test('availability types are stock, no stock, or not known', () => {
    const TYPES: readonly (readonly [string, boolean | null])[] = [
      ['IN_STOCK', true],
      ['IN_STOCK_SCARCE', true],
      ['LEADTIME', true],
      ['AVAILABLE_DATE', false],
      ['PREORDER', false],
      ['OUT_OF_STOCK', false],
      ['UNAVAILABLE', false],
      ['UNKNOWN', null],
      ['NEWLY_INVENTED', null],
    ];
    for (const [type, inStock] of TYPES) {
      const offersV2 = { listings: [{ isBuyBoxWinner: true, availability: { type } }] };
      const page = a.json({ itemsResult: { items: [{ ...a.CREATORS_ITEM, offersV2 }] } });
      assert.equal(readProduct(page, 'api:creators_items').inStock, inStock, type);
    }
  });

  test('the price is that of new goods where the buy box is a used copy', () => {
    const priced = (amount: number, value: string | null, isBuyBoxWinner: boolean) => ({
      isBuyBoxWinner,
      price: { money: { amount, currency: 'USD' } },
      condition: value === null ? undefined : { value },
    });
    const read = (...listings: readonly object[]) => {
      const item = { ...a.CREATORS_ITEM, offersV2: { listings } };
      const page = a.json({ itemsResult: { items: [item] } });
      const { price, condition } = readProduct(page, 'api:creators_items');
      return [price?.cents ?? null, condition];
    };
    const used = priced(771.2, 'Used', true);
    assert.deepEqual(read(used, priced(937.39, 'New', false)), [93_739, 'new']);
    assert.deepEqual(read(used), [77_120, 'used_good']);
    assert.deepEqual(read(priced(12, 'New', true), priced(10, 'New', false)), [1200, 'new']);
    assert.deepEqual(read(priced(10, null, false), priced(12, null, true)), [1200, null]);
  });

  test('an offer for members or subscribers alone is not the price', () => {
    const priced = (amount: number, changes: object) => ({
      isBuyBoxWinner: true,
      price: { money: { amount, currency: 'USD' } },
      ...changes,
    });
    const priceOf = (...listings: readonly object[]) => {
      const item = { ...a.CREATORS_ITEM, offersV2: { listings } };
      return readProduct(a.json({ itemsResult: { items: [item] } }), 'api:creators_items').price;
    };
    const everyone = priced(99.99, { dealDetails: { accessType: 'ALL' } });
    for (const special of [
      { dealDetails: { accessType: 'PRIME_EXCLUSIVE' } },
      { dealDetails: { accessType: 'PRIME_EARLY_ACCESS' } },
      { type: 'SUBSCRIBE_AND_SAVE' },
    ]) {
      assert.equal(priceOf(priced(79.99, special)), null);
      assert.equal(priceOf(priced(79.99, special), everyone)?.cents, 9999);
    }
    assert.equal(priceOf(priced(89.99, { type: 'LIGHTNING_DEAL' }))?.cents, 8999);
  });

  test("the ASIN of an answer is the answer's own; errors are said", () => {
    const other = { ...a.CREATORS_ITEM, asin: a.OTHER_ASIN };
    assert.equal(
      readProduct(a.json({ itemsResult: { items: [other] } }), 'api:creators_items').asin,
      a.OTHER_ASIN,
    );
    const gone = a.json({ errors: [{ code: 'ItemNotAccessible', message: 'x' }] });
    assert.equal(readAnswer(gone, 'api:creators_items', 'retailer_a')?.kind, 'not_found');
    assert.equal(readAnswer(a.json({}), 'api:creators_items', 'retailer_a')?.kind, 'unreadable');
    const hits = readHits(
      a.json({ searchResult: { items: [a.CREATORS_ITEM, { asin: 'x' }] } }),
      'api:creators_search',
    );
    assert.deepEqual(
      hits.map(({ asin, gtin }) => [asin, gtin]),
      [[a.ASIN, '00099900000012']],
    );
    assert.deepEqual(
      readHits(a.json({ errors: [{ code: 'NoResults' }] }), 'api:creators_search'),
      [],
    );
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

test('every API says why it refuses, and when to ask again', () => {
  const READERS = Object.keys(retailerAReaders).filter((name) => name.startsWith('api:'));
  assert.equal(READERS.length, 6);
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
