// Invented pages of unknown shops and what a careful reader returns for each.

import { html, ld, metas, mug, MUG, offer, pageOf } from './page-fixtures.ts';
import type { Case } from './page-fixtures.ts';

const MUG_FACTS = { kind: 'read', title: 'Blue Mug', price: '12.50 USD', inStock: true } as const;

function product(name: string, changes: Record<string, unknown>, expect: Case['expect']): Case {
  return { name, page: pageOf(html(ld(mug(changes)))), expect: { kind: 'read', ...expect } };
}

/** JSON-LD in the shapes that shop software writes. */
export const JSON_LD_CASES: readonly Case[] = [
  product(
    'a plain product',
    {},
    {
      ...MUG_FACTS,
      brand: 'Acme',
      gtin: '04006381333931',
      sku: 'BM-1',
      imageUrl: 'https://cdn.example/mug.jpg',
      unavailable: false,
      description: 'A mug that is blue.',
    },
  ),
  product(
    'only a priceSpecification',
    {
      offers: {
        '@type': 'Offer',
        availability: 'InStock',
        priceSpecification: { '@type': 'PriceSpecification', price: 19.5, priceCurrency: 'CHF' },
      },
    },
    { price: '19.50 CHF', inStock: true },
  ),
  product(
    'a sale price and a list price among specifications',
    {
      offers: [
        {
          '@type': 'Offer',
          priceSpecification: [
            {
              '@type': 'UnitPriceSpecification',
              price: '20.00',
              priceCurrency: 'GBP',
              priceType: 'https://schema.org/ListPrice',
            },
            { '@type': 'UnitPriceSpecification', price: '18.00', priceCurrency: 'GBP' },
          ],
        },
      ],
    },
    { price: '18.00 GBP', listPrice: '20.00 GBP' },
  ),
  product(
    'a list price alone is not what a buyer pays',
    {
      offers: {
        '@type': 'Offer',
        priceSpecification: { price: '20', priceCurrency: 'GBP', priceType: 'ListPrice' },
      },
    },
    { price: null },
  ),
  product(
    'a price per 100 ml beside the price',
    {
      offers: {
        '@type': 'Offer',
        priceSpecification: [
          {
            '@type': 'UnitPriceSpecification',
            price: 3.2,
            priceCurrency: 'EUR',
            referenceQuantity: { value: 100, unitCode: 'MLT' },
          },
          { '@type': 'PriceSpecification', price: 16, priceCurrency: 'EUR' },
        ],
      },
    },
    { price: '16.00 EUR' },
  ),
  product(
    'a monthly rate is not a price',
    {
      offers: {
        '@type': 'Offer',
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          price: 12,
          priceCurrency: 'USD',
          billingDuration: 'P1M',
        },
      },
    },
    { price: null },
  ),
  product(
    'a price with tax beats one without',
    {
      offers: {
        '@type': 'Offer',
        priceSpecification: [
          { price: 20, priceCurrency: 'EUR', valueAddedTaxIncluded: false },
          { price: 24, priceCurrency: 'EUR', valueAddedTaxIncluded: true },
        ],
      },
    },
    { price: '24.00 EUR' },
  ),
  product(
    'a member price beside the price for all',
    {
      offers: {
        '@type': 'Offer',
        priceSpecification: [
          { price: 9, priceCurrency: 'USD', validForMemberTier: { '@type': 'MemberProgramTier' } },
          { price: 12, priceCurrency: 'USD' },
        ],
      },
    },
    { price: '12.00 USD' },
  ),
  product(
    'a delivery charge is not a price',
    {
      offers: offer({
        priceSpecification: {
          '@type': 'DeliveryChargeSpecification',
          price: 4.95,
          priceCurrency: 'USD',
        },
      }),
    },
    { price: '12.50 USD' },
  ),
  product(
    'shipping costs and return fees are not a price',
    {
      offers: {
        '@type': 'Offer',
        availability: 'InStock',
        shippingDetails: {
          '@type': 'OfferShippingDetails',
          shippingRate: { '@type': 'MonetaryAmount', value: 5, currency: 'USD' },
        },
      },
    },
    { price: null, inStock: true },
  ),
  product(
    'price 0 is not a price, and none is looked for elsewhere',
    { offers: offer({ price: 0 }) },
    { price: null, inStock: true },
  ),
  product(
    'an amount without a currency',
    { offers: { price: 5, availability: 'InStock' } },
    { price: '5.00 -' },
  ),
  product(
    'an aggregate alone is its lowest price',
    {
      offers: {
        '@type': 'AggregateOffer',
        lowPrice: 10,
        highPrice: 30,
        priceCurrency: 'EUR',
        offerCount: 3,
      },
    },
    { price: '10.00 EUR', listPrice: null },
  ),
  product(
    'an aggregate in lower-case names',
    {
      offers: { '@type': 'AggregateOffer', lowprice: '10', highprice: '30', pricecurrency: 'EUR' },
    },
    { price: '10.00 EUR' },
  ),
  product(
    'names with capitals',
    {
      offers: undefined,
      Offers: {
        '@type': 'Offer',
        priceCurrency: 'USD',
        price: '15',
        Availability: 'https://schema.org/InStock',
      },
    },
    { price: '15.00 USD', inStock: true },
  ),
  product(
    'the cheapest offer in stock',
    {
      offers: [
        offer({ price: 8, availability: 'OutOfStock' }),
        offer({ price: 9 }),
        offer({ price: 7 }),
      ],
    },
    { price: '7.00 USD', inStock: true },
  ),
  product(
    'all offers out of stock: the cheapest',
    {
      offers: [
        offer({ price: 8, sku: 'M', availability: 'SoldOut' }),
        offer({ price: 7, sku: 'L', availability: 'OutOfStock' }),
      ],
    },
    { price: '7.00 USD', inStock: false },
  ),
  product(
    'offers nested in an aggregate',
    {
      offers: {
        '@type': 'AggregateOffer',
        lowPrice: 1,
        offerCount: 2,
        priceCurrency: 'USD',
        offers: [offer({ price: 11, availability: 'OutOfStock' }), offer({ price: 14 })],
      },
    },
    { price: '14.00 USD' },
  ),
  product(
    'rent is not sale',
    {
      offers: [
        offer({ price: 2, businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut' }),
        offer({ price: 30 }),
      ],
    },
    { price: '30.00 USD' },
  ),
  product(
    'a discontinued listing keeps its price and is gone',
    { offers: offer({ availability: 'https://schema.org/Discontinued' }) },
    { price: '12.50 USD', inStock: false, unavailable: true },
  ),
  product(
    'stock that is not stated is null',
    { offers: { price: 3, priceCurrency: 'USD' } },
    { inStock: null, unavailable: null },
  ),
  product(
    'an odd spelling of availability and condition',
    {
      offers: offer({
        availability: 'http://schema.org/ instock ',
        itemCondition: 'schema:UsedCondition',
      }),
    },
    { inStock: true, condition: 'used_good' },
  ),
  product(
    'a seller as a thing and as a text',
    { offers: offer({ seller: { '@type': 'Organization', name: 'Mug House' } }) },
    { sellerName: 'Mug House' },
  ),
  product(
    'a rating of ten points, and its count',
    { aggregateRating: { ratingValue: '9,2', bestRating: 10, ratingCount: '1,204' } },
    { rating: 4.6, reviewCount: 1204 },
  ),
  product(
    'no reviews are not a rating',
    { aggregateRating: { ratingValue: 0, reviewCount: 0 } },
    { rating: null, reviewCount: 0 },
  ),
  product(
    'a rating beyond its scale',
    { aggregateRating: { ratingValue: 87, reviewCount: 3 } },
    { rating: null, reviewCount: 3 },
  ),
  product(
    'an empty list for a rating',
    { aggregateRating: [] },
    { rating: null, reviewCount: null },
  ),
  product(
    'entities in a name',
    { name: 'Blue &amp;quot;Sea&amp;quot; Mug &amp; Lid' },
    { title: 'Blue "Sea" Mug & Lid' },
  ),
  product(
    'a barcode that lost its zero',
    { gtin13: undefined, gtin: 45496590161 },
    { gtin: '00045496590161' },
  ),
  product("a number of the shop in a barcode's place", { gtin13: 'BM-1' }, { gtin: null }),
  product('a filler barcode', { gtin13: '0000000000000' }, { gtin: null }),
  product('a wrong check digit', { gtin13: '4006381333932' }, { gtin: null }),
  product(
    'a short barcode that is the shop number',
    { gtin13: undefined, sku: '96385074', gtin: '96385074' },
    { gtin: null, sku: '96385074' },
  ),
  product(
    'a labelled barcode',
    { gtin13: undefined, productID: 'ean:4006381333931' },
    { gtin: '04006381333931' },
  ),
  product(
    'a barcode among the specifications',
    {
      gtin13: undefined,
      additionalProperty: [{ '@type': 'PropertyValue', name: 'EAN', value: '4006381333931' }],
    },
    { gtin: '04006381333931' },
  ),
  product(
    'a template rest is not a value',
    { brand: '{{ product.vendor }}', mpn: '<%= mpn %>' },
    { brand: null, mpn: null },
  ),
  product(
    'an image object with a relative address',
    { image: { '@type': 'ImageObject', url: '//cdn.example/a.jpg' } },
    { imageUrl: 'https://cdn.example/a.jpg' },
  ),
  product(
    'an image that is not an address of the web',
    { image: 'javascript:alert(1)' },
    { imageUrl: null },
  ),
  product('a slug in the place of a number', { sku: 'p/blue-mug' }, { sku: null }),
  product(
    'a currency written as a sign',
    { offers: { price: '9.50', priceCurrency: '€' } },
    { price: '9.50 EUR' },
  ),
  product(
    'a price with a sign of its own',
    { offers: { price: '£1,250.00', availability: 'InStock' } },
    { price: '1250.00 GBP' },
  ),
  product(
    'stock beside the offers',
    { availability: 'InStock', offers: { price: 3, priceCurrency: 'USD' } },
    { price: '3.00 USD', inStock: true },
  ),
  product(
    'price and stock on the product itself',
    { offers: undefined, price: '7.00', priceCurrency: 'USD', availability: 'OutOfStock' },
    { price: '7.00 USD', inStock: false },
  ),
  product(
    'several prices on the product itself',
    { offers: undefined, price: ['7.00', '9.00'], priceCurrency: 'USD' },
    { price: null },
  ),
  product(
    'offers numbered instead of listed',
    { offers: { 0: offer({ price: 4, availability: 'OutOfStock' }), 1: offer({ price: 5 }) } },
    { price: '5.00 USD' },
  ),
  product(
    'an inline picture before the real one',
    { image: ['data:image/gif;base64,R0', '/mug.jpg'] },
    { imageUrl: 'https://shop.example/mug.jpg' },
  ),
  product(
    'a count that is shortened is not a count',
    { aggregateRating: { ratingValue: 4.5, reviewCount: '1.2k' } },
    { rating: 4.5, reviewCount: null },
  ),
  product(
    'fields filled with nothing',
    { mpn: 'Does not apply', model: 'N/A', brand: 'null' },
    { mpn: null, model: null, brand: null },
  ),
  product('a negative price', { offers: offer({ price: -5 }) }, { price: null }),
];

const GROUP = {
  '@context': 'https://schema.org',
  '@type': 'ProductGroup',
  '@id': '#mug',
  name: 'Blue Mug',
  productGroupID: 'BM',
  brand: { '@id': '#acme' },
  hasVariant: [
    {
      '@type': 'Product',
      name: 'Blue Mug - S',
      sku: 'BM-S',
      gtin13: '4006381333931',
      offers: offer({ price: 5, availability: 'OutOfStock', url: '/p/blue-mug?variant=1' }),
    },
    {
      '@type': 'Product',
      name: 'Blue Mug - M',
      sku: 'BM-M',
      gtin13: '4006381333948',
      offers: offer({ price: 6, url: '/p/blue-mug?variant=2' }),
    },
    { '@type': 'Product', url: '/p/red-mug' },
  ],
};

/** Which product of several, and which variant. */
export const CHOICE_CASES: readonly Case[] = [
  {
    name: 'a group without a variant in the address: the first in stock, no barcode of a single size',
    page: pageOf(
      html(ld({ '@graph': [GROUP, { '@type': 'Brand', '@id': '#acme', name: 'Acme' }] })),
    ),
    expect: {
      kind: 'read',
      title: 'Blue Mug',
      price: '6.00 USD',
      inStock: true,
      gtin: null,
      brand: 'Acme',
    },
  },
  {
    name: 'the variant of the address',
    page: pageOf(html(ld(GROUP)), { url: 'https://shop.example/p/blue-mug?variant=1' }),
    expect: { price: '5.00 USD', inStock: false, gtin: '04006381333931', sku: 'BM-S' },
  },
  {
    name: 'a variant by its number in the query',
    page: pageOf(html(ld(GROUP)), { url: 'https://shop.example/p/blue-mug?sku=BM-M' }),
    expect: { price: '6.00 USD', gtin: '04006381333948', sku: 'BM-M' },
  },
  {
    name: 'offers of one product distinguished by the address',
    page: pageOf(
      html(
        ld(
          mug({
            offers: [
              offer({ price: 5, url: '/p/blue-mug?variant=1' }),
              offer({ price: 6, url: '/p/blue-mug?variant=2' }),
            ],
          }),
        ),
      ),
      { url: 'https://shop.example/p/blue-mug?variant=2' },
    ),
    expect: { price: '6.00 USD' },
  },
  {
    name: 'one product per size under one name',
    page: pageOf(
      html(
        ld([
          mug({
            sku: 'S',
            gtin13: undefined,
            offers: offer({ price: 5, availability: 'OutOfStock' }),
          }),
          mug({ sku: 'M', gtin13: undefined, offers: offer({ price: 5 }) }),
        ]),
      ),
    ),
    expect: { kind: 'read', price: '5.00 USD', inStock: true },
  },
  {
    name: 'two variants that differ in nothing but the amount are not a sale: the cheaper, without a former price',
    page: pageOf(
      html(
        ld({
          '@type': 'ProductGroup',
          name: 'Blue Mug',
          hasVariant: [
            { '@type': 'Product', name: 'Blue Mug', offers: offer({ price: 9 }) },
            { '@type': 'Product', name: 'Blue Mug', offers: offer({ price: 5 }) },
          ],
        }),
      ),
    ),
    expect: { kind: 'read', price: '5.00 USD', listPrice: null },
  },
  {
    name: 'variants that stand beside their group',
    page: pageOf(
      html(
        ld([
          { '@type': 'ProductGroup', name: 'Blue Mug', productGroupID: 'g1' },
          mug({ name: 'Blue Mug small', inProductGroupWithID: 'g1' }),
        ]),
      ),
    ),
    expect: { kind: 'read', title: 'Blue Mug', price: '12.50 USD' },
  },
  {
    name: 'stubs before the real product',
    page: pageOf(
      html(
        [
          ld({ '@type': 'Product', name: 'Blue Mug' }),
          ld({ '@type': 'Product', name: 'Blue Mug' }),
          ld(MUG),
        ].join(''),
      ),
    ),
    expect: { kind: 'read', price: '12.50 USD', sku: 'BM-1' },
  },
  {
    name: 'a rating block of a review app beside the product',
    page: pageOf(
      html(
        ld(MUG) +
          ld({
            '@type': 'Product',
            name: 'Blue Mug',
            aggregateRating: { ratingValue: 4.5, reviewCount: 8 },
          }),
      ),
    ),
    expect: { price: '12.50 USD', rating: 4.5, reviewCount: 8, gtin: '04006381333931' },
  },
  {
    name: 'a rating that names the product it rates',
    page: pageOf(
      html(
        ld({ '@type': 'AggregateRating', ratingValue: 5, reviewCount: 1, itemReviewed: mug({}) }),
      ),
    ),
    expect: { price: '12.50 USD', rating: 5, reviewCount: 1 },
  },
  {
    name: 'an offer that names the product it offers',
    page: pageOf(html(ld({ ...offer({}), itemOffered: mug({ offers: undefined }) }))),
    expect: { price: '12.50 USD' },
  },
  {
    name: 'related products on the page are not the page',
    page: pageOf(
      html(
        ld([
          mug({ name: 'Red Mug', sku: 'R', offers: offer({ price: 1 }) }),
          MUG,
          mug({ name: 'Green Mug', sku: 'G', offers: offer({ price: 2 }) }),
        ]),
      ),
    ),
    expect: { title: 'Blue Mug', price: '12.50 USD' },
  },
  {
    name: 'related products by reference',
    page: pageOf(
      html(ld(mug({ isRelatedTo: [mug({ name: 'Blue Mug', offers: offer({ price: 1 }) })] }))),
    ),
    expect: { price: '12.50 USD' },
  },
  {
    name: 'the product of the address among several of the same kind of name',
    page: pageOf(
      html(
        ld([
          mug({ name: 'Mug', url: 'https://shop.example/p/mug', offers: offer({ price: 1 }) }),
          mug({ url: 'https://www.shop.example/p/blue-mug/' }),
        ]),
      ),
    ),
    expect: { title: 'Blue Mug', price: '12.50 USD' },
  },
  {
    name: 'a book is a product when it is for sale',
    page: pageOf(
      html(ld({ '@type': 'Book', name: 'Blue Mug', isbn: '9780306406157', offers: offer({}) })),
    ),
    expect: { kind: 'read', gtin: '09780306406157', price: '12.50 USD' },
  },
];

/** Sources that contradict each other. */
export const CONFLICT_CASES: readonly Case[] = [
  {
    name: 'regular price in JSON-LD, sale price in the tags that call the other one standard',
    page: pageOf(
      html(
        ld(mug({ offers: offer({ price: '150.00' }) })) +
          metas({
            'og:type': 'product',
            'og:price:standard_amount': '150.00',
            'product:price:amount': '120.00',
            'product:price:currency': 'USD',
          }),
      ),
    ),
    expect: { price: '120.00 USD', listPrice: '150.00 USD' },
  },
  {
    name: 'a lower price in the tags that nothing explains',
    page: pageOf(
      html(ld(MUG) + metas({ 'product:price:amount': '10.20', 'product:price:currency': 'USD' })),
    ),
    expect: { price: '12.50 USD', listPrice: null },
  },
  {
    name: 'two currencies: amount and currency of one place',
    page: pageOf(
      html(
        ld(mug({ offers: offer({ price: 43.9, priceCurrency: 'EUR' }) })) +
          metas({ 'product:price:amount': '48,00', 'product:price:currency': 'USD' }),
      ),
    ),
    expect: { price: '43.90 EUR' },
  },
  {
    name: 'the old price in the plain tag, the price of the moment in the sale tag',
    page: pageOf(
      html(
        metas({
          'og:type': 'product',
          'og:title': 'Blue Mug',
          'product:price:amount': '1148.00',
          'product:price:currency': 'PLN',
          'product:sale_price:amount': '997.00',
          'product:original_price:amount': '1148.00',
        }),
      ),
    ),
    expect: { kind: 'read', price: '997.00 PLN', listPrice: '1148.00 PLN' },
  },
  {
    name: 'a price before tax is not read',
    page: pageOf(
      html(
        metas({
          'og:type': 'product',
          'og:title': 'Blue Mug',
          'product:pretax_price:amount': '20',
          'product:pretax_price:currency': 'SAR',
          'product:price:amount': '23',
          'product:price:currency': 'SAR',
        }),
      ),
    ),
    expect: { price: '23.00 SAR' },
  },
  {
    name: 'minor units, recognized by another source with decimals',
    page: pageOf(
      html(
        ld(mug({ offers: offer({ price: 1250 }) })) +
          metas({ 'og:price:amount': '12.50', 'og:price:currency': 'USD' }),
      ),
    ),
    expect: { price: '12.50 USD' },
  },
  {
    name: 'a whole price that no other source contradicts',
    page: pageOf(html(ld(mug({ offers: offer({ price: 1250 }) })))),
    expect: { price: '1250.00 USD' },
  },
  {
    name: 'a currency from the place that states the same amount',
    page: pageOf(
      html(
        ld(mug({ offers: { '@type': 'Offer', price: '12.50' } })) +
          metas({ 'og:price:amount': '12.50', 'og:price:currency': 'CAD' }),
      ),
    ),
    expect: { price: '12.50 CAD' },
  },
  {
    name: 'no currency from a place that states another amount',
    page: pageOf(
      html(
        ld(mug({ offers: { '@type': 'Offer', price: '12.50' } })) +
          metas({ 'og:price:amount': '17.00', 'og:price:currency': 'CAD' }),
      ),
    ),
    expect: { price: '12.50 -' },
  },
  {
    name: 'the brand of the structured data, not the shop in the tags',
    page: pageOf(html(ld(MUG) + metas({ 'product:brand': 'Example Shop' }))),
    expect: { brand: 'Acme' },
  },
  {
    name: 'microdata fills what JSON-LD leaves out',
    page: pageOf(
      html(
        ld(mug({ offers: undefined })),
        `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Blue Mug</h1>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="14.00">$14</span><meta itemprop="priceCurrency" content="USD"></div></div>`,
      ),
    ),
    expect: { price: '14.00 USD', sku: 'BM-1' },
  },
  {
    name: 'microdata of another product is left out',
    page: pageOf(
      html(
        ld(mug({ offers: undefined })),
        `<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Steel Kettle</b><meta itemprop="url" content="/p/kettle">
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="1"><meta itemprop="priceCurrency" content="USD"></div></div>`,
      ),
    ),
    expect: { price: null },
  },
];
