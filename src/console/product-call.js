// The call behind a card, begun before anything of the page is touched: what is shown waits for it, and nothing else does.

import { call, productPath } from './api.js';

/** @typedef {import('../wire/record/product-record.ts').ProductRecord} ProductRecord */
/** @typedef {import('./api.js').Answer<ProductRecord>} ProductAnswer */
/** @typedef {{ answer: Promise<ProductAnswer>, say: (words: string | null) => void }} AskedProduct `say` is told why it waits */

const QUERY = 'include_cross_retailer=true&identifier_match=any&include_fee_breakdown=true';

/** @param {string} id */
export function lookPath(id) {
  return `${productPath(id)}?${QUERY}`;
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
