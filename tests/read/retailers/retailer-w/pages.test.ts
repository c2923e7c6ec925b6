// How retailer_w's pages and replies are read: every field of a full state, each shape of a price, and the verdicts for
// answers that are not a product.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import { offersUrl } from '../../../../src/read/retailers/retailer-w/address-book.ts';
import { ld, pageOf } from '../page-fixtures.ts';
import { readersOf } from '../own-readers.ts';
import * as given from './fixtures.ts';

const { read, listingOf } = readersOf('retailer_w');

/** The full state with some of the product's fields changed. */
function productWith(fields: object): Page {
  const { data } = given.INITIAL;
  return given.statePage({ data: { ...data, product: { ...data.product, ...fields } } });
}

const usd = (cents: number) => ({ cents, currency: 'USD' });

test('a full page state gives every field that it states', () => {
  const { description, specs, offers, ...rest } = listingOf(given.statePage(given.INITIAL));
  const [box, other, ...more] = offers;
  assert.deepEqual(
    [box?.sellerId, box?.sellerIdHex, box?.price, box?.isBuyBox, box?.deliveryDate],
    ['101000001', given.HEX, usd(2450), true, '2026-11-23'],
  );
  assert.deepEqual(
    [other?.price, other?.sellerName, other?.isBuyBox, more],
    [usd(2600), null, false, []],
  );
  assert.equal(description, 'For tea.');
  assert.deepEqual(specs, given.SPECS);
  assert.deepEqual(rest, {
    url: given.ITEM_URL,
    itemId: '100200300',
    asin: null,
    productId: null,
    gtin: '00036000291452',
    sku: null,
    mpn: 'BM12-P',
    codes: [],
    model: 'BM-12',
    title: 'Blue Mug & Saucer',
    brand: 'Acme',
    imageUrl: 'https://images.example/mug.jpeg',
    categories: ['Home', 'Mugs'],
    price: usd(2450),
    priceReadFrom: 'state',
    otherPrice: null,
    listPrice: usd(2999),
    instalmentTotal: null,
    secondaryOfferPrice: usd(2600),
    inStock: true,
    unavailable: false,
    condition: null,
    rating: 4.5,
    reviewCount: 120,
    ratingDistribution: { 5: 90, 4: 10, 3: 10, 2: 5, 1: 5 },
    sellerName: 'Some Shop',
    sellerId: given.HEX,
    sellerType: '3p',
    catalogSellerId: '101000001',
    sellerRating: 4.2,
    sellerReviewCount: 310,
    offersCount: 4,
    deliveryDate: '2026-11-23',
    fulfillment: {
      shipping: { available: true, costCents: 0, date: '2026-11-23' },
      delivery: null,
      pickup: { available: false, costCents: null, date: null },
    },
    weightLbs: null,
    weightAssembledLbs: 0.75,
    weightPackageLbs: 1.25,
    dimensions: null,
    dimensionsAssembled: { heightIn: 3, widthIn: 5, lengthIn: 10 },
    dimensionsPackage: null,
    soldTag: '500+ bought since yesterday',
    isBestSeller: true,
    salesRank: [],
    packCount: 2,
    hazmat: null,
    variantId: null,
  });
});

test('a page that lists other offers states them, its own once, and the lowest other price only if none has it', () => {
  const listed = (stated: object) => {
    const { product } = given.INITIAL.data;
    const data = { ...given.INITIAL.data, product: { ...product, offerId: 'A1', ...stated } };
    const { offers } = listingOf(given.statePage({ ...given.INITIAL, data }));
    return offers.map(({ offerId, sellerName, price, isBuyBox }) => [
      offerId,
      sellerName,
      price?.cents,
      isBuyBox,
    ]);
  };
  const box = ['A1', 'Some Shop', 2450, true];
  const priced = (price: number) => ({ priceInfo: { currentPrice: { price } } });
  assert.deepEqual(
    listed({
      secondaryOffers: [
        { offerId: 'A1', sellerName: 'Some Shop', ...priced(24.5) },
        { offerId: 'B2', sellerName: 'Other Shop', ...priced(26) },
        'nothing',
        {},
      ],
      conditionOffers: [{ offerId: 'C3', price: { price: 19.5 }, conditionType: 'Restored' }],
    }),
    [box, ['B2', 'Other Shop', 2600, false], ['C3', null, 1950, false]],
  );
  assert.deepEqual(
    listed({ secondaryOffers: [{ offerId: 'B2', sellerName: 'Other Shop', ...priced(30) }] }),
    [box, ['B2', 'Other Shop', 3000, false], [null, null, 2600, false]],
  );
  assert.deepEqual(listed({ availabilityStatus: 'OUT_OF_STOCK' })[0]?.at(-1), false);
});

test('the same product reads alike as a page and as the reply that the page is made of', () => {
  const asReply = listingOf(given.jsonPage(given.INITIAL, { url: given.ITEM_URL }));
  const asPage = listingOf(given.statePage(given.INITIAL));
  assert.deepEqual(asReply, { ...asPage, priceReadFrom: 'api' });
});

const FIELDS: readonly (readonly [string, object, Partial<Listing>])[] = [
  [
    'a price that is only a text',
    { priceInfo: { currentPrice: { priceString: '$1,024.50' } } },
    { price: usd(102_450), listPrice: null },
  ],
  ['zero, which is not a price', { priceInfo: { currentPrice: { price: 0 } } }, { price: null }],
  [
    'a range, from its lower end',
    { priceInfo: { currentPrice: null, priceRange: { minPrice: 5, maxPrice: 9 } } },
    { price: usd(500) },
  ],
  [
    'a list price before a was-price',
    { priceInfo: { currentPrice: { price: 5 }, wasPrice: { price: 6 }, listPrice: { price: 7 } } },
    { listPrice: usd(700) },
  ],
  [
    'a was-price below the price, which is none',
    { priceInfo: { currentPrice: { price: 5 }, wasPrice: { price: 4 } } },
    { listPrice: null },
  ],
  [
    'another currency',
    { priceInfo: { currentPrice: { price: 5, currencyUnit: 'CAD' } } },
    { price: { cents: 500, currency: 'CAD' } },
  ],
  [
    'the price of a thing out of stock',
    { availabilityStatus: 'OUT_OF_STOCK' },
    { price: usd(2450), inStock: false, unavailable: false },
  ],
  ['a retired listing', { availabilityStatus: 'RETIRED' }, { inStock: false, unavailable: true }],
  ['a pre-order', { availabilityStatus: 'PREORDER' }, { inStock: false, unavailable: false }],
  ['an unknown stock word', { availabilityStatus: 'MOON' }, { inStock: null, unavailable: null }],
  [
    'the retailer itself by its id',
    { sellerId: given.FIRST_PARTY_HEX.toLowerCase(), sellerType: null, catalogSellerId: 0 },
    { sellerType: '1p', sellerId: given.FIRST_PARTY_HEX, catalogSellerId: null },
  ],
  ['a new seller, who has no rating', { sellerAverageRating: 0 }, { sellerRating: null }],
  ['sellers counted from the others', { transactableOfferCount: null }, { offersCount: 4 }],
  ['a restored thing', { conditionType: 'Restored: Premium' }, { condition: 'refurbished' }],
  [
    'a graded pre-owned thing',
    { isPreowned: true, preownedCondition: 'Like New' },
    { condition: 'used_like_new' },
  ],
  ['a pre-owned thing without a grade', { isPreowned: true }, { condition: 'used_good' }],
  ['a new thing by what it is not', { isPreowned: false }, { condition: 'new' }],
  ['a new thing by its code', { conditionV2: { code: 1 } }, { condition: 'new' }],
  [
    'a title that says more than its field',
    { name: 'Restored Blue Mug', conditionType: 'New' },
    { condition: 'refurbished' },
  ],
  [
    'a barcode that lost its zero',
    { upc: '36000291452' },
    { gtin: '00036000291452' as Listing['gtin'] },
  ],
  ['a barcode that holds in no way', { upc: '10001137891' }, { gtin: null }],
  [
    'no reviews',
    { averageRating: 0, numberOfReviews: 0 },
    { rating: null, reviewCount: 0, ratingDistribution: null },
  ],
  ['the variant that is served', { variantsMap: { a: {}, b: {} } }, { variantId: '100200300' }],
  ['no badges at all', { badges: null }, { soldTag: null, isBestSeller: null }],
  [
    'a tag in pieces within a group',
    {
      badges: {
        groupsV2: [
          { members: [{ content: [{ value: '1K+ bought' }, { value: 'in past month' }] }] },
        ],
      },
    },
    { soldTag: '1K+ bought in past month', isBestSeller: false },
  ],
  [
    'a paid shipment',
    { shippingOption: { availabilityStatus: 'AVAILABLE', shipPrice: { price: 5.99 } } },
    {
      fulfillment: {
        shipping: { available: true, costCents: 599, date: null },
        delivery: null,
        pickup: { available: false, costCents: null, date: null },
      },
    },
  ],
  [
    'the newer list of options',
    {
      fulfillmentOptions: [
        {
          type: 'SHIPPING',
          availabilityStatus: 'IN_STOCK',
          speedDetails: { deliveryDate: '2026-11-24T10:00:00Z', fulfillmentPrice: { price: 6.99 } },
        },
        {
          type: 'PICKUP',
          availabilityStatus: 'AVAILABLE',
          speedDetails: { freeFulfillment: true },
        },
        { type: 'DELIVERY', availabilityStatus: 'NOT_AVAILABLE' },
      ],
    },
    {
      deliveryDate: '2026-11-24',
      fulfillment: {
        shipping: { available: true, costCents: 699, date: '2026-11-24' },
        pickup: { available: true, costCents: 0, date: null },
        delivery: { available: false, costCents: null, date: null },
      },
    },
  ],
];

for (const [what, fields, expected] of FIELDS) {
  test(`the page state tells ${what}`, () => {
    const listing = listingOf(productWith(fields));
    for (const [name, value] of Object.entries(expected)) {
      assert.deepEqual(listing[name as keyof Listing], value, name);
    }
  });
}

test('a dollar sign on another country’s host is no US dollar', () => {
  const { data } = given.INITIAL;
  const product = { ...data.product, priceInfo: { currentPrice: { price: 5 } } };
  const page = given.statePage(
    { data: { product } },
    { url: 'https://www.shop.example/ip/100200300' },
  );
  assert.deepEqual(listingOf(page).price, { cents: 500, currency: null });
});

test('an item that is not the one asked for is named by its own number, and the notes say so', () => {
  const verdict = read(
    given.statePage(given.INITIAL, {
      url: given.ITEM_URL,
      requestedUrl: `${given.HOST}/ip/555666777`,
    }),
    'product',
  );
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'product');
  assert.equal(verdict.value.listing.itemId, '100200300');
  assert.match(verdict.notes.remarks.join(), /555666777 was asked/);
});

const GONE = {
  errors: [{ message: '404', path: ['product'] }],
  data: { product: null, idml: null },
};
const FAILED = {
  errors: [{ message: 'upstream timeout', path: ['product'] }],
  data: { product: null },
};
const reviewsUrl = `${given.HOST}/reviews/product/100200300?page=1`;
const VERDICTS: readonly (readonly [string, string, Page, string])[] = [
  ['a reply with a 404 inside', 'product', given.statePage(GONE), 'not_found'],
  [
    'a page without its product',
    'product',
    given.statePage({ data: { product: null } }),
    'not_found',
  ],
  ['a page with nothing in it', 'product', given.statePage({ data: {} }), 'not_found'],
  [
    'a superseded item',
    'product',
    given.statePage({ data: { product: { redirect: { replacedByItemId: '123456789' } } } }),
    'not_found',
  ],
  ['a failure behind the page', 'product', given.statePage(FAILED), 'retry'],
  ['a search page', 'product', given.statePage(given.SEARCH), 'not_a_product'],
  ['a seller page', 'product', given.statePage(given.SELLER), 'not_a_product'],
  [
    'a reviews page',
    'product',
    given.statePage(given.INITIAL, { url: reviewsUrl }),
    'not_a_product',
  ],
  [
    'a wall with status 412',
    'product',
    pageOf('no', { url: given.ITEM_URL, status: 412 }),
    'blocked',
  ],
  [
    'a wall with status 200',
    'product',
    pageOf('<title>Robot or human?</title><div id="px-captcha"></div>', { url: given.ITEM_URL }),
    'blocked',
  ],
  [
    'a wall where a search was asked',
    'search',
    pageOf('<title>Robot or human?</title>', { url: given.ITEM_URL }),
    'blocked',
  ],
  [
    'a redirect to the wall',
    'product',
    pageOf('<p>x</p>', { url: `${given.HOST}/blocked?url=x`, requestedUrl: given.ITEM_URL }),
    'blocked',
  ],
  [
    'a waiting room',
    'reviews',
    pageOf('<h1>You’re in line</h1>', { url: given.ITEM_URL }),
    'blocked',
  ],
  ['a throttled query', 'offers', given.jsonPage({}, { status: 429 }), 'blocked'],
  [
    'offers of an unknown item',
    'offers',
    given.jsonPage({ errors: [{ message: 'Item not found' }], data: { product: null } }),
    'not_found',
  ],
  [
    'offers that failed',
    'offers',
    given.jsonPage({ errors: [{ message: 'no' }], data: null }),
    'retry',
  ],
  [
    'offers of another shape',
    'offers',
    given.jsonPage({ data: { product: { name: 'x' } } }),
    'unreadable',
  ],
  [
    'a search state without a result',
    'search',
    given.statePage({ searchResult: null }),
    'unreadable',
  ],
  ['a seller who is not there', 'seller', given.statePage({ seller: null }), 'not_found'],
  ['reviews of an item that is gone', 'reviews', given.statePage(GONE), 'not_found'],
  [
    'an article without a state',
    'product',
    pageOf('<title>About mugs</title><h1>Mugs</h1>', { url: given.ITEM_URL }),
    'not_a_product',
  ],
];

for (const [what, reader, page, kind] of VERDICTS) {
  test(`${what} is ${kind}, and no product`, () => {
    assert.equal(read(page, reader).kind, kind);
  });
}

test('partial errors next to a product do not hide it', () => {
  const page = given.statePage({ errors: [{ message: '404', path: ['idml'] }], ...given.INITIAL });
  assert.equal(listingOf(page).itemId, '100200300');
});

test('a page without a state is read from its structured data, and numbered by its address', () => {
  const body = ld({
    '@type': 'Product',
    name: 'Old Mug',
    offers: { '@type': 'Offer', price: '5.00', priceCurrency: 'USD' },
  });
  const listing = listingOf(pageOf(`<title>Old Mug</title>${body}`, { url: given.ITEM_URL }));
  assert.equal(listing.itemId, '100200300');
  assert.deepEqual(listing.price, usd(500));
});

test('an older item state gives seller and was-price', () => {
  const line = {
    usItemId: '100200300',
    productName: 'Old Mug',
    priceMap: { price: 5, wasPrice: 8 },
    availabilityStatus: 'IN_STOCK',
    sellerId: given.HEX,
    catalogSellerId: '77',
    sellerDisplayName: 'Some Shop',
  };
  const state = {
    item: { product: { buyBox: { primaryUsItemId: '100200300', products: [line] } } },
  };
  const script = `<script id="item" type="application/json">${JSON.stringify(state)}</script>`;
  const listing = listingOf(pageOf(`<title>Old Mug</title>${script}`, { url: given.ITEM_URL }));
  assert.deepEqual(
    [listing.title, listing.price, listing.listPrice],
    ['Old Mug', usd(500), usd(800)],
  );
  assert.deepEqual(
    [listing.sellerType, listing.sellerName, listing.inStock],
    ['3p', 'Some Shop', true],
  );
});

test('a search gives its hits with the price of each shape, without advertisements', () => {
  const verdict = read(given.statePage(given.SEARCH), 'search');
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'search');
  const prices = verdict.value.hits.map(({ itemId, price, listPrice }) => [
    itemId,
    price?.cents ?? null,
    listPrice?.cents ?? null,
  ]);
  assert.deepEqual(prices, [
    ['100200301', 4407, 4897],
    ['100200302', 1995, null],
    ['100200303', 2450, 3000],
    ['100200304', 1225, null],
    ['100200305', null, null],
  ]);
  assert.equal(verdict.value.total, 7);
  assert.equal(verdict.value.hits[1]?.rating, 4);
});

test('a search without hits is an empty list, and one that led to a product is the product', () => {
  const empty = read(
    given.statePage({ searchResult: { itemStacks: [{ items: [] }], aggregatedCount: 0 } }),
    'search',
  );
  assert.ok(empty.kind === 'read' && empty.value.kind === 'search');
  assert.deepEqual([empty.value.hits.length, empty.value.total], [0, 0]);
  assert.equal(listingOf(given.statePage(given.INITIAL), 'search').itemId, '100200300');
});

test('offers come with seller, terms and shipping, each in its own words', () => {
  const url = offersUrl('100200300', 'abcdef0123456789') ?? '';
  const verdict = read(given.jsonPage(given.OFFERS, { url }), 'offers');
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'offers');
  const { offers, totalOffers } = verdict.value.offers;
  assert.equal(totalOffers, 3);
  assert.deepEqual(offers[0], {
    offerId: 'AAAA',
    sellerId: '101000001',
    sellerIdHex: given.HEX,
    sellerName: 'Some Shop',
    sellerType: '3p',
    sellerRating: null,
    sellerReviewCount: null,
    proSeller: true,
    price: usd(2450),
    wasPrice: usd(3000),
    shipping: usd(0),
    isBuyBox: null,
    inStock: true,
    condition: 'new',
    fulfilledW: true,
    fulfilledA: null,
    fulfilledByMarketplace: true,
    fulfillmentType: 'fc',
    deliveryDate: '2026-11-23',
    maxDeliveryDate: '2026-11-25',
    maxOrderQuantity: 12,
    quantityAvailable: null,
    returnable: true,
    returnWindowDays: 30,
    freeReturns: true,
  });
  const [, second, third] = offers;
  assert.deepEqual(
    [second?.price, second?.shipping, second?.inStock, second?.condition, second?.fulfilledW],
    [usd(1900), usd(599), false, 'refurbished', false],
  );
  assert.deepEqual([second?.returnWindowDays, second?.sellerRating], [null, null]);
  assert.deepEqual(
    [third?.sellerType, third?.sellerId, third?.price, third?.shipping],
    ['1p', given.FIRST_PARTY_HEX, null, null],
  );
});

test('reviews come once each, with their UTC day; a day that does not exist is not one', () => {
  const verdict = read(given.statePage(given.INITIAL, { url: reviewsUrl }), 'reviews');
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'reviews');
  const { reviews, ...totals } = verdict.value.reviews;
  assert.deepEqual(totals, {
    averageRating: 4.5,
    totalReviews: 120,
    ratingDistribution: { 5: 90, 4: 10, 3: 10, 2: 5, 1: 5 },
  });
  assert.deepEqual(reviews[0], {
    id: '1',
    day: '2026-02-15',
    rating: 5,
    title: 'Good',
    text: 'Holds tea.',
    isVerifiedPurchase: true,
    author: 'Ann',
  });
  assert.deepEqual(
    reviews.slice(1).map(({ id, day, isVerifiedPurchase }) => [id, day, isVerifiedPurchase]),
    [['2', null, false]],
  );
});

test('a seller page gives the profile, and no state of the account', () => {
  const verdict = read(given.statePage(given.SELLER), 'seller');
  assert.ok(verdict.kind === 'read' && verdict.value.kind === 'seller');
  assert.deepEqual(verdict.value.seller, {
    sellerId: given.HEX,
    catalogSellerId: '101000001',
    name: 'Some Shop',
    rating: 4.4,
    ratingCount: 512,
    activeListings: 215,
    accountAgeDays: null,
    status: null,
    sellerType: 'EXTERNAL',
    proSeller: true,
    profileUrl: `${given.HOST}/seller/101000001`,
    categories: null,
    location: { city: 'Dover', state: 'DE', postalCode: '19901', country: 'US' },
  });
});
