// Invented pages with one trap each: amounts that are not a price, goods that are not the page's, data broken in a way that
// must cost a field and never give a wrong one.

import { html, ld, metas, mug, offer, pageOf } from './page-fixtures.ts';
import type { Case } from './page-fixtures.ts';

const SHOP = 'https://shop.example';

function offered(name: string, changes: Record<string, unknown>, price: string | null): Case {
  const page = pageOf(html(ld(mug({ offers: offer(changes) }))));
  return { name, page, expect: { kind: 'read', price } };
}

const BARE = { price: undefined, priceCurrency: undefined };
const EUR = { priceCurrency: 'EUR' };

/** Several amounts in one offer. */
export const AMOUNT_CASES: readonly Case[] = [
  offered(
    'a price per kilogram by its unit code stands before the price',
    {
      ...BARE,
      priceSpecification: [
        { price: 9.98, unitCode: 'KGM', ...EUR },
        { price: 4.99, ...EUR },
      ],
    },
    '4.99 EUR',
  ),
  offered(
    'a deposit is not a price',
    {
      ...BARE,
      priceSpecification: [
        { priceComponentType: 'https://schema.org/Downpayment', price: 5, ...EUR },
        { price: 49.9, ...EUR },
      ],
    },
    '49.90 EUR',
  ),
  offered(
    'the offer states the amount without tax, and its specifications say so',
    {
      price: '100.00',
      ...EUR,
      priceSpecification: [
        { price: '100.00', valueAddedTaxIncluded: false, ...EUR },
        { price: '119.00', valueAddedTaxIncluded: true, ...EUR },
      ],
    },
    '119.00 EUR',
  ),
  {
    name: 'from what to what it costs, in one text: the upper end is not a list price',
    page: pageOf(html(ld(mug({ offers: offer({ price: '19.90 - 49.90', ...EUR }) })))),
    expect: { kind: 'read', price: '19.90 EUR', listPrice: null },
  },
  offered(
    'what it was and what it is, in one text',
    { price: 'Was $20.00 Now $12.50' },
    '12.50 USD',
  ),
  offered(
    'thousands of a currency of small units',
    { price: '12.990', priceCurrency: 'HUF' },
    '12990.00 HUF',
  ),
  {
    name: 'an AggregateOffer says once what holds for all its offers',
    page: pageOf(
      html(
        ld(
          mug({
            offers: {
              '@type': 'AggregateOffer',
              priceCurrency: 'BRL',
              availability: 'InStock',
              offers: [{ price: 12 }, { price: 10 }],
            },
          }),
        ),
      ),
    ),
    expect: { kind: 'read', price: '10.00 BRL', inStock: true },
  },
  offered('a recommended price alone is not a price', { price: 'RRP $20.00' }, null),
  {
    name: 'offers in lists within lists',
    page: pageOf(html(ld(mug({ offers: [[offer({ price: 25 })], [offer({ price: 18 })]] })))),
    expect: { kind: 'read', price: '18.00 USD', listPrice: '25.00 USD' },
  },
  ...(
    [
      ['1.290', '1290', '1290.00 EUR'],
      ['41.933', '41.93', '41.93 EUR'],
    ] as const
  ).map(([stated, tagged, price]): Case => ({
    name: `one mark and three digits: another source tells what ${stated} means`,
    page: pageOf(
      html(
        metas({ 'product:price:amount': tagged, 'product:price:currency': 'EUR' }) +
          ld(mug({ offers: offer({ price: stated, ...EUR }) })),
      ),
    ),
    expect: { kind: 'read', price },
  })),
];

type Changes = Readonly<Record<string, unknown>>;

/** Two offers, neither of which has the other's former price. */
const UNLIKE_OFFERS: readonly (readonly [string, Changes, Changes, price?: string])[] = [
  ['of two regions', { areaServed: 'US' }, { areaServed: 'CA' }, '20.00 USD'],
  ['of two sizes', { description: '250 g' }, { description: '1 kg' }, '20.00 USD'],
  ['one that begins later', { price: 15 }, { validFrom: '2031-01-01' }, '15.00 USD'],
  [
    'one with tax and one without',
    { priceSpecification: { price: 30, valueAddedTaxIncluded: true } },
    { priceSpecification: { price: 20, valueAddedTaxIncluded: false } },
  ],
  ['one for subscribers', {}, { additionalProperty: [{ name: 'plan', value: 'monthly' }] }],
  [
    'of two things',
    { itemOffered: { color: 'red' } },
    { itemOffered: { color: 'blue' } },
    '20.00 USD',
  ],
];

/** Several offers of one product. */
export const OFFER_CASES: readonly Case[] = [
  ...UNLIKE_OFFERS.map(([name, first, second, price = '30.00 USD']): Case => ({
    name: `two offers, ${name}: ${price} is the price`,
    page: pageOf(
      html(
        ld(
          mug({
            offers: [offer({ price: 30, ...first }), offer({ price: 20, ...second })],
          }),
        ),
      ),
    ),
    expect: { kind: 'read', price, listPrice: null },
  })),
  {
    name: 'two offers that differ in amount and end alone, in all that they state',
    page: pageOf(
      html(
        ld(
          mug({
            offers: [30, 20].map((price) =>
              offer({
                price,
                '@id': `#${price}`,
                priceValidUntil: `2031-01-${price}`,
                seller: { '@type': 'Organization', name: 'Acme' },
                shippingDetails: [{ deliveryTime: { handlingTime: { minValue: 1 } } }],
                priceSpecification: { price, valueAddedTaxIncluded: true },
              }),
            ),
          }),
        ),
      ),
    ),
    expect: { kind: 'read', price: '20.00 USD', listPrice: '30.00 USD' },
  },
  ...(
    [
      ['before the price of one', [{ minValue: 500 }, { minValue: 1 }]],
      ['and the other states no number', [{ minValue: 500 }, undefined]],
    ] as const
  ).map(([name, [many, one]]): Case => ({
    name: `a price from many pieces on stands ${name}`,
    page: pageOf(
      html(
        ld(
          mug({
            offers: {
              '@type': 'AggregateOffer',
              lowPrice: 0.09,
              priceCurrency: 'EUR',
              offers: [
                { price: 0.09, eligibleQuantity: many },
                { price: 0.25, eligibleQuantity: one },
              ],
            },
          }),
        ),
      ),
    ),
    expect: { kind: 'read', price: '0.25 EUR' },
  })),
  {
    name: 'goods that are sold by six cost what six of them are offered for',
    page: pageOf(html(ld(mug({ offers: offer({ price: 9, eligibleQuantity: { minValue: 6 } }) })))),
    expect: { kind: 'read', price: '9.00 USD' },
  },
];

const [SMALL, LARGE, OTHER] = ['4006381333931', '4006381333948', '5901234123457'];

/** A product with an offer for each of two sizes, of which the larger can be bought; both in one group when `around` has it. */
const SIZES = [
  { sku: 'S', gtin13: SMALL, price: 10, availability: 'OutOfStock' },
  { sku: 'L', gtin13: LARGE, price: 12 },
].map((size, at) => offer({ ...size, url: `/p/blue-mug?variant=${at + 1}` }));

const groupOf = (gtin13: string | undefined, sizes = SIZES): Case['page'] =>
  pageOf(
    html(
      ld({
        '@type': 'ProductGroup',
        name: 'Blue Mug',
        gtin13,
        hasVariant: sizes.map(({ sku, gtin13: code, ...rest }) =>
          mug({ sku, gtin13: code, offers: rest }),
        ),
      }),
    ),
  );

/** Numbers of one of several variants. */
export const NUMBER_CASES: readonly Case[] = [
  {
    name: 'the address names an offer that has numbers of its own',
    page: pageOf(html(ld(mug({ sku: 'S', gtin13: SMALL, offers: SIZES }))), {
      url: `${SHOP}/p/blue-mug?variant=2`,
    }),
    expect: { kind: 'read', price: '12.00 USD', gtin: `0${LARGE}`, sku: 'L' },
  },
  {
    name: 'the product has the numbers of an offer that is sold out',
    page: pageOf(html(ld(mug({ sku: 'S', gtin13: SMALL, offers: SIZES })))),
    expect: { kind: 'read', price: '12.00 USD', gtin: null, sku: 'L' },
  },
  {
    name: 'the product has a number that none of its offers has',
    page: pageOf(html(ld(mug({ gtin13: undefined, offers: SIZES })))),
    expect: { kind: 'read', gtin: null, sku: 'BM-1' },
  },
  {
    name: 'an offer without numbers has those of its product',
    page: pageOf(html(ld(mug({ offers: [offer({}), offer({ sku: 'BM-1', gtin13: SMALL })] })))),
    expect: { kind: 'read', gtin: `0${SMALL}`, sku: 'BM-1' },
  },
  ...[SMALL, OTHER].map((gtin13): Case => ({
    name: `a group states ${gtin13}, and each of its variants a barcode of its own`,
    page: groupOf(gtin13),
    expect: { kind: 'read', price: '12.00 USD', gtin: null },
  })),
  {
    name: 'a group states a barcode, and none of its variants does',
    page: groupOf(
      OTHER,
      SIZES.map((size) => ({ ...size, gtin13: undefined })),
    ),
    expect: { kind: 'read', price: '12.00 USD', gtin: `0${OTHER}` },
  },
];

function marked(name: string, inOffer: string, expect: Case['expect']): Case {
  const page = html(
    '',
    `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Blue Mug</h1>
    <div itemprop="offers" itemscope itemtype="http://schema.org/Offer">
    <meta itemprop="priceCurrency" content="EUR">${inOffer}</div></div>`,
  );
  return { name, page: pageOf(page), expect: { kind: 'read', ...expect } };
}

/** Amounts in marked-up text. */
export const MARKED_AMOUNT_CASES: readonly Case[] = [
  marked(
    'a price that is struck through is what it was before',
    '<del><span itemprop="price">59,90 €</span></del> <ins itemprop="price">49,90 €</ins>',
    { price: '49.90 EUR', listPrice: '59.90 EUR' },
  ),
  marked('cents that are raised', '<span itemprop="price">49<sup>90</sup> €</span>', {
    price: '49.90 EUR',
  }),
  marked(
    'cents in an element of their own',
    '<span itemprop="price">1.249 <span class="cents">90</span></span>',
    { price: '1249.90 EUR' },
  ),
  {
    name: 'a price that the end of the page cut off',
    page: pageOf(
      `${html('').replace('</body></html>', '')}<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">` +
        'Blue Mug</h1><b itemprop="sku">1</b><span itemprop="offers" itemscope><b itemprop="price">49',
    ),
    expect: { kind: 'read', price: null },
  },
  {
    name: 'the vocabulary before schema.org',
    page: pageOf(
      html(
        '',
        `<div itemscope itemtype="http://data-vocabulary.org/Product"><h1 itemprop="name">Blue Mug</h1>
        <span itemprop="review" itemscope itemtype="http://data-vocabulary.org/Review-aggregate">
        <b itemprop="rating">4.4</b> of <b itemprop="count">89</b></span>
        <span itemprop="offerDetails" itemscope itemtype="http://data-vocabulary.org/Offer">
        <meta itemprop="currency" content="USD"><b itemprop="price">119.99</b>
        <b itemprop="availability" content="in_stock">yes</b></span></div>`,
      ),
    ),
    expect: { kind: 'read', price: '119.99 USD', inStock: true, rating: 4.4, reviewCount: 89 },
  },
];

/** The page's own product despite its surroundings. */
export const OWN_CASES: readonly Case[] = [
  {
    name: 'a variant that names its group is the page, not a member to be passed over',
    page: pageOf(
      html(
        ld(
          mug({
            isVariantOf: {
              '@type': 'ProductGroup',
              name: 'Mug',
              hasVariant: [mug({ name: 'Red Mug', offers: offer({ price: 1 }) })],
            },
          }),
        ),
      ),
    ),
    expect: { kind: 'read', title: 'Blue Mug', price: '12.50 USD' },
  },
  {
    name: 'a rating that names the product by its address only',
    page: pageOf(
      html(
        ld({
          '@type': 'Product',
          '@id': `${SHOP}/p/blue-mug#product`,
          aggregateRating: { ratingValue: 4, ratingCount: 2 },
        }) + ld(mug({ url: `${SHOP}/p/blue-mug` })),
      ),
    ),
    expect: { kind: 'read', title: 'Blue Mug', price: '12.50 USD', rating: 4, reviewCount: 2 },
  },
  {
    name: 'an accessory that states a place of this page as its address',
    page: pageOf(
      html(
        ld(mug({ name: 'Lid', url: `${SHOP}/p/blue-mug#lid`, offers: offer({ price: 3 }) })) +
          ld(mug({ name: 'Stoneware, 12 oz', url: `${SHOP}/p/blue-mug` })),
        '<h1>A mug for every morning</h1>',
        'A mug for every morning',
      ),
    ),
    expect: { kind: 'read', title: 'Stoneware, 12 oz', price: '12.50 USD' },
  },
  {
    name: 'a heading in other words, and a list of other goods beside it',
    page: pageOf(
      html(
        ld(mug({ name: 'Mug 12 oz blue stoneware' })) + ld({ '@type': 'ItemList' }),
        '<h1>Blue stoneware mug, 12 ounces</h1>',
        'Shop online',
      ),
      { url: `${SHOP}/p/7` },
    ),
    expect: { kind: 'read', title: 'Mug 12 oz blue stoneware' },
  },
  {
    name: 'a tagged title without the name of the shop, known from its host',
    page: pageOf(
      html(metas({ 'og:title': 'Blue Mug | Mug-House', 'product:price:amount': '9' }), '', 'x'),
      { url: 'https://www.mughouse.example/p/1' },
    ),
    expect: { kind: 'read', title: 'Blue Mug' },
  },
];

/** A page whose tags call it a product and state its price, but with another product's data. */
function tagged(name: string, head: string, body = ''): Case {
  const tags = metas({
    'og:type': 'product',
    'og:title': 'Blue Mug',
    'product:price:amount': '12.50',
    'product:price:currency': 'USD',
  });
  const page = pageOf(html(tags + head, `<h1>Blue Mug</h1>${body}`));
  return {
    name,
    page,
    expect: { kind: 'read', title: 'Blue Mug', price: '12.50 USD', gtin: null },
  };
}

const TRAY = mug({ name: 'Oak Tray', offers: offer({ price: '40.00' }) });

/** Tags that call the page a product do not make every product on it the page's own. */
export const TAGGED_CASES: readonly Case[] = [
  tagged('a product with the address of another page', ld({ ...TRAY, url: `${SHOP}/p/oak-tray` })),
  tagged('a product that shares no word with the page', ld(TRAY)),
  tagged(
    'a part of the product, at the address of another page of the shop',
    ld({ ...TRAY, name: 'Blue Mug Lid', url: `${SHOP}/p/blue-mug-lid` }),
  ),
  tagged(
    'a tile in microdata',
    '',
    `<div itemscope itemtype="http://schema.org/Product"><a itemprop="url" href="/p/oak-tray"><b itemprop="name">
    Oak Tray</b></a><meta itemprop="gtin13" content="4006381333931"><div itemprop="offers" itemscope itemtype=
    "http://schema.org/Offer"><meta itemprop="price" content="40.00"></div></div>`,
  ),
  {
    name: 'the name of the page in other words, at the address of another language',
    page: pageOf(
      html(
        metas({ 'og:type': 'product', 'og:title': 'Blue Mug' }) +
          ld(mug({ name: 'Blue Mug 12 oz', url: `${SHOP}/en/p/blue-mug` })),
        '<h1>Blue Mug</h1>',
      ),
    ),
    expect: { kind: 'read', price: '12.50 USD', sku: 'BM-1' },
  },
  {
    name: 'a front page with a product on it',
    page: pageOf(
      html(
        metas({ 'og:type': 'product', 'og:title': 'Example Shop' }) +
          ld({ ...TRAY, url: `${SHOP}/p/oak-tray` }),
        '<h1>Welcome</h1>',
        'Example Shop',
      ),
      { url: `${SHOP}/` },
    ),
    expect: { kind: 'not_a_product' },
  },
];

const BROKEN = JSON.stringify(mug({}));
const PRICE = '"price":"12.50"';

/** JSON-LD with one meaningless member: that one is dropped, the others are read. */
export const DOUBTFUL_CASES: readonly Case[] = [
  ['an unquoted thousands comma', BROKEN.replace(PRICE, '"price":1,299.00')],
  ['an unquoted decimal comma', BROKEN.replace(PRICE, '"price":12,50')],
  ['an unquoted amount with a sign', BROKEN.replace(PRICE, '"price":12,50 €')],
  ['a value that is missing', BROKEN.replace(PRICE, '"price":')],
  ['a bare template', BROKEN.replace(PRICE, '"price":{{ product.price }}')],
  ['a bare template of another kind', BROKEN.replace(PRICE, '"price":<%= price %>')],
].map(([name, text]) => ({
  name: `doubtful JSON-LD: ${name ?? ''}`,
  page: pageOf(html(ld(text))),
  expect: {
    kind: 'read',
    title: 'Blue Mug',
    sku: 'BM-1',
    brand: 'Acme',
    price: null,
    inStock: true,
  },
}));

/** JSON-LD that is complete except for a punctuation mark. */
export const PUNCTUATION_CASES: readonly Case[] = [
  ['a quote and a colon inside a string', BROKEN.replace('that is', 'the "best": it is')],
  ['a comma forgotten at the end of a line', BROKEN.replace('"sku":"BM-1",', '"sku":"BM-1"\n')],
].map(([name, text]) => ({
  name: `broken JSON-LD: ${name ?? ''}`,
  page: pageOf(html(ld(text))),
  expect: { kind: 'read', title: 'Blue Mug', sku: 'BM-1', price: '12.50 USD' },
}));
