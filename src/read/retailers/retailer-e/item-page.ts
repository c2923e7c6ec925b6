// Converts retailer_e's item page to a listing. Price and stock come from the visible page; structured data supplies the
// rest. Auctions, ended listings and converted amounts have no price: docs/retailers/retailer_e.md explains why.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing, Spec } from '../../../base/listing/listing.ts';
import { readMoney } from '../../../base/listing/money/money.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import { cleanText } from '../../../base/listing/text/text.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { measuresIn } from '../../page-data/specifications.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import { nearDay } from '../../page-data/near-day.ts';
import { readParsedPage } from '../generic/read-page.ts';
import { parsePage } from '../generic/parsed-page.ts';
import type { ParsedPage } from '../generic/parsed-page.ts';
import { isForNow } from '../error-names.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { idsIn, itemUrl } from './address-book.ts';
import { isItemAbroad, variationAbroad } from './other-countries.ts';
import { priceAndStock } from './item-price-and-stock.ts';
import type { ItemParts } from './item-price-and-stock.ts';
import {
  crumbsIn,
  elementsOf,
  elementsWithin,
  firstSeen,
  itemElements,
  pictureIn,
  seenText,
  specificsIn,
} from './item-elements.ts';
import type { ItemElements } from './item-elements.ts';
import { conditionOf, lotSizeIn, soldTagIn, specificFacts, stated } from './listing-values.ts';
import { sellerFacts } from './seller-element.ts';

/** The listing of an item page, with the parts needed for its single offer. */
export type ItemPage = {
  readonly listing: Listing;
  readonly shippingText: string | null;
  readonly returnsText: string | null;
  readonly remarks: readonly string[];
};

/** Texts for local pickup, which is not shipping and does not indicate its cost. */
const PICKUP = /^(?:free\s+)?(?:local\s+)?pick-?up\b/i;

/** Whether the item is shipped; null where the text does not say. */
function isShipped(text: string | null): boolean | null {
  if (text === null) return null;
  if (/\b(?:does(?: not|n['’]t)|will not) ship\b|local pickup only/i.test(text)) return false;
  return PICKUP.test(text) || /\bmay not ship\b/i.test(text) ? null : true;
}

/** Returns US cents from a shipping text; null for other currencies (D26). */
export function shippingCents(text: string | null): number | null {
  if (text === null || PICKUP.test(text)) return null;
  if (/^(?:\W*shipping:?\s*)?free\b/i.test(text)) return 0;
  const money = readMoney(text.split(/\(approx/i, 1)[0] ?? '', {
    currency: 'USD',
    isCharge: true,
  });
  return money?.currency === 'USD' ? money.cents : null;
}

/** Returns the value after a row label ("Shipping: US $5.00 ..."). */
function rowText(elements: ItemElements, key: string): string | null {
  const [row] = elementsOf(elements, key);
  if (row === undefined) return null;
  const [value] = elementsWithin(elements, row, 'value');
  return seenText(elements, value ?? row, 300);
}

function fulfillmentFacts(
  { elements, parsed }: ItemParts,
  shippingText: string | null,
): Pick<Listing, 'deliveryDate' | 'fulfillment'> {
  const cost = shippingCents(shippingText);
  const row = rowText(elements, 'delivery');
  const deliveryDate = row === null ? null : nearDay(row, parsed.page.fetchedAtMs);
  const available = isShipped(shippingText);
  if (available === null && deliveryDate === null) return { deliveryDate, fulfillment: null };
  const shipping = { available, costCents: cost, date: deliveryDate };
  return { deliveryDate, fulfillment: { shipping, delivery: null, pickup: null } };
}

/**
 * Returns the facts read only on pages of the US shop: address, item id, and delivery terms, which are in English and dollars
 * there. For another country's page, structured data is used.
 */
function ownFacts(parts: ItemParts, shippingText: string | null): Partial<Listing> {
  const { base, parsed, itemId, variantId } = parts;
  if (isItemAbroad(parsed.page.url)) {
    return { url: base.url ?? parsed.context.url?.href ?? null, itemId: null };
  }
  return {
    ...fulfillmentFacts(parts, shippingText),
    url: itemUrl(itemId, variantId) ?? base.url,
    itemId,
    sku: null,
  };
}

function conditionIn(parts: ItemParts, specs: readonly Spec[]): Listing['condition'] {
  const { words } = parts.parsed.context;
  const seen = words.note(conditionOf(null, firstSeen(parts.elements, ['condition'], 200)));
  if (seen !== null) return seen;
  const spec = specs.find(({ name }) => name.toLowerCase() === 'condition');
  return spec === undefined ? null : words.note(conditionOf(null, cleanText(spec.value, 100)));
}

function imageOf({ elements, parsed, base }: ItemParts): string | null {
  const tagged = parsed.html.metas.find(({ key }) => key === 'og:image')?.content ?? null;
  const address = base.imageUrl ?? pictureIn(elements) ?? tagged;
  return absoluteUrl(address, parsed.context.url)?.href ?? null;
}

function itemPageOf(parts: ItemParts, title: string): ItemPage {
  const { base, elements, variantId } = parts;
  const remarks: string[] = [];
  const specs = specificsIn(elements);
  const own = specificFacts(specs);
  const measures = measuresIn(specs);
  const shippingText = rowText(elements, 'shipping');
  const sales = firstSeen(elements, ['quantity']) ?? '';
  const listing: Listing = {
    ...base,
    ...priceAndStock(parts, remarks),
    ...sellerFacts(elements),
    ...ownFacts(parts, shippingText),
    variantId,
    title,
    gtin: own.gtin ?? base.gtin,
    brand: own.brand ?? stated(base.brand),
    mpn: own.mpn ?? stated(base.mpn),
    model: own.model ?? stated(base.model),
    packCount: own.packCount ?? lotSizeIn(sales),
    condition: conditionIn(parts, specs) ?? base.condition,
    imageUrl: imageOf(parts),
    categories: base.categories.length > 0 ? base.categories : crumbsIn(elements),
    specs: specs.length > 0 ? specs : base.specs,
    weightLbs: measures.weightLbs ?? base.weightLbs,
    weightPackageLbs: measures.weightPackageLbs,
    dimensions: measures.dimensions ?? base.dimensions,
    dimensionsPackage: measures.dimensionsPackage,
    soldTag: soldTagIn(sales) ?? soldTagIn(firstSeen(elements, ['sales'])),
  };
  return { listing, shippingText, returnsText: rowText(elements, 'returns'), remarks };
}

/** Texts of pages for a nonexistent item. */
const GONE =
  /^error page\b|looks like this page is missing|^(?:this|the) (?:listing|item)(?: you selected)? (?:(?:was|has been|is) (?:removed|unavailable)|ended)|^invalid item/i;

function otherVerdict(parsed: ParsedPage, page: Page): PageVerdict<never> {
  const obstacle = readObstacle(parsed.html, page);
  if (obstacle !== null) return obstacle;
  const names = [parsed.html.title, ...parsed.html.headings].filter((name) => name !== null);
  return names.some((name) => GONE.test(name) && !isForNow(name))
    ? { kind: 'not_found', why: 'an error page with status 200' }
    : { kind: 'unreadable', why: 'no item title' };
}

/** Parses an item page; returns a verdict for every other page. */
export function itemPage(
  page: Page,
  words: UnknownWords,
): { readonly kind: 'item'; readonly item: ItemPage } | PageVerdict<never> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page, words);
  const elements = itemElements(parsed.html.html);
  const asked = idsIn(page.url);
  const written = firstSeen(elements, ['number'], 40);
  const itemId =
    idsIn(parsed.context.canonical?.href ?? null).itemId ??
    asked.itemId ??
    (written !== null && /^\d{9,15}$/.test(written) ? written : null);
  const generic = readParsedPage(parsed);
  const base = generic.kind === 'read' ? generic.value : EMPTY_LISTING;
  // A page without known elements is an item page when structured data and address say so.
  const title = firstSeen(elements, ['title'], 1000) ?? (asked.itemId === null ? null : base.title);
  if (title === null) return otherVerdict(parsed, page);
  const variantId =
    asked.variantId ?? idsIn(page.requestedUrl).variantId ?? variationAbroad(page.url);
  return { kind: 'item', item: itemPageOf({ parsed, elements, base, itemId, variantId }, title) };
}

/** Reads an item page as a product. */
export function readItemPage(page: Page, words: UnknownWords): PageVerdict<Listing> {
  const read = itemPage(page, words);
  if (read.kind !== 'item') return read;
  const { listing, remarks } = read.item;
  return { kind: 'read', value: listing, notes: { missing: [], remarks } };
}
