// The store API of WooCommerce shops: exact prices with their currency, stock, and variations. It states no barcode.

import type { Listing } from '../../../base/listing/listing.ts';
import { isSameAmount } from '../../../base/listing/money/minor-units.ts';
import { joinedCodes } from '../../../base/listing/stated-codes.ts';
import { storeApiRequest } from '../../../read/retailers/store-api.ts';
import {
  joinedNotes,
  withoutListing,
  type DoorAnswer,
  type DoorQuestion,
  type Read,
  type ShopProtocol,
} from './doors.ts';

export const STORE_API: ShopProtocol = {
  door: 'store_api',
  isSpoken: ({ doors }) => doors.some(({ door, isThere }) => door === 'store_api' && isThere),
  recognize: ({ storeApi }) => storeApi,
  ask: askStoreApi,
};

/**
 * Asks for the variation that was chosen before, or for the product at the address. The page is read first if the stored
 * listing lacks the shop's product number, and once for a listing that counts for a barcode. At most two requests.
 */
async function askStoreApi(question: DoorQuestion): Promise<DoorAnswer> {
  const { url, detail, before } = question;
  const needsPage = before === null ? question.wantsBarcode : before.itemId === null;
  const page = question.page ?? (needsPage ? await question.readPage() : null);
  const shown = page?.result.kind === 'read' ? page.result : null;
  if (page !== null && shown === null) return { kind: 'failed' };
  const variation = shown === null ? before?.variantId : variantIn(shown);
  const request = detail === null ? null : storeApiRequest(detail, new URL(url), variation ?? null);
  if (request === null) return { kind: 'failed' };
  const answer = await question.ask(request, page === null);
  const { result } = answer.gathered;
  if (result.kind !== 'read') {
    // A product that is not in the catalog says nothing about the protocol.
    const isUnknown = answer.page !== null && saysUnknown(answer.page.body);
    return isUnknown ? { kind: 'failed' } : withoutListing(answer);
  }
  const { listing } = result;
  if (listing.price === null && listing.inStock !== false) return { kind: 'failed' };
  const isKnown = before !== null && isSameNumber(before, listing);
  if (before !== null && shown === null && !isKnown) return { kind: 'failed' };
  // The page shows what a buyer sees: amounts with or without tax, or for another country.
  if (shown !== null && contradicts(shown.listing, listing)) {
    return listing.variantId === null ? { kind: 'not_there' } : { kind: 'failed' };
  }
  const whole = completed(listing, shown?.listing ?? (isKnown ? before : null), shown !== null);
  const notes = joinedNotes(whole, shown === null ? [result] : [result, shown]);
  return {
    kind: 'answered',
    gathered: {
      ...answer.gathered,
      result: { ...result, listing: whole, notes, url: shown?.url ?? result.url },
      door: 'store_api',
      shopFacts: page?.shopFacts ?? null,
    },
  };
}

function variantIn({ listing, notes }: Read): string | null {
  return listing.variantId ?? notes.chosen?.id ?? null;
}

const UNKNOWN = Buffer.from('_invalid_id');

function saysUnknown(body: Uint8Array): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(UNKNOWN);
}

const isSameNumber = (a: Listing, b: Listing): boolean =>
  a.itemId !== null && a.itemId === b.itemId && a.variantId === b.variantId;

function contradicts(page: Listing, api: Listing): boolean {
  return page.price !== null && api.price !== null && !isSameAmount(page.price, api.price);
}

/**
 * Completes a listing with another one of the same product: with everything that a page states now, or with the codes that
 * were read before, which this protocol does not state.
 */
function completed(listing: Listing, other: Listing | null, isNow: boolean): Listing {
  if (other === null) return listing;
  const codes = joinedCodes([listing.codes, other.codes]);
  const sku = listing.sku ?? other.sku;
  const named = { ...listing, codes, sku, gtin: other.gtin, mpn: other.mpn };
  if (!isNow) return named;
  const isEmpty = (value: unknown) =>
    value === null || (Array.isArray(value) && value.length === 0);
  const gaps = Object.entries(other).filter(
    ([name]) => name !== 'listPrice' && isEmpty(listing[name as keyof Listing]),
  );
  return { ...named, ...Object.fromEntries(gaps), codes };
}
