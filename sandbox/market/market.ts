// The simulated market: which retailer lists which product, under which id and barcode. Prices at an instant are in
// listing-view.ts.

import type { KnownSlug } from '../../src/base/retailer.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { chance, chanceBetween, chanceOf } from '../chance.ts';
import type { Product } from '../world.ts';
import { inventCatalog, RELIABLE } from './catalog.ts';
import type { CatalogProduct } from './catalog.ts';
import { isbn10Of, listingId, productIdOf, variationId } from './codes.ts';
import { sellersOf } from './sellers.ts';
import type { Seller } from './sellers.ts';

/** The origins of a retailer: of its pages, and of each of its APIs by any name. */
export type RetailerOrigins = {
  readonly page: string;
  readonly api: Readonly<Record<string, string>>;
};

export type MarketListing = {
  readonly slug: KnownSlug;
  readonly id: string;
  readonly product: CatalogProduct;
  /** The barcode that the listing states; null: none. Correct unless `hasWrongBarcode`. */
  readonly publishedGtin: string | null;
  /** The published barcode is that of another product. */
  readonly hasWrongBarcode: boolean;
  /** retailer_e: the listing's only seller. */
  readonly seller: Seller | null;
  readonly condition: ListingCondition;
};

export type ListingCondition = 'new' | 'open_box' | 'refurbished' | 'used_good';

export type Market = {
  readonly seed: number;
  readonly origins: Readonly<Record<KnownSlug, RetailerOrigins>>;
  readonly catalog: readonly CatalogProduct[];
  readonly productOf: (gtin14: string) => CatalogProduct | null;
  /** By the retailer's id; for retailer_b also by its product id. */
  readonly find: (slug: KnownSlug, id: string) => MarketListing | null;
  readonly listingsOf: (slug: KnownSlug, product: CatalogProduct) => readonly MarketListing[];
  readonly listings: (slug: KnownSlug) => readonly MarketListing[];
  readonly sellers: (slug: KnownSlug) => readonly Seller[];
};

type MarketOptions = {
  readonly seed: number;
  readonly products: number;
  readonly shopProducts: readonly Product[];
  readonly origins: Readonly<Record<KnownSlug, RetailerOrigins>>;
};

/** Share of listings that publish another product's barcode, and share that publish none. */
const WRONG_SHARE = 0.03;
const NO_BARCODE_SHARE: Readonly<Record<KnownSlug, number>> = {
  retailer_w: 0.02,
  retailer_a: 0.4,
  retailer_e: 0.25,
  retailer_l: 0.05,
  retailer_t: 1,
  retailer_b: 0.05,
  retailer_h: 0.05,
};

const SOLD_SHARE: Readonly<Record<KnownSlug, number>> = {
  retailer_w: 0.75,
  retailer_a: 0.7,
  retailer_e: 0.6,
  retailer_l: 0.45,
  retailer_t: 0.5,
  retailer_b: 0.45,
  retailer_h: 0.45,
};

/** The maximum number of retailer_e's listings of one product. */
const MOST_E_SELLERS = 4;

export function createMarket(options: MarketOptions): Market {
  const { seed } = options;
  const catalog = inventCatalog(seed, options.products, options.shopProducts);
  const sellers = Object.fromEntries(
    KNOWN_SLUGS.map((slug) => [slug, sellersOf(seed, slug)]),
  ) as Record<KnownSlug, readonly Seller[]>;
  const byGtin = new Map(catalog.map((product) => [product.gtin14, product]));
  const lists = new Map<KnownSlug, readonly MarketListing[]>();
  const byProduct = new Map<string, readonly MarketListing[]>();
  const byId = new Map<string, MarketListing>();
  for (const slug of KNOWN_SLUGS) {
    const list = catalog.flatMap((product, at) => {
      const made = listingsOf({
        seed,
        slug,
        product,
        sellers: sellers[slug],
        other: otherThan(catalog, at),
      });
      byProduct.set(`${slug} ${product.index}`, made);
      return made;
    });
    lists.set(slug, list);
    for (const listing of list) {
      byId.set(`${slug} ${listing.id}`, listing);
      if (slug === 'retailer_b') byId.set(`${slug} ${productIdOf(listing.product.index)}`, listing);
    }
  }
  return {
    seed,
    origins: options.origins,
    catalog,
    productOf: (gtin14) => byGtin.get(gtin14) ?? null,
    find: (slug, id) => byId.get(`${slug} ${id}`) ?? null,
    listingsOf: (slug, product) => byProduct.get(`${slug} ${product.index}`) ?? [],
    listings: (slug) => lists.get(slug) ?? [],
    sellers: (slug) => sellers[slug],
  };
}

/** Returns the product whose barcode a wrong listing publishes: the eleventh after it in the catalog. */
function otherThan(catalog: readonly CatalogProduct[], at: number): CatalogProduct | null {
  const other = catalog[(at + 11) % catalog.length];
  return other === catalog[at] ? null : (other ?? null);
}

type ListingDraft = {
  readonly seed: number;
  readonly slug: KnownSlug;
  readonly product: CatalogProduct;
  readonly sellers: readonly Seller[];
  readonly other: CatalogProduct | null;
};

function listingsOf(making: ListingDraft): readonly MarketListing[] {
  const { seed, slug, product, sellers, other } = making;
  const key = ['listing', slug, product.index];
  const trouble = product.trouble;
  const isEverywhere = product.isReliable || trouble !== null;
  if (!isEverywhere && chance(seed, [...key, 'sold']) >= SOLD_SHARE[slug]) return [];
  const kind = trouble?.slug === slug ? trouble.kind : null;
  const drawn = chance(seed, [...key, 'barcode']);
  const isWrong =
    slug !== 'retailer_t' &&
    other !== null &&
    (kind === 'wrong_barcode' || (!isEverywhere && drawn < WRONG_SHARE));
  const isSilent =
    slug === 'retailer_t' ||
    kind === 'no_barcode' ||
    (!isEverywhere && drawn > 1 - NO_BARCODE_SHARE[slug]);
  const shared = {
    slug,
    product,
    publishedGtin: isWrong ? other.gtin14 : isSilent ? null : product.gtin14,
    hasWrongBarcode: isWrong,
  };
  if (slug !== 'retailer_e') {
    const isAsinOfBook = slug === 'retailer_a' && product.isBook;
    const id = isAsinOfBook ? isbn10Of(product.gtin14) : listingId(slug, product.index);
    return [{ ...shared, id, seller: null, condition: conditionOf(seed, key, slug, product) }];
  }
  const count = trouble === null ? chanceBetween(seed, [...key, 'count'], 1, MOST_E_SELLERS) : 1;
  return Array.from({ length: count }, (_, slot) => ({
    ...shared,
    // A listing with variations states no barcode: each colour has its own.
    ...(isVariation(product, slot) ? { publishedGtin: null, hasWrongBarcode: false } : {}),
    // All colours of a listing have the same seller.
    seller: sellers[(product.family * 7 + slot * 13) % sellers.length] ?? null,
    id: isVariation(product, slot)
      ? variationId(product.family, product.index)
      : listingId(slug, product.index, slot),
    condition: slot === 0 ? 'new' : conditionOf(seed, [...key, slot], slug, product),
  }));
}

/** The first listing of a colour family covers all of them. */
function isVariation({ familySize }: CatalogProduct, slot: number): boolean {
  return familySize > 1 && slot === 0;
}

const E_CONDITIONS = ['new', 'new', 'open_box', 'refurbished', 'used_good'] as const;

/** Only retailer_e lists one item in several conditions; retailer_b has some refurbished products. */
function conditionOf(
  seed: number,
  key: readonly (string | number)[],
  slug: KnownSlug,
  product: CatalogProduct,
): ListingCondition {
  if (slug === 'retailer_e') return chanceOf(seed, [...key, 'condition'], E_CONDITIONS);
  const isOrdinary =
    product.index >= RELIABLE && product.trouble === null && product.familySize === 1;
  if (slug !== 'retailer_b' || !isOrdinary) return 'new';
  return chance(seed, [...key, 'condition']) < 0.05 ? 'refurbished' : 'new';
}
