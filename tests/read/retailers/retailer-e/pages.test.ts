// retailer_e: how its item pages (layouts of 2020 and 2026) and search pages are read.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import { searchUrl } from '../../../../src/read/retailers/retailer-e/address-book.ts';
import { html, pageOf } from '../page-fixtures.ts';
import { assertHolds, readersOf } from '../own-readers.ts';
import * as e from './fixtures.ts';

const { read, listingOf } = readersOf('retailer_e');

test('an item page holds every fact that a visitor sees', () => {
  const listing = listingOf(e.itemPage());
  assertHolds(listing, {
    url: e.URL_OF_ITEM,
    itemId: e.ITEM,
    title: 'Acme Quiet Drill & Driver',
    brand: 'Acme',
    mpn: 'QD-5-A',
    gtin: toGtin14(e.UPC),
    price: { cents: 11_900, currency: 'USD' },
    listPrice: { cents: 17_950, currency: 'USD' },
    inStock: true,
    unavailable: false,
    condition: 'new',
    imageUrl: 'https://pictures.example/drill.jpg',
    sellerName: 'Drill Depot',
    sellerType: '3p',
    sellerRating: 4.9,
    sellerReviewCount: 1234,
    soldTag: '1,234 sold',
    deliveryDate: '2026-11-25',
  });
  assert.deepEqual(listing.fulfillment?.shipping, {
    available: true,
    costCents: 1250,
    date: '2026-11-25',
  });
});

const BID =
  '<div class="x-bid-price"><div class="x-price-primary">US $5.00</div></div><div class="x-bid-count">3 bids</div>';

const CASES: readonly (readonly [string, Page, Readonly<Partial<Listing>>])[] = [
  [
    'what is seen wins over structured data in another currency',
    e.itemPage({ price: 'GBP 1.99', data: e.data({ ...e.IN_STOCK, price: '2.66' }) }),
    { price: { cents: 199, currency: 'GBP' }, listPrice: null },
  ],
  [
    'a conversion behind the price is not the price',
    e.itemPage({ price: 'C $24.00 (Approximately US $17.00)' }),
    { price: { cents: 2400, currency: 'CAD' } },
  ],
  [
    'a range has its lower end',
    e.itemPage({ price: 'US $10.00 to US $15.00' }),
    { price: { cents: 1000, currency: 'USD' } },
  ],
  [
    'what an auction stands at is not a price',
    e.itemPage({ buyBox: BID, data: e.data(e.IN_STOCK) }),
    { price: null, listPrice: null },
  ],
  [
    'an auction that can also be bought has its fixed price',
    e.itemPage({
      buyBox: `${BID}<div class="x-bin-price"><div class="x-price-primary">US $20.00</div></div>`,
    }),
    { price: { cents: 2000, currency: 'USD' } },
  ],
  [
    'bids beside one price make it a bid, wherever it stands',
    e.itemPage({
      buyBox:
        '<div class="x-price-primary">US $5.00</div><div class="x-bid-action">Place bid</div>',
    }),
    { price: null },
  ],
  [
    'a listing that ended is gone, whatever its data says',
    e.itemPage({ status: 'This listing ended on Nov 3.', data: e.data(e.IN_STOCK) }),
    { price: null, inStock: false, unavailable: true },
  ],
  [
    'so is one that sold',
    e.itemPage({ status: 'This listing sold on Mon, Nov 3 at 5:00 PM.' }),
    { price: null, inStock: false, unavailable: true },
  ],
  [
    'out of stock is not gone and keeps its price',
    e.itemPage({ status: 'This item is out of stock.', quantity: '' }),
    { price: { cents: 11_900, currency: 'USD' }, inStock: false, unavailable: false },
  ],
  ['the last one is stock', e.itemPage({ quantity: 'Last one' }), { inStock: true }],
  [
    'a quantity of nothing is none',
    e.itemPage({ quantity: 'Out of stock' }),
    { inStock: false, unavailable: false },
  ],
  [
    'a variation that the address chooses has its own price and stock',
    e.itemPage({ script: e.MSKU }, `${e.URL_OF_ITEM}?var=77`),
    {
      price: { cents: 9950, currency: 'USD' },
      inStock: true,
      variantId: '77',
      url: `${e.URL_OF_ITEM}?var=77`,
    },
  ],
  [
    'one that is sold out keeps its price',
    e.itemPage({ script: e.MSKU }, `${e.URL_OF_ITEM}?var=78`),
    { price: { cents: 8900, currency: 'USD' }, inStock: false },
  ],
  [
    'one that the page does not list has neither',
    e.itemPage({ script: e.MSKU }, `${e.URL_OF_ITEM}?var=99`),
    { price: null, inStock: null },
  ],
  [
    'without a choice any variation in stock is stock',
    e.itemPage({ script: e.MSKU, quantity: '' }),
    { inStock: true, variantId: null },
  ],
  [
    'specifics that say nothing are nothing',
    e.itemPage({ specifics: { Brand: 'Unbranded', MPN: 'Does not apply', UPC: 'Does not apply' } }),
    { brand: null, mpn: null, gtin: null },
  ],
  [
    'labels and values without a box around them, and the way to the item',
    e.itemPage({
      specifics: {},
      script:
        '</script><a class="seo-breadcrumb-text"><span>Tools</span></a>' +
        '<div class="ux-layout-section--features"><div class="ux-labels-values__labels-content">Model:</div>' +
        '<div class="ux-labels-values__values-content">QD-5</div></div><script>',
    }),
    { model: 'QD-5', categories: ['Tools'] },
  ],
  [
    'free shipping costs nothing',
    e.itemPage({ shipping: 'Free Standard Shipping' }),
    {
      fulfillment: {
        shipping: { available: true, costCents: 0, date: '2026-11-25' },
        delivery: null,
        pickup: null,
      },
    },
  ],
  ...(
    [
      ['what may be collected only', 'Free local pickup only from Austin, Texas', false],
      ['what may be collected', 'Free local pickup from Austin, Texas', null],
      ['what is not sent here', 'Doesn’t ship to Germany', false],
      ['what may not be sent here', 'May not ship to Germany', null],
    ] as const
  ).map(([name, shipping, available]) => {
    const way = { available, costCents: null, date: '2026-11-25' };
    const fulfillment = { shipping: way, delivery: null, pickup: null };
    return [`${name} has no free shipping`, e.itemPage({ shipping }), { fulfillment }] as const;
  }),
  ['conditions are said twice', e.itemPage({ condition: 'Open box' }), { condition: 'open_box' }],
];

describe('item pages', () => {
  for (const [name, page, facts] of CASES) {
    test(name, () => assertHolds(listingOf(page), facts));
  }

  test('structured data alone makes an item at an item address', () => {
    const page = pageOf(html(e.data(e.IN_STOCK), '', 'Acme Quiet Drill & Driver'), {
      url: e.URL_OF_ITEM,
    });
    assertHolds(listingOf(page), {
      itemId: e.ITEM,
      price: { cents: 500, currency: 'USD' },
      inStock: true,
    });
  });

  test('the layout of 2020, a foreign price and a lot', () => {
    assertHolds(listingOf(e.oldPage()), {
      title: 'Paper Wound Kit',
      itemId: e.ITEM,
      price: { cents: 199, currency: 'GBP' },
      condition: 'new',
      inStock: true,
      mpn: 'PW-1',
      gtin: null,
      packCount: 5,
      sellerName: 'paper-shop',
      sellerRating: 4.98,
      sellerReviewCount: 8116,
      imageUrl: 'https://pictures.example/wound.jpg',
    });
  });

  test('the layout of 2020, ended with a winning bid', () => {
    const price =
      '<span id="prcIsum_bidPrice" itemprop="price" content="51.0">US $51.00</span><span itemprop="availability" content="InStock"></span>';
    assertHolds(listingOf(e.oldPage({ panel: 'Bidding has ended on this item.', price })), {
      price: null,
      inStock: false,
      unavailable: true,
    });
  });

  test('an item page is one offer', () => {
    const verdict = read(e.itemPage(), 'offers');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'offers');
    const [offer] = verdict.value.offers.offers;
    assert.ok(offer !== undefined);
    assert.deepEqual(
      [
        offer.price?.cents,
        offer.shipping?.cents,
        offer.returnable,
        offer.returnWindowDays,
        offer.freeReturns,
      ],
      [11_900, 1250, true, 30, true],
    );
    const none = read(e.itemPage({ returns: 'Seller does not accept returns' }), 'offers');
    assert.ok(none.kind === 'read' && none.value.kind === 'offers');
    assert.equal(none.value.offers.offers[0]?.returnable, false);
  });

  test('the page of another listing is not an offer of the asked one', () => {
    const requestedUrl = e.URL_OF_ITEM.replace(e.ITEM, '200000000099');
    assert.equal(read({ ...e.itemPage(), requestedUrl }, 'offers').kind, 'not_found');
    const asVariant = { ...e.itemPage(), requestedUrl: `${e.URL_OF_ITEM}?var=77` };
    assert.equal(read(asVariant, 'offers').kind, 'read');
  });
});

const titled = (title: string, options: object = {}): Page =>
  pageOf(html('', `<h1>${title}</h1>`, title), { url: e.URL_OF_ITEM, ...options });

const VERDICTS: readonly (readonly [string, Page, string])[] = [
  ['a wall', titled('Pardon Our Interruption...'), 'blocked'],
  ['another wall', titled('Checking your browser before you access the site'), 'blocked'],
  [
    'being sent to a captcha',
    pageOf(html('', ''), {
      url: new URL('/splashui/captcha', e.URL_OF_ITEM).href,
      requestedUrl: e.URL_OF_ITEM,
    }),
    'blocked',
  ],
  ['a missing page inside a 200', titled('Error Page | A Market'), 'not_found'],
  ['a missing page', titled('x', { status: 404 }), 'not_found'],
  ['too many requests', titled('x', { status: 429 }), 'blocked'],
  ['a page of results', e.searchPage([e.newCard()]), 'not_a_product'],
];

describe('pages that are not an item', () => {
  for (const [name, page, kind] of VERDICTS) {
    test(name, () => assert.equal(read(page).kind, kind));
  }
});

describe('search pages', () => {
  function searchOf(page: Page) {
    const verdict = read(page, 'search');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'search', JSON.stringify(verdict));
    return verdict.value;
  }

  for (const [layout, card] of [
    ['2025', e.oldCard],
    ['2026', e.newCard],
  ] as const) {
    test(`cards of ${layout}, without the placeholder`, () => {
      const placeholder = card({ id: '123456', title: 'Shop on Amarket', price: '$20.00' });
      const { hits, total } = searchOf(
        e.searchPage([placeholder, card(), card({ id: '200000000002' })]),
      );
      assert.equal(total, 1200);
      assert.deepEqual(
        hits.map(({ itemId }) => itemId),
        [e.ITEM, '200000000002'],
      );
      const [hit] = hits;
      assert.ok(hit !== undefined);
      assertHolds(hit, {
        title: 'Acme Quiet Drill',
        price: { cents: 11_900, currency: 'USD' },
        condition: 'open_box',
        url: e.URL_OF_ITEM,
      });
    });

    test(`a card of ${layout} with bids has no price`, () => {
      const { hits } = searchOf(e.searchPage([card({ rest: '<span>3 bids · 1d left</span>' })]));
      assert.deepEqual(
        hits.map(({ price }) => price),
        [null],
      );
    });
  }

  test('a struck price is the was-price', () => {
    const rest = '<span class="su-styled-text strikethrough">$150.00</span>';
    const [hit] = searchOf(e.searchPage([e.newCard({ rest })])).hits;
    assert.deepEqual(hit?.listPrice, { cents: 15_000, currency: 'USD' });
  });

  test('results of fewer words are not hits', () => {
    const line =
      '<div class="srp-river-answer srp-river-answer--REWRITE_START">Results matching fewer words</div>';
    const { hits } = searchOf(
      e.searchPage([e.newCard(), line, e.newCard({ id: '200000000009' })], '1 result for x'),
    );
    assert.deepEqual(
      hits.map(({ itemId }) => itemId),
      [e.ITEM],
    );
    assert.deepEqual(searchOf(e.searchPage([e.newCard()], '0 results for x')).hits, []);
  });

  test('the notice that results were simplified ends nothing', () => {
    const line =
      '<div class="srp-river-answer srp-river-answer--REWRITE_START">We simplified your results. See all results</div>';
    const { hits } = searchOf(
      e.searchPage([e.newCard(), line, e.newCard({ id: '200000000009' })], '2 results for x'),
    );
    assert.deepEqual(
      hits.map(({ itemId }) => itemId),
      [e.ITEM, '200000000009'],
    );
  });

  test('a search that led to an item is that item', () => {
    const verdict = read(e.itemPage(), 'search');
    assert.ok(verdict.kind === 'read' && verdict.value.kind === 'product');
  });

  test('a page without results is not read as an empty search', () => {
    assert.equal(
      read(pageOf(html('', 'hello'), { url: searchUrl('x') }), 'search').kind,
      'unreadable',
    );
  });
});
