// Converts retailer_w's reply with all sellers of an item to offers in reply order.

import type { Condition } from '../../../base/listing/offer.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, listAt, textAt } from '../../page-data/json/json-path.ts';
import { countAt } from '../../page-data/json/json-values.ts';
import { parseScriptJson } from '../../page-data/json/bounded-json.ts';
import { absenceOf, isState, partsOf, readPageState } from './page-state.ts';
import { isStated, offerOf } from './state-offers.ts';

const OFFER_LIMIT = 500;

/** Returns the condition that the request was limited to: new for `conditionCodes: [1]`. */
function askedCondition(page: Page): Condition | null {
  if (!URL.canParse(page.requestedUrl)) return null;
  const variables = new URL(page.requestedUrl).searchParams.get('variables');
  const codes =
    variables === null ? [] : listAt(parseScriptJson(variables.slice(0, 4096)), 'conditionCodes');
  return codes.length === 1 && codes[0] === 1 ? 'new' : null;
}

/** Reads the seller list of an item. */
export function readOffersAnswer(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const state = readPageState(page, words);
  if (!isState(state)) return state;
  const { product } = partsOf(state.initial);
  if (!Array.isArray(at(product, 'allOffers'))) {
    if (product === null || listAt(state.initial, 'errors', 1).length > 0) {
      return absenceOf(state, 'product');
    }
    return { kind: 'unreadable', why: 'no offers in the answer' };
  }
  const list = {
    currency: state.currency,
    condition: askedCondition(page),
    boxId: textAt(product, 'offerId') ?? textAt(product, 'buyBoxOfferId'),
    words,
  };
  const offers = listAt(product, 'allOffers', OFFER_LIMIT)
    .map((node) => offerOf(node, list))
    .filter(isStated);
  const totalOffers =
    countAt(product, 'transactableOfferCount') ?? countAt(product, 'allOffersCount');
  const value: RetailerAnswer = { kind: 'offers', offers: { offers, totalOffers } };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
