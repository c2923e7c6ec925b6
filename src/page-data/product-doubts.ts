// Reasons why a product that stands in a page's data is not what the page is about: a category dressed as a
// product, the shop's own rating, a tile, an offer of the week. Knows nothing of how candidates are found.

import type { PageContext } from './facts.ts';
import { isNode, listOf, plainNumber } from './node.ts';
import type { SchemaNode } from './node.ts';
import type { SchemaOffer } from './offers.ts';
import type { PageSigns } from './page-signs.ts';
import { bareName, isFrontPage, sharedWords } from './page-names.ts';
import type { NameMatch } from './page-names.ts';
import { brandIn, firstOf } from './schema-values.ts';

/** A product of the page's data that may be the page's own. */
export type ProductCandidate = {
  readonly node: SchemaNode;
  readonly title: string;
  /** Letters and digits of the title. */
  readonly name: string;
  readonly isOffered: boolean;
  readonly hasBarcode: boolean;
  /** A number of the shop, the maker or of trade. */
  readonly hasNumbers: boolean;
  readonly offers: readonly SchemaOffer[];
  readonly isAddressed: boolean;
  readonly named: NameMatch;
  /** States an address, and it is another page's. */
  readonly isElsewhere: boolean;
};

/** Where a product is chosen. `isStrict` for microdata, where a product must be called like the page. */
export type ChoiceContext = {
  readonly context: PageContext;
  readonly signs: PageSigns;
  readonly isStrict: boolean;
};

/** No product has this many offers and neither number nor maker. */
const MANY_OFFERS = 20;
/** Nor variants of which one costs twenty times as much as another. */
const WIDE_RANGE = 20;

/** As many of its words make a name the page's, where the page says them in another order. */
const MOST_WORDS = 0.6;

/**
 * The shop rated as a product, under its own name: "Example Shop", 4.9 stars, from 3 to 900 euros. A single
 * price or a barcode makes it a product that is called like its shop.
 */
export function isShopItself(candidate: ProductCandidate, signs: PageSigns): boolean {
  if (!signs.shops.has(candidate.name) || candidate.hasBarcode) return false;
  return !candidate.offers.some((offer) => offer.price !== null && !offer.isAggregate);
}

/**
 * A category that calls itself a product: a price range, no number of any kind, and a list beside it, offers
 * by the dozen or prices that no single product has.
 */
function isDressedList(candidate: ProductCandidate, page: DoubtfulPage): boolean {
  const { node, offers } = candidate;
  const isOnlyRange = offers.length > 0 && offers.every((offer) => offer.isAggregate);
  if (candidate.hasNumbers || !isOnlyRange) return false;
  if (page.isList) return true;
  const stated = listOf(node, 'offers').filter(isNode);
  const counts = stated.map((offer) => plainNumber(firstOf(offer, 'offerCount')) ?? 0);
  const isWide = stated.some((offer) => {
    const low = plainNumber(firstOf(offer, 'lowPrice')) ?? 0;
    return low > 0 && (plainNumber(firstOf(offer, 'highPrice')) ?? 0) >= low * WIDE_RANGE;
  });
  const maker = bareName(brandIn(node) ?? '');
  const isMade = maker !== '' && maker !== candidate.name && !page.signs.shops.has(maker);
  return !isMade && (isWide || Math.max(0, ...counts) >= MANY_OFFERS);
}

/** What is asked of the page, and whether a list of things stands on it. */
export type DoubtfulPage = ChoiceContext & {
  readonly isList: boolean;
  /** It calls itself a category or the results of a search. */
  readonly isCollection: boolean;
};

/**
 * How surely a product that states another address must be called like the page: shops state the address
 * without a language or of another host. A tile states its own address by right.
 */
function leastLikeness(page: DoubtfulPage): NameMatch {
  return page.isList || page.isStrict ? 3 : 2;
}

/** Why a product that is there is not the page's; null when it may well be. */
export function doubtAbout(candidate: ProductCandidate, page: DoubtfulPage): string | null {
  const { context, signs, isStrict } = page;
  if (signs.isTaggedProduct) return null;
  if (isDressedList(candidate, page)) return 'a list with a price range';
  if (candidate.isAddressed) return null;
  if (candidate.isElsewhere && (page.isCollection || candidate.named < leastLikeness(page))) {
    return 'its only product is that of another page';
  }
  if (candidate.named > 0) return null;
  if (isFrontPage(context.url)) return 'a front page with a product on it';
  const shared = sharedWords(candidate.title, signs.names, context.url);
  const isKnown = candidate.hasNumbers && shared >= MOST_WORDS && !isStrict;
  if (page.isList && !isKnown) return 'a list, and a product that is not the page';
  // A data block without a name is the page's when it is the only one.
  if (candidate.name === '' && !isStrict) return null;
  const why = 'a product that is not called like the page';
  // Marked-up text is also how tiles and widgets are written; a data block with a number is the shop's word,
  // unless a headline speaks of something else altogether ("Deals of the week").
  if (isStrict || !candidate.hasNumbers) return signs.names.length > 0 ? why : null;
  return signs.headlines.length > 0 && shared === 0 ? why : null;
}
