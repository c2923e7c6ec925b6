// A short list of the organization's watches, below the search box while nothing is looked up. Reading watches costs nothing.

import { call } from './api.js';
import { el, fill } from './dom.js';
import { plain } from './format.js';
import { priceOf, shownOf } from './watch-price.js';

/** @typedef {import('../src/answer/wire/watches/watches.ts').WatchList} WatchList */

const MOST = 6;

/**
 * Shows nothing if there are no watches, or if they cannot be read: the box above still works.
 * @param {HTMLElement} section
 * @param {AbortSignal} signal
 */
export async function showWatched(section, signal) {
  const answer = /** @type {import('./api.js').Answer<WatchList>} */ (
    await call(`/v1/watches?limit=${MOST}`, { signal })
  );
  if (signal.aborted || !answer.ok || answer.body.watches.length === 0) return;
  const { watches, next } = answer.body;
  fill(
    section,
    el(
      'div',
      { class: 'section-head' },
      el('h2', {}, 'What you watch'),
      el('a', { href: '/console/watches' }, next === null ? 'To the watches' : 'All watches'),
    ),
    el(
      'ul',
      { class: 'watched' },
      watches.map((watch) =>
        el('li', { class: 'panel' }, nameOf(watch), priceOf(watch, shownOf(watch))),
      ),
    ),
  );
}

/** @param {WatchList['watches'][number]} watch */
function nameOf(watch) {
  const subject = watch.identifier ?? watch.addresses[0] ?? '';
  const name = plain(shownOf(watch)?.title, 120) || plain(subject, 120);
  return el('a', { href: `/console?q=${encodeURIComponent(subject)}` }, el('bdi', {}, name));
}
