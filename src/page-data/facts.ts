// What one source of a page (JSON-LD, microdata, OpenGraph, a store's script) says about its product, before
// the sources are weighed against each other.

import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Condition, Dimensions, Spec } from '../listing/listing.ts';
import type { Money } from '../listing/money.ts';
import type { UnknownWords } from '../listing/unknown-words.ts';

/**
 * A price and how it was written: a whole number may be an amount in minor units, "1.290" may be 1.29 or
 * 1290 (`otherCents`: the one that was not believed).
 */
export type StatedPrice = {
  readonly money: Money;
  readonly isWhole: boolean;
  readonly otherCents?: number;
};

export type Facts = {
  readonly title: string | null;
  readonly brand: string | null;
  readonly description: string | null;
  /** As written: may be relative. */
  readonly imageUrl: string | null;
  readonly url: string | null;
  readonly itemId: string | null;
  readonly variantId: string | null;
  readonly sku: string | null;
  readonly mpn: string | null;
  readonly model: string | null;
  readonly gtin: Gtin14 | null;
  readonly price: StatedPrice | null;
  /** The source states a price of zero: no price, and none of a weaker source either. */
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
  /** Dangerous goods; never false: no source of a page denies it. */
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

/** What a reader of one source needs to know of the page around it. */
export type PageContext = {
  /** Address that answered. */
  readonly url: URL | null;
  /** What the page calls its own address; the same as `url` when it says nothing. */
  readonly canonical: URL | null;
  /** A lone `$` is the US dollar here: the page's language or host says so (D26). */
  readonly dollarIsUs: boolean;
  /** Where words that no vocabulary holds are noted. */
  readonly words: UnknownWords;
};
