// Invented pages whose goods, names, addresses or barcodes are not the page's own.

import { html, ld, metas, mug, offer, pageOf } from './page-fixtures.ts';
import type { Case } from './page-fixtures.ts';

const SHOP = 'https://shop.example';

function other(name: string, body: string, path: string): Case {
  return { name, page: pageOf(body, { url: `${SHOP}${path}` }), expect: { kind: 'not_a_product' } };
}

const RANGE = { '@type': 'AggregateOffer', lowPrice: 9, highPrice: 299, priceCurrency: 'EUR' };
const NO_NUMBERS = { sku: undefined, gtin13: undefined };

const NAMELESS =
  '<div itemprop="offers" itemscope><meta itemprop="price" content="9"><meta itemprop="priceCurrency" content="EUR"></div>';

/** Products whose own data has no name. */
export const NAMELESS_CASES: readonly Case[] = [
  {
    name: 'the heading within its scope names it',
    page: pageOf(
      html(
        '',
        `<div itemscope itemtype="http://schema.org/Product"><h1>Blue Mug</h1>${NAMELESS}</div>`,
      ),
    ),
    expect: { kind: 'read', title: 'Blue Mug', price: '9.00 EUR' },
  },
  {
    name: 'a heading that is the logo does not',
    page: pageOf(
      html(
        metas({ 'og:site_name': 'Acme', 'product:price:amount': '9' }),
        '<h1>Acme</h1>',
        'Blue Mug | Acme',
      ),
    ),
    expect: { kind: 'read', title: 'Blue Mug' },
  },
  {
    name: 'two of them are a list',
    page: pageOf(
      html(
        ['A', 'B'].map((sku) => ld(mug({ name: undefined, gtin13: undefined, sku }))).join(''),
        '',
        'Mugs',
      ),
    ),
    expect: { kind: 'not_a_product' },
  },
  {
    name: 'a name within the data is not an address',
    page: pageOf(html(ld(mug({ '@id': '#product' })), '<h1>Deals of the week</h1>', 'Deals'), {
      url: `${SHOP}/deals`,
    }),
    expect: { kind: 'not_a_product' },
  },
  {
    name: 'an error page that the tags call a product',
    page: pageOf(
      html(
        metas({ 'og:type': 'product', 'og:image': '/a.jpg' }),
        '<h1>Page not found</h1>',
        'Acme',
      ),
    ),
    expect: { kind: 'not_found' },
  },
  {
    name: 'barcodes of several sizes are none of the page',
    page: pageOf(html(ld(mug({ gtin13: ['4006381333931', '5901234123457'] })))),
    expect: { kind: 'read', gtin: null },
  },
];

/** Goods that are not what the page is about. */
export const FOREIGN_CASES: readonly Case[] = [
  other('an offer of the week', html(ld(mug({})), '<h1>Deals of the week</h1>', 'Deals'), '/deals'),
  other(
    'the front page of a language',
    html(ld(mug({})), '<h1>Welcome</h1>', 'Shop'),
    '/en-us/home',
  ),
  other(
    'the shop rated as a product',
    html(ld(mug({ name: 'Example Shop', gtin13: undefined, offers: undefined })), '', 'Imprint') +
      metas({ 'og:site_name': 'Example Shop' }),
    '/imprint',
  ),
  other(
    'a category with prices that no single product has',
    html(ld(mug({ name: 'Mugs', brand: undefined, ...NO_NUMBERS, offers: RANGE })), '', 'Mugs'),
    '/c/mugs',
  ),
  other(
    'a price in the tags of a list',
    html(
      metas({ 'product:price:amount': '9' }) + ld({ '@type': 'ItemList' }),
      '<h1>Mugs</h1>',
      'Mugs',
    ),
    '/c/mugs',
  ),
  other(
    'goods of several names, one of which resembles the one word of the heading',
    html(
      ['Mugs XL', 'Red pot', 'Blue pot'].map((name) => ld(mug({ name }))).join(''),
      '<h1>Mugs</h1>',
      'Mugs',
    ),
    '/c/mugs',
  ),
  other(
    'an article that claims its address for the product it praises',
    html(
      ld({ '@type': 'Article', headline: 'How to wash mugs' }) +
        ld(mug({ name: 'Soap', offers: offer({ url: `${SHOP}/blog/wash` }) })),
      '<h1>How to wash mugs</h1>',
      'How to wash mugs',
    ),
    '/blog/wash',
  ),
  other(
    'a review of a product that is numbered and not for sale',
    html(
      metas({ 'og:type': 'article' }) + ld(mug({ offers: undefined })),
      '',
      'Blue Mug: a review',
    ),
    '/reviews/blue-mug',
  ),
  other(
    'a review of a product that other shops sell',
    html(
      metas({ 'og:type': 'article' }) +
        ld(mug({ offers: [offer({ url: 'https://pots.example/mug' })] })),
      '<h1>Blue Mug</h1>',
    ),
    '/reviews/blue-mug',
  ),
  {
    name: 'a shop that calls every page an article, and sells on another host of its own',
    page: pageOf(
      html(
        metas({ 'og:type': 'article' }) +
          ld(mug({ offers: offer({ url: 'https://www.shop.example/p/blue-mug' }) })),
        '<h1>Blue Mug</h1>',
      ),
    ),
    expect: { kind: 'read', price: '12.50 USD' },
  },
  other(
    'a page of service that the tags call a product',
    html(
      metas({ 'og:type': 'product', 'og:title': 'Contact', 'og:image': '/logo.png' }),
      '',
      'Contact',
    ),
    '/contact-us',
  ),
];
