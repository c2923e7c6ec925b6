// The notices that a watch sent through its channels: each notice and channel, whether it was delivered, and a button to send
// it again.

import { call } from './api.js';
import { el, fill, folded, problemLine } from './dom.js';
import { age, counted, plain, until } from './format.js';
import { cachedChannels } from './cached-channels.js';

/** @typedef {import('../src/answer/wire/watches/channels.ts').DeliveryOnWire} Delivery */

/**
 * Creates the deliveries section. Deliveries are read when the section is unfolded.
 * @param {string} id of the watch
 */
export function deliveriesPart(id) {
  const box = el('div', {});
  const details = folded('Sent through channels', box);
  details.addEventListener('toggle', () => details.open && void read(id, box));
  return details;
}

/**
 * @param {string} id
 * @param {HTMLElement} box
 */
async function read(id, box) {
  const path = `/v1/watches/${encodeURIComponent(id)}/deliveries`;
  const answer = /** @type {import('./api.js').Answer<{ deliveries: readonly Delivery[] }>} */ (
    await call(`${path}?limit=20`)
  );
  if (!answer.ok) {
    fill(box, problemLine(answer.problem.detail));
    return;
  }
  const { deliveries } = answer.body;
  const channels = await cachedChannels();
  const names = new Map(
    channels.ok ? channels.body.channels.map((each) => [each.channel_id, each.name]) : [],
  );
  if (deliveries.some(isInProgress))
    setTimeout(() => isLookedAt(box) && void read(id, box), AGAIN_MS);
  fill(
    box,
    deliveries.length === 0
      ? el('p', { class: 'soft small' }, 'Nothing yet.')
      : el(
          'ul',
          { class: 'plain-list' },
          deliveries.map((each) => deliveryLine(each, names.get(each.channel_id), replay)),
        ),
  );

  /** @param {Delivery} delivery */
  async function replay({ delivery_id: delivery }) {
    const sent = await call(`${path}/${encodeURIComponent(delivery)}/replay`, { method: 'POST' });
    if (sent.ok) await read(id, box);
    else fill(box, problemLine(sent.problem.detail));
  }
}

/** The interval between two reads while a delivery is about to be sent. */
const AGAIN_MS = 2_000;
const SOON_MS = 10_000;

/** @param {Delivery} delivery */
function isInProgress({ state, next_attempt_at: next }) {
  return state === 'waiting' && (next === null || Date.parse(next) - Date.now() < SOON_MS);
}

/** @param {HTMLElement} box */
function isLookedAt(box) {
  return box.isConnected && box.closest('details')?.open === true;
}

/**
 * @param {Delivery} delivery
 * @param {string | undefined} channel
 * @param {(delivery: Delivery) => void} replay
 */
function deliveryLine(delivery, channel, replay) {
  const { state, title, detail, status, delivered_at: delivered, next_attempt_at: next } = delivery;
  const words = {
    waiting: `waits${next === null ? '' : `; next attempt ${until(next)}`}`,
    delivered: `delivered ${age(delivered)}`,
    given_up: `given up after ${counted(delivery.attempts, 'attempt')}`,
  }[state];
  const tone = { waiting: 'busy', delivered: 'good', given_up: 'warn' }[state];
  return el(
    'li',
    { 'data-state': state },
    el('bdi', {}, plain(title, 120) || 'A notice'),
    el('span', { class: 'soft' }, ` to ${plain(channel, 60) || 'a channel that was removed'}: `),
    el('span', { class: `state ${tone}` }, words),
    state === 'delivered' || detail === null
      ? null
      : el(
          'span',
          { class: 'soft' },
          ` ${plain(detail, 200)}${status === null ? '' : ` (HTTP ${status})`}`,
        ),
    ' ',
    state === 'waiting'
      ? null
      : el(
          'button',
          { type: 'button', class: 'link', onclick: () => replay(delivery) },
          'send again',
        ),
  );
}
