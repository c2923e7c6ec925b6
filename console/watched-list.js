// The first steps that are not done yet, and a short list of the organization's watches, below the search box while nothing
// is looked up. Reading them costs nothing.

import { call } from './api.js';
import { el, fill } from './dom.js';
import { firstSteps } from './first-steps.js';
import { plain } from './format.js';
import { priceOf, shownOf } from './watch-price.js';

/** @typedef {import('../src/answer/wire/watches/watches.ts').WatchList} WatchList */

const MOST = 6;

/**
 * Shows nothing if they cannot be read: the box above still works.
 * @param {HTMLElement} section
 * @param {AbortSignal} signal
 */
export async function showWatched(section, signal) {
  const answer = /** @type {import('./api.js').Answer<WatchList>} */ (
    await call(`/v1/watches?limit=${MOST}`, { signal })
  );
  if (signal.aborted || !answer.ok) return;
  const { watches, next } = answer.body;
  const steps = await firstSteps(watches.length > 0, signal);
  if (signal.aborted) return;
  if (watches.length === 0) {
    fill(section, steps);
    return;
  }
  fill(
    section,
    steps,
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
