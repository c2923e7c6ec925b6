// Describes a failure in words: what happened, sentence by sentence, what it cost, and what can be done about it.

import { el } from './dom.js';
import { plain, underHosts } from './format.js';
import { correctedCodes } from './corrected-code.js';
import { chargedWords } from './words.js';

/**
 * @param {import('./api.js').Problem} problem
 * @param {{ asked?: string, again?: () => void }} [about] `asked`: what was looked up; `again` repeats the request
 */
export function problemBox({ title, detail, code, status }, { asked = '', again } = {}) {
  const [first = '', ...rest] = sentencesOf(underHosts(plain(detail, 1_500)));
  const ways = stepsToFind(code, asked);
  return el(
    'div',
    { class: 'problem-box', role: 'alert' },
    el('h2', {}, plain(title, 120)),
    el('p', {}, first),
    rest.map((each) => el('p', {}, each)),
    ways.length === 0
      ? null
      : [
          el('h3', {}, 'What you can do'),
          el(
            'ul',
            {},
            ways.map((way) => el('li', {}, typeof way === 'string' ? way : linkTo(way))),
          ),
        ],
    el('p', { class: 'soft' }, chargedWords(code), ' Code ', el('code', {}, code), '.'),
    // A status of 400 means that the request itself is wrong, so repeating it does not help.
    again === undefined || status === 400
      ? null
      : el('button', { type: 'button', onclick: again }, 'Try again'),
  );
}

/** @param {import('./corrected-code.js').CorrectedCode} corrected */
function linkTo({ code, when }) {
  return [el('a', { href: `/console?q=${code}` }, `Look up ${code}`), `, ${when}.`];
}

/**
 * Splits a text into sentences, which are shown one per line so that each speaker is easy to find.
 * @param {string} words
 */
export function sentencesOf(words) {
  return words.split(/(?<=[.!?]) (?=\p{Lu})/u);
}

const BY_PAGE = 'Paste the address of its page at a shop: any shop’s page can be looked up.';

/**
 * Suggests ways to find the product to somebody who has it in hand or sees it at a shop.
 * @param {string} code of the failure
 * @param {string} asked
 * @returns {readonly (string | import('./corrected-code.js').CorrectedCode)[]}
 */
export function stepsToFind(code, asked) {
  const isRefused = code === 'not_found' || code === 'invalid_identifier';
  // Digits as printed, with blanks or hyphens between them.
  if (isRefused && /^\d(?:[ -]?\d){7,13}$/.test(asked.trim()))
    return ['Compare the digits with those on the package.', ...correctedCodes(asked), BY_PAGE];
  // A product name, as people type it into a shop's search box.
  if (code === 'invalid_identifier' && /\p{L}{3}/u.test(asked) && !/\d{5}/.test(asked))
    return ['Type the number below the bars on the package: names are not searched.', BY_PAGE];
  return [];
}
