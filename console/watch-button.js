// The button that leads to the watches page, with the shown products filled in.

import { el } from './dom.js';

/** The maximum number of identifiers sent along, because not every browser accepts a longer address. */
const MOST = 200;

/**
 * @param {() => readonly string[]} ids read when the button is used
 * @param {number | null} [price] of the single product concerned, as a reference for a target
 * @param {string} [currency] of the price, and of the watch
 */
export function watchButton(ids, price = null, currency = '') {
  const link = el(
    'a',
    {
      class: 'button',
      href: '/console/watches',
      onclick: () => {
        const all = ids();
        const add = encodeURIComponent(all.slice(0, MOST).join('\n'));
        const left = all.length > MOST ? `&left=${all.length - MOST}` : '';
        const now = price === null ? '' : `&now=${price}`;
        const money = currency === '' ? '' : `&currency=${currency}`;
        link.href = `/console/watches#add=${add}${left}${now}${money}`;
      },
    },
    'Watch',
  );
  return el('p', { class: 'actions' }, link);
}
