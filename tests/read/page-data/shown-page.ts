// Invented pages that show a mug: a heading, the content below it, a button and some text.

import { decimalText } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import { html, pageOf } from '../retailers/page-fixtures.ts';

export const BUY = '<button>Add to cart</button>';
export const PROSE = `<p>${'A mug for tea, thrown by hand. '.repeat(30)}</p>`;

/** Reads a page without data, apart from the content of its head. */
export function shown(below: string, { lang = 'en-US', button = BUY, head = '' } = {}) {
  const body = `<h1>Blue Mug</h1><div class="buy-box">${below}${button}</div>${PROSE}`;
  const page = html(head, body).replace('lang="en"', `lang="${lang}"`);
  return readGenericPage(pageOf(page), new UnknownWords());
}

/** `12.50 USD`. */
export function textOf(money: Listing['price']): string | null {
  return money === null ? null : `${decimalText(money)} ${money.currency ?? '-'}`;
}
