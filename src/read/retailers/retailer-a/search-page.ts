// Converts a result list of retailer_a to hits with few facts: ASIN, title, price, stars. Excludes advertisements, and the
// other products shown when nothing was found.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import { namedListPriceOf } from '../../../base/listing/money/list-price.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { readSoldTag } from '../../../base/listing/vocabularies/sold-tag.ts';
import { cleanText, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import { ClassNames } from '../../page-data/html/class-names.ts';
import {
  hasWord,
  indexOfPattern,
  indexOfWord,
  wordToFind,
} from '../../page-data/html/find-word.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import { attributeOf, elementsWithParts, visibleText } from '../../page-data/html/page-elements.ts';
import type { ElementsWithParts, PageElement } from '../../page-data/html/page-elements.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';
import { isAsin, retailerAAddressBook } from './address-book.ts';
import { readPriceBlock } from './price-block.ts';
import { countIn, isRenewedTitle, starsIn } from './ratings.ts';
import { obstacleIn, statusVerdict } from './walls.ts';

const HITS_KEPT = 100;
/** Length of a card with its pop-ups; a longer one contains a row of other products. */
const CARD_LENGTH = 60_000;

/** Signs of advertisements in addresses and classes, otherwise in the screen reader text. */
const SPONSORED = [
  '/sspa/click',
  'puis-sponsored-label',
  'AdHolder',
  'sp-sponsored-result',
  'Sponsored Ad ',
  'Sponsored information',
].map(wordToFind);
const NO_MATCH = wordToFind('did not match any products');
const NO = wordToFind('No');
const NOTHING_FOUND = /No results for\s*(?:<|&quot;|"|\u201c|your search)/y;

const IMAGE = 's-image';
const STARS = 'a-icon-alt';

function isResult(tag: MarkupScanner): boolean {
  return (
    tag.attribute('data-component-type') === 's-search-result' &&
    isAsin((tag.attribute('data-asin') ?? '').trim().toUpperCase())
  );
}

function pickCard(tag: MarkupScanner): string | null {
  return isResult(tag) ? 'card' : null;
}

/** Returns the key of the card part that a tag opens. */
function pieceOf(tag: MarkupScanner, classes: readonly string[]): string | null {
  const recipe = tag.attribute('data-cy');
  if (recipe === 'price-recipe' || recipe === 'secondary-offer-recipe') return recipe;
  if (tag.name === 'h2') return 'heading';
  if (tag.name === 'img' && classes.includes(IMAGE)) return 'image';
  if (classes.includes(STARS)) return 'stars';
  const label = tag.attribute('aria-label');
  if (label !== null && /^[\d,.]+(?: (?:ratings?|reviews?))?$/.test(label.trim())) return 'count';
  if (tag.name !== 'a') return null;
  return tag.attribute('href')?.includes('#customerReviews') === true ? 'reviews' : null;
}

const PICKERS = { names: new ClassNames([IMAGE, STARS]), pick: pickCard, pickPart: pieceOf };

function titleIn(card: string, pieces: readonly PageElement[]): string | null {
  // In some layouts the first heading is only the brand; the longest one is the title.
  const names = pieces
    .filter((piece) => piece.key === 'heading')
    .slice(0, 3)
    .map((piece) => attributeOf(card, piece, 'aria-label') ?? visibleText(card, piece, 1000) ?? '')
    .map((name) => cleanText(name, 1000))
    .toSorted((a, b) => b.length - a.length);
  return names[0] === undefined || names[0] === '' ? null : names[0];
}

/** Amounts under "More Buying Choices" belong to other sellers; they are not the card's price. */
function priceIn(card: string, pieces: readonly PageElement[]) {
  const own = pieces.find((piece) => piece.key === 'price-recipe');
  if (own !== undefined) return readPriceBlock(card.slice(own.from, own.to));
  const other = pieces.find((piece) => piece.key === 'secondary-offer-recipe');
  return readPriceBlock(other === undefined ? card : card.slice(0, other.start));
}

type Within = ElementsWithParts['within'];

function hitOf(html: string, element: PageElement, within: Within): Listing | null {
  const end = Math.min(element.to, element.from + CARD_LENGTH);
  const { html: card, parts: pieces } = within(element, end);
  const opening = html.slice(element.start, element.from);
  if (SPONSORED.some((mark) => hasWord(opening, mark) || hasWord(card, mark))) return null;
  const asin = (attributeOf(html, element, 'data-asin') ?? '').trim().toUpperCase();
  const title = titleIn(card, pieces);
  if (title === null) return null;
  const { price, struck } = priceIn(card, pieces);
  const textOf = (key: string): string | null => {
    const piece = pieces.find((each) => each.key === key);
    return piece === undefined ? null : visibleText(card, piece, 200);
  };
  const first = (key: string, attribute: string): string | null => {
    const piece = pieces.find((each) => each.key === key);
    return piece === undefined ? null : attributeOf(card, piece, attribute);
  };
  const bought = />\s*([^<>]{1,60} bought in past (?:month|week))\s*</.exec(card)?.[1] ?? null;
  const url = retailerAAddressBook.productUrl({
    kind: 'asin',
    value: asin,
    retailer: 'retailer_a',
  });
  const image = cleanText(first('image', 'src') ?? '', 2000);
  return {
    ...EMPTY_LISTING,
    asin,
    url,
    title,
    price,
    listPrice: namedListPriceOf(price, [struck]),
    imageUrl: absoluteUrl(image, null)?.href ?? null,
    condition: isRenewedTitle(title) ? 'refurbished' : null,
    rating: starsIn(textOf('stars')),
    reviewCount: countIn(first('count', 'aria-label')) ?? countIn(textOf('reviews')),
    soldTag: bought === null ? null : readSoldTag(bought),
  };
}

const RESULTS = wordToFind('results');
const TOTAL = /\b\d{1,4}-\d{1,4} of ([\d,]{1,11}) $/;
/** Length of the longest count before the word, including the text before the count. */
const TOTAL_LENGTH = 26;

/** Returns the count in "1-16 of 312 results"; null for "of over 20,000". */
function totalIn(html: string): number | null {
  for (let at = indexOfWord(html, RESULTS); at >= 0; at = indexOfWord(html, RESULTS, at + 1)) {
    const stated = TOTAL.exec(html.slice(Math.max(0, at - TOTAL_LENGTH), at))?.[1];
    if (stated !== undefined) return Number(stated.replaceAll(',', ''));
  }
  return null;
}

function found(hits: readonly Listing[], total: number | null, remarks: readonly string[]) {
  const value: RetailerAnswer = { kind: 'search', hits, total };
  return { kind: 'read', value, notes: { missing: [], remarks } } as const;
}

/**
 * Whether the page says that nothing was found. Nothing found "in" a department does not count, because hits of other departments
 * follow.
 */
function saysNothingFound(html: string): boolean {
  if (indexOfWord(html, NO_MATCH) >= 0) return true;
  const says = indexOfPattern(html, NO, NOTHING_FOUND);
  const said = says < 0 ? '' : plainTextOfHtml(html.slice(says, says + 400), 200);
  return says >= 0 && !/^No results for [^<]{0,80} in /.test(said);
}

/** Reads a search page answer. */
export function readSearchPage(page: Page): PageVerdict<RetailerAnswer> {
  const early = statusVerdict(page);
  if (early !== null) return early;
  const { text: html } = decodeBody(page.body, page.headers['content-type']);
  if (saysNothingFound(html)) {
    return found([], 0, ['the page says that nothing was found']);
  }
  const { elements, within } = elementsWithParts(html, PICKERS);
  const cards = elements.slice(0, HITS_KEPT);
  if (cards.length === 0) {
    const isList = html.includes('s-search-results') || html.includes('s-main-slot');
    if (isList) return found([], totalIn(html), []);
    return obstacleIn(html) ?? { kind: 'unreadable', why: 'not a result list of this retailer' };
  }
  const byAsin = new Map<string, Listing>();
  for (const card of cards) {
    const hit = hitOf(html, card, within);
    if (hit?.asin !== undefined && hit.asin !== null && !byAsin.has(hit.asin))
      byAsin.set(hit.asin, hit);
  }
  const left = cards.length - byAsin.size;
  return found([...byAsin.values()], totalIn(html), [`${left} advertisements left out`]);
}
