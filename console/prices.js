// The cost of each console call: the service states it on every page.

/** @typedef {'line' | 'comparison' | 'offers' | 'watchedRead' | 'look'} Priced */

/**
 * Tokens of a call.
 * @param {Priced} what
 * @returns {number}
 */
export function tokensOf(what) {
  return JSON.parse(document.body.dataset['prices'] ?? '{}')[what] ?? Number.NaN;
}

/**
 * `1 token`, `3 tokens`.
 * @param {Priced} what
 */
export function tokensInWords(what) {
  const count = tokensOf(what);
  return count === 1 ? '1 token' : `${count} tokens`;
}
