// retailer_a: how its product pages are read.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import type { Page, ReadNotes } from '../../../../src/base/listing/page.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { pageOf } from '../page-fixtures.ts';
import * as a from './fixtures.ts';
import type { Parts } from './fixtures.ts';

function readOf(page: Page): { listing: Listing; notes: ReadNotes } {
  const verdict = readAnswer(page, 'product', 'retailer_a');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product', JSON.stringify(verdict));
  return { listing: verdict.value.listing, notes: verdict.notes };
}

const listingOf = (changes: Parts = {}): Listing => readOf(a.productPage(changes)).listing;
/** This retailer's host in another country. */
const OTHER_HOST = a.HOST.replace(/^www\./, '').replace(/\.com$/, '.de');

const usd = (cents: number) => ({ cents, currency: 'USD' });

test('a product page gives every fact that it shows', () => {
  const { listing, notes } = readOf(a.productPage());
  const expected: Partial<Listing> = {
    url: a.URL_OF_PAGE,
    asin: a.ASIN,
    itemId: null,
    gtin: '00099900000012' as Listing['gtin'],
    title: 'Acme Anvil, 10 lb & Stand',
    brand: 'Acme',
    model: 'AN-10',
    mpn: 'AN10-S',
    description: 'Rings clear Made of steel',
    imageUrl: 'https://pictures.example/l.jpg',
    categories: ['Tools', 'Anvils & Forges'],
    price: usd(2450),
    listPrice: usd(2999),
    secondaryOfferPrice: usd(1900),
    offersCount: 7,
    inStock: true,
    unavailable: false,
    sellerName: 'Acme Outlet',
    sellerId: 'A1ACMEOUTLET1',
    sellerType: '3p',
    rating: 4.6,
    reviewCount: 1234,
    ratingDistribution: { '5': 987, '4': 123, '3': 62, '2': 25, '1': 37 },
    deliveryDate: '2026-11-24',
    fulfillment: {
      shipping: { available: true, costCents: 599, date: '2026-11-24' },
      delivery: null,
      pickup: null,
    },
    weightLbs: 10,
    weightAssembledLbs: 10,
    weightPackageLbs: 11.5,
    dimensions: { heightIn: 6, widthIn: 4, lengthIn: 12 },
    dimensionsPackage: { heightIn: 8, widthIn: 6, lengthIn: 14 },
    soldTag: '1K+ bought in past month',
    isBestSeller: false,
    packCount: null,
    hazmat: null,
  };
  for (const [name, value] of Object.entries(expected)) {
    assert.deepEqual(listing[name as keyof Listing], value, name);
  }
  assert.deepEqual(notes.missing, []);
});

describe('the price is what everybody pays now', () => {
  const row = (id: string, inner: string): string =>
    `<div id="${id}" data-a-accordion-row-name="${id}">${inner}</div>`;
  const block = (text: string, type = ''): string =>
    `<div id="corePrice_feature_div"><div data-csa-c-buying-option-type="${type}">${a.amount(text)}</div></div>`;
  const stock = '<div id="availability">In Stock</div>';
  const CASES: readonly (readonly [string, Parts, number | null])[] = [
    [
      'a price for members stands in front of it',
      {
        price: '',
        buyBox:
          row('primeSavingsUpsellAccordionRow', block('$20.00')) +
          row('newAccordionRow_1', block('$24.50')) +
          stock,
      },
      2450,
    ],
    [
      'only members have a price',
      { price: '', buyBox: row('primeSavingsUpsellAccordionRow', block('$20.00')) + stock },
      null,
    ],
    [
      'the option says that it is for members',
      { price: '', buyBox: block('$20.00', 'PRIME_SAVINGS_UPSELL') + block('$24.50', 'NEW') },
      2450,
    ],
    [
      'subscribers pay less',
      {
        price: '',
        buyBox:
          row('snsAccordionRowMiddle', block('$22.00')) + row('newAccordionRow_0', block('$24.50')),
      },
      2450,
    ],
    [
      'a used copy costs less',
      {
        price: '',
        buyBox: row('usedAccordionRow', block('$9.00')) + row('newAccordionRow', block('$24.50')),
      },
      2450,
    ],
    [
      'rent costs less',
      {
        price: '',
        buyBox:
          row('rentOfferAccordionRow', block('$5.00')) +
          row('newOfferAccordionRow', block('$24.50')),
      },
      2450,
    ],
    [
      'the line for screen readers is blank',
      {
        price: '',
        buyBox: block('$24.50').replace(
          '<span class="a-offscreen">$24.50</span>',
          '<span class="a-offscreen"> </span>',
        ),
      },
      2450,
    ],
    ['thousands', { price: '', buyBox: block('$1,249.00').replace('>$1,249.00<', '> <') }, 124_900],
    [
      'a unit price follows',
      {
        price: '',
        buyBox: `<div id="corePrice_feature_div">${a.amount('$24.50')} (${a.amount('$0.62', 'a-text-price', 'data-a-size="mini"')}/Ounce)</div>`,
      },
      2450,
    ],
    [
      'a unit price and a struck one stand first',
      {
        price: '',
        buyBox: `<div id="corePrice_feature_div">${a.amount('$30.00', 'a-text-price', 'data-a-strike="true"')}${a.amount('$0.62', 'a-text-price')}${a.amount('$24.50')}</div>`,
      },
      2450,
    ],
    ['the older box', { price: '', buyBox: '<span id="price_inside_buybox">$24.50</span>' }, 2450],
    [
      'a deal of the older page',
      {
        price: '',
        buyBox:
          '<span id="priceblock_ourprice">$29.00</span><span id="priceblock_dealprice">$24.50</span>',
      },
      2450,
    ],
    [
      'a book for a reading device',
      { price: '', buyBox: '<span id="kindle-price">$24.50</span>' },
      2450,
    ],
    ['nothing is to pay', { price: '', buyBox: block('$0.00') }, null],
    ['no box at all, but prices of other goods', { price: '', buyBox: '' }, null],
  ];
  for (const [name, changes, cents] of CASES) {
    test(name, () => {
      const { price } = listingOf({ ...changes, others: '' });
      assert.deepEqual(price, cents === null ? null : usd(cents));
    });
  }

  test('another currency is said by its sign', () => {
    const buyBox = `<span id="price_inside_buybox">€24.50</span>`;
    assert.deepEqual(listingOf({ price: '', buyBox }).price, { cents: 2450, currency: 'EUR' });
  });

  test('a struck amount below the price belongs to something else', () => {
    const struck = a.amount('$5.00', 'a-text-price', 'data-a-strike="true"');
    const price = `<div id="corePriceDisplay_desktop_feature_div">${a.amount('$24.50')}${struck}</div>`;
    assert.equal(listingOf({ price }).listPrice, null);
  });

  test('used copies are the secondary offer; where nothing else is sold they are the price', () => {
    const used = row('usedAccordionRow', block('$9.00'));
    const beside = listingOf({
      price: '',
      others: '',
      buyBox: used + row('newAccordionRow', block('$24.50')),
    });
    assert.deepEqual(beside.secondaryOfferPrice, usd(900));
    assert.equal(beside.condition, 'new');
    const only = listingOf({
      price: '',
      others: '',
      buyBox: '<div id="usedOnlyBuybox">Buy used: $9.00 <span>Used: Very Good</span></div>',
    });
    assert.deepEqual(
      [only.price, only.condition, only.secondaryOfferPrice],
      [usd(900), 'used_very_good', null],
    );
  });

  test('where the box is filled in by script, the price for new goods is the one the script is given', () => {
    const entry = (displayPrice: string, buyingOptionType: string) => ({
      displayPrice,
      buyingOptionType,
    });
    const given = (...entries: object[]): Parts => ({
      price: '',
      buyBox: '',
      extra: `<div class="aok-hidden twister-plus-buying-options-price-data">${JSON.stringify({ desktop_buybox_group_1: entries })}</div>`,
    });
    const options = [entry('$20.00', 'SNS'), entry('$9.00', 'USED'), entry('$24.50', 'NEW')];
    const { price, condition, secondaryOfferPrice } = listingOf({
      ...given(...options),
      others: '',
    });
    assert.deepEqual([price, condition, secondaryOfferPrice], [usd(2450), 'new', usd(900)]);
    assert.equal(listingOf(given(entry('$20.00', 'PRIME_SAVINGS_UPSELL'))).price, null);
    const shown = { ...given(entry('$24.50', 'NEW')), price: a.PARTS.price.replaceAll('24', '23') };
    assert.deepEqual(listingOf(shown).price, usd(2350));
    assert.deepEqual(listingOf(given(entry('EUR 24.50', 'NEW'))).price, {
      cents: 2450,
      currency: 'EUR',
    });
  });

  test('a price that is shown in the cart only is not one; the struck one stays the list price', () => {
    const list = a.amount('$29.99', 'a-text-price', 'data-a-strike="true"');
    const cart = 'To see our price, add this item to your cart. You can always remove it later.';
    const price =
      `<div id="corePriceDisplay_desktop_feature_div">List Price: ${list} <a>See price in cart</a></div>` +
      `<div id="price"><span>Price:</span> ${cart}</div>`;
    const button = '<input id="add-to-cart-button" type="submit" value="Add to Cart">';
    const listing = listingOf({
      price,
      others: '',
      buyBox: `<div id="availability">In Stock</div>${button}`,
    });
    assert.deepEqual([listing.price, listing.listPrice, listing.inStock], [null, usd(2999), true]);
    assert.equal(listing.priceReadFrom ?? null, null);
  });

  test('without a box for new goods the general price is that of the used copy', () => {
    const used = '<div id="usedbuyBox">Buy used: $24.50 <span>Used: Good</span></div>';
    const { price, condition } = listingOf({ others: '', extra: used });
    assert.deepEqual([price, condition], [usd(2450), 'used_good']);
  });

  test('"from" the price itself is no other offer', () => {
    const others = '<div id="olp_feature_div">New (3) from $24.50 + FREE Shipping</div>';
    const { secondaryOfferPrice, offersCount } = listingOf({ others });
    assert.deepEqual([secondaryOfferPrice, offersCount], [null, 3]);
  });
});

test('stock is what the line about it says, else the button', () => {
  const LINES: readonly (readonly [string, boolean | null])[] = [
    ['In Stock.', true],
    ['Only 3 left in stock - order soon.', true],
    ['Only 1 left in stock (more on the way).', true],
    ['Usually ships within 2 to 3 weeks.', true],
    ['Available to ship in 1-2 days', true],
    ['Available from these sellers.', true],
    ['In stock on December 4, 2026. Order it now.', false],
    ['In stock soon. Order it now.', false],
    ['Temporarily out of stock. We are working hard to be back in stock.', false],
    ["Currently unavailable. We don't know when or if this item will be back in stock.", false],
    ['This item will be released on December 4, 2026.', false],
    ['', true],
  ];
  for (const [line, inStock] of LINES) {
    const buyBox = `<div id="availability">${line}</div>`;
    assert.equal(listingOf({ buyBox }).inStock, inStock, line);
  }
  const cart = a.PARTS.cart.replace('Add to Cart', 'Pre-order now');
  assert.equal(listingOf({ buyBox: '', cart }).inStock, null);
  const gone = {
    price: '',
    buyBox: '<div id="outOfStock">Currently unavailable.</div>',
    cart: a.PARTS.cart,
  };
  const { listing, notes } = readOf(a.productPage(gone));
  assert.deepEqual([listing.inStock, listing.price, notes.missing], [false, null, []]);
});

test('the seller is known by link, table, sentence or the cart', () => {
  const table =
    '<div id="tabular-buybox"><table><tr><td>Ships from</td><td><span class="tabular-buybox-text">Bolt</span></td></tr>' +
    '<tr><td>Sold by</td><td><span class="tabular-buybox-text">Anvil World</span></td></tr></table></div>';
  const marked =
    '<div class="tabular-buybox-text" tabular-attribute-name="Ships from">Bolt</div>' +
    '<div class="tabular-buybox-text" tabular-attribute-name="Sold by"><span>Anvil World</span></div>';
  const MERCHANTS: readonly (readonly [string, string, string | null, string | null])[] = [
    ['a table', table, 'Anvil World', '3p'],
    ['marked places', marked, 'Anvil World', '3p'],
    [
      'a sentence',
      '<div id="merchant-info">Sold by Anvil World and Fulfilled by Amazon.</div>',
      'Anvil World',
      '3p',
    ],
    [
      'the retailer',
      `<div id="merchant-info">Ships from and sold by ${a.OWN_NAME}.</div>`,
      a.OWN_NAME,
      '1p',
    ],
    ['nobody', '', null, null],
  ];
  const cart = a.PARTS.cart.replace('A1ACMEOUTLET1', '');
  for (const [name, merchant, sellerName, sellerType] of MERCHANTS) {
    const listing = listingOf({ merchant, cart });
    assert.deepEqual([listing.sellerName, listing.sellerType], [sellerName, sellerType], name);
  }
  const own = listingOf({
    merchant: '',
    cart: a.PARTS.cart.replace('A1ACMEOUTLET1', 'ATVPDKIKX0DER'),
  });
  assert.deepEqual([own.sellerId, own.sellerType], ['ATVPDKIKX0DER', '1p']);
});

test('words about the seller are not a name of the seller', () => {
  const about = (words: string) =>
    `<a id="sellerProfileTriggerId" href="/gp/help/seller/at-a-glance.html?seller=A1ACMEOUTLET1">${words}</a>`;
  const inBox = (html: string) => `<div id="merchantInfoFeature_feature_div">${html}</div>`;
  const message = 'class="offer-display-feature-text-message"';
  const card = `<span id="merchant-trust-info-card" ${message}>Anvil World</span>`;
  const words = about('Learn more about the seller');
  const MERCHANTS: readonly (readonly [string, string, string | null])[] = [
    ['a card, and a link in its window', inBox(card + words), 'Anvil World'],
    ['the link first', inBox(words + card), 'Anvil World'],
    ['in any words', inBox(card + about('Mehr dazu')), 'Anvil World'],
    ['a message and a link', inBox(`<span ${message}>Anvil World</span>${words}`), 'Anvil World'],
    ['in Spanish', inBox(about('Más información acerca del vendedor')), null],
    ['nothing but the link', inBox(words), null],
    ['after "Sold by"', `<div id="merchant-info">Sold by ${words}</div>`, null],
    ['the link alone, elsewhere', words, null],
  ];
  const cart = a.PARTS.cart.replace('A1ACMEOUTLET1', '');
  for (const [name, merchant, sellerName] of MERCHANTS) {
    const listing = listingOf({ merchant, cart });
    assert.deepEqual(
      [listing.sellerName, listing.sellerId, listing.sellerType],
      [sellerName, 'A1ACMEOUTLET1', '3p'],
      name,
    );
  }
});

test('the ASIN is the one that was served, whatever was asked', () => {
  const served = a.PARTS.cart.replace(a.ASIN, a.OTHER_ASIN);
  const { listing, notes } = readOf(a.productPage({ cart: served }));
  assert.equal(listing.asin, a.OTHER_ASIN);
  assert.ok(notes.remarks.some((remark) => remark.includes(a.ASIN)));
  const bare = { cart: '', reviews: '', canonical: a.PARTS.canonical };
  assert.equal(listingOf(bare).asin, a.ASIN);
  const family = '<script>"dimensionToAsinMap" : {"0":"B0ACME0001","1":"B0ACME0002"}</script>';
  assert.equal(listingOf({ extra: family }).variantId, a.ASIN);
  // The rows for selecting a variant, however the page quotes its attributes.
  for (const id of ['"inline-twister-row-color"', "'inline-twister-row-color'"]) {
    assert.equal(listingOf({ extra: `<div id=${id}>Color: black</div>` }).variantId, a.ASIN);
  }
  assert.equal(listingOf({}).variantId, null);
});

test('a delivery date has the year in which its weekday is right; free may have a condition', () => {
  const slot = 'mir-layout-DELIVERY_BLOCK-slot-PRIMARY_DELIVERY_MESSAGE_LARGE';
  const promise = (price: string, time: string, condition = ''): Parts => ({
    buyBox:
      `<div id="corePrice_feature_div">${a.amount('$24.50')}</div><div id="${slot}" data-csa-c-delivery-price="${price}" ` +
      `data-csa-c-delivery-time="${time}" data-csa-c-delivery-condition="${condition}">x</div>`,
  });
  const PROMISES: readonly (readonly [Parts, string | null, number | null])[] = [
    [promise('FREE', 'Friday, November 27'), '2026-11-27', 0],
    [promise('FREE', 'January 5 - 8'), '2027-01-05', 0],
    [promise('FREE', 'Friday, January 19'), null, 0],
    [promise('$5.99', 'Tomorrow, November 21'), '2026-11-21', 599],
    [promise('FREE', 'November 27', 'on orders over $35'), '2026-11-27', null],
    [promise('FREE', 'November 27', 'on orders over $20'), '2026-11-27', 0],
    [promise('fastest', 'November 27'), null, null],
    [{ buyBox: '<div id="delivery-message">FREE delivery: Friday, Nov 27</div>' }, '2026-11-27', 0],
  ];
  for (const [changes, day, cost] of PROMISES) {
    const { deliveryDate, fulfillment } = listingOf(changes);
    assert.equal(deliveryDate, day, JSON.stringify(changes));
    assert.equal(fulfillment?.shipping?.costCents ?? null, cost, JSON.stringify(changes));
  }
});

test('details: sizes by letter, several barcodes, packs, batteries, cells shown cut off', () => {
  const table = (...rows: readonly (readonly [string, string])[]): Parts => ({
    details: `<table class="a-keyvalue prodDetTable">${rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('')}</table>`,
  });
  const plain = listingOf(table(['Product Dimensions', '19 x 17 x 8 inches; 10 Ounces']));
  assert.deepEqual(plain.dimensions, { lengthIn: 19, widthIn: 17, heightIn: 8 });
  assert.deepEqual([plain.weightLbs, plain.weightPackageLbs], [0.625, null]);
  const lettered = listingOf(
    table(['Item Dimensions L x W x Thickness', '5.9"L x 2.8"W x 1.1"Th']),
  );
  assert.deepEqual(lettered.dimensions, { lengthIn: 5.9, widthIn: 2.8, heightIn: 1.1 });
  const ordered = listingOf(table(['Item Dimensions D x W x H', '3 x 4 x 5 inches']));
  assert.deepEqual(ordered.dimensions, { lengthIn: 3, widthIn: 4, heightIn: 5 });
  assert.equal(listingOf(table(['UPC', '123 099900000012 099900000029'])).gtin, '00099900000012');
  assert.equal(listingOf(table(['UPC', '099900000013'])).gtin, null);
  assert.equal(listingOf(table(['ISBN-10', '0306406152'])).gtin, '09780306406157');
  assert.equal(listingOf(table(['Item Package Quantity', '6'])).packCount, 6);
  assert.equal(listingOf(table(['Item Package Quantity', '1'])).packCount, 1);
  const pair = {
    ...table(['Item Package Quantity', '1']),
    title: '<b id="productTitle">Tape (Pack of 2)</b>',
  };
  assert.equal(listingOf(pair).packCount, 2);
  assert.equal(
    listingOf(table(['Batteries', '1 Lithium Ion batteries required. (included)'])).hazmat,
    true,
  );
  assert.equal(listingOf(table(['Batteries', '1 Lithium Metal batteries required.'])).hazmat, null);
  assert.equal(listingOf(table(['Batteries', '2 AA batteries required. (included)'])).hazmat, null);
  const cut =
    '<span class="a-truncate-full">Steel and oak</span><span class="a-truncate-cut">Steel…</span>';
  assert.deepEqual(listingOf(table(['Material', cut])).specs, [
    { name: 'Material', value: 'Steel and oak' },
  ]);
});

test('brand, condition and badge are read where they are said, and only there', () => {
  const none = { details: '' };
  assert.equal(listingOf({ ...none }).brand, 'Acme');
  assert.equal(listingOf({ ...none, byline: '<a id="bylineInfo">Brand: Bolt</a>' }).brand, 'Bolt');
  assert.equal(listingOf({ ...none, byline: '<a id="bylineInfo">Bolt</a>' }).brand, 'Bolt');
  assert.equal(
    listingOf({ ...none, byline: '<div id="bylineInfo">by <a>A. Writer</a> (Author)</div>' }).brand,
    null,
  );
  const shop = '<a id="bylineInfo">Visit the Amazon Renewed Store</a>';
  const renewed = listingOf({
    ...none,
    byline: shop,
    title: '<b id="productTitle">Anvil (Renewed)</b>',
  });
  assert.deepEqual([renewed.brand, renewed.condition], [null, 'refurbished']);
  assert.equal(listingOf().condition, null);
  assert.equal(
    listingOf({ badge: '<div class="badge-wrapper"><i>#1 Best Seller</i></div>' }).isBestSeller,
    true,
  );
  assert.equal(listingOf({ badge: '' }).isBestSeller, null);
});

test('rounded review counts are none; a page without reviews has no stars', () => {
  const rounded = a.PARTS.reviews.replace('1,234 ratings', '(1.2K)');
  assert.equal(listingOf({ reviews: rounded }).reviewCount, null);
  const labelled = rounded.replace(
    'id="acrCustomerReviewText"',
    'id="acrCustomerReviewText" aria-label="1,234 Reviews"',
  );
  assert.equal(listingOf({ reviews: labelled }).reviewCount, 1234);
  const { rating, reviewCount, ratingDistribution } = listingOf({ reviews: '' });
  assert.deepEqual([rating, reviewCount, ratingDistribution], [null, null, null]);
});

test('walls, pages that are gone and pages that are none', () => {
  const body = (text: string): string =>
    `<html><head><title>x</title></head><body>${text}</body></html>`;
  const PAGES: readonly (readonly [string, Page, string])[] = [
    ['a check of characters', pageOf(body('<p>Enter the characters you see below</p>')), 'blocked'],
    ['a button to go on', pageOf(body('Click the button below to continue shopping')), 'blocked'],
    [
      'a robot question',
      pageOf(body("Sorry, we just need to make sure you're not a robot.")),
      'blocked',
    ],
    ['a form', pageOf(body('<form action="/errors/validateCaptcha">')), 'blocked'],
    [
      'a wall with 503',
      pageOf(body('To discuss automated access to data'), { status: 503 }),
      'blocked',
    ],
    ['a breakdown', pageOf(body('Sorry! Something went wrong.'), { status: 503 }), 'retry'],
    ['404', pageOf(body('dogs'), { status: 404 }), 'not_found'],
    ['gone inside a 200', pageOf(body("Sorry! We couldn't find that page")), 'not_found'],
    ['a home page', pageOf(body('<h1>Welcome</h1>')), 'not_a_product'],
    ['a result list', pageOf(a.SEARCH), 'not_a_product'],
    ['nothing', pageOf(''), 'retry'],
    ['JSON', a.json({ a: 1 }), 'not_a_product'],
  ];
  for (const [name, page, kind] of PAGES) {
    assert.equal(readAnswer(page, 'product', 'retailer_a')?.kind, kind, name);
  }
});

test('what such a page normally shows and this one lacks is noted', () => {
  const { notes } = readOf(
    a.productPage({
      price: '',
      buyBox: '',
      image: '',
      trail: '',
      details: '',
      cart: a.PARTS.cart.replace('Add to Cart', 'x'),
    }),
  );
  assert.deepEqual(notes.missing, ['price', 'availability', 'image', 'categories', 'specs']);
});

test('a host of another country is read with its own words, in its own money', () => {
  const url = `https://www.${OTHER_HOST}/dp/${a.ASIN}`;
  const body = a.productHtml({
    byline: '<a id="bylineInfo" href="/stores/Acme">Besuchen Sie den Acme-Store</a>',
    reviews:
      `<div id="averageCustomerReviews" data-asin="${a.ASIN}"><span id="acrPopover" title="4,6 von 5 Sternen"></span>` +
      '<span id="acrCustomerReviewText">1.234 Sternebewertungen</span></div>',
    price: `<div id="corePrice_feature_div">${a.amount('24,50 €')}</div>`,
    buyBox: '<div id="availability">Auf Lager.</div>',
    merchant: '<div id="merchant-info">Verkauf und Versand durch Anvil GmbH.</div>',
    cart: `<input type="hidden" id="ASIN" name="ASIN" value="${a.ASIN}">`,
  });
  const verdict = readAnswer(pageOf(body, { url }), 'product', 'othercountry');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product', JSON.stringify(verdict));
  const { listing } = verdict.value;
  assert.deepEqual(listing.price, { cents: 2450, currency: 'EUR' });
  assert.deepEqual(
    [
      listing.rating,
      listing.reviewCount,
      listing.inStock,
      listing.sellerName,
      listing.priceReadFrom,
    ],
    [4.6, 1234, true, 'Anvil GmbH', 'visible'],
  );
  const dollars = a.productHtml({
    price: `<div id="corePrice_feature_div">${a.amount('$24.50')}</div>`,
  });
  const ca = readAnswer(
    pageOf(dollars, { url: url.replace(/\.de\//, '.ca/') }),
    'product',
    'canada',
  );
  assert.ok(ca?.kind === 'read' && ca.value.kind === 'product');
  assert.deepEqual(ca.value.listing.price, { cents: 2450, currency: 'CAD' });
});

test('a page of music for download has its own heading, and its label for a maker', () => {
  const listing = listingOf({
    title: '<div id="dmusicProductTitle_feature_div"><h1>Four Portraits</h1></div>',
    byline: '',
    details:
      '<div id="detailBullets_feature_div"><ul><li><b>Manufacturer :</b> Acme Records</li></ul></div>',
  });
  assert.deepEqual([listing.title, listing.brand], ['Four Portraits', 'Acme Records']);
});
