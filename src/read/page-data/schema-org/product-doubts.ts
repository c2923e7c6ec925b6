// Reasons why a product in a page's data is not the subject of the page: a category described as a product, the shop's
// rating, a product tile, an offer of the week. main-product.ts finds the candidates.

import type { PageContext } from '../facts.ts';
import { isNode, listOf, plainNumber } from './node.ts';
import type { OfferedNode } from './offers.ts';
import type { PageSigns } from '../page-signs.ts';
import { bareName, isFrontPage, sharedWords } from '../page-names.ts';
import type { NameMatch } from '../page-names.ts';
import { brandIn, firstOf } from './schema-values.ts';

/** A product in the data that may be the page's own. */
export type ProductCandidate = OfferedNode & {
  readonly title: string;
  /** The title, letters and digits only. */
  readonly name: string;
  readonly isOffered: boolean;
  readonly hasBarcode: boolean;
  /** Whether it has a SKU, MPN or barcode. */
  readonly hasNumbers: boolean;
  readonly isAddressed: boolean;
  /** Whether it states this page's address, and not the address of a fragment in it (`#bulb`). */
  readonly isWholePage: boolean;
  readonly named: NameMatch;
  /** Whether it states another page's address. */
  readonly isElsewhere: boolean;
  /** Whether that page is on the same host and has another name, so that it is not this page in another language or category. */
  readonly isNeighbour: boolean;
};

/** The page for which a product is chosen. `isStrict` for microdata, where a product must have the page's name. */
export type ChoiceContext = {
  readonly context: PageContext;
  readonly signs: PageSigns;
  readonly isStrict: boolean;
};

/** A product with this many offers has a product number or a maker; a category has neither. */
const MANY_OFFERS = 20;
/** No variant of a product costs this many times as much as another. */
const WIDE_RANGE = 20;

/** The minimum share of common words for a name to match the page's, when the word order differs. */
const MOST_WORDS = 0.6;

/**
 * Whether the product is the shop itself with its rating: "Example Shop", 4.9 stars, from 3 to 900 euros. With a single
 * price or a barcode it is a product named after its shop.
 */
export function isShopItself(candidate: ProductCandidate, signs: PageSigns): boolean {
  if (!signs.shops.has(candidate.name) || candidate.hasBarcode) return false;
  return !candidate.offers.some((offer) => offer.price !== null && !offer.isAggregate);
}

/** Whether only a price range is known for a product, with no product number and no individual offer. */
const isOnlyRange = ({ offers, hasNumbers }: ProductCandidate): boolean =>
  !hasNumbers && offers.length > 0 && offers.every((offer) => offer.isAggregate);

/** Whether the product has a maker that is neither the shop nor the product's own name. */
function isMade({ node, name }: ProductCandidate, signs: PageSigns): boolean {
  const maker = bareName(brandIn(node) ?? '');
  return maker !== '' && maker !== name && !signs.shops.has(maker);
}

/**
 * Whether a product may be a category: it states a price range, or a price without this page's address, and neither a product
 * number nor a maker. The rest of the page decides.
 */
export function mayBeCategory(candidate: ProductCandidate, signs: PageSigns): boolean {
  const { hasNumbers, isAddressed } = candidate;
  return (isOnlyRange(candidate) || (!hasNumbers && !isAddressed)) && !isMade(candidate, signs);
}

/**
 * Whether the product is a category: a price range and no product number, together with a list on the page, dozens of
 * offers, or prices too far apart for one product.
 */
function isDressedList(candidate: ProductCandidate, page: DoubtfulPage): boolean {
  if (!isOnlyRange(candidate)) return false;
  if (page.isList) return true;
  const stated = listOf(candidate.node, 'offers').filter(isNode);
  const counts = stated.map((offer) => plainNumber(firstOf(offer, 'offerCount')) ?? 0);
  const isWide = stated.some((offer) => {
    const low = plainNumber(firstOf(offer, 'lowPrice')) ?? 0;
    return low > 0 && (plainNumber(firstOf(offer, 'highPrice')) ?? 0) >= low * WIDE_RANGE;
  });
  return !isMade(candidate, page.signs) && (isWide || Math.max(0, ...counts) >= MANY_OFFERS);
}

/** The page, whether it has a product list, and whether it is a category. */
type DoubtfulPage = ChoiceContext & {
  readonly isList: boolean;
  /** Whether it calls itself a category or search results. */
  readonly isCollection: boolean;
};

/**
 * Returns how well the name of a product with another address must match the page: shops state the address of another
 * language or host, but a product tile states its own.
 */
function leastLikeness(page: DoubtfulPage): NameMatch {
  return page.isList || page.isStrict ? 3 : 2;
}

/** Whether a product with a neighbouring page's address has a word in its name that this page lacks: "Red Teapot Lid". */
function isNeighbours(candidate: ProductCandidate, { context, signs }: DoubtfulPage): boolean {
  const { isNeighbour, isAddressed, named, title } = candidate;
  if (!isNeighbour || isAddressed || named === 3) return false;
  return sharedWords(title, signs.names, context.url) < 1;
}

/**
 * Whether a product belongs to another page: it states that page's address, or no word of its name occurs in the headlines.
 */
function isOfAnotherPage(candidate: ProductCandidate, page: DoubtfulPage): boolean {
  const { context, signs } = page;
  if (isNeighbours(candidate, page)) return true;
  if (candidate.isAddressed || candidate.named > 1) return false;
  if (candidate.isElsewhere) return true;
  if (candidate.named > 0 || candidate.name === '' || signs.headlines.length === 0) return false;
  return sharedWords(candidate.title, signs.names, context.url) === 0;
}

const OF_ANOTHER_PAGE = 'its only product belongs to another page';
const NOT_CALLED_ALIKE = 'a product that is not named like the page';

/**
 * Whether a doubt concerns the product only. That the product belongs to another page does not reveal the kind of this
 * page.
 */
export function isAboutAnother(why: string): boolean {
  return why === OF_ANOTHER_PAGE || why === NOT_CALLED_ALIKE;
}

/** Returns why a product is not the page's own; null when it may be. */
export function doubtAbout(candidate: ProductCandidate, page: DoubtfulPage): string | null {
  const { context, signs, isStrict } = page;
  // Tags show that the page is a product page, not that the data on it belongs to that product.
  if (signs.isTaggedProduct && !isOfAnotherPage(candidate, page)) return null;
  if (isDressedList(candidate, page)) return 'a list with a price range';
  if (candidate.isAddressed) return null;
  const isUnlike = page.isCollection || candidate.named < leastLikeness(page);
  if (candidate.isElsewhere && (isUnlike || isNeighbours(candidate, page))) {
    return OF_ANOTHER_PAGE;
  }
  if (candidate.named > 0) return null;
  if (isFrontPage(context.url)) return 'a front page with a product on it';
  const shared = sharedWords(candidate.title, signs.names, context.url);
  const isKnown = candidate.hasNumbers && shared >= MOST_WORDS && !isStrict;
  if (page.isList && !isKnown) return 'a list, and a product that does not belong to the page';
  // A nameless product in JSON-LD is the page's if it is the only one.
  if (candidate.name === '' && !isStrict) return null;
  const why = NOT_CALLED_ALIKE;
  // Tiles and widgets use microdata too. A JSON-LD product with a product number is trusted, unless a headline names
  // something entirely different ("Deals of the week").
  if (isStrict || !candidate.hasNumbers) return signs.names.length > 0 ? why : null;
  return signs.headlines.length > 0 && shared === 0 ? why : null;
}
