// The button that leads to the page of watches with what is shown filled in.

import { el } from './dom.js';

/** An address with more is not taken by every browser. */
const MOST = 200;

/** @param {readonly string[]} ids */
export function watchButton(ids) {
  const add = encodeURIComponent(ids.slice(0, MOST).join('\n'));
  return el(
    'p',
    { class: 'actions' },
    el('a', { class: 'button', href: `/console/watches#add=${add}` }, 'Watch'),
  );
}
