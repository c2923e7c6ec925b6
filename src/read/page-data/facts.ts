// The facts that one source of a page (JSON-LD, microdata, OpenGraph, a store's script) states about its product, before
// precedence.ts combines the sources.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Dimensions, Spec } from '../../base/listing/listing.ts';
import type { ChosenVariant } from '../../base/listing/page.ts';
import type { Condition } from '../../base/listing/offer.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';
import type { UnknownWords } from '../../base/listing/vocabularies/unknown-words.ts';
import type { AskedAddress } from './variants/asked-address.ts';

/**
 * A price and how it was written: a whole number may be in minor units, "1.290" may be 1.29 or 1290, and an offer may state two
 * prices (`otherCents` is the alternative that was not chosen, in the unit of `money`).
 */
export type StatedPrice = {
  readonly money: Money;
  readonly isWhole: boolean;
  readonly otherCents?: number;
  /** Whether nothing in its source decides between the two. */
  readonly isUnclear?: boolean;
  /** The highest of several prices, of which this price is the lowest, in the unit of `money`. */
  readonly highestCents?: number;
  /** Whether other offers, which may also be the relevant ones, state different prices. */
  readonly isOneOfSeveral?: boolean;
  /** Whether its source dates it to another time: its last day is over, or its first has not come. */
  readonly isOfOtherTime?: boolean;
  /** The regular price, which counts unless the page shows this price: its source dates the sale to another time. */
  readonly afterwards?: Money;
  /** The prices of the other variants, if this price belongs to the variant chosen at the last reading. */
  readonly ofOthers?: readonly Money[];
  /** Whether its source says that it is without tax; false if it says that it is with it. */
  readonly isNet?: boolean;
};

export type Facts = {
  readonly title: string | null;
  readonly brand: string | null;
  readonly description: string | null;
  /** The image address as written; may be relative. */
  readonly imageUrl: string | null;
  readonly url: string | null;
  readonly itemId: string | null;
  readonly variantId: string | null;
  readonly sku: string | null;
  readonly mpn: string | null;
  /** Numbers of all listed variants, in the form of `comparableCodes` (D90). */
  readonly codes: readonly string[];
  readonly model: string | null;
  readonly gtin: Gtin14 | null;
  readonly price: StatedPrice | null;
  /**
   * The source states a price of zero, or none for the variant chosen at the last reading: the page then has no price, and
   * weaker sources are ignored.
   */
  readonly isPriceZero: boolean;
  /** The address names variants that contradict each other, or one that is not listed: the page then has no price. */
  readonly isVariantUnclear: boolean;
  /** The variant whose price this is, if the source lists several. */
  readonly chosen: ChosenVariant | null;
  readonly listPrice: Money | null;
  readonly inStock: boolean | null;
  readonly unavailable: boolean | null;
  /** Whether the stock applies to several variants or sellers, of which the page shows one. */
  readonly isStockOfSeveral: boolean;
  readonly condition: Condition | null;
  readonly rating: number | null;
  readonly reviewCount: number | null;
  readonly sellerName: string | null;
  readonly weightLbs: number | null;
  readonly dimensions: Dimensions | null;
  /** True for dangerous goods; never false, because no page states the opposite. */
  readonly hazmat: boolean | null;
  readonly categories: readonly string[];
  readonly specs: readonly Spec[];
};

export const NO_FACTS: Facts = Object.freeze({
  title: null,
  brand: null,
  description: null,
  imageUrl: null,
  url: null,
  itemId: null,
  variantId: null,
  sku: null,
  mpn: null,
  codes: [],
  model: null,
  gtin: null,
  price: null,
  isPriceZero: false,
  isVariantUnclear: false,
  chosen: null,
  listPrice: null,
  inStock: null,
  unavailable: null,
  isStockOfSeveral: false,
  condition: null,
  rating: null,
  reviewCount: null,
  sellerName: null,
  weightLbs: null,
  dimensions: null,
  hazmat: null,
  categories: [],
  specs: [],
});

/** The page context needed by the reader of a single source. */
export type PageContext = {
  /** The address the page was served from. */
  readonly url: URL | null;
  /** The canonical address stated by the page, otherwise `url`. */
  readonly canonical: URL | null;
  /** The parts of that address, with its fragment, that may name a variant. */
  readonly asked: AskedAddress;
  /** Whether a bare `$` means the US dollar, based on the page's language or host (D26). */
  readonly dollarIsUs: boolean;
  /** The preferred currency when a product is offered in several; null when nothing states one. */
  readonly currency: string | null;
  /** The currency of amounts without one, named by a tag or the address; null if none is, or it is unclear. */
  readonly named: string | null;
  /** The decimal separator of the page's language; null when unknown. */
  readonly decimalMark: '.' | ',' | null;
  /** The currency that the address asks for; null if it asks for none. */
  readonly askedCurrency: string | null;
  /** The country whose prices the page states, as in the domain of its host; null when unknown. */
  readonly country: string | null;
  /**
   * The price displayed on the page; null when unknown. It decides when the data offers the product at several prices.
   */
  readonly shown: Money | null;
  /** Collects words missing from every vocabulary. */
  readonly words: UnknownWords;
  /** How many more offers may be read. Through references, a few bytes can give each of 500 variants 500 offers. */
  readonly left: { offers: number };
  /** When the page was fetched; 0 when unknown. */
  readonly nowMs: number;
};

/**
 * Maximum number of offers read from one page, across all products and variants. With 20 price specifications each, they take a
 * quarter of a second.
 */
export const OFFERS_OF_PAGE = 2_500;
