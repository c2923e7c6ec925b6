// Reads the seller on retailer_e's item page: name, share of positive feedback, score.

import type { Listing } from '../../../base/listing/listing.ts';
import { elementsOf, firstSeen, linksIn, seenText } from './item-elements.ts';
import type { ItemElements } from './item-elements.ts';
import { starsOfShare } from './listing-values.ts';

const SHARE = /(\d{1,3}(?:\.\d)?)% positive/i;
const SCORE = /\(\s?(\d[\d,]{0,12})\b/;

/** Returns the seller name: the first link in the card to a seller or shop whose text is more than a number. */
function nameIn(elements: ItemElements): string | null {
  const old = firstSeen(elements, ['seller'], 200);
  if (old !== null) return old;
  for (const card of elementsOf(elements, 'about seller').slice(0, 5)) {
    for (const { text, href } of linksIn(elements, card)) {
      if (text === null || /^[\d\s(),.%]+$/.test(text) || /feedback/i.test(href ?? '')) continue;
      return text.replace(/\s*\(\s?[\d,]+\s?\)$/, '');
    }
  }
  // Catalogue pages have the name without a link: "some-shop (1106)".
  for (const item of elementsOf(elements, 'feedback').slice(0, 10)) {
    const name = /^(\S.{0,60}?)\s*\(\s?[\d,]{1,12}\s?\)$/.exec(
      seenText(elements, item, 100) ?? '',
    )?.[1];
    if (name !== undefined && !/\d%/.test(name)) return name;
  }
  return null;
}

/** Returns the seller's facts; empty when the page shows none. */
export function sellerFacts(elements: ItemElements): Partial<Listing> {
  const sellerName = nameIn(elements);
  if (sellerName === null) return { sellerType: '3p' };
  const cards = elementsOf(elements, 'about seller').slice(0, 5);
  const texts = [
    ...cards.map((card) => seenText(elements, card, 1000)),
    firstSeen(elements, ['feedback'], 300),
    ...elementsOf(elements, 'feedback')
      .slice(0, 10)
      .map((each) => seenText(elements, each, 300)),
    firstSeen(elements, ['score'], 300),
  ].filter((text) => text !== null);
  const share = texts.map((text) => SHARE.exec(text)?.[1]).find((match) => match !== undefined);
  const score = texts.map((text) => SCORE.exec(text)?.[1]).find((match) => match !== undefined);
  return {
    sellerName,
    sellerType: '3p',
    sellerRating: starsOfShare(share === undefined ? null : Number(share)),
    sellerReviewCount: score === undefined ? null : Number(score.replaceAll(',', '')),
  };
}
