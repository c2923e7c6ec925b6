// The sheet's data of one product: its record with cells, in a form that fits a journal line and a table row. Pure.

import { hundredths } from '../../base/dollars.ts';
import { hasFulfillmentProgram, isKnownSlug, KNOWN_SLUGS } from '../../base/retailer.ts';
import { isOtherPack, packsOf } from '../../rules/product/cost-factor.ts';
import { warningsThatHold } from '../../rules/product/warnings.ts';
import type { ProductRecord } from '../../answer/wire/record/product-record.ts';

/** The record without the fields that only a charged call has. */
export type FoundRecord = Omit<ProductRecord, 'tokens_consumed' | 'tokens_remaining'>;
type Cell = NonNullable<ProductRecord['cross_retailer']>[string];

/** A marketplace where the product could be sold, with the fees on its price there, in US cents. */
export type SellingPlace = {
  readonly retailer: string;
  readonly priceCents: number;
  readonly referralCents: number;
  readonly fulfillmentCents: number;
  /** Pieces in its pack, as stated in its listing; null if it states none. */
  readonly packCount: number | null;
};

export type FoundProduct = {
  readonly gtin: string | null;
  readonly upc: string | null;
  readonly isbn: string | null;
  readonly asin: string | null;
  readonly itemId: string | null;
  readonly title: string | null;
  readonly brand: string | null;
  /** The currency of prices, if the record states it. */
  readonly currency?: string;
  readonly best: { readonly retailer: string; readonly price: number; readonly url: string } | null;
  /** Prices by retailer; a retailer without a price is left out. */
  readonly prices: Readonly<Record<string, number>>;
  readonly currentPrice: number | null;
  readonly buyBoxPrice: number | null;
  readonly offers: number | null;
  readonly packCount: number | null;
  readonly unitPrice: number | null;
  readonly salesRank: number | null;
  readonly salesRankCategory: string | null;
  readonly inStock: boolean | null;
  readonly selling: SellingPlace | null;
  /** Every marketplace where it could be sold, in retailer order. */
  readonly places: readonly SellingPlace[];
  /** Doubts about a price, or why there is none, as in `retailer_a unconfirmed`. */
  readonly warnings: readonly string[];
  readonly refreshedAt: string;
};

/** Checks whether a retailer still has to be asked for it. */
export function isIndexing(record: FoundRecord): boolean {
  return Object.values(record.cross_retailer ?? {}).some(({ status }) => status === 'indexing');
}

/** Counts how many retailers have answered, of all that were asked or will be. */
export function answeredCells(record: FoundRecord): {
  readonly done: number;
  readonly all: number;
} {
  const cells = Object.values(record.cross_retailer ?? {});
  return { done: cells.filter(({ status }) => status !== 'indexing').length, all: cells.length };
}

/** Returns the parts of a record that are stored. */
export function foundProduct(record: FoundRecord): FoundProduct {
  const cells = Object.values(record.cross_retailer ?? {});
  const rank = cells.find((each) => each.sales_rank !== null)?.sales_rank ?? record.sales_rank;
  const places = sellingPlaces(cells, record);
  const selling = bestPlace(places, record);
  return {
    gtin: record.gtin,
    upc: record.upc,
    isbn: record.isbn,
    asin: record.asin ?? asinIn(cells, record),
    itemId: record.item_id,
    title: record.title,
    brand: record.brand,
    ...(record.currency === undefined ? {} : { currency: record.currency }),
    best: bestOf(record),
    prices: Object.fromEntries(
      cells.flatMap(({ retailer, price }) => (price === null ? [] : [[retailer, price]])),
    ),
    currentPrice: record.current_price,
    buyBoxPrice: record.buybox_price,
    offers: record.total_offers ?? record.offers_count,
    packCount: record.pack_count,
    unitPrice: record.unit_price?.price ?? null,
    salesRank: rank?.[0]?.rank ?? null,
    salesRankCategory: rank?.[0]?.category ?? null,
    inStock: record.in_stock,
    selling,
    places,
    warnings: warningsOf(cells, record, selling),
    refreshedAt: record._freshness.refreshed_at,
  };
}

function bestOf({ best_price: best }: FoundRecord): FoundProduct['best'] {
  return best === null || best === undefined
    ? null
    : { retailer: best.retailer, price: best.price, url: best.url };
}

/** Returns the ASIN in the address of retailer_a's listing, if that is tied to the barcode. */
function asinIn(cells: readonly Cell[], record: FoundRecord): string | null {
  const cell = cells.find(({ retailer }) => retailer === 'retailer_a');
  if (cell === undefined || !isTied(cell, record)) return null;
  return /\/dp\/([A-Z0-9]{10})(?:[/?]|$)/.exec(cell.url ?? '')?.[1] ?? null;
}

/**
 * Checks whether the record states the barcode, or its page prints it, and nothing contradicts it. A guess may be another
 * product.
 */
function isTied(cell: Cell, record: FoundRecord): boolean {
  const { identity } = cell;
  if (identity === null || (identity.disputed ?? null) !== null) return false;
  return identity.state === 'confirmed' || printsBarcode(cell, record);
}

/**
 * Checks whether one of the seven retailers prints the barcode: anyone can publish another shop's page (D57). The code of a
 * case of the same item is another code. A listing that is neither the record's nor its retailer's answer, which has a source,
 * may be another product (D80).
 */
function printsBarcode(
  { retailer, identity, _source }: Cell,
  { gtin, _meta }: FoundRecord,
): boolean {
  const isPrinted = identity?.state === 'unconfirmed' && identity.page_barcode === gtin;
  const isItsOwn = _source !== null || retailer === _meta.price_source;
  return gtin !== null && isPrinted && isItsOwn && isKnownSlug(retailer);
}

/** Returns the marketplaces where the product could be sold, in retailer order. */
function sellingPlaces(cells: readonly Cell[], record: FoundRecord): readonly SellingPlace[] {
  // Fees are known in dollars only: nothing is converted (D87).
  if ((record.currency ?? 'USD') !== 'USD') return [];
  const isAlone = cells.length === 1 && record.gtin === null;
  const places = cells.flatMap((cell) => {
    const fees = cell.seller_context;
    const referral = fees?.referral_fee_usd ?? null;
    const fulfillment =
      fees?.fulfillment_fee_usd ?? (hasFulfillmentProgram(cell.retailer) ? null : 0);
    const isForSale =
      cell.price !== null &&
      cell.in_stock !== false &&
      cell.unavailable !== true &&
      (isAlone || isTied(cell, record));
    // A price that may not be meant for any buyer is not a price to sell at, nor to buy at (D60).
    if (
      !isForSale ||
      cell.price_suspect !== undefined ||
      cell.price === null ||
      referral === null ||
      fulfillment === null
    )
      return [];
    return [
      {
        retailer: cell.retailer,
        priceCents: hundredths(cell.price),
        referralCents: hundredths(referral),
        fulfillmentCents: hundredths(fulfillment),
        packCount: cell.pack_count,
      },
    ];
  });
  return places.toSorted((a, b) => orderOf(a.retailer) - orderOf(b.retailer));
}

/** Returns the marketplace where one piece leaves most after fees; of equals, the first. */
function bestPlace(places: readonly SellingPlace[], record: FoundRecord): SellingPlace | null {
  /** Returns the amount that one piece leaves after fees. */
  const leftOf = ({ priceCents, referralCents, fulfillmentCents, packCount }: SellingPlace) =>
    (priceCents - referralCents - fulfillmentCents) / packsOf(packCount, record.pack_count).sold;
  return places.reduce<SellingPlace | null>(
    (best, each) => (best === null || leftOf(each) > leftOf(best) ? each : best),
    null,
  );
}

function orderOf(retailer: string): number {
  const at = KNOWN_SLUGS.findIndex((slug) => slug === retailer);
  return at === -1 ? KNOWN_SLUGS.length : at;
}

function warningsOf(
  cells: readonly Cell[],
  record: FoundRecord,
  selling: SellingPlace | null,
): readonly string[] {
  const pack = record.pack_count;
  const own = cells
    .toSorted((a, b) => orderOf(a.retailer) - orderOf(b.retailer))
    .flatMap((cell) => cellWarnings(cell, pack).map((word) => `${cell.retailer} ${word}`));
  const { price_suspect: suspect, native_price: foreign, price_source: source } = record._meta;
  const isAnySuspect = cells.some((cell) => cell.price_suspect !== undefined);
  // A doubt about the anchor's own price is in its cell too, if it has one.
  const all = [
    ...own,
    ...(suspect === undefined ? [] : [`${source ?? 'price'} suspect_price`]),
    ...(foreign === undefined ? [] : [`${source ?? 'price'} foreign_currency`]),
    ...(record.restriction?.flag === true ? [`${source ?? 'product'} restricted`] : []),
    ...(selling === null && !isAnySuspect ? ['no_fees'] : []),
  ];
  return [...new Set(all)];
}

/** Returns warnings in the words of a comparison, and the states with nothing to show. */
function cellWarnings(cell: Cell, pack: number | null): readonly string[] {
  const { status, identity } = cell;
  if (status === 'blocked' || status === 'error' || status === 'indexing') return [status];
  if (status === 'not_found') return [];
  if (identity?.state === 'mismatch') return ['mismatch'];
  if (cell.url === null) return [];
  return warningsThatHold({
    other_pack: isOtherPack(packsOf(cell.pack_count, pack)),
    disputed: (identity?.disputed ?? null) !== null,
    unconfirmed: identity?.state === 'unconfirmed',
    out_of_stock: cell.in_stock === false || cell.unavailable === true,
    stale: status === 'stale',
    suspect_price: cell.price_suspect !== undefined,
    hazmat: cell.hazmat === true,
  });
}
