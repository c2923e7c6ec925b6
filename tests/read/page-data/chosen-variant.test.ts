// The variant chosen at the last reading counts again while a page lists it, wherever it stands, whatever the others cost.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { Listing } from '../../../src/base/listing/listing.ts';
import type { ChosenVariant } from '../../../src/base/listing/page.ts';
import { readProductPage } from '../../../src/read/retailers/registry.ts';
import { integerBelow, randomFrom, seedOf, shuffled } from '../../support/random.ts';
import { html, ld, pageOf } from '../retailers/page-fixtures.ts';

/** One of a product's variants as the tests describe it: `cents`, and whether it is in stock. */
type Variant = {
  readonly sku: string;
  readonly size: string;
  readonly cents: number;
  readonly isOpen: boolean;
};

const NAME = 'Pine Stool';
const BODY = `<h1>${NAME}</h1><button>Add to cart</button>`;
const usd = (cents: number): string => (cents / 100).toFixed(2);
const stock = (isOpen: boolean): string => (isOpen ? 'InStock' : 'OutOfStock');

const offerOf = ({ cents, isOpen }: Variant, more: object = {}): object => ({
  '@type': 'Offer',
  price: usd(cents),
  priceCurrency: 'USD',
  availability: stock(isOpen),
  ...more,
});
const data = (node: object): string =>
  html(ld({ '@context': 'https://schema.org', ...node }), BODY, NAME);
const product = (offers: unknown): object => ({ '@type': 'Product', name: NAME, offers });
/** A range as shop systems state it: from the cheapest in stock, or the cheapest if none is. */
const range = (all: readonly Variant[], open = all.filter(({ isOpen }) => isOpen)): object => ({
  '@type': 'AggregateOffer',
  lowPrice: usd(Math.min(...(open.length === 0 ? all : open).map(({ cents }) => cents))),
  priceCurrency: 'USD',
  offerCount: all.length,
  availability: stock(open.length > 0),
});
const address = (size: string): string => `https://shop.example/p/pine-stool?size=${size}`;
const gtinOf = ({ sku }: Variant): string =>
  ['4006381333931', '5901234123457', '4012345678901', '0036000291452'][Number(sku.at(-1))] ?? '';
const attribute = (value: unknown): string =>
  JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const storeProduct = (all: readonly Variant[]): object => ({
  id: 7,
  title: NAME,
  handle: 'pine-stool',
  price: 1,
  options: ['Size'],
  variants: all.map(({ sku, size, cents, isOpen }) => ({
    id: 900 + Number(sku.at(-1)),
    sku,
    title: size,
    option1: size,
    price: cents,
    available: isOpen,
  })),
});
const META = (all: readonly Variant[]): object => ({
  product: {
    id: 7,
    variants: all.map(({ sku, size, cents }) => ({
      id: 900 + Number(sku.at(-1)),
      sku,
      price: cents,
      public_title: size,
    })),
  },
  page: { pageType: 'product' },
});
const STORE =
  '<script>Shopify.shop = "s"; Shopify.currency = {"active":"USD","rate":"1.0"};</script>';
const itemOf = (one: Variant): string =>
  `<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="sku" content="${one.sku}">` +
  `<meta itemprop="price" content="${usd(one.cents)}"><meta itemprop="priceCurrency" content="USD">` +
  `<link itemprop="availability" href="https://schema.org/${stock(one.isOpen)}"></div>`;

type Shape = {
  readonly page: (all: readonly Variant[]) => string;
  readonly url?: string;
  /** Whether the page says nothing of the stock of one variant. */
  readonly isStockUnknown?: true;
};

/** The places where pages list variants, and what identifies them there. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'offers with SKUs': {
    page: (all) => data(product(all.map((one) => offerOf(one, { sku: one.sku })))),
  },
  'offers with barcodes inside a range': {
    page: (all) =>
      data(
        product({
          '@type': 'AggregateOffer',
          offers: all.map((one) => offerOf(one, { gtin13: gtinOf(one) })),
        }),
      ),
  },
  'offers with addresses': {
    page: (all) => data(product(all.map((one) => offerOf(one, { url: address(one.size) })))),
  },
  'offers with names': {
    page: (all) => data(product(all.map((one) => offerOf(one, { name: one.size })))),
  },
  'offers of items': {
    page: (all) =>
      data(
        product(
          all.map((one) => offerOf(one, { itemOffered: { '@type': 'Product', sku: one.sku } })),
        ),
      ),
  },
  'a group of variants': {
    page: (all) =>
      data({
        '@type': 'ProductGroup',
        name: NAME,
        hasVariant: all.map((one) => ({ ...product(offerOf(one)), sku: one.sku, size: one.size })),
      }),
  },
  'a group without numbers': {
    page: (all) =>
      data({
        '@type': 'ProductGroup',
        name: NAME,
        hasVariant: all.map((one) => ({ ...product(offerOf(one)), size: one.size })),
      }),
  },
  'products side by side': {
    page: (all) =>
      data({ '@graph': all.map((one) => ({ ...product(offerOf(one)), sku: one.sku })) }),
  },
  'marked-up offers': {
    page: (all) =>
      html(
        '',
        `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">${NAME}</h1>${all.map(itemOf).join('')}</div>`,
        NAME,
      ),
  },
  'the variations of a form': {
    page: (all) => {
      const listed = all.map(({ sku, size, cents, isOpen }) => ({
        variation_id: 900 + Number(sku.at(-1)),
        sku,
        attributes: { attribute_pa_size: size },
        display_price: cents / 100,
        display_regular_price: cents / 100,
        is_in_stock: isOpen,
      }));
      const form = `<form data-product_variations="${attribute(listed)}"></form>`;
      return html(
        ld({ '@context': 'https://schema.org', ...product(range(all)) }),
        BODY + form,
        NAME,
      );
    },
  },
  'the settings of option pickers': {
    page: (all) => {
      const id = ({ sku }: Variant): string => `90${sku.at(-1) ?? ''}`;
      const options = all.map((one) => ({ id: `4${id(one)}`, label: one.size }));
      const jsonConfig = {
        attributes: { '93': { id: '93', code: 'size', options } },
        index: Object.fromEntries(all.map((one) => [id(one), { '93': `4${id(one)}` }])),
        optionPrices: Object.fromEntries(
          all.map((one) => [id(one), { finalPrice: { amount: one.cents / 100 } }]),
        ),
      };
      const settings = `<script type="text/x-magento-init">${JSON.stringify({ a: { b: { jsonConfig } } })}</script>`;
      return html(
        ld({ '@context': 'https://schema.org', ...product(range(all)) }),
        BODY + settings,
        NAME,
      );
    },
    isStockUnknown: true,
  },
  'the JSON of a store': {
    page: (all) => JSON.stringify(storeProduct(all)),
    url: 'https://shop.example/products/pine-stool.js',
  },
  "a theme's copy of the product": {
    page: (all) =>
      html(
        `${STORE}<script>var meta = ${JSON.stringify(META([]))};</script><script type="application/json">${JSON.stringify(storeProduct(all))}</script>`,
        BODY,
        NAME,
      ),
  },
  'the script of a store': {
    page: (all) =>
      html(
        `${STORE}<script>var meta = ${JSON.stringify(META(all))};</script>` +
          ld({ '@context': 'https://schema.org', ...product(range(all)) }),
        BODY,
        NAME,
      ),
    isStockUnknown: true,
  },
};

type Read = { readonly listing: Listing; readonly chosen: ChosenVariant | null };

function read({ page, url }: Shape, all: readonly Variant[], before: ChosenVariant | null): Read {
  const made = pageOf(
    page(all),
    url === undefined ? {} : { url, headers: { 'content-type': 'application/json' } },
  );
  const verdict = readProductPage({
    ...made,
    ...(before === null ? {} : { chosenBefore: before }),
  });
  assert.equal(verdict.kind, 'read', page(all));
  return { listing: verdict.value, chosen: verdict.notes.chosen ?? null };
}

const SIZES = ['Small', 'Medium', 'Large', 'Huge'];

describe('the variant of the last reading counts again, at any place and whatever the others cost', () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    test(`in ${name}`, () => {
      const seed = seedOf(20_261_201);
      console.log(`seed ${seed}`);
      const random = randomFrom(seed);
      const terms = (at: number) => ({
        // No two cost the same.
        cents: 1000 + integerBelow(random, 40) * 250 + at,
        isOpen: integerBelow(random, 3) > 0,
      });
      for (let round = 0; round < 60; round += 1) {
        const count = 2 + integerBelow(random, 3);
        const all = SIZES.slice(0, count).map((size, at) => ({
          sku: `V-${at}`,
          size,
          ...terms(at),
        }));
        const first = read(shape, all, null);
        const said = `seed ${seed}, round ${round}, ${JSON.stringify({ all, chosen: first.chosen })}`;
        assert.deepEqual(
          read(shape, [...shuffled(all, random)], first.chosen),
          first,
          `${said}: an unchanged page`,
        );
        const rank = ({ isOpen, cents, sku }: Variant): string =>
          `${isOpen ? 0 : 1} ${String(cents).padStart(9, '0')} ${sku}`;
        const [own] = all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
        assert.equal(first.listing.price?.cents, own?.cents, said);
        const changed = shuffled(
          all.map((one, at) => ({ ...one, ...terms(at) })),
          random,
        );
        const now = changed.find(({ sku }) => sku === own?.sku);
        const second = read(shape, changed, first.chosen);
        const after = `${said}, then ${JSON.stringify(changed)}`;
        assert.ok(now !== undefined, after);
        assert.equal(second.listing.price?.cents, now.cents, after);
        if (shape.isStockUnknown !== true) assert.equal(second.listing.inStock, now.isOpen, after);
        assert.deepEqual(second.chosen, first.chosen, after);
        for (const field of ['title', 'gtin', 'mpn', 'codes', 'sku'] as const) {
          assert.deepEqual(second.listing[field], first.listing[field], `${field}: ${after}`);
        }
        const left = changed.filter(({ sku }) => sku !== own?.sku);
        assert.deepEqual(
          read(shape, left, first.chosen),
          read(shape, left, null),
          `${after}: no longer listed`,
        );
      }
    });
  }
});

const [SMALL, LARGE, HUGE] = [
  { sku: 'V-0', size: 'Small', cents: 2000, isOpen: true },
  { sku: 'V-1', size: 'Large', cents: 3000, isOpen: true },
  { sku: 'V-2', size: 'Huge', cents: 4000, isOpen: true },
] as const;
const before = { sku: 'V-1', url: address('Large'), name: `Large / ${NAME}` };

/** Returns price, stock and the SKU of a page, read after `chosen`. */
function at(
  page: string,
  chosen: ChosenVariant | null = before,
  url = 'https://shop.example/p/pine-stool',
): unknown {
  const verdict = readProductPage({
    ...pageOf(page, { url }),
    ...(chosen === null ? {} : { chosenBefore: chosen }),
  });
  assert.equal(verdict.kind, 'read', page);
  const { price, inStock } = verdict.value;
  return [price?.cents ?? null, inStock];
}

const listed = (all: readonly Variant[], more: (one: Variant) => object): string =>
  data(product(all.map((one) => offerOf(one, more(one)))));
const bySku = ({ sku }: Variant): object => ({ sku });

test('what the address names comes before the variant of the last reading, which comes before the cheapest', () => {
  const page = listed([SMALL, LARGE, HUGE], ({ sku, size }) => ({ sku, url: address(size) }));
  assert.deepEqual(at(page), [3000, true]);
  assert.deepEqual(at(page, null), [2000, true]);
  assert.deepEqual(at(page, before, address('Huge')), [4000, true]);
  assert.deepEqual(at(page, before, 'https://shop.example/p/pine-stool?sku=V-0'), [2000, true]);
});

test('among the variants that the address names it is the one of the last reading', () => {
  const blue = (one: Variant): object => ({
    sku: one.sku,
    itemOffered: { '@type': 'Product', color: one.sku === 'V-0' ? 'Red' : 'Blue', size: one.size },
  });
  const page = listed([SMALL, LARGE, HUGE], blue);
  const url = 'https://shop.example/p/pine-stool?color=blue';
  assert.deepEqual(at(page, { sku: 'V-2' }, url), [4000, true]);
  assert.deepEqual(at(page, { sku: 'V-0' }, url), [3000, true]);
});

test('any number that is the same decides, then the address, then the name, unless another number is stated', () => {
  const sold = { ...LARGE, isOpen: false };
  const rows: readonly (readonly [(one: Variant) => object, ChosenVariant])[] = [
    [bySku, { sku: 'v-1 ' }],
    [
      (one) => ({ sku: `new-${one.sku}`, gtin13: gtinOf(one) }),
      { sku: 'V-1', gtin: '05901234123457' },
    ],
    [({ sku }) => ({ mpn: sku }), { mpn: 'V-1' }],
    [({ size }) => ({ sku: 'PS', url: address(size) }), { sku: 'PS', url: address('Large') }],
    [({ size }) => ({ url: address(size) }), { sku: 'V-1', url: address('Large') }],
    [({ size }) => ({ name: size }), { url: 'https://shop.example/old', name: `large / ${NAME}` }],
  ];
  for (const [more, chosen] of rows) {
    assert.deepEqual(
      at(listed([SMALL, sold, HUGE], more), chosen),
      [3000, false],
      JSON.stringify(chosen),
    );
  }
  const renumbered = ({ sku, size }: Variant): object => ({
    sku: `new-${sku}`,
    url: address(size),
    name: size,
  });
  assert.deepEqual(
    at(listed([SMALL, sold], renumbered)),
    [2000, true],
    'another product in its place',
  );
});

test('offers of several sellers are distinguished by numbers alone', () => {
  const seller = ({ size }: Variant): object => ({ url: address(size), seller: { name: size } });
  assert.deepEqual(at(listed([SMALL, { ...LARGE, isOpen: false }], seller)), [2000, true]);
});

test('a variant that is listed without a price has none, and no other source lends it that of another variant', () => {
  const offers = [
    offerOf(SMALL, { sku: 'V-0' }),
    { '@type': 'Offer', sku: 'V-1', availability: 'OutOfStock' },
  ];
  const tag =
    '<meta property="product:price:amount" content="20.00"><meta property="product:price:currency" content="USD">';
  const page = data(product(offers)).replace('</head>', `${tag}</head>`);
  assert.deepEqual(at(page), [null, false]);
  assert.deepEqual(at(page, null), [2000, true]);
});

test('the price of another variant that the page shows, or its tags reduce, is not that of the one chosen', () => {
  const page = listed([{ ...SMALL, cents: 2500 }, LARGE], bySku);
  const tags =
    '<meta property="product:original_price:amount" content="30.00"><meta property="product:sale_price:amount" content="25.00">';
  const shown = '<p class="price"><del>$30.00</del> <ins>$25.00</ins></p>';
  assert.deepEqual(at(page.replace('</head>', `${tags}</head>`)), [3000, true]);
  assert.deepEqual(at(page.replace('</h1>', `</h1>${shown}`)), [3000, true]);
  assert.deepEqual(at(page.replace('</h1>', '</h1><p class="price">$25.00</p>')), [3000, true]);
});

test('the group states title, barcode and numbers whichever of its variants counts', () => {
  const group = (all: readonly Variant[]): Listing => {
    const hasVariant = all.map((one) => ({
      ...product(offerOf(one)),
      name: `${NAME} ${one.size}`,
      sku: one.sku,
      gtin13: gtinOf(one),
    }));
    const node = { '@type': 'ProductGroup', name: NAME, productGroupID: 'PS', hasVariant };
    return read({ page: () => data(node) }, all, before).listing;
  };
  const [first, second] = [group([LARGE, SMALL]), group([{ ...LARGE, isOpen: false }, SMALL])];
  assert.deepEqual([first.title, first.gtin, first.inStock], [NAME, null, true]);
  assert.deepEqual([second.title, second.gtin, second.inStock], [NAME, null, false]);
});
