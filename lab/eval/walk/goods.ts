// The products of a walk: how each can be looked up, and the simulated market's data for a listing at an instant.

import { KNOWN_SLUGS, type KnownSlug } from '../../../src/base/retailer.ts';
import type { CatalogProduct } from '../../../sandbox/market/catalog.ts';
import { productIdOf } from '../../../sandbox/market/codes.ts';
import { listingViewAt } from '../../../sandbox/market/listing-view.ts';
import type { MarketListing } from '../../../sandbox/market/market.ts';
import { SIMULATED_RETAILERS } from '../../../sandbox/simulated-retailers.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { pick } from '../../../tests/support/random.ts';

export type Form = 'barcode' | 'item_id' | 'asin' | 'page' | 'product_id';

/** A text that identifies a product. Those of one `group` are the same lookup (D8, D9, D75). */
export type Spelling = {
  readonly text: string;
  readonly form: Form;
  readonly group: string;
  readonly slug: KnownSlug | null;
};

export type Good = {
  readonly product: CatalogProduct;
  readonly spellings: readonly Spelling[];
};

export type Goods = {
  readonly all: readonly Good[];
  /** Null: no listing of the market has this address. */
  readonly listingAt: (url: string) => MarketListing | null;
  readonly addressOf: (listing: MarketListing) => string;
  /** A listing loses or regains its page. */
  readonly setGone: (listing: MarketListing, isGone: boolean) => void;
  /** A listing states another barcode from now on. */
  readonly relabel: (listing: MarketListing, gtin14: string) => void;
  /** Whether a listing ever started or stopped stating the barcode: its history moves with it. */
  readonly isMoved: (gtin14: string) => boolean;
  /** When it last changed in one of these ways; null: never. */
  readonly changedAtMs: (listing: MarketListing) => number | null;
};

/** Troubles that make calls wait in real time. */
const SLOW = new Set(['slow', 'down', 'throttled']);

export function chooseGoods(
  sandbox: Sandbox,
  random: () => number,
  { count, now }: { readonly count: number; readonly now: () => number },
): Goods {
  const market = sandbox.market();
  const able = market.catalog.filter(({ trouble }) => !SLOW.has(trouble?.kind ?? ''));
  const plain = able.filter(({ trouble }) => trouble === null);
  const troubled = able.filter(({ trouble }) => trouble !== null);
  const chosen = new Set<CatalogProduct>();
  while (chosen.size < count) chosen.add(pick(random, chosen.size % 3 === 2 ? troubled : plain));
  const addressOf = (listing: MarketListing): string =>
    SIMULATED_RETAILERS[listing.slug].address(market, listing);
  const byAddress = new Map<string, MarketListing>();
  for (const slug of KNOWN_SLUGS)
    for (const listing of market.listings(slug)) byAddress.set(addressOf(listing), listing);
  const changed = new Map<MarketListing, number>();
  const moved = new Set<string>();
  const troubles = new Map([...chosen].map((product) => [product, product.trouble]));
  return {
    all: [...chosen].map((product) => ({
      product,
      spellings: [
        ...barcodesOf(product.gtin14),
        ...KNOWN_SLUGS.flatMap((slug) =>
          market
            .listingsOf(slug, product)
            .slice(0, 1)
            .flatMap((one) => ownOf(one, addressOf(one))),
        ),
      ],
    })),
    listingAt: (url) => byAddress.get(url) ?? null,
    addressOf,
    setGone: ({ product, slug }, isGone) => {
      const trouble = isGone ? { slug, kind: 'gone' } : (troubles.get(product) ?? null);
      Object.assign(product, { trouble });
      // All listings of the product change with its trouble: those of troubled products are always in stock.
      for (const each of KNOWN_SLUGS)
        for (const listing of market.listingsOf(each, product)) changed.set(listing, now());
    },
    relabel: (listing, gtin14) => {
      moved.add(gtin14).add(listing.publishedGtin ?? gtin14);
      Object.assign(listing, { publishedGtin: gtin14 });
      changed.set(listing, now());
    },
    isMoved: (gtin14) => moved.has(gtin14),
    changedAtMs: (listing) => changed.get(listing) ?? null,
  };
}

function barcodesOf(gtin14: string): readonly Spelling[] {
  const upc = gtin14.slice(2);
  const texts = [
    gtin14,
    `(01)${gtin14}(10)AB1`,
    `]C101${gtin14}`,
    `https://id.gs1.org/01/${gtin14}`,
    `https://shelf.example/gtin/${gtin14}?lot=7`,
    ...(gtin14.startsWith('0') ? [gtin14.slice(1)] : []),
    ...(gtin14.startsWith('00') ? [upc, `${upc[0]} ${upc.slice(1, 6)}-${upc.slice(6)}`] : []),
  ];
  return texts.map((text) => ({ text, form: 'barcode', group: 'barcode', slug: null }));
}

function ownOf({ slug, id, product }: MarketListing, address: string): readonly Spelling[] {
  const own = { slug, group: slug } as const;
  switch (slug) {
    case 'retailer_w':
      return [
        { text: id, form: 'item_id', ...own },
        { text: address, form: 'item_id', ...own },
        { text: `${address}?from=search#top`, form: 'item_id', ...own },
      ];
    case 'retailer_a':
      return [
        ...(id.startsWith('B') ? [{ text: id, form: 'asin', ...own } as const] : []),
        ...(id.startsWith('B') ? [{ text: id.toLowerCase(), form: 'asin', ...own } as const] : []),
        { text: address, form: 'asin', ...own },
      ];
    case 'retailer_b':
      return [
        { text: address, form: 'page', ...own },
        { text: productIdOf(product.index), form: 'product_id', slug, group: 'product_id' },
      ];
    default:
      return [{ text: address, form: 'page', ...own }];
  }
}

/** The price and stock that a fetch of the listing at this instant would have read. */
type Priced = {
  readonly price: number | null;
  readonly inStock: boolean;
  readonly isEnded: boolean;
};

export function pricedAt(sandbox: Sandbox, listing: MarketListing, atMs: number): Priced {
  const view = listingViewAt(sandbox.market(), listing, atMs);
  const isShown = view.inStock && view.currency === 'USD' && view.cents !== null;
  return {
    price: isShown && view.cents !== null ? view.cents / 100 : null,
    inStock: view.inStock,
    isEnded: view.isEnded,
  };
}
