// The section that shows why the record can be trusted: the source of each field, how far the sources agree, and which of them
// disagree.

import { el, fill } from './dom.js';
import { hostOf, plain } from './format.js';
import { differenceWords, viaWords } from './words.js';

/** @typedef {import('./words.js').ProductRecord} ProductRecord */

/**
 * @param {HTMLElement} section
 * @param {ProductRecord} record
 */
export function beliefSection(section, { _meta: meta, identity_only: isNameOnly }) {
  // There is no listing to judge; the card states above who supplies the name.
  if (isNameOnly === true) return;
  const { disagreements } = meta;
  const via = viaWords(meta.via);
  const sources = [
    ['Price, stock, seller', meta.price_source],
    ['Title', meta.title_source],
    ['Brand', meta.brand_source],
    ['Weight', meta.weight_lbs_source],
    ['Dimensions', meta.dimensions_source],
  ];
  fill(
    section,
    el('h2', {}, 'Why we believe it'),
    el('p', {}, scoreWords(meta.data_quality_score)),
    el(
      'dl',
      { class: 'sources' },
      sources
        .filter(([, slug]) => slug !== null && slug !== undefined)
        .map(([what, slug]) =>
          el('div', {}, el('dt', {}, what ?? ''), el('dd', {}, hostOf(slug ?? ''))),
        ),
      via === null ? null : el('div', {}, el('dt', {}, 'Read from'), el('dd', {}, via)),
    ),
    disagreements.length === 0
      ? el('p', { class: 'soft' }, 'No listing contradicts the others.')
      : el(
          'ul',
          { class: 'disagreements' },
          disagreements.map((each) =>
            el(
              'li',
              {},
              el('b', {}, hostOf(each.retailer)),
              ': ',
              el('bdi', {}, differenceWords(each.detail)),
              el(
                'p',
                { class: 'soft small' },
                'Its title is “',
                el('bdi', {}, plain(each.their_title, 160)),
                '”; the title at the others is “',
                el('bdi', {}, plain(each.consensus_title, 160)),
                '”.',
              ),
            ),
          ),
        ),
  );
}

/** @param {number | null} score */
function scoreWords(score) {
  if (score === null)
    return 'Only one listing counts for this product, so there is nothing to compare it with.';
  const shown = `Agreement ${Math.round(score * 100)} %: `;
  if (score >= 0.9) return `${shown}the shops describe the same product.`;
  if (score >= 0.6) return `${shown}the shops mostly describe the same product.`;
  return `${shown}the shops do not clearly describe one product. Compare before you buy.`;
}

/**
 * Warnings that belong next to the price.
 * @param {ProductRecord} record
 */
export function doubtsOf(record) {
  const { _meta: meta, restriction, hazmat } = record;
  const suspect = meta.price_suspect;
  const doubts = [
    suspect === undefined
      ? null
      : 'This price looks wrong ' +
        `(${plain(suspect.reason ?? 'no price around it supports it', 120).replaceAll('_', ' ')}). It is shown ` +
        'as the page states it and is not counted anywhere.',
    meta.disagreements.length === 0
      ? null
      : 'Not all shops describe the same product; see “Why we believe it”.',
    hazmat === true ? 'Listed as dangerous goods.' : null,
    restriction?.flag === true ? restrictedWords(restriction.reason) : null,
  ].filter((each) => each !== null);
  return doubts.length === 0
    ? null
    : el(
        'ul',
        { class: 'doubts' },
        doubts.map((each) => el('li', {}, each)),
      );
}

/** @param {string | null} reason */
function restrictedWords(reason) {
  const why = reason === null ? '' : `: ${plain(reason, 120)}`;
  return `Selling it is restricted for this account${why}.`;
}
