// The call behind a card. It begins before the page is changed, because the card waits for nothing else.

import { call, productPath } from './api.js';
import { currencyQuery } from './currency.js';

/** @typedef {import('../src/answer/wire/record/product-record.ts').ProductRecord} ProductRecord */
/** @typedef {import('./api.js').Answer<ProductRecord>} ProductAnswer */
/**
 * @typedef {{ answer: Promise<ProductAnswer>, say: (words: string | null) => void }} AskedProduct `say` receives the reason
 * for waiting
 */

const QUERY = 'include_cross_retailer=true&identifier_match=any&include_fee_breakdown=true';

/** @param {string} id */
export function lookPath(id) {
  return `${productPath(id)}?${QUERY}${currencyQuery('&')}`;
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {AskedProduct}
 */
export function askProduct(id, signal) {
  /** @type {AskedProduct} */
  const asked = {
    answer: call(lookPath(id), { signal, waiting: (words) => asked.say(words) }),
    say: () => undefined,
  };
  return asked;
}

/** @param {ProductRecord} record */
export function isIndexing(record) {
  return Object.values(record.cross_retailer ?? {}).some(({ status }) => status === 'indexing');
}
