// Sample identifiers of the market, for the demo and for tests.

import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import { SIMULATED_RETAILERS } from '../simulated-retailers.ts';
import type { CatalogProduct } from './catalog.ts';
import { printedCode, productIdOf } from './codes.ts';
import type { Market, MarketListing } from './market.ts';
import { offersAt } from './offers.ts';
import { FIRST_PARTY_HEX } from './sellers.ts';
import { TROUBLES_OF } from './trouble-kinds.ts';
import type { RetailerTrouble } from './trouble-kinds.ts';

/** A listing: its address, the retailer's id for it, and the barcode of the product. */
type ListingPointer = { readonly url: string; readonly id: string; readonly gtin: string };

type RetailerDescription = {
  /** Sold everywhere and always in stock. */
  readonly url: string;
  readonly id: string;
  /** One of several colours; null if this retailer sells no colour family. */
  readonly variant_url: string | null;
  readonly trouble: Readonly<Partial<Record<RetailerTrouble, ListingPointer>>>;
};

export type MarketDescription = {
  /** A product that every retailer sells, by the code on its box. */
  readonly upc: string;
  readonly gtin: string;
  /** Null in a world too small to have one. */
  readonly ean: string | null;
  readonly isbn: string | null;
  readonly item_id: string;
  readonly asin: string;
  readonly retailer_b_sku: string;
  readonly retailer_b_product_id: string;
  /** A seller with a current offer, by both its ids, and an item that has this offer. */
  readonly seller_id: string | null;
  readonly catalog_seller_id: string | null;
  readonly seller_item_id: string | null;
  readonly first_party_seller_id: string;
  readonly retailers: Readonly<Record<KnownSlug, RetailerDescription>>;
  readonly products: number;
};

export function describeMarket(market: Market, atMs: number): MarketDescription {
  const reliable = market.catalog.filter((product) => product.isReliable);
  const shown = reliable.find(({ gtin14 }) => gtin14.startsWith('00')) ?? reliable[0];
  if (shown === undefined) throw new Error('this world has no products to describe');
  const idAt = (slug: KnownSlug): string => market.listingsOf(slug, shown)[0]?.id ?? '';
  const soldAtW = (fits: (product: CatalogProduct) => boolean): string | null => {
    const listing = market
      .listings('retailer_w')
      .find(
        (one) =>
          one.product.trouble === null &&
          one.publishedGtin === one.product.gtin14 &&
          fits(one.product),
      );
    return listing === undefined ? null : printedCode(listing.product.gtin14);
  };
  return {
    upc: printedCode(shown.gtin14),
    gtin: shown.gtin14,
    ean: soldAtW((product) => !product.isBook && !product.gtin14.startsWith('00')),
    isbn: soldAtW((product) => product.isBook),
    item_id: idAt('retailer_w'),
    asin: idAt('retailer_a'),
    retailer_b_sku: idAt('retailer_b'),
    retailer_b_product_id: productIdOf(shown.index),
    ...aSeller(market, atMs),
    first_party_seller_id: FIRST_PARTY_HEX,
    retailers: Object.fromEntries(
      KNOWN_SLUGS.map((slug) => [slug, describeRetailer(market, slug, shown)]),
    ) as Record<KnownSlug, RetailerDescription>,
    products: market.catalog.length,
  };
}

function aSeller(
  market: Market,
  atMs: number,
): Pick<MarketDescription, 'seller_id' | 'catalog_seller_id' | 'seller_item_id'> {
  for (const listing of market.listings('retailer_w')) {
    if (listing.product.trouble !== null) continue;
    const offer = offersAt(market, listing, atMs).find((one) => !one.isFirstParty && one.inStock);
    if (offer === undefined) continue;
    const { id, catalogId } = offer.seller;
    return { seller_id: id, catalog_seller_id: catalogId, seller_item_id: listing.id };
  }
  return { seller_id: null, catalog_seller_id: null, seller_item_id: null };
}

function describeRetailer(
  market: Market,
  slug: KnownSlug,
  shown: CatalogProduct,
): RetailerDescription {
  const retailer = SIMULATED_RETAILERS[slug];
  const point = (listing: MarketListing): ListingPointer => ({
    url: retailer.address(market, listing),
    id: listing.id,
    gtin: listing.product.gtin14,
  });
  const [main] = market.listingsOf(slug, shown);
  const variant = market.listings(slug).find(({ product }) => product.familySize > 1);
  const trouble = TROUBLES_OF[slug].flatMap((kind) => {
    const listing = market
      .listings(slug)
      .find(({ product }) => product.trouble?.slug === slug && product.trouble.kind === kind);
    return listing === undefined ? [] : [[kind, point(listing)] as const];
  });
  return {
    url: main === undefined ? '' : point(main).url,
    id: main?.id ?? '',
    variant_url: variant === undefined ? null : point(variant).url,
    trouble: Object.fromEntries(trouble),
  };
}
