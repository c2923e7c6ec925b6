// The fixed set of lookups that lab/eval/order.ts makes in many orders: for each product its barcode in several spellings,
// its items, ASINs and pages at the seven, its page at another shop, `retailer=` lookups, and strangers' pages that copy
// it.

import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { SIMULATED_RETAILERS } from '../../../sandbox/simulated-retailers.ts';
import type { CatalogProduct } from '../../../sandbox/market/catalog.ts';
import { checkDigit, isbn10Of, printedCode, productIdOf } from '../../../sandbox/market/codes.ts';
import type { Market, MarketListing } from '../../../sandbox/market/market.ts';
import { addressOf as shopAddress } from '../../../sandbox/world.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import type { GivenEntry } from '../../../src/rules/history/given-entry.ts';
import { pick, randomFrom } from '../../../tests/support/random.ts';
import { addressOf, STRANGER_ORIGINS, type StrangerPage } from '../strangers/shops.ts';

export const ORGANIZATIONS = ['a', 'b'] as const;

export type OrderLookup = {
  /** Of the request, without what the program adds. */
  readonly path: string;
  readonly organization: (typeof ORGANIZATIONS)[number];
  /** The barcode of a lookup by barcode alone; null: any other lookup. */
  readonly barcode: string | null;
  /** Only in orders with case codes. */
  readonly isCaseCode: boolean;
};

export type LookupSet = {
  readonly lookups: readonly OrderLookup[];
  readonly pages: readonly StrangerPage[];
  /** For orders with imported history. */
  readonly history: readonly GivenEntry[];
};

/** Kinds that wait for deadlines, or end on their own. */
const WITHOUT = new Set(['slow', 'throttled', 'down']);
const DAY_MS = 86_400_000;

/**
 * Chooses products of the market: first listings with a wrong barcode together with the products whose barcodes they print.
 */
function chosenProducts(market: Market, count: number): readonly CatalogProduct[] {
  const { catalog } = market;
  const chosen = new Set<CatalogProduct>();
  const isLeftOut = ({ trouble }: CatalogProduct) => trouble !== null && WITHOUT.has(trouble.kind);
  const printing = KNOWN_SLUGS.flatMap((slug) => market.listings(slug)).filter(
    (listing) => listing.hasWrongBarcode,
  );
  for (const listing of printing) {
    const printed = market.productOf(listing.publishedGtin ?? '');
    if (printed === null || isLeftOut(printed) || isLeftOut(listing.product)) continue;
    if (chosen.size + 2 > count / 2) break;
    chosen.add(listing.product).add(printed);
  }
  const troubled = catalog.filter((each) => each.trouble !== null && !isLeftOut(each));
  for (const product of troubled) if (chosen.size < (count * 2) / 3) chosen.add(product);
  for (const product of catalog) {
    if (chosen.size < count && product.trouble === null) chosen.add(product);
  }
  return [...chosen].slice(0, count);
}

export function lookupSetOf(market: Market, count: number, seed: number): LookupSet {
  const random = randomFrom(seed);
  const lookups = new Map<string, OrderLookup>();
  const pages: StrangerPage[] = [];
  const history: GivenEntry[] = [];
  const add = (id: string, more: Partial<OrderLookup> & { readonly query?: string } = {}) => {
    const { query = '', barcode = null, isCaseCode = false } = more;
    const organization = more.organization ?? (random() < 0.5 ? 'a' : 'b');
    const path = `/v1/products/${encodeURIComponent(id)}${query}`;
    lookups.set(path, { path, organization, barcode, isCaseCode });
  };
  for (const product of chosenProducts(market, count)) {
    addBarcodes(add, product, random);
    for (const slug of KNOWN_SLUGS) {
      for (const listing of market.listingsOf(slug, product)) {
        addListing(add, market, listing, random);
      }
    }
    if (product.atShop !== null && random() < 0.6) add(shopAddress(product.atShop));
    if (random() < 0.4) {
      const page = strangerPage(product, pages.length, random);
      pages.push(page);
      add(addressOf(page), { organization: 'a', isCaseCode: page.code.length === 14 });
    }
    history.push(...importedOf(market, product, random));
  }
  return { lookups: [...lookups.values()], pages, history };
}

type Add = (id: string, more?: Partial<OrderLookup> & { readonly query?: string }) => void;

/** Returns one or two spellings of the barcode, sometimes with `retailer=`; every fourth product has a case code too. */
function addBarcodes(add: Add, product: CatalogProduct, random: () => number): void {
  const { gtin14: barcode, isBook } = product;
  const printed = printedCode(barcode);
  const spellings = [
    printed,
    barcode.slice(1),
    barcode,
    `${printed.slice(0, 1)}-${printed.slice(1, 6)}-${printed.slice(6)}`,
    ...(isBook ? [isbn10Of(barcode)] : []),
  ];
  const first = pick(random, spellings);
  add(first, { barcode, organization: 'b' });
  if (random() < 0.4) add(pick(random, spellings), { barcode });
  if (random() < 0.3) add(printed, { query: `?retailer=${pick(random, KNOWN_SLUGS)}` });
  if (random() < 0.25) add(caseCodeOf(barcode), { barcode: caseCodeOf(barcode), isCaseCode: true });
}

/** A listing that prints another product's barcode is always looked up. */
function addListing(add: Add, market: Market, listing: MarketListing, random: () => number): void {
  const { slug, id, product, hasWrongBarcode } = listing;
  const isChosen = (share: number): boolean => random() < share || hasWrongBarcode;
  if (isChosen(0.2)) add(SIMULATED_RETAILERS[slug].address(market, listing));
  if (slug === 'retailer_w' && isChosen(0.5)) add(id);
  if (slug === 'retailer_a' && id.startsWith('B') && isChosen(0.3)) add(id);
  if (slug === 'retailer_b' && random() < 0.15) {
    add(random() < 0.5 ? id : productIdOf(product.index));
  }
}

/** Returns the code of a case of the product: packaging indicator 1. */
function caseCodeOf(gtin14: string): string {
  const body = `1${gtin14.slice(1, 13)}`;
  return body + checkDigit(body);
}

/** Copies the product at $1.00; every sixth prints its case code. */
function strangerPage(product: CatalogProduct, at: number, random: () => number): StrangerPage {
  const isCase = random() < 1 / 6;
  return {
    origin: STRANGER_ORIGINS[at % STRANGER_ORIGINS.length] ?? STRANGER_ORIGINS[0],
    path: `/p/${at}`,
    title: random() < 0.7 ? product.title : `${product.title} - Sale`,
    brand: product.brand,
    imageUrl: `https://images.example/${product.index}.jpg`,
    code: isCase ? caseCodeOf(product.gtin14) : printedCode(product.gtin14),
    cents: 100,
    inStock: true,
    mark: `stranger-${at}`,
  };
}

/** Five days of two months ago, for every fifth product: at its retailer_w item, or under its barcode alone. */
function importedOf(
  market: Market,
  product: CatalogProduct,
  random: () => number,
): readonly GivenEntry[] {
  if (random() >= 0.2) return [];
  const [listing] = market.listingsOf('retailer_w', product);
  const gtin = product.gtin14 as Gtin14;
  return Array.from({ length: 5 }, (_, day) => ({
    retailer: 'retailer_w',
    retailerId: listing?.id ?? null,
    url: null,
    gtin,
    observedAtMs: MARKET_MS - (60 - day) * DAY_MS,
    price: { cents: 1_500 + day * 25, currency: 'USD' },
    inStock: true,
  }));
}

/** The instant of all market prices: it is fixed, so that no answer depends on when it was read. */
export const MARKET_MS = Date.UTC(2026, 10, 20, 12);
