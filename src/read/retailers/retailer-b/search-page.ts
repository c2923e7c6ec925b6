// Converts retailer_b's search results page to listings with few facts. Advertisements have another class, and entries not
// rendered yet are empty; both are excluded.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { readMoney } from '../../../base/listing/money/money.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import { readHtml } from '../../page-data/html/html.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';
import { countAt } from '../../page-data/json/json-values.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import {
  attributeOf,
  firstText,
  hasClass,
  pageElements,
  visibleText,
} from '../../page-data/html/page-elements.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';
import { parseJson } from '../../page-data/json/bounded-json.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { idsIn, isComboUrl, isSku, pageUrl } from './address-book.ts';
import { conditionInTitle } from './title-words.ts';

const ENTRIES = new Set(['product-list-item', 'sku-item']);
const NOTHING = new Set(['no-results-message', 'no-results']);
const ENTRY_LENGTH = 100_000;

function pickEntry(tag: MarkupScanner): string | null {
  if (tag.name === 'li' && hasClass(tag, ENTRIES)) return 'entry';
  return hasClass(tag, NOTHING) ? 'nothing' : null;
}

const CLASSES: ReadonlyMap<string, string> = new Map([
  ['product-title', 'title'],
  ['sku-title', 'title'],
  ['priceView-customer-price', 'price'],
  ['pricing-price__regular-price', 'was'],
]);

function pickPart(tag: MarkupScanner): string | null {
  switch (tag.attribute('data-testid')) {
    case 'price-block-customer-price':
      return 'price';
    case 'price-block-regular-price-message-text':
      return 'was';
    default:
      break;
  }
  const classes = tag.attribute('class');
  for (const name of classes === null ? [] : classes.slice(0, 1000).split(/\s+/)) {
    const key = CLASSES.get(name);
    if (key !== undefined) return key;
  }
  if (tag.name === 'img') return 'image';
  return tag.name === 'a' ? 'link' : null;
}

type Entry = { readonly html: string; readonly parts: readonly PageElement[] };

function ratingOf(text: string): Pick<Listing, 'rating' | 'reviewCount'> {
  const match = /rating (\d(?:\.\d{1,2})?) out of 5 stars with (\d[\d,]{0,11}) reviews?/i.exec(
    text,
  );
  if (match === null) return { rating: null, reviewCount: null };
  const stars = Number(match[1]);
  return {
    rating: stars > 0 && stars <= 5 ? stars : null,
    reviewCount: Number((match[2] ?? '').replaceAll(',', '')),
  };
}

/** Returns the first amount that is not a monthly rate. */
function moneyOf({ html, parts }: Entry, key: string): Money | null {
  for (const part of parts.filter((each) => each.key === key).slice(0, 4)) {
    const money = readMoney(visibleText(html, part, 200) ?? '', { currency: 'USD' });
    if (money !== null) return money;
  }
  return null;
}

function pricesOf(entry: Entry): Pick<Listing, 'price' | 'listPrice'> {
  const price = moneyOf(entry, 'price');
  return { price, listPrice: listPriceOf(price, [moneyOf(entry, 'was')]) };
}

type PageIds = { readonly sku: string | null; readonly base: URL | null };

function hitOf(html: string, { sku, base }: PageIds): Listing | null {
  const entry = { html, parts: pageElements(html, pickPart) };
  const title = firstText(entry.html, entry.parts, 'title');
  if (title === null) return null;
  const links = entry.parts
    .filter(({ key }) => key === 'link')
    .slice(0, 10)
    .map((link) => absoluteUrl(attributeOf(html, link, 'href'), base)?.href ?? null);
  // The price of a combination is not the price of its first product.
  if (links.some((link) => link !== null && isComboUrl(link))) return null;
  const ids = links
    .map((link) => idsIn(link))
    .find(({ itemId, productId }) => itemId !== null || productId !== null);
  const itemId = sku ?? ids?.itemId ?? null;
  const productId = ids?.productId ?? null;
  if (itemId === null && productId === null) return null;
  const image = entry.parts.find(({ key }) => key === 'image');
  const source = image === undefined ? null : attributeOf(html, image, 'src');
  return {
    ...EMPTY_LISTING,
    url: pageUrl(itemId, productId),
    itemId,
    productId,
    title,
    imageUrl: absoluteUrl(source, base)?.href ?? null,
    ...pricesOf(entry),
    ...ratingOf(html),
    condition: conditionInTitle(title),
  };
}

function skuOf(html: string, entry: PageElement): string | null {
  for (const name of ['data-product-id', 'data-sku-id', 'data-testid']) {
    const value = attributeOf(html, entry, name);
    if (value !== null && isSku(value)) return value;
  }
  return null;
}

/** Returns the HTML of an entry. It ends where the next begins, even if it is not closed. */
function ownHtml(text: string, entry: PageElement, next: PageElement | undefined): string {
  const to = Math.min(entry.to, next?.start ?? text.length, entry.from + ENTRY_LENGTH);
  return text.slice(entry.from, to);
}

/** Reads a search results page; without results the list is empty. */
export function readSearchPage(page: Page): PageVerdict<{
  readonly hits: readonly Listing[];
  readonly total: number | null;
}> {
  const early = readStatus(page);
  if (early !== null) return early;
  const { text } = decodeBody(page.body, page.headers['content-type']);
  const elements = pageElements(text, pickEntry);
  const html = readHtml(text);
  const tag = html.metas.find(({ key }) => key === 'analytics-metadata')?.content ?? '';
  const total = tag.startsWith('{') ? countAt(parseJson(tag), 'page.listCount') : null;
  const isEmpty = elements.some(({ key }) => key === 'nothing') || total === 0;
  const entries = elements.filter(({ key }) => key === 'entry');
  if (entries.length === 0 && !isEmpty && total === null) {
    const obstacle = readObstacle(html, page);
    return obstacle ?? { kind: 'unreadable', why: 'no list of results' };
  }
  const base = absoluteUrl(page.url, null);
  const hits = (isEmpty ? [] : entries)
    .map((entry, index) =>
      hitOf(ownHtml(text, entry, entries[index + 1]), { sku: skuOf(text, entry), base }),
    )
    .filter((hit) => hit !== null);
  const value = { hits, total: isEmpty ? 0 : total };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
