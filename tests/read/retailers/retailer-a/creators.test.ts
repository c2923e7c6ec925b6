// retailer_a's Creators API: its requests, the token services of each version, and how its answers are read.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page, PageRequest } from '../../../../src/base/listing/page.ts';
import type { Access, RetailerQuestion } from '../../../../src/read/retailers/adapter.ts';
import { creatorsSource } from '../../../../src/read/retailers/retailer-a/creators-source.ts';
import { CREATORS_API } from '../../../../src/read/retailers/retailer-a/address-book.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { readersOf } from '../own-readers.ts';
import * as a from './fixtures.ts';
import { TOKEN_SERVICES } from './address-book-tokens.ts';

const CREDENTIALS = {
  CREATORS_ID: 'id',
  CREATORS_SECRET: 'secret&more',
  CREATORS_VERSION: '3.1',
  PARTNER_TAG: 'acme-20',
};

function accessOf(
  token: string | null,
  credentials: Readonly<Record<string, string>> = CREDENTIALS,
): Access {
  return { credentials, token, nowMs: 0, newId: () => 'id-1' };
}

const GTIN = toGtin14('099900000012');
assert.ok(GTIN !== null);
const PRODUCT: RetailerQuestion = { kind: 'product', identifier: a.CANDIDATE };
const BARCODE: RetailerQuestion = { kind: 'barcode', gtin: GTIN };

const { listingOf: readProduct } = readersOf('retailer_a');

function readHits(page: Page, reader: string): readonly Listing[] {
  const verdict = readAnswer(page, reader, 'retailer_a');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'search', JSON.stringify(verdict));
  return verdict.value.hits;
}

describe('tokens', () => {
  test('client credentials go to the token service of their version, in the body that it takes', () => {
    const source = creatorsSource;
    for (const [CREATORS_VERSION, url, body, separator] of TOKEN_SERVICES) {
      const credentials = { ...CREDENTIALS, CREATORS_VERSION };
      const request = source.token?.request(accessOf(null, credentials));
      const sent: unknown =
        body === 'json'
          ? JSON.parse(request?.body ?? '')
          : Object.fromEntries(new URLSearchParams(request?.body));
      assert.deepEqual(
        [request?.url, request?.headers?.['content-type'], sent],
        [
          `https://${url}`,
          body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
          {
            grant_type: 'client_credentials',
            client_id: 'id',
            client_secret: 'secret&more',
            scope: `creatorsapi${separator}default`,
          },
        ],
        CREATORS_VERSION,
      );
      assert.equal(source.credentialProblem?.(credentials), null);
      const call: PageRequest | null = source.request(PRODUCT, accessOf('T', credentials));
      assert.equal(
        call?.headers?.['authorization'],
        body === 'json' ? 'Bearer T' : `Bearer T, Version ${CREATORS_VERSION}`,
      );
    }
    assert.deepEqual(
      TOKEN_SERVICES.map(([version]) => version),
      Object.keys(CREATORS_API.tokens),
    );
  });

  test('a version without a token service is a problem of the credentials, named with the versions', () => {
    for (const CREATORS_VERSION of [
      '',
      '1.0',
      '2',
      '2.4',
      '3.0',
      '3.10',
      'v3.1',
      '2,1',
      '__proto__',
    ]) {
      assert.match(
        creatorsSource.credentialProblem?.({ ...CREDENTIALS, CREATORS_VERSION }) ?? '',
        /^CREATORS_VERSION .*2\.1, 2\.2, 2\.3, 3\.1, 3\.2, 3\.3$/,
        CREATORS_VERSION,
      );
    }
  });
});

describe('Creators API', () => {
  test('a request names item, partner and marketplace; the token stands in the header of its version', () => {
    const request = creatorsSource.request(PRODUCT, accessOf('T'));
    const body = JSON.parse(request?.body ?? '') as Record<string, unknown>;
    assert.equal(request?.url, `${CREATORS_API.origin}/catalog/v1/getItems`);
    assert.deepEqual([body['itemIds'], body['partnerTag']], [[a.ASIN], 'acme-20']);
    assert.equal(body['marketplace'], CREATORS_API.marketplace);
    // Without these two, a members-only offer looks like any other.
    for (const name of ['dealDetails', 'type']) {
      assert.ok((body['resources'] as string[]).includes(`offersV2.listings.${name}`), name);
    }
    assert.equal(request?.headers?.['authorization'], 'Bearer T');
    const search = creatorsSource.request(BARCODE, accessOf('T'));
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
      gtin: GTIN,
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
  });

  /** An offer: what sets it apart, its amount in dollars, whether it wins the buy box. */
  type OfferRow = readonly [changes: object, amount: number, isBuyBoxWinner: boolean];
  const PLAIN = { condition: { value: 'New' } };
  const USED = { condition: { value: 'Used' } };
  const DEAL = { ...PLAIN, type: 'LIGHTNING_DEAL' };
  const HAUL = { ...PLAIN, type: 'HAUL' };
  const SAVE = { ...PLAIN, type: 'SUBSCRIBE_AND_SAVE' };
  const HIDDEN = { ...PLAIN, violatesMAP: true };
  const SHAPES: readonly (readonly [string, readonly OfferRow[], number | null])[] = [
    ['a standard offer', [[PLAIN, 20, true]], 2000],
    ['a deal alone', [[DEAL, 15, true]], 1500],
    [
      'a deal next to a standard offer',
      [
        [DEAL, 15, true],
        [PLAIN, 20, false],
      ],
      2000,
    ],
    ['the separate store alone', [[HAUL, 9, true]], 900],
    [
      'the separate store next to a standard offer',
      [
        [HAUL, 9, true],
        [PLAIN, 20, false],
      ],
      2000,
    ],
    ['a subscription alone', [[SAVE, 18, true]], null],
    [
      'a subscription next to a standard offer',
      [
        [SAVE, 18, false],
        [PLAIN, 20, true],
      ],
      2000,
    ],
    [
      'a deal on new goods next to a used copy',
      [
        [DEAL, 15, false],
        [USED, 8, true],
      ],
      1500,
    ],
    ['a price hidden by its manufacturer', [[HIDDEN, 12, true]], null],
    [
      'such a price next to the offer of another seller',
      [
        [HIDDEN, 12, true],
        [PLAIN, 20, false],
      ],
      null,
    ],
    [
      'a hidden price that does not win',
      [
        [PLAIN, 20, true],
        [HIDDEN, 12, false],
      ],
      2000,
    ],
    [
      'two standard offers of which none wins',
      [
        [PLAIN, 20, false],
        [PLAIN, 21, false],
      ],
      null,
    ],
  ];
  test('the price is that of a standard offer for everyone, and no hidden one', () => {
    for (const [what, rows, cents] of SHAPES) {
      const listings = rows.map(([changes, amount, isBuyBoxWinner]) => ({
        isBuyBoxWinner,
        price: { money: { amount, currency: 'USD' } },
        availability: { type: 'IN_STOCK' },
        ...changes,
      }));
      const item = { ...a.CREATORS_ITEM, offersV2: { listings } };
      const listing = readProduct(a.json({ itemsResult: { items: [item] } }), 'api:creators_items');
      assert.equal(listing.price?.cents ?? null, cents, what);
    }
  });

  test('where the price is hidden its list price is stated, a former price is not', () => {
    const listOf = (savingBasisType: string) => {
      const savingBasis = { savingBasisType, money: { amount: 30, currency: 'USD' } };
      const price = { money: { amount: 12, currency: 'USD' }, savingBasis };
      const offersV2 = { listings: [{ isBuyBoxWinner: true, violatesMAP: true, price }] };
      const item = { ...a.CREATORS_ITEM, offersV2 };
      return readProduct(a.json({ itemsResult: { items: [item] } }), 'api:creators_items')
        .listPrice;
    };
    assert.deepEqual(
      ['LIST_PRICE', 'WAS_PRICE', 'LOWEST_PRICE', 'LOWEST_PRICE_STRIKETHROUGH'].map(
        (type) => listOf(type)?.cents ?? null,
      ),
      [3000, null, null, null],
    );
  });

  test('a search asks for every resource of an item, and its hit has every fact of the item', () => {
    const resourcesOf = (question: RetailerQuestion): unknown =>
      (
        JSON.parse(creatorsSource.request(question, accessOf('T'))?.body ?? '') as Record<
          string,
          unknown
        >
      )['resources'];
    assert.deepEqual(resourcesOf(BARCODE), resourcesOf(PRODUCT));
    const items = [a.CREATORS_ITEM];
    const [hit] = readHits(a.json({ searchResult: { items } }), 'api:creators_search');
    assert.deepEqual(hit, readProduct(a.json({ itemsResult: { items } }), 'api:creators_items'));
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
