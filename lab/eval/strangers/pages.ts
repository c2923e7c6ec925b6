// The pages of lab/eval/strangers.ts: the products they copy, how accurately, at which shops and prices.

import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import type { CatalogProduct } from '../../../sandbox/market/catalog.ts';
import { printedCode } from '../../../sandbox/market/codes.ts';
import type { Market } from '../../../sandbox/market/market.ts';
import { integerBelow } from '../../../tests/support/random.ts';
import type { StrangerPage } from './shops.ts';

/** When a page is looked up, relative to the bare lookups of its product's barcode. */
export const PHASES = ['before', 'between', 'after'] as const;
export type Phase = (typeof PHASES)[number];

export type CopyingPage = StrangerPage & {
  readonly product: CatalogProduct;
  readonly phase: Phase;
  /** False: the page prints the product's barcode but shows another one. */
  readonly isSameProduct: boolean;
};

const SHOPS = 25;

/**
 * Returns products with the same answer each time: sold by the seven without trouble, except for those that are out of
 * stock or without a barcode at one of them, and with no listing that prints another product's barcode.
 */
export function soundProducts(market: Market, count: number): readonly CatalogProduct[] {
  const wrong = new Set<string>();
  for (const slug of KNOWN_SLUGS) {
    for (const listing of market.listings(slug)) {
      if (!listing.hasWrongBarcode) continue;
      wrong.add(listing.product.gtin14).add(listing.publishedGtin ?? '');
    }
  }
  return market.catalog
    .filter(
      ({ gtin14, trouble }) =>
        !wrong.has(gtin14) &&
        (trouble === null || trouble.kind === 'sold_out' || trouble.kind === 'no_barcode') &&
        market.listingsOf('retailer_w', market.productOf(gtin14) as CatalogProduct).length > 0,
    )
    .toSorted((a, b) => Number(b.trouble !== null) - Number(a.trouble !== null))
    .slice(0, count);
}

/** Distributes the pages among the products: a title is copied, shortened, another pack's, or another product's. */
export function strangerPages(
  products: readonly CatalogProduct[],
  count: number,
  random: () => number,
): readonly CopyingPage[] {
  return Array.from({ length: count }, (_, at) => {
    const product = products[at % products.length] as CatalogProduct;
    const other = products[(at + 1) % products.length] as CatalogProduct;
    const round = Math.floor(at / products.length);
    const titles = [
      product.title,
      product.title,
      `${product.title} (Pack of 2)`,
      product.title.split(' ').slice(0, 4).join(' '),
      other.title,
    ];
    const title = titles[round % titles.length] ?? product.title;
    return {
      ...pageOf(product, at, title),
      cents: random() < 0.6 ? 100 : 101 + integerBelow(random, 90_000),
      inStock: random() < 0.8,
      phase: PHASES[(at + round) % PHASES.length] ?? 'before',
      isSameProduct: title !== other.title,
    };
  });
}

/** Makes one page of each product, cheaper than anywhere else; every tenth is of another product. */
export function trustedPages(products: readonly CatalogProduct[]): readonly CopyingPage[] {
  return products.map((product, at) => {
    const isSameProduct = at % 10 !== 9;
    const other = products[(at + 1) % products.length] ?? product;
    return {
      ...pageOf(product, at, isSameProduct ? product.title : other.title),
      cents: Math.floor(product.baseCents * 0.8),
      inStock: true,
      phase: 'between' as const,
      isSameProduct,
    };
  });
}

function pageOf(product: CatalogProduct, at: number, title: string) {
  const printed = printedCode(product.gtin14);
  return {
    product,
    origin: `https://www.stranger${(at + Math.floor(at / SHOPS)) % SHOPS}.example`,
    path: `/p/${at}`,
    title,
    brand: product.brand,
    imageUrl: `https://images.example/${product.index}.jpg`,
    code: [printed, product.gtin14.slice(1), product.gtin14][at % 3] ?? printed,
    mark: `stranger-${at}`,
  };
}
