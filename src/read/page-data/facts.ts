// What one source of a page (JSON-LD, microdata, OpenGraph, a store's script) states about its product, before
// precedence.ts combines the sources.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Dimensions, Spec } from '../../base/listing/listing.ts';
import type { Condition } from '../../base/listing/vocabularies/condition.ts';
import type { Money } from '../../base/listing/money/money.ts';
import type { UnknownWords } from '../../base/listing/vocabularies/unknown-words.ts';

/**
 * A price and how it was written: a whole number may be in minor units, and "1.290" may be 1.29 or 1290 (`otherCents`
 * is the alternative that was not chosen).
 */
export type StatedPrice = {
  readonly money: Money;
  readonly isWhole: boolean;
  readonly otherCents?: number;
  /** The highest of several prices, of which this price is the lowest. */
  readonly highestCents?: number;
  /** Whether other offers, which may be meant as well, state other prices. */
  readonly isOneOfSeveral?: boolean;
};

export type Facts = {
  readonly title: string | null;
  readonly brand: string | null;
  readonly description: string | null;
  /** The address of the image as written; it may be relative. */
  readonly imageUrl: string | null;
  readonly url: string | null;
  readonly itemId: string | null;
  readonly variantId: string | null;
  readonly sku: string | null;
  readonly mpn: string | null;
  /** Numbers of every variant that is listed, in the form of `comparableCodes` (D90). */
  readonly codes: readonly string[];
  readonly model: string | null;
  readonly gtin: Gtin14 | null;
  readonly price: StatedPrice | null;
  /** The source states a price of zero: then the page has no price, and weaker sources are not used. */
  readonly isPriceZero: boolean;
  readonly listPrice: Money | null;
  readonly inStock: boolean | null;
  readonly unavailable: boolean | null;
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
  listPrice: null,
  inStock: null,
  unavailable: null,
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

/** What the reader of one source needs to know about the page. */
export type PageContext = {
  /** The address that answered. */
  readonly url: URL | null;
  /** The canonical address that the page states, or else `url`. */
  readonly canonical: URL | null;
  /** Whether `$` alone means the US dollar, by the page's language or host (D26). */
  readonly dollarIsUs: boolean;
  /** The currency that counts where a product is offered in several; null when nothing says which. */
  readonly currency: string | null;
  /**
   * The price that the page shows, in hundredths; null when it is not known. It counts where the data offers the product at
   * several prices.
   */
  readonly shownCents: number | null;
  /** Collects the words that no vocabulary knows. */
  readonly words: UnknownWords;
  /** How many more offers may be read. Through references, a few bytes can give each of 500 variants 500 offers. */
  readonly left: { offers: number };
};

/**
 * The most offers read of one page, over all its products and variants. With 20 price specifications each they take a quarter of
 * a second.
 */
export const OFFERS_OF_PAGE = 2_500;
