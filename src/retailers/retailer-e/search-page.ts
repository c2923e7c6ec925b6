// retailer_e's page of search results -> listings with few facts. Without placeholder cards ("Shop on ...") and without
// the "results matching fewer words". A search that redirects to an item is that item.

import { EMPTY_LISTING } from '../../listing/listing.ts';
import type { Listing } from '../../listing/listing.ts';
import { readMoney } from '../../listing/money.ts';
import type { Page, PageVerdict } from '../../listing/page.ts';
import { decodeBody } from '../../page-data/charset.ts';
import { readHtml } from '../../page-data/html.ts';
import type { MarkupScanner } from '../../page-data/markup.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import {
  attributeOf,
  firstText,
  hasClass,
  pageElements,
  visibleText,
} from '../../page-data/page-elements.ts';
import type { PageElement } from '../../page-data/page-elements.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { idsIn, itemUrl } from './address-book.ts';
import { conditionOf } from './listing-values.ts';

const CARDS = new Set(['s-item', 's-card']);
/** Elements after which the hits are of another, wider search. */
const REWRITTEN = new Set(['srp-river-answer--REWRITE_START', 'srp-save-null-search']);
/** A notice in their place that repeated or distant results were left out: the hits go on behind it. */
const SIMPLIFIED = /\b(?:simplif|streamlin)\w*/i;
const COUNT = new Set(['srp-controls__count-heading']);
const CARD_LENGTH = 60_000;

function pickCard(tag: MarkupScanner): string | null {
  if (tag.name === 'li' && hasClass(tag, CARDS)) return 'card';
  if (hasClass(tag, REWRITTEN)) return 'rewritten';
  return hasClass(tag, COUNT) ? 'count' : null;
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

/** What the names of parts begin with. */
const PART_CLASS = /s-(?:item|card)__|su-link|strikethrough/i;

function pickPart(tag: MarkupScanner): string | null {
  const classes = tag.attribute('class');
  const names =
    classes !== null && PART_CLASS.test(classes) ? classes.slice(0, 1000).split(/\s+/) : [];
  const keys = names.map((name) => PARTS.get(name)).filter((key) => key !== undefined);
  // A struck-through price is a price element too.
  const key = keys.includes('was') ? 'was' : keys[0];
  if (key !== undefined) return key;
  if (tag.name === 'img') return 'image';
  return tag.name === 'a' ? 'link' : null;
}

type Card = { readonly html: string; readonly parts: readonly PageElement[] };

/** The title without "New Listing" before it and the hint for screen readers after it, which the site adds. */
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

/** The prices of a card. A card with bids shows the current bid, which is not a price. */
function pricesOf(card: Card): Pick<Listing, 'price' | 'listPrice'> {
  const isAuction =
    firstText(card.html, card.parts, 'bids') !== null ||
    (/\bbids?\b/i.test(card.html) &&
      /\b\d{1,5} bids?\b/i.test(visibleText(card.html, whole(card), 4000) ?? ''));
  const text = firstText(card.html, card.parts, 'price');
  if (isAuction || text === null) return { price: null, listPrice: null };
  const price = readMoney(text, { currency: 'USD' });
  const was = readMoney(firstText(card.html, card.parts, 'was') ?? '', { currency: 'USD' });
  const isHigher =
    price !== null && was !== null && was.currency === price.currency && was.cents > price.cents;
  return { price, listPrice: isHigher ? was : null };
}

function whole({ html }: Card): PageElement {
  return { key: 'card', name: 'li', start: 0, from: 0, to: html.length };
}

/** The ids in the first of its links that leads to an item. */
function idsOf({ html, parts }: Card, base: URL | null): ReturnType<typeof idsIn> | null {
  const links = parts.filter(({ key }) => key === 'link').slice(0, 10);
  for (const link of links) {
    const ids = idsIn(absoluteUrl(attributeOf(html, link, 'href'), base));
    if (ids.itemId !== null) return ids;
  }
  return null;
}

function hitOf(html: string, base: URL | null): Listing | null {
  const card = { html, parts: pageElements(html, pickPart) };
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
    // Sellers write any text there, so an unknown word is not noted.
    condition: conditionOf(null, firstText(card.html, card.parts, 'subtitle')).meaning,
    sellerType: '3p',
  };
}

function totalIn(text: string | null): number | null {
  const digits =
    text === null ? undefined : /^\D{0,20}(\d[\d,]{0,14})\+?\s+results?/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits.replaceAll(',', ''));
}

/** The HTML of a card. It ends where the next begins, even if it is not closed. */
function ownHtml(text: string, card: PageElement, next: PageElement | undefined): string {
  const to = Math.min(card.to, next?.start ?? text.length, card.from + CARD_LENGTH);
  return text.slice(card.from, to);
}

/** Reads a page of search results; without results the list is empty. */
export function readSearchPage(page: Page): PageVerdict<{
  readonly hits: readonly Listing[];
  readonly total: number | null;
}> {
  const early = readStatus(page);
  if (early !== null) return early;
  const { text } = decodeBody(page.body, page.headers['content-type']);
  const elements = pageElements(text, pickCard);
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
          .map((card, index) => hitOf(ownHtml(text, card, cards[index + 1]), base))
          .filter((hit) => hit !== null);
  return { kind: 'read', value: { hits, total }, notes: { missing: [], remarks: [] } };
}
