// Converts retailer_e's item page to a list of offers: a listing belongs to one seller, so there is one.

import { offerOfListing } from '../../../base/listing/listing-offer.ts';
import type { Offer } from '../../../base/listing/offer.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { idsIn } from './address-book.ts';
import { itemPage, shippingCents } from './item-page.ts';
import type { ItemPage } from './item-page.ts';

/** Parses "30 days, buyer pays return shipping", "Seller does not accept returns". */
function returnFacts(
  text: string | null,
): Pick<Offer, 'returnable' | 'returnWindowDays' | 'freeReturns'> {
  if (text === null) return { returnable: null, returnWindowDays: null, freeReturns: null };
  if (/does(?:n['’]t| not) accept returns|^no returns|returns not accepted/i.test(text)) {
    return { returnable: false, returnWindowDays: null, freeReturns: false };
  }
  const days = /\b(\d{1,3})\s?days?\b/i.exec(text)?.[1];
  const isFree = /free returns?|seller pays/i.test(text);
  const isPaid = /buyer pays/i.test(text);
  return {
    returnable: days === undefined ? null : true,
    returnWindowDays: days === undefined ? null : Number(days),
    freeReturns: isFree || isPaid ? isFree : null,
  };
}

function offerOf({ listing, shippingText, returnsText }: ItemPage): Offer {
  const cents = shippingCents(shippingText);
  return {
    ...offerOfListing(listing),
    offerId: listing.itemId,
    sellerId: listing.sellerId ?? listing.sellerName,
    shipping: cents === null ? null : { cents, currency: 'USD' },
    ...returnFacts(returnsText),
  };
}

export function readItemOffers(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const read = itemPage(page, words);
  if (read.kind !== 'item') return read;
  const { item } = read;
  // The page of an ended listing may redirect to another listing, whose seller and price do not apply to the requested one.
  const asked = idsIn(page.requestedUrl).itemId;
  const shown = item.listing.itemId;
  if (asked !== null && shown !== null && shown !== asked) {
    return { kind: 'not_found', why: 'the page shows another listing' };
  }
  const offers = { offers: [offerOf(item)], totalOffers: 1 };
  const notes = { missing: [], remarks: item.remarks };
  return { kind: 'read', value: { kind: 'offers', offers }, notes };
}
