// Reads the list of all sellers of an ASIN, an HTML fragment: the buy-box offer first, then the others. Ids repeat in it,
// so each offer is read as a separate piece. Checked against recorded lists of 2025 and 2026.

import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import { EMPTY_OFFER } from '../../../base/listing/offer.ts';
import type { Offer } from '../../../base/listing/offer.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { decodeEntities } from '../../../base/listing/text/text.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import {
  attributeOf,
  hasClass,
  pageElements,
  visibleText,
} from '../../page-data/html/page-elements.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';
import { isOwnSeller } from './address-book.ts';
import { deliveryOfText, readDelivery } from './delivery.ts';
import { SELLER_ID } from './merchant.ts';
import { readPriceBlock } from './price-block.ts';
import { countIn, starsIn } from './ratings.ts';
import { obstacleIn, statusVerdict } from './walls.ts';

const OFFERS_KEPT = 120;
const OFFER_LENGTH = 40_000;

const LIST_PARTS: ReadonlyMap<string, string> = new Map([
  ['aod-pinned-offer', 'pinned'],
  ['aod-pinned-offer-additional-content', 'pinned rest'],
  ['aod-offer', 'offer'],
  ['aod-total-offer-count', 'count'],
  ['aod-filter-no-offer-count-heading', 'empty'],
  ['aod-container', 'list'],
  ['aod-offer-list', 'list'],
]);

function partOfList(tag: MarkupScanner): string | null {
  const id = tag.attribute('id');
  const part = id === null ? undefined : LIST_PARTS.get(id);
  if (part !== undefined) return part;
  return (tag.attribute('class') ?? '').includes('aod-zero-offer-class') ? 'empty' : null;
}

const OFFER_PARTS: ReadonlyMap<string, string> = new Map([
  ['aod-offer-heading', 'heading'],
  ['aod-offer-price', 'price'],
  ['aod-offer-soldBy', 'sold by'],
  ['aod-offer-shipsFrom', 'ships from'],
  ['aod-offer-seller-rating', 'rating'],
  ['aod-offer-availability', 'availability'],
]);

function partOfOffer(tag: MarkupScanner): string | null {
  const id = tag.attribute('id');
  const part = id === null ? undefined : OFFER_PARTS.get(id);
  if (part !== undefined) return part;
  if (tag.name === 'a' && SELLER_ID.test(tag.attribute('href') ?? '')) return 'seller link';
  if (tag.name === 'input' && (tag.attribute('name') ?? '').startsWith('offeringID')) return 'id';
  return tag.attribute('data-aod-atc-action') === null ? null : 'action';
}

type OfferPiece = {
  readonly html: string;
  readonly first: (key: string) => PageElement | undefined;
  readonly all: (key: string) => readonly PageElement[];
  readonly text: (key: string) => string | null;
  readonly inner: (key: string) => string | null;
};

function pieceOf(html: string): OfferPiece {
  const parts = pageElements(html, partOfOffer);
  const first = (key: string): PageElement | undefined => parts.find((part) => part.key === key);
  return {
    html,
    first,
    all: (key) => parts.filter((part) => part.key === key),
    text: (key) => {
      const part = first(key);
      return part === undefined ? null : visibleText(html, part, 300);
    },
    inner: (key) => {
      const part = first(key);
      return part === undefined ? null : html.slice(part.from, part.to);
    },
  };
}

/** The column next to a label such as "Ships from", regardless of the label's language. */
const BESIDE_LABEL = new Set(['a-col-right']);

/** Returns the name without its label: "Sold by Some Shop", "Ships from Some Shop". */
function named(piece: OfferPiece, key: string, label: RegExp): string | null {
  const html = piece.inner(key) ?? '';
  const column = pageElements(html, (tag) => (hasClass(tag, BESIDE_LABEL) ? 'name' : null))[0];
  const text = column === undefined ? piece.text(key) : visibleText(html, column, 300);
  const name = text?.replace(label, '').trim() ?? '';
  return name === '' ? null : name;
}

/**
 * Returns the link to the seller's profile. The delivery line has a link with the same seller id ("Details", about its
 * charges), so if an offer has a "Sold by" line, only a link in it counts.
 */
function sellerLinkOf(piece: OfferPiece): PageElement | undefined {
  const line = piece.first('sold by');
  if (line === undefined) return piece.first('seller link');
  return piece.all('seller link').find((link) => link.start >= line.from && link.start < line.to);
}

function sellerOf(piece: OfferPiece): Pick<Offer, 'sellerId' | 'sellerName' | 'sellerType'> {
  const link = sellerLinkOf(piece);
  const id =
    link === undefined
      ? null
      : (SELLER_ID.exec(attributeOf(piece.html, link, 'href') ?? '')?.[1] ?? null);
  const linked = link === undefined ? null : visibleText(piece.html, link, 200);
  const name = linked ?? named(piece, 'sold by', /^sold by:?\s*/i);
  const own = isOwnSeller(id, name);
  return { sellerId: id, sellerName: name, sellerType: own === null ? null : own ? '1p' : '3p' };
}

function offerIdOf(piece: OfferPiece): string | null {
  const input = piece.first('id');
  const stated = input === undefined ? null : attributeOf(piece.html, input, 'value');
  const action = piece.first('action');
  const written =
    action === undefined ? '' : (attributeOf(piece.html, action, 'data-aod-atc-action') ?? '');
  const id = stated ?? /"oid":"([^"]{1,400})"/.exec(decodeEntities(written))?.[1] ?? '';
  return id.trim() === '' ? null : id.trim().slice(0, 400);
}

/** Values shared by every offer of the list. */
type ListContext = {
  /** Time of the fetch: a date without a year is near it. */
  readonly nearMs: number;
  readonly words: UnknownWords;
};

function quantityLeft(text: string): number | null {
  const left = /\bonly (\d{1,4}) left\b/i.exec(text)?.[1];
  return left === undefined ? null : Number(left);
}

/** Returns the stock from its line; without one, an offer with a price is in stock, or it would not be listed. */
function inStockOf(text: string | null, price: Money | null): boolean | null {
  if (text !== null && /currently unavailable|out of stock/i.test(text)) return false;
  return price === null ? null : true;
}

function deliveryOf(piece: OfferPiece, priceCents: number | null, nearMs: number) {
  const marked = readDelivery(piece.html, { nearMs, priceCents });
  if (marked !== null) return marked;
  const line = /(?:FREE delivery|Delivery)\b[^<]{0,40}<[^>]{0,200}>[^<]{1,60}/i.exec(
    piece.html,
  )?.[0];
  return line === undefined ? null : deliveryOfText(line.replaceAll(/<[^<>]*>/g, ' '), nearMs);
}

function offerOf(block: string, isBuyBox: boolean, list: ListContext): Offer | null {
  const { nearMs, words } = list;
  const piece = pieceOf(block);
  const { price, struck } = readPriceBlock(piece.inner('price') ?? piece.html);
  const seller = sellerOf(piece);
  if (price === null && seller.sellerName === null) return null;
  const rating = piece.text('rating');
  const ships = named(piece, 'ships from', /^ships from:?\s*/i);
  const fulfilled = ships === null ? null : isOwnSeller(null, ships);
  const delivery = deliveryOf(piece, price?.cents ?? null, nearMs);
  const condition = piece.text('heading');
  const availability = piece.text('availability');
  const cost = delivery?.costCents ?? null;
  return {
    ...EMPTY_OFFER,
    ...seller,
    offerId: offerIdOf(piece),
    sellerRating: starsIn(piece.inner('rating')?.replaceAll(/<[^<>]*>/g, ' ') ?? null),
    sellerReviewCount: countIn(
      /\([\d,]+ ratings?\)/.exec(rating ?? '')?.[0].replace(/ .*/, ')') ?? null,
    ),
    price,
    wasPrice: listPriceOf(price, [struck]),
    // A charge of zero is valid, unlike a price of zero (D26).
    shipping: cost === null ? null : { cents: cost, currency: price?.currency ?? 'USD' },
    isBuyBox,
    inStock: inStockOf(availability, price),
    condition: condition === null ? null : words.note(readCondition(condition)),
    fulfilledA: fulfilled,
    fulfilledByMarketplace: fulfilled,
    fulfillmentType: fulfilled === null ? null : fulfilled ? 'retailer' : 'marketplace',
    deliveryDate: delivery?.day ?? null,
    quantityAvailable: quantityLeft(availability ?? visibleTextOf(piece.html)),
  };
}

function visibleTextOf(html: string): string {
  return /\bonly \d{1,4} left\b/i.exec(html)?.[0] ?? '';
}

function sameOffer(a: Offer, b: Offer): boolean {
  return (
    a.sellerName === b.sellerName &&
    a.price?.cents === b.price?.cents &&
    a.condition === b.condition
  );
}

/** Returns the offers of the list. Some lists repeat the buy-box offer among the others. */
function offersIn(
  html: string,
  parts: readonly PageElement[],
  list: ListContext,
): readonly Offer[] {
  const rest = parts.find((part) => part.key === 'pinned rest');
  const blocks = parts.filter((part) => part.key === 'pinned' || part.key === 'offer');
  const offers: Offer[] = [];
  for (const block of blocks.slice(0, OFFERS_KEPT)) {
    const isPinned = block.key === 'pinned';
    // The seller of the pinned offer may follow it instead of being inside.
    const more = isPinned && rest !== undefined && rest.start >= block.to ? rest : null;
    const inner = html.slice(block.from, Math.min(block.to, block.from + OFFER_LENGTH));
    const after =
      more === null ? '' : html.slice(more.from, Math.min(more.to, more.from + OFFER_LENGTH));
    const offer = offerOf(inner + after, isPinned, list);
    const pinned = offers.find((each) => each.isBuyBox === true);
    if (offer === null || (!isPinned && pinned !== undefined && sameOffer(offer, pinned))) continue;
    offers.push(offer);
  }
  return offers;
}

/** Reads the seller list of an ASIN. */
export function readOfferList(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = statusVerdict(page);
  if (early !== null) return early;
  const { text: html } = decodeBody(page.body, page.headers['content-type']);
  const parts = pageElements(html, partOfList);
  if (parts.length === 0) {
    return obstacleIn(html) ?? { kind: 'unreadable', why: 'not a list of sellers' };
  }
  const offers = offersIn(html, parts, { nearMs: page.fetchedAtMs, words });
  const count = parts.find((part) => part.key === 'count');
  const others =
    count === undefined ? null : /^\d{1,6}$/.exec(attributeOf(html, count, 'value') ?? '');
  // The stated number does not count the pinned offer.
  const pinned = offers.filter((offer) => offer.isBuyBox === true).length;
  const stated = others === null ? null : Number(others[0]) + pinned;
  const isEmpty = offers.length === 0 && parts.some((part) => part.key === 'empty');
  const totalOffers = isEmpty ? 0 : stated === null ? null : Math.max(stated, offers.length);
  return {
    kind: 'read',
    value: { kind: 'offers', offers: { offers, totalOffers } },
    notes: { missing: [], remarks: [] },
  };
}
