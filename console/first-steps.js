// The three steps from a new installation to a first notification, shown below the search box until each is done.

import { call } from './api.js';
import { cachedChannels } from './cached-channels.js';
import { el } from './dom.js';

/** @typedef {import('./api.js').Answer<{ calls: number }>} Usage */

/**
 * Returns the steps; null if all are done, or if that is not known.
 * @param {boolean} hasWatch
 * @param {AbortSignal} signal
 */
export async function firstSteps(hasWatch, signal) {
  const [usage, channels] = await Promise.all([
    /** @type {Promise<Usage>} */ (call('/v1/usage', { signal })),
    cachedChannels(),
  ]);
  if (!usage.ok || !channels.ok) return null;
  const hasChannel = channels.body.channels.length > 0;
  if (hasWatch && hasChannel) return null;
  const steps = [
    step(hasWatch || usage.body.calls > 0, 'Look up a product', [
      'Enter a barcode, or paste the address of its page at a shop.',
    ]),
    step(hasWatch, 'Watch it', [
      'Press ',
      el('b', {}, 'Watch'),
      ' on its card, or start at ',
      el('a', { href: '/console/watches' }, 'Watches'),
      ', and say from which price you want to know.',
    ]),
    step(hasChannel, 'Choose where notifications go', [
      el('a', { href: '/console/channels' }, 'Add a channel'),
      ': a mail address, a chat, a phone or a program; a test shows whether it works.',
    ]),
  ];
  return el(
    'section',
    { class: 'first-steps', 'aria-label': 'First steps' },
    el('h2', {}, 'From here to a first notification'),
    el('ol', {}, steps),
    el(
      'p',
      { class: 'soft' },
      'What this installation cannot do, and which setting would change it: ',
      el('a', { href: '/console/operator#missing' }, 'What is missing'),
      ', or ',
      el('code', {}, 'openshelf doctor'),
      '. To have it on your phone: ',
      el('a', { href: '/console/devices' }, 'Devices'),
      '.',
    ),
  );
}

/**
 * @param {boolean} isDone
 * @param {string} what
 * @param {readonly (string | HTMLElement)[]} how
 */
function step(isDone, what, how) {
  return el(
    'li',
    {},
    el('b', {}, what),
    isDone ? el('span', { class: 'state good' }, 'done') : el('div', { class: 'soft' }, ...how),
  );
}
