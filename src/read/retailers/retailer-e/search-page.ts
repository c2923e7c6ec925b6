// Converts retailer_e's search results page to listings with few facts. Excludes placeholder cards ("Shop on ...") and the
// "results matching fewer words". A search that redirects to an item is that item.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { readMoney } from '../../../base/listing/money/money.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import { ClassNames } from '../../page-data/html/class-names.ts';
import { readHtml } from '../../page-data/html/html.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import {
  attributeOf,
  elementsWithParts,
  firstText,
  visibleText,
} from '../../page-data/html/page-elements.ts';
import type { PageElement, TextWithParts } from '../../page-data/html/page-elements.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { idsIn, itemUrl } from './address-book.ts';
import { conditionOf } from './listing-values.ts';

/** Elements after which the hits belong to another, broader search. */
const REWRITTEN = ['srp-river-answer--REWRITE_START', 'srp-save-null-search'];
const COUNT = 'srp-controls__count-heading';
const CARDS = ['s-item', 's-card'];
/** A notice in the same place that repeated or distant results were omitted. The hits of the search continue after it. */
const SIMPLIFIED = /\b(?:simplif|streamlin)\w*/i;
const CARD_LENGTH = 60_000;

function pickCard(tag: MarkupScanner, classes: readonly string[]): string | null {
  if (classes.length === 0) return null;
  if (tag.name === 'li' && classes.some((name) => CARDS.includes(name))) return 'card';
  if (classes.some((name) => REWRITTEN.includes(name))) return 'rewritten';
  return classes.includes(COUNT) ? 'count' : null;
}

const PARTS: ReadonlyMap<string, string> = new Map([
  ['s-item__title', 'title'],
  ['s-card__title', 'title'],
  ['s-item__price', 'price'],
  ['s-card__price', 'price'],
  ['s-item__trending-price', 'was'],
  ['STRIKETHROUGH', 'was'],
  ['strikethrough', 'was'],
  ['s-item__subtitle', 'subtitle'],
  ['s-card__subtitle', 'subtitle'],
  ['s-item__bids', 'bids'],
  ['s-item__bidCount', 'bids'],
  ['s-item__link', 'link'],
  ['s-card__link', 'link'],
  ['su-link', 'link'],
]);

/** Returns the key of the part with these classes. */
function partNamed(classes: readonly string[]): string | null {
  let first: string | null = null;
  for (const name of classes) {
    const key = PARTS.get(name) ?? null;
    // A struck-through price is a price element too.
    if (key === 'was') return key;
    first ??= key;
  }
  return first;
}

function pickPart(tag: MarkupScanner, classes: readonly string[]): string | null {
  const key = classes.length === 0 ? null : partNamed(classes);
  if (key !== null) return key;
  if (tag.name === 'img') return 'image';
  return tag.name === 'a' ? 'link' : null;
}

const PICKERS = {
  names: new ClassNames([...CARDS, ...REWRITTEN, COUNT, ...PARTS.keys()]),
  pick: pickCard,
  pickPart,
};

type Card = TextWithParts;

/** Returns the title without the site's "New Listing" prefix and screen reader suffix. */
function titleOf(card: Card): string | null {
  const text = firstText(card.html, card.parts, 'title');
  if (text === null) return null;
  const title = text
    .replace(/^new listing\s*/i, '')
    .replace(/\s*opens in a new window or tab$/i, '');
  return title === '' || /^shop on \w{1,20}$/i.test(title) ? null : title;
}

function imageOf({ html, parts }: Card, base: URL | null): string | null {
  const image = parts.find(({ key }) => key === 'image');
  if (image === undefined) return null;
  const source = attributeOf(html, image, 'data-defer-load') ?? attributeOf(html, image, 'src');
  return absoluteUrl(source, base)?.href ?? null;
}

/** Returns the prices of a card. A card with bids shows the current bid, which is not a price. */
function pricesOf(card: Card): Pick<Listing, 'price' | 'listPrice'> {
  const isAuction =
    firstText(card.html, card.parts, 'bids') !== null ||
    (namesBids(card.html) &&
      /\b\d{1,5} bids?\b/i.test(visibleText(card.html, whole(card), 4000) ?? ''));
  const text = firstText(card.html, card.parts, 'price');
  if (isAuction || text === null) return { price: null, listPrice: null };
  const price = readMoney(text, { currency: 'USD' });
  const was = readMoney(firstText(card.html, card.parts, 'was') ?? '', { currency: 'USD' });
  return { price, listPrice: listPriceOf(price, [was]) };
}

/**
 * Whether a card mentions bids. Compares letters: a pattern takes three times as long, and was a twentieth of the time to read
 * a page.
 */
function namesBids(html: string): boolean {
  return html.includes('bid') || html.includes('Bid');
}

function whole({ html }: Card): PageElement {
  return { key: 'card', name: 'li', start: 0, from: 0, to: html.length };
}

/** Returns the ids in the first of its links that leads to an item. */
function idsOf({ html, parts }: Card, base: URL | null): ReturnType<typeof idsIn> | null {
  const links = parts.filter(({ key }) => key === 'link').slice(0, 10);
  for (const link of links) {
    const ids = idsIn(absoluteUrl(attributeOf(html, link, 'href'), base));
    if (ids.itemId !== null) return ids;
  }
  return null;
}

function hitOf(card: Card, base: URL | null): Listing | null {
  const title = titleOf(card);
  if (title === null) return null;
  const ids = idsOf(card, base);
  if (ids === null) return null;
  return {
    ...EMPTY_LISTING,
    ...ids,
    url: itemUrl(ids.itemId, ids.variantId),
    title,
    imageUrl: imageOf(card, base),
    ...pricesOf(card),
    // Sellers write arbitrary text there, so an unknown word is not recorded.
    condition: conditionOf(null, firstText(card.html, card.parts, 'subtitle')).meaning,
    sellerType: '3p',
  };
}

function totalIn(text: string | null): number | null {
  const digits =
    text === null ? undefined : /^\D{0,20}(\d[\d,]{0,14})\+?\s+results?/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits.replaceAll(',', ''));
}

/** Returns the end of a card, which is the start of the next one, even if the card is not closed. */
function endOf(card: PageElement, next: PageElement | undefined): number {
  return Math.min(card.to, next?.start ?? card.to, card.from + CARD_LENGTH);
}

/** Reads a search results page; without results the list is empty. */
export function readSearchPage(page: Page): PageVerdict<{
  readonly hits: readonly Listing[];
  readonly total: number | null;
}> {
  const early = readStatus(page);
  if (early !== null) return early;
  const { text } = decodeBody(page.body, page.headers['content-type']);
  const { elements, within } = elementsWithParts(text, PICKERS);
  const count = elements.find(({ key }) => key === 'count');
  const total = totalIn(count === undefined ? null : visibleText(text, count, 200));
  const cards = elements.filter(({ key }) => key === 'card');
  if (cards.length === 0 && total === null) {
    const obstacle = readObstacle(readHtml(text), page);
    return obstacle ?? { kind: 'unreadable', why: 'no list of results' };
  }
  const isEnd = (each: PageElement): boolean =>
    each.key === 'rewritten' && !SIMPLIFIED.test(visibleText(text, each, 400) ?? '');
  const end = elements.find(isEnd)?.start ?? text.length;
  const base = absoluteUrl(page.url, null);
  const hits =
    total === 0
      ? []
      : cards
          .filter(({ start }) => start < end)
          .map((card, index) => hitOf(within(card, endOf(card, cards[index + 1])), base))
          .filter((hit) => hit !== null);
  return { kind: 'read', value: { hits, total }, notes: { missing: [], remarks: [] } };
}
