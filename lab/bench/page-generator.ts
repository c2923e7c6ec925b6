// Product pages of an invented shop, with the size and the mixture that large shops serve: the same seed gives the same
// bytes. Shares no code with the readers and copies no page.

import { integerBelow, pick, randomFrom } from '../../tests/support/random.ts';

type InventedProduct = {
  readonly title: string;
  readonly brand: string;
  /** EAN-13 with the prefix 952, which is reserved for demonstrations. */
  readonly ean: string;
  readonly sku: string;
  /** As written on the page: "129.95". */
  readonly price: string;
  readonly url: string;
};

export type InventedPage = { readonly product: InventedProduct; readonly body: Uint8Array };

export const SHOP_ORIGIN = 'https://shop.invented.example';

type Chance = () => number;

const WORDS = (
  'amber basin cedar drift ember fable grove haven inlet juniper kettle lantern meadow nimbus ' +
  'orchard pebble quartz ridge saddle timber umber velvet willow yarrow zephyr crème façade naïve'
).split(' ');
const SIGNS = ['–', '™', '€', '“', '”', '·', '½'];

function words(random: Chance, count: number): string {
  const list = Array.from({ length: count }, () => pick(random, WORDS));
  // Real texts occasionally contain characters outside Latin-1, which doubles the size of the decoded text in memory.
  if (integerBelow(random, 4) === 0) list.splice(1, 0, pick(random, SIGNS));
  return list.join(' ');
}

function digits(random: Chance, count: number): string {
  return Array.from({ length: count }, () => integerBelow(random, 10)).join('');
}

function inventedEan(random: Chance): string {
  const body = `952${digits(random, 9)}`;
  const sum = Array.from(body).reduce(
    (total, digit, index) => total + Number(digit) * (1 + 2 * (index % 2)),
    0,
  );
  return `${body}${(10 - (sum % 10)) % 10}`;
}

function inventedProduct(random: Chance): InventedProduct {
  const sku = digits(random, 8);
  return {
    title: `${words(random, 5)} ${sku.slice(0, 3)}`,
    brand: pick(random, WORDS),
    ean: inventedEan(random),
    sku,
    price: `${20 + integerBelow(random, 400)}.95`,
    url: `${SHOP_ORIGIN}/p/${sku}`,
  };
}

function headOf(product: InventedProduct, random: Chance): string {
  const tags = {
    'og:type': 'product',
    'og:title': product.title,
    'og:url': product.url,
    'og:image': `${SHOP_ORIGIN}/i/${product.sku}.jpg`,
    'og:description': words(random, 30),
    'product:price:amount': product.price,
    'product:price:currency': 'USD',
    'product:availability': 'in stock',
    'product:brand': product.brand,
  };
  const metas = Object.entries(tags).map(
    ([property, content]) => `<meta property="${property}" content="${content}">`,
  );
  const links = Array.from(
    { length: 60 },
    () => `<link rel="preload" as="script" href="/static/${digits(random, 16)}.js" crossorigin>`,
  );
  const title = `<title>${product.title} | Invented</title>`;
  const canonical = `<link rel="canonical" href="${product.url}">`;
  return ['<meta charset="utf-8">', title, canonical, ...metas, ...links].join('\n');
}

function jsonLdOf(product: InventedProduct, random: Chance): string {
  const review = () => ({
    '@type': 'Review',
    author: { '@type': 'Person', name: words(random, 2) },
    reviewRating: { '@type': 'Rating', ratingValue: 1 + integerBelow(random, 5) },
    reviewBody: words(random, 40),
  });
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.title,
    url: product.url,
    image: Array.from({ length: 6 }, (_, n) => `${SHOP_ORIGIN}/i/${product.sku}-${n}.jpg`),
    description: words(random, 120),
    sku: product.sku,
    gtin13: product.ean,
    brand: { '@type': 'Brand', name: product.brand },
    weight: '2.4 kg',
    aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.4, reviewCount: 318 },
    review: Array.from({ length: 12 }, review),
    offers: {
      '@type': 'Offer',
      price: product.price,
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      itemCondition: 'https://schema.org/NewCondition',
      url: product.url,
      seller: { '@type': 'Organization', name: 'Invented' },
    },
  };
  const crumbs = {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: ['Home', 'Garden', 'Lanterns'].map((name, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${SHOP_ORIGIN}/c/${index}`,
    })),
  };
  return [data, crumbs]
    .map((each) => `<script type="application/ld+json">${JSON.stringify(each)}</script>`)
    .join('\n');
}

function microdataOf(product: InventedProduct, random: Chance): string {
  return [
    '<div itemscope itemtype="https://schema.org/Product">',
    `<h1 itemprop="name">${product.title}</h1>`,
    `<meta itemprop="sku" content="${product.sku}"><meta itemprop="gtin13" content="${product.ean}">`,
    `<span itemprop="brand">${product.brand}</span>`,
    `<img itemprop="image" src="${SHOP_ORIGIN}/i/${product.sku}.jpg" alt="">`,
    `<div itemprop="description"><p>${words(random, 80)}</p><p>${words(random, 80)}</p></div>`,
    '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">',
    `<span itemprop="price" content="${product.price}">$${product.price}</span>`,
    '<meta itemprop="priceCurrency" content="USD">',
    '<link itemprop="availability" href="https://schema.org/InStock">',
    '</div></div>',
  ].join('\n');
}

/** Returns the surroundings of a product: cards of other products, each about 1.1 KB in 17 tags. */
function cardOf(random: Chance): string {
  const id = digits(random, 10);
  const name = words(random, 6);
  return [
    `<li class="card card--wide js-card" data-id="${id}" data-track='{"slot":"${id}","v":3}'>`,
    `<a class="card__link" href="/p/${id}?ref=rail&amp;slot=${id.slice(0, 2)}" title="${name}">`,
    `<img class="card__image" loading="lazy" src="/i/${id}-s.jpg" srcset="/i/${id}-m.jpg 2x" alt="${name}">`,
    `<div class="card__text"><p class="card__title line-clamp-2">${name}</p>`,
    `<p class="card__note">${words(random, 14)}</p>`,
    `<span class="price"><span class="price__now">$${digits(random, 2)}.99</span> `,
    `<s class="price__was">$${digits(random, 3)}.00</s></span>`,
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2l3 7h7l-6 4 2 7-6-4-6 4 2-7-6-4h7z"/></svg>',
    `<button type="button" class="button button--quiet" aria-label="Add ${name}">Add</button>`,
    '</div></a></li>',
  ].join('\n');
}

function cardsOf(random: Chance, bytes: number): string {
  const parts: string[] = [];
  for (let length = 0; length < bytes; length += parts.at(-1)?.length ?? 1)
    parts.push(cardOf(random));
  return `<ul class="rail">\n${parts.join('\n')}\n</ul>`;
}

/** Returns the state object of a page with client-side hydration: products, prices, flags, texts, four levels deep. */
function stateOf(random: Chance, bytes: number): string {
  const entries: Record<string, unknown> = {};
  for (let length = 0; length < bytes;) {
    const id = digits(random, 12);
    const entry = {
      id,
      name: words(random, 7),
      path: `/p/${id}`,
      flags: { isNew: id < '5', isSold: false, rank: integerBelow(random, 900) },
      price: { now: integerBelow(random, 90_000) / 100, was: null, unit: 'USD' },
      text: words(random, 30),
      options: Array.from({ length: 6 }, () => ({
        key: digits(random, 5),
        label: words(random, 2),
      })),
    };
    entries[id] = entry;
    length += JSON.stringify(entry).length + id.length;
  }
  const json = JSON.stringify({ page: 'product', entries }).replaceAll('<', '\\u003c');
  return `<script id="__STATE__" type="application/json">${json}</script>`;
}

function pageOf(product: InventedProduct, parts: readonly string[]): InventedPage {
  const [head = '', ...body] = parts;
  const html = [
    '<!doctype html>\n<html lang="en-US">\n<head>',
    head,
    '</head>\n<body>',
    ...body,
    '</body>\n</html>\n',
  ].join('\n');
  return { product, body: new TextEncoder().encode(html) };
}

/** Returns about 1.5 MB: JSON-LD, OpenGraph, microdata, 250 KB of cards and a state object of 1.2 MB. */
export function largePage(seed: number): InventedPage {
  const random = randomFrom(seed);
  const product = inventedProduct(random);
  return pageOf(product, [
    `${headOf(product, random)}\n${jsonLdOf(product, random)}`,
    microdataOf(product, random),
    cardsOf(random, 250_000),
    stateOf(random, 1_200_000),
  ]);
}

/** Returns about 400 KB of markup without JSON-LD or state: OpenGraph and microdata only. */
export function plainPage(seed: number): InventedPage {
  const random = randomFrom(seed);
  const product = inventedProduct(random);
  const parts = [headOf(product, random), microdataOf(product, random), cardsOf(random, 400_000)];
  return pageOf(product, parts);
}

/** Returns a few KB: the page behind the cached lookup. */
export function smallPage(seed: number): InventedPage {
  const random = randomFrom(seed);
  const product = inventedProduct(random);
  return pageOf(product, [
    `${headOf(product, random)}\n${jsonLdOf(product, random)}`,
    microdataOf(product, random),
  ]);
}
