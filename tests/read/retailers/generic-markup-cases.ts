// Invented pages in microdata, RDFa and tags, in other encodings, with broken JSON-LD, and pages that are not product
// pages.

import { html, ld, metas, mug, MUG, offer, pageOf } from './page-fixtures.ts';
import type { Case } from './page-fixtures.ts';

const ITEM = 'itemscope itemtype="https://schema.org/Product"';
const OFFER = 'itemprop="offers" itemscope itemtype="https://schema.org/Offer"';

/** Microdata, RDFa and meta tags. */
export const MARKUP_CASES: readonly Case[] = [
  {
    name: 'microdata with values in attributes, links and texts',
    page: pageOf(
      html(
        '',
        `<div ${ITEM}><h1 itemprop="name">Blue <b>Mug</b></h1><img itemprop=image src=/mug.jpg>
      <a itemprop="brand" href="/acme">Brand: Acme</a><meta itemprop="gtin13" content="4006381333931">
      <div ${OFFER}><span itemprop="price">26,00 €</span><meta content=EUR itemprop=priceCurrency>
      <link itemprop="availability" href="https://schema.org/InStock"></div></div>`,
      ),
    ),
    expect: {
      kind: 'read',
      title: 'Blue Mug',
      brand: 'Acme',
      price: '26.00 EUR',
      inStock: true,
      imageUrl: 'https://shop.example/mug.jpg',
      gtin: '04006381333931',
    },
  },
  {
    name: 'unquoted attributes and capital letters',
    page: pageOf(
      html(
        '',
        `<DIV ITEMSCOPE ITEMTYPE=http://schema.org/Product><H1 itemProp=name>Blue Mug</H1>
      <DIV itemProp=offers itemscope itemType=//schema.org/Offer><META itemProp=price CONTENT=5.29><META itemProp=priceCurrency CONTENT=GBP>
      <META itemProp=availability CONTENT=http://schema.org/InStock></DIV></DIV>`,
      ),
    ),
    expect: { price: '5.29 GBP', inStock: true },
  },
  {
    name: 'two prices in one attribute: the first',
    page: pageOf(
      html(
        '',
        `<div ${ITEM}><h1 itemprop="name">Blue Mug</h1><div ${OFFER}><span itemprop="price" content=" 71,91 € 79,90 € "></span></div></div>`,
      ),
    ),
    expect: { price: '71.91 EUR' },
  },
  {
    name: 'related products inside of a product whose tags are torn',
    page: pageOf(
      html(
        '',
        `<div ${ITEM}><h1 itemprop="name">Blue Mug</h1><p><span itemprop="sku">BM-1</p>
      <ul><li ${ITEM}><b itemprop="name">Red Mug<div ${OFFER}><meta itemprop="price" content="1"></div>
      <li ${ITEM}><b itemprop="name">Green Mug<div ${OFFER}><meta itemprop="price" content="2"></div></ul>
      <div ${OFFER}><meta itemprop="price" content="12.50"><meta itemprop="priceCurrency" content="USD"></div></div>`,
      ),
    ),
    expect: { title: 'Blue Mug', price: '12.50 USD', sku: 'BM-1' },
  },
  {
    name: 'closing tags of nothing do not end a scope',
    page: pageOf(
      html(
        '',
        `<div ${ITEM}></b></i></span><h1 itemprop="name">Blue Mug</h1></p>
      <div ${OFFER}><meta itemprop="price" content="12.50"><meta itemprop="priceCurrency" content="USD"></div></div>`,
      ),
    ),
    expect: { price: '12.50 USD' },
  },
  {
    name: 'a product without a name takes the heading that the title repeats',
    page: pageOf(
      html(
        metas({ 'og:title': 'Buy Blue Mug | Mugs | Example' }),
        `<h1>Menu</h1><h1>Blue Mug</h1><div ${ITEM}><meta itemprop="url" content="/p/blue-mug"><div ${OFFER}><meta itemprop="price" content="3"><meta itemprop="priceCurrency" content="USD"></div></div>`,
      ),
    ),
    expect: { kind: 'read', title: 'Blue Mug', price: '3.00 USD' },
  },
  {
    name: 'values in comments, templates and unfilled templates do not count',
    page: pageOf(
      html(
        '',
        `<div ${ITEM}><h1 itemprop="name">Blue Mug</h1><!-- <div ${OFFER}><meta itemprop="price" content="1"></div> -->
      <template><div ${OFFER}><meta itemprop="price" content="2"></div></template>
      <div ${OFFER}><meta itemprop="price" content="{{ p.price }}"></div><div ${OFFER}><meta itemprop="price" content="12.50"><meta itemprop="priceCurrency" content="USD"></div>
      <meta itemprop="sku" content="<&=sku&>"></div>`,
      ),
    ),
    expect: { price: '12.50 USD', sku: null },
  },
  {
    name: 'a rating in percent of marked-up text',
    page: pageOf(
      html(
        '',
        `<div ${ITEM}><h1 itemprop="name">Blue Mug</h1><div ${OFFER}><meta itemprop="price" content="3"></div>
      <div itemprop="aggregateRating" itemscope itemtype="http://schema.org/AggregateRating"><span itemprop="ratingValue">87</span>% of <span itemprop="bestRating">100</span> <span itemprop="reviewCount">12 reviews</span></div></div>`,
      ),
    ),
    expect: { rating: 4.35, reviewCount: 12 },
  },
  {
    name: 'RDFa',
    page: pageOf(
      html(
        '',
        `<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Blue Mug</h1>
      <div property="offers" typeof="Offer"><span property="price" content="9.00">9</span><meta property="priceCurrency" content="USD"></div></div>`,
      ),
    ),
    expect: { kind: 'read', price: '9.00 USD' },
  },
  {
    name: 'tags alone',
    page: pageOf(
      html(
        metas({
          'og:type': 'product',
          'og:title': 'Blue Mug',
          'og:image': 'http://cdn.example/a.jpg',
          'og:image:secure_url': 'https://cdn.example/a.jpg',
          'product:price:amount': '329.99',
          'product:price:currency': 'USD',
          'og:availability': 'instock',
          'product:condition': 'new',
          'product:gtin': '45496590161',
          'product:retailer_item_id': 'X9',
          'product:brand': 'Acme',
        }),
      ),
    ),
    expect: {
      kind: 'read',
      title: 'Blue Mug',
      price: '329.99 USD',
      inStock: true,
      condition: 'new',
      gtin: '00045496590161',
      sku: 'X9',
      brand: 'Acme',
      imageUrl: 'https://cdn.example/a.jpg',
    },
  },
  {
    name: 'tags with a namespace in their type, twice, and a price without a type',
    page: pageOf(
      html(
        metas({ 'og:type': 'acme_shop:product', 'og:title': 'Blue Mug' }) +
          metas({ 'og:title': 'Other', 'og:price:amount': '3.00', 'og:price:currency': 'EUR' }),
      ),
    ),
    expect: { kind: 'read', title: 'Blue Mug', price: '3.00 EUR' },
  },
  {
    name: 'a page that the tags call a product, without a price',
    page: pageOf(
      html(metas({ 'og:type': 'product', 'og:title': 'Blue Mug', 'og:image': '/a.jpg' })),
    ),
    expect: { kind: 'read', title: 'Blue Mug', price: null },
  },
  {
    name: 'the price of a product card',
    page: pageOf(
      html(
        metas({
          'og:type': 'x:product',
          'og:title': 'Blue Mug',
          'og:image': '/a.jpg',
          'twitter:label1': 'Price',
          'twitter:data1': '€49.10',
        }),
      ),
    ),
    expect: { kind: 'read', price: '49.10 EUR' },
  },
  {
    name: 'a shop number where a barcode belongs',
    page: pageOf(html(ld(mug({ gtin13: undefined })) + metas({ 'og:upc': 'W005759888' }))),
    expect: { gtin: null },
  },
  {
    name: 'a lone dollar on a page that says US',
    page: pageOf(
      '<html lang="en-US"><title>Blue Mug</title>' + ld(mug({ offers: { price: '$12.50' } })),
    ),
    expect: { price: '12.50 USD' },
  },
  {
    name: 'a lone dollar elsewhere',
    page: pageOf(
      '<html lang="en"><title>Blue Mug</title>' + ld(mug({ offers: { price: '$12.50' } })),
    ),
    expect: { price: '12.50 -' },
  },
  {
    name: 'prices in running text are never read',
    page: pageOf(
      html(
        ld(mug({ offers: undefined })),
        '<p>from $12/mo</p><p>Free shipping over $35</p><p class="price">$99.00</p>',
      ),
    ),
    expect: { kind: 'read', price: null },
  },
  {
    name: 'breadcrumbs of nodes with names and addresses, two of them alike',
    page: pageOf(
      html(
        ld(MUG) +
          ld({
            '@type': 'BreadcrumbList',
            itemListElement: [
              ['Example Shop', 'https://shop.example/'],
              ['Mugs', 'https://shop.example/c/mugs'],
              ['Mugs', 'https://shop.example/b/mugs'],
              ['Blue', 'https://shop.example/c/blue'],
              ['A mug in blue', 'https://shop.example/p/blue-mug'],
            ].map(([name, address], index) => ({
              '@type': 'ListItem',
              position: index + 1,
              item: { '@type': 'WebPage', '@id': address, name },
            })),
          }),
      ),
    ),
    expect: { categories: ['Mugs', 'Blue'] },
  },
  {
    name: 'breadcrumbs without the front page and the product',
    page: pageOf(
      html(
        ld(MUG) +
          ld({
            '@type': 'BreadcrumbList',
            itemListElement: [
              {
                '@type': 'ListItem',
                position: 3,
                name: 'Blue Mug',
                item: 'https://shop.example/p/blue-mug',
              },
              {
                '@type': 'ListItem',
                position: 1,
                name: 'Example Shop',
                item: 'https://shop.example/',
              },
              {
                '@type': 'ListItem',
                position: 2,
                item: { '@id': 'https://shop.example/c/mugs', name: 'Mugs' },
              },
            ],
          }),
      ),
    ),
    expect: { categories: ['Mugs'] },
  },
  {
    name: 'the canonical address of the same host',
    page: pageOf(html('<link rel="canonical" href="/p/blue-mug">' + ld(MUG)), {
      url: 'https://shop.example/p/blue-mug?utm=1',
    }),
    expect: { url: 'https://shop.example/p/blue-mug' },
  },
  {
    name: 'a canonical address of another host is not believed',
    page: pageOf(html('<link rel="canonical" href="https://evil.example/p/blue-mug">' + ld(MUG))),
    expect: { url: 'https://shop.example/p/blue-mug' },
  },
];

const BROKEN = JSON.stringify(MUG);

/** JSON-LD that a strict parser refuses. */
export const BROKEN_CASES: readonly Case[] = [
  ['raw line breaks in a string', BROKEN.replace('that is blue', 'that\nis\tblue')],
  ['a trailing comma', BROKEN.replace(/\}$/, ',}')],
  ['a semicolon at the end', `${BROKEN};`],
  ['a CDATA wrapper', `//<![CDATA[\n${BROKEN}\n//]]>`],
  ['an HTML comment around it', `<!-- ${BROKEN} -->`],
  ['comments between members', BROKEN.replace('"sku"', '/* number */ "sku"')],
  ['single quotes', BROKEN.replaceAll('"', "'")],
  ['escaped quotes', BROKEN.replaceAll('"', '&quot;')],
  ['two objects in a row', `{"@type":"Organization","name":"Shop"}\n${BROKEN}`],
  ['a bracket too many', `${BROKEN}}`],
  ['a byte order mark', `\ufeff${BROKEN}`],
  ['an unescaped quote inside a string', BROKEN.replace('that is blue', 'of 3" width, blue')],
  ['a wrong escape', BROKEN.replace('that is', "that\\'s \\x")],
  ['a tail that was cut off', `${BROKEN.slice(0, -1)},"review":[{"author":"A`],
  ['NaN for a number', BROKEN.replace('"sku":"BM-1"', '"sku":"BM-1","weight":NaN')],
].map(([name, text]) => ({
  name: `broken JSON-LD: ${name}`,
  page: pageOf(html(ld(text))),
  expect: { kind: 'read', title: 'Blue Mug', price: '12.50 USD', sku: 'BM-1' },
}));

/** JSON-LD of which no part can be trusted. */
export const UNREADABLE_CASES: readonly Case[] = [
  ['an unquoted thousands comma', BROKEN.replace('"12.50"', '1,299.00')],
  ['a price that the end cut off', BROKEN.slice(0, BROKEN.indexOf('.50"'))],
  ['a bare template', BROKEN.replace('"12.50"', '{{ price }}')],
  ['an array of a million', `[${'1,'.repeat(600_000)}1]`],
  ['a depth of 100', `${'['.repeat(100)}${']'.repeat(100)}`],
].map(([name, text]) => ({
  name: `unreadable JSON-LD: ${name}`,
  page: pageOf(
    html(
      ld(text) + metas({ 'og:type': 'product', 'og:title': 'Blue Mug', 'product:brand': 'Acme' }),
    ),
  ),
  expect: { kind: 'read', price: null },
}));

const TILE = (name: string, price: number, path: string): Record<string, unknown> =>
  mug({ name, sku: name, url: `https://shop.example${path}`, offers: offer({ price }) });

/** Pages that are not product pages. */
export const OTHER_CASES: readonly Case[] = [
  [
    'a front page',
    html(
      ld([
        { '@type': 'Organization', name: 'Example Shop' },
        { '@type': 'WebSite', name: 'Example' },
      ]) + metas({ 'og:type': 'website', 'og:title': 'Example Shop' }),
    ),
    '/',
  ],
  ['a front page with one product on it', html(ld(MUG), '', 'Example Shop'), '/'],
  [
    'og:title alone',
    html(metas({ 'og:title': 'Blue Mug', 'og:image': 'https://cdn.example/a.jpg' })),
    '/p/1',
  ],
  [
    'an article with tags',
    html(
      ld({ '@type': 'BlogPosting', headline: 'Ten mugs' }) +
        metas({ 'og:type': 'article', 'og:title': 'Ten mugs' }),
      '',
      'Ten mugs',
    ),
    '/blog/ten',
  ],
  [
    'an article about a product',
    html(
      ld([
        { '@type': 'NewsArticle', headline: 'Blue Mug tested' },
        mug({ name: 'Blue Mug', gtin13: undefined, sku: undefined }),
      ]) + metas({ 'og:type': 'article' }),
    ),
    '/news/1',
  ],
  [
    'a review of a product',
    html(ld({ '@type': 'Review', itemReviewed: MUG, author: 'A' })),
    '/reviews/1',
  ],
  ['a recipe', html(ld({ '@type': 'Recipe', name: 'Mug cake' }), '', 'Mug cake'), '/recipes/1'],
  [
    'a category with an ItemList',
    html(
      ld({
        '@type': 'ItemList',
        itemListElement: [{ '@type': 'ListItem', position: 1, item: TILE('Red Mug', 1, '/p/red') }],
      }),
      '',
      'Mugs',
    ),
    '/c/mugs',
  ],
  [
    'a category with loose products',
    html(
      ld([
        TILE('Red Mug', 1, '/p/red'),
        TILE('Green Pot', 2, '/p/green'),
        TILE('Steel Pan', 3, '/p/pan'),
      ]),
      '',
      'Kitchen',
    ),
    '/c/kitchen',
  ],
  [
    'a category with one product',
    html(ld(TILE('Red Mug', 1, '/p/red')), '', 'Kitchen'),
    '/c/kitchen',
  ],
  [
    'a category that calls itself a product',
    html(
      ld([
        {
          '@type': 'Product',
          name: 'Mugs',
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: 1,
            highPrice: 9,
            offerCount: 80,
            priceCurrency: 'USD',
          },
        },
        { '@type': 'ItemList', itemListElement: [] },
      ]),
      '',
      'Mugs',
    ),
    '/c/mugs',
  ],
  [
    'a category in microdata',
    html(
      '',
      `<h1>Kitchen</h1><article ${ITEM}><b itemprop="name">Red Mug</b><div ${OFFER}><b itemprop="price">1</b></div></article><article ${ITEM}><b itemprop="name">Pan</b><div ${OFFER}><b itemprop="price">2</b></div></article>`,
      'Kitchen',
    ),
    '/c/kitchen',
  ],
  [
    'a category with one tile in microdata',
    html(
      '',
      `<h1>Kitchen</h1><article ${ITEM}><b itemprop="name">Red Mug</b><div ${OFFER}><b itemprop="price">1</b></div></article>`,
      'Kitchen',
    ),
    '/c/kitchen',
  ],
  [
    'search results',
    html(
      ld({
        '@type': 'SearchResultsPage',
        mainEntity: { '@type': 'ItemList', itemListElement: [TILE('Blue Mug', 1, '/p/1')] },
      }),
    ),
    '/search?q=blue+mug',
  ],
  [
    'a hosted store collection',
    html(metas({ 'og:type': 'product.group', 'og:title': 'Mugs' }), '', 'Mugs'),
    '/collections/mugs',
  ],
  [
    'a category with a price range over dozens of offers',
    html(
      ld({
        '@type': 'Product',
        name: 'Mugs',
        offers: {
          '@type': 'AggregateOffer',
          lowPrice: 1,
          highPrice: 9,
          offerCount: 80,
          priceCurrency: 'USD',
        },
      }),
      '',
      'Mugs',
    ),
    '/c/mugs',
  ],
  [
    'a category that the tags call a product',
    html(
      ld({ '@type': 'ItemList', itemListElement: [] }) +
        metas({ 'og:type': 'product', 'og:title': 'Mugs', 'og:image': '/a.jpg' }),
      '',
      'Mugs',
    ),
    '/c/mugs',
  ],
  ['a product with nothing but a name', html(ld({ '@type': 'Product', name: 'Blue Mug' })), '/p/1'],
  ['text', 'Hello', '/p/1'],
  ['JSON of something else', '{"items": [1, 2]}', '/api/1'],
].map(([name, body, path]) => ({
  name: name ?? '',
  page: pageOf(body ?? '', { url: `https://shop.example${path ?? '/'}` }),
  expect: { kind: 'not_a_product' },
}));
