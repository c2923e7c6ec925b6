// The organization's channels, which several parts of a page need. They are read once, and again after one of them has
// changed.

import { call } from './api.js';

/** @typedef {import('../src/answer/wire/watches/channels.ts').ChannelOnWire} Channel */
/** @typedef {import('./api.js').Answer<{ channels: readonly Channel[], kinds: readonly string[] }>} Channels */

let stored = /** @type {Promise<Channels> | null} */ (null);

/** @returns {Promise<Channels>} */
export function cachedChannels() {
  stored ??= /** @type {Promise<Channels>} */ (call('/v1/channels')).then((answer) => {
    if (!answer.ok) stored = null;
    return answer;
  });
  return stored;
}

export function forgetChannels() {
  stored = null;
}
