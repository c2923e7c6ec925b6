// Finds the product picture that a page shows but its data does not state: the first one near the heading whose alternative
// text is the product name; else the first one that nothing describes as something else and that is in the place of the product
// picture, by its element names or the words of its address.

import { decodeEntities } from '../../../base/listing/text/text.ts';
import type { HtmlPage } from '../html/html.ts';
import { MarkupScanner } from '../html/markup.ts';
import { bareName, lowerWords } from '../page-names.ts';

/** Number of source characters before and after the heading searched for described pictures, and for other pictures. */
const SOURCE = { before: 40_000, after: 60_000 };
const NEAR_SOURCE = { before: 12_000, after: 8_000 };
const MOST_PICTURES = 80;
/** How many letters longer than the name a description may be: "Picture of …". */
const MORE = 24;
const DESCRIBING = ['alt', 'title'] as const;
/** Attributes with the address. Lazy-loaded pictures have a blank picture in `src`. */
const ADDRESS = ['data-zoom-image', 'data-large_image', 'data-src', 'src'] as const;
/** Inline pictures, and placeholders for a picture that is missing or not loaded yet. */
const NO_PICTURE =
  /^data:|^\s*$|\.svg(?:$|\?)|(?:no[-_]?image|placeholder|blank|spacer|loading|lazy)[^/]*$/i;

function addressOf(tag: MarkupScanner): string | null {
  for (const attribute of ADDRESS) {
    const written = tag.attribute(attribute);
    if (written !== null && !NO_PICTURE.test(written)) return decodeEntities(written.trim());
  }
  return null;
}

/** Returns the texts describing a picture. */
function descriptionsOf(tag: MarkupScanner): readonly string[] {
  return DESCRIBING.map((attribute) => tag.attribute(attribute))
    .filter((written) => written !== null && written.length <= 400)
    .map((written) => decodeEntities(written ?? ''))
    .filter((written) => bareName(written) !== '');
}

const isOf = (descriptions: readonly string[], name: string): boolean =>
  descriptions
    .map(bareName)
    .some((bare) => bare === name || (bare.includes(name) && bare.length <= name.length + MORE));

/** Names of elements containing the product picture: "product-image", "main_img", "productGallery". */
const PICTURE_PLACE =
  /(?:^|["'\s])(?:[a-z]+[-_]{1,2})?(?:product|item|main|primary|big|large|featured)(?:s?[-_]{1,2}|(?=[A-Z]))?(?:detail[-_]{1,2})?(?:image|img|photo|picture|pic|gallery|media)s?(?:[-_]{1,2}(?:main|big|large|gallery|container|wrapper?|box|holder))*(?=["'\s>]|$)/i;
/** Number of source characters before a picture searched for its elements, and for elements named in them. */
const AROUND = 360;
/** Parts of an address that are not words of a name. */
const EXTENSION = /\.[a-z]{3,4}$/i;

/** Returns the words of a text that distinguish a product, without diacritics. */
const tellingWords = (text: string): readonly string[] =>
  lowerWords(text.normalize('NFKD').replaceAll(/\p{M}/gu, '')).filter((word) => word.length > 2);

/** How many words a description must share with the name, and as what share of the longer of the two. */
const ALIKE = { words: 3, share: 0.75 };

/** Whether a picture's description has nearly the words of the name: plus a size, or without an addition. */
function isAlike(descriptions: readonly string[], words: ReadonlySet<string>): boolean {
  return descriptions.some((description) => {
    const written = new Set(tellingWords(description));
    const shared = [...written].filter((word) => words.has(word)).length;
    const least = Math.max(written.size, words.size) * ALIKE.share;
    return shared >= Math.max(ALIKE.words, least);
  });
}

/** Splits a file name into words, as shops derive it from the product name: "compass-field-jacket_01.jpg". */
function wordsOfFile(address: string): readonly string[] {
  const file = address.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
  const plain = file.replace(EXTENSION, '').replaceAll(/%[\da-f]{2}|[_\d-]+/gi, ' ');
  return [...new Set(tellingWords(plain))];
}

/** Minimum length of a word that makes up a whole file name: "blue.jpg" may be anything. */
const LONG_WORD = 6;

/**
 * Whether the file name contains the product name: two words and most of either, or a single long word that is the whole
 * file name.
 */
function isSpelled(address: string, words: ReadonlySet<string>): boolean {
  const written = wordsOfFile(address);
  const spelled = written.filter((word) => words.has(word));
  if (spelled.length === written.length && written.length === 1)
    return (written[0]?.length ?? 0) >= LONG_WORD;
  const least = Math.max(written.length, Math.min(words.size, 4)) / 2;
  return spelled.length >= Math.max(2, least);
}

/** Whether a picture is in a link to a page, which leads to other goods. */
function isLinked(before: string): boolean {
  const open = before.lastIndexOf('<a ');
  if (open < 0 || before.includes('</a', open)) return false;
  const href = /\shref=["']?([^"'\s>]*)/i.exec(before.slice(open))?.[1] ?? '';
  return !/^(?:#|javascript:|$)|\.(?:jpe?g|png|webp|gif|avif)(?:$|\?)/i.test(href);
}

/** Whether a picture, or an element opening right before it, is named after the product picture. */
function isPlace(before: string, tag: MarkupScanner): boolean {
  if (PICTURE_PLACE.test(tag.attribute('class') ?? '')) return true;
  const open = before.slice(before.lastIndexOf('</') + 1);
  return [...open.matchAll(/\s(?:class|id)=(?:"([^"]*)"|'([^']*)')/g)].some(([, double, single]) =>
    PICTURE_PLACE.test(double ?? single ?? ''),
  );
}

/** Old shops write element names in capitals, consistently within a page. */
const pictureElement = (html: string, from: number): string =>
  html.includes('<img', from) ? '<img' : '<IMG';

/** Returns the picture's address as written; null if there is none. `at` is the start of the main heading. */
export function visiblePicture({ html }: HtmlPage, title: string, at: number): string | null {
  const name = bareName(title);
  if (name.length < 4) return null;
  const words = new Set(tellingWords(title));
  const end = Math.min(html.length, at + SOURCE.after);
  /** The first picture that is not described by the product name but is probably the product's. */
  let unsure: string | null = null;
  const from = Math.max(0, at - SOURCE.before);
  const element = pictureElement(html, from);
  let start = html.indexOf(element, from);
  for (let count = 0; start >= 0 && start < end && count < MOST_PICTURES; count += 1) {
    const tag = new MarkupScanner(html, start, end);
    if (!tag.next()) return unsure;
    const descriptions = descriptionsOf(tag);
    const address = addressOf(tag);
    if (address !== null && isOf(descriptions, name)) return address;
    const isNear = start > at - NEAR_SOURCE.before && start < at + NEAR_SOURCE.after;
    if (address !== null && unsure === null && isNear) {
      const before = html.slice(Math.max(0, start - AROUND), start);
      const isProducts =
        descriptions.length === 0
          ? isSpelled(address, words) || isPlace(before, tag)
          : isAlike(descriptions, words);
      if (isProducts && !isLinked(before)) unsure = address;
    }
    start = html.indexOf(element, start + element.length);
  }
  return unsure;
}
