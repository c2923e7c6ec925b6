// Chooses the price that a watch shows on its card and below the search box.

import { el, outward } from './dom.js';
import { hostOf, money } from './format.js';

/** @typedef {import('../src/answer/wire/watches/watches.ts').WatchOnWire} Watch */
/** @typedef {Watch['listings'][number]} Listing */

/**
 * Returns the listing whose price represents the watch: the cheapest that can be bought, otherwise any that has a price.
 * @param {Watch} watch
 * @returns {Listing | null}
 */
export function shownOf({ listings }) {
  const priced = listings.filter(({ price }) => price !== null);
  const there = priced.filter(({ in_stock: stock }) => stock !== false);
  const cheapest = (/** @type {readonly Listing[]} */ some) =>
    some.toSorted((a, b) => (a.price ?? 0) - (b.price ?? 0))[0];
  return cheapest(there) ?? cheapest(priced) ?? listings[0] ?? null;
}

/**
 * @param {Watch} watch
 * @param {Listing | null} shown
 */
export function priceOf({ below, currency }, shown) {
  const isMet = below !== null && shown?.price !== null && shown !== null && shown.price < below;
  return el(
    'div',
    { class: 'watch-price' },
    el('span', { class: `price ${isMet ? 'gain' : ''}` }, money(shown?.price, currency)),
    shown === null
      ? null
      : el(
          'span',
          { class: 'soft small' },
          outward(shown.url, hostOf(shown.retailer)),
          shown.in_stock === false ? ', out of stock' : '',
        ),
    el(
      'span',
      { class: 'soft small' },
      below === null ? 'no target' : `target ${money(below, currency)}`,
    ),
  );
}
