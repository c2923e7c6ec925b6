// The precedence table: for each field, the sources of a page that may state it, strongest first, and the resulting facts.
// price-conflicts.ts resolves contradicting prices. docs/how/reading.md gives the reasons.

import { isSameAmount } from '../../base/listing/money/minor-units.ts';
import { comparableCodes, joinedCodes } from '../../base/listing/stated-codes.ts';
import { NO_FACTS } from './facts.ts';
import type { Facts } from './facts.ts';
import { isMakerName } from './maker-name.ts';
import type { OpenGraph } from './open-graph.ts';
import { settledPrices } from './price-conflicts.ts';

/** A source of facts on a page. */
export type FactSource =
  | 'JSON-LD'
  | 'microdata'
  | 'OpenGraph'
  /** The script of a hosted store, and its theme's copy of the product. */
  | 'store script'
  /** The variant selected by the address, in a hosted store's script or a shop's form. */
  | 'asked variant'
  /** The visible main heading. */
  | 'heading'
  /** A product card for other sites (`twitter:label1`). */
  | 'card'
  /** The visible facts around the page's heading. */
  | 'visible'
  /** State that the page's scripts expose to other scripts. */
  | 'page state';

/** The facts of each source; `NO_FACTS` for a source missing from the page. */
export type StatedFacts = Readonly<Record<FactSource, Facts>>;

/** A field, or a group of related fields: `stock` is inStock and unavailable, `rating` includes the count. */
type StatedField =
  | Exclude<
      keyof Facts,
      | 'isPriceZero'
      | 'isVariantUnclear'
      | 'chosen'
      | 'inStock'
      | 'unavailable'
      | 'isStockOfSeveral'
      | 'reviewCount'
      | 'codes'
    >
  | 'stock';

/** For each field, the sources that may state it, strongest first. Other sources are ignored for it. */
export const PRECEDENCE: Readonly<Record<StatedField, readonly FactSource[]>> = {
  title: ['JSON-LD', 'microdata', 'visible', 'heading', 'store script'],
  // Structured data often has the range of all variants, or the first variant, when the address selects another one.
  price: [
    'asked variant',
    'JSON-LD',
    'microdata',
    'OpenGraph',
    'store script',
    'card',
    'visible',
    'page state',
  ],
  listPrice: ['asked variant', 'JSON-LD', 'microdata', 'OpenGraph', 'visible'],
  stock: ['asked variant', 'JSON-LD', 'store script', 'microdata', 'OpenGraph', 'visible'],
  condition: ['JSON-LD', 'microdata', 'OpenGraph', 'visible'],
  sellerName: ['JSON-LD', 'microdata', 'page state'],
  rating: ['JSON-LD', 'microdata'],
  // The store script states the maker more reliably than microdata.
  brand: ['JSON-LD', 'store script', 'microdata', 'OpenGraph', 'visible', 'page state'],
  gtin: ['JSON-LD', 'store script', 'microdata', 'OpenGraph', 'visible', 'page state'],
  sku: ['asked variant', 'JSON-LD', 'store script', 'microdata', 'OpenGraph', 'visible'],
  mpn: ['JSON-LD', 'microdata', 'OpenGraph', 'visible'],
  model: ['JSON-LD', 'microdata'],
  itemId: ['store script'],
  variantId: ['asked variant', 'store script'],
  url: ['JSON-LD', 'microdata'],
  imageUrl: ['JSON-LD', 'store script', 'microdata', 'OpenGraph'],
  description: ['JSON-LD', 'microdata', 'OpenGraph'],
  categories: ['JSON-LD', 'microdata'],
  specs: ['JSON-LD', 'microdata'],
  weightLbs: ['JSON-LD', 'microdata', 'OpenGraph'],
  dimensions: ['JSON-LD', 'microdata'],
  hazmat: ['JSON-LD', 'microdata'],
};

export type WeighedFacts = {
  readonly facts: Facts;
  readonly remarks: readonly string[];
  /** The source of the price, and of the stock; null when no source states it. */
  readonly priceFrom: FactSource | null;
  readonly stockFrom: FactSource | null;
};

/** Returns the facts of the sources that may state a field, strongest first. */
function factsFor(statement: StatedField, stated: StatedFacts): readonly Facts[] {
  return PRECEDENCE[statement].map((source) => stated[source]);
}

/** Returns the field from the first source that states it. */
function firstOf<K extends Exclude<StatedField, 'stock'>>(stated: StatedFacts, field: K): Facts[K] {
  for (const facts of factsFor(field, stated)) {
    const value = facts[field];
    if (Array.isArray(value) ? value.length > 0 : value !== null) return value;
  }
  return NO_FACTS[field];
}

/** Returns the maker from the first source that names one. */
function brandFact(stated: StatedFacts): string | null {
  const brands = factsFor('brand', stated).map(({ brand }) => brand);
  return brands.find((brand) => brand !== null && isMakerName(brand)) ?? null;
}

/** Returns rating and count from the same source: the first with a rating, otherwise the first with a count. */
function ratingFacts(stated: StatedFacts): Pick<Facts, 'rating' | 'reviewCount'> {
  const sources = factsFor('rating', stated);
  const source =
    sources.find(({ rating }) => rating !== null) ??
    sources.find(({ reviewCount }) => reviewCount !== null);
  return { rating: source?.rating ?? null, reviewCount: source?.reviewCount ?? null };
}

/** Collects the numbers stated by any source: a source losing its markup must not change the product's identity. */
function codesIn(stated: StatedFacts): readonly string[] {
  const sources = Object.values(stated);
  const own = sources.map(({ gtin, sku, mpn }) => ({ gtins: [gtin], skus: [sku], mpns: [mpn] }));
  return joinedCodes([...sources.map(({ codes }) => codes), comparableCodes(own)]);
}

function stockSource(stated: StatedFacts): FactSource | null {
  const source = PRECEDENCE.stock.find(
    (name) => stated[name].inStock !== null || stated[name].unavailable !== null,
  );
  return source ?? null;
}

type PricedSource = Pick<Facts, 'price'> & { readonly source: FactSource };

/** Returns the source of the price. That of the variant chosen at the last reading is another source's if that states it too. */
function statingSource(
  sources: readonly PricedSource[],
  strongest: PricedSource | undefined,
): FactSource | null {
  const { price = null, source = null } = strongest ?? {};
  if (price?.ofOthers === undefined || source !== 'asked variant') return source;
  const other = sources.find(
    (one) => one !== strongest && one.price !== null && isSameAmount(one.price.money, price.money),
  );
  return other?.source ?? source;
}

function priceFacts(stated: StatedFacts, tags: OpenGraph) {
  if (Object.values(stated).some(({ isVariantUnclear }) => isVariantUnclear)) {
    const facts = {
      price: null,
      listPrice: null,
      isPriceZero: false,
      isVariantUnclear: true,
      chosen: null,
    };
    return { facts, remarks: ['the address names no single variant: no price'], priceFrom: null };
  }
  const sources = PRECEDENCE.price.map((source) => {
    const { price, isPriceZero } = stated[source];
    // Remarks do not distinguish the two parts of the script.
    const name = source === 'asked variant' ? 'store script' : source;
    return { source, name, price, isPriceZero };
  });
  const listPrices = factsFor('listPrice', stated).map(({ listPrice }) => listPrice);
  const settled = settledPrices({ sources, listPrices, tags });
  const { price, listPrice, remarks } = settled;
  const isPriceZero = price === null && sources.some((source) => source.isPriceZero);
  const strongest = sources.find((one) => one.name === settled.from && one.price !== null);
  const priceFrom = settled.from === 'sale tag' ? 'OpenGraph' : statingSource(sources, strongest);
  const ofPrice = strongest === undefined ? factsFor('price', stated) : [stated[strongest.source]];
  const chosen = ofPrice.map((one) => one.chosen).find((one) => one !== null) ?? null;
  const facts = { price, listPrice, isPriceZero, isVariantUnclear: false, chosen };
  return { facts, remarks, priceFrom };
}

/** Combines the facts of all sources of a page into one set. The tags also state former prices. */
export function weighFacts(stated: StatedFacts, tags: OpenGraph): WeighedFacts {
  const { facts: prices, remarks, priceFrom } = priceFacts(stated, tags);
  const stockFrom = stockSource(stated);
  const stock = stockFrom === null ? NO_FACTS : stated[stockFrom];
  const facts: Facts = {
    title: firstOf(stated, 'title'),
    brand: brandFact(stated),
    description: firstOf(stated, 'description'),
    imageUrl: firstOf(stated, 'imageUrl'),
    url: firstOf(stated, 'url'),
    itemId: firstOf(stated, 'itemId'),
    variantId: firstOf(stated, 'variantId'),
    sku: firstOf(stated, 'sku'),
    mpn: firstOf(stated, 'mpn'),
    codes: codesIn(stated),
    model: firstOf(stated, 'model'),
    gtin: firstOf(stated, 'gtin'),
    ...prices,
    inStock: stock.inStock,
    unavailable: stock.unavailable,
    isStockOfSeveral: stock.isStockOfSeveral,
    condition: firstOf(stated, 'condition'),
    ...ratingFacts(stated),
    sellerName: firstOf(stated, 'sellerName'),
    weightLbs: firstOf(stated, 'weightLbs'),
    dimensions: firstOf(stated, 'dimensions'),
    hazmat: firstOf(stated, 'hazmat'),
    categories: firstOf(stated, 'categories'),
    specs: firstOf(stated, 'specs'),
  };
  return { facts, remarks, priceFrom, stockFrom };
}
