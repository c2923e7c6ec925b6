// The picture of the product that a page shows and no data of it states: the first one near the heading whose description is the
// name of the product, as shops write it for those who cannot see it; else the first one that nothing describes as something else,
// in the place of the product's picture by the names of its elements or by the words of its address.

import { decodeEntities } from '../../../base/listing/text/text.ts';
import type { HtmlPage } from '../html/html.ts';
import { MarkupScanner } from '../html/markup.ts';
import { bareName, lowerWords } from '../page-names.ts';

/**
 * Characters of source before and after the heading in which described pictures are looked for, and those for other pictures.
 */
const SOURCE = { before: 40_000, after: 60_000 };
const NEAR_SOURCE = { before: 12_000, after: 8_000 };
const MOST_PICTURES = 80;
/** How many letters longer than the name a description may be: "Picture of …". */
const MORE = 24;
const DESCRIBING = ['alt', 'title'] as const;
/** Attributes with the address. Pictures that are loaded late have a blank picture in `src`. */
const ADDRESS = ['data-zoom-image', 'data-large_image', 'data-src', 'src'] as const;
/** Addresses that contain the picture itself, and placeholders for a picture that is missing or not loaded yet. */
const NO_PICTURE =
  /^data:|^\s*$|\.svg(?:$|\?)|(?:no[-_]?image|placeholder|blank|spacer|loading|lazy)[^/]*$/i;

function addressOf(tag: MarkupScanner): string | null {
  for (const attribute of ADDRESS) {
    const written = tag.attribute(attribute);
    if (written !== null && !NO_PICTURE.test(written)) return decodeEntities(written.trim());
  }
  return null;
}

/** The texts that describe a picture. */
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

/** Elements that hold the product's picture, by one of their names: "product-image", "main_img", "productGallery". */
const PICTURE_PLACE =
  /(?:^|["'\s])(?:[a-z]+[-_]{1,2})?(?:product|item|main|primary|big|large|featured)(?:s?[-_]{1,2}|(?=[A-Z]))?(?:detail[-_]{1,2})?(?:image|img|photo|picture|pic|gallery|media)s?(?:[-_]{1,2}(?:main|big|large|gallery|container|wrapper?|box|holder))*(?=["'\s>]|$)/i;
/** Characters of source before a picture in which its elements are looked for, and elements that are named in them. */
const AROUND = 360;
/** Parts of an address that are no words of a name. */
const EXTENSION = /\.[a-z]{3,4}$/i;

/** Words of a text that tell a product from others, without marks. */
const tellingWords = (text: string): readonly string[] =>
  lowerWords(text.normalize('NFKD').replaceAll(/\p{M}/gu, '')).filter((word) => word.length > 2);

/** How many words a description must share with the name, and which share of the longer of the two. */
const ALIKE = { words: 3, share: 0.75 };

/** Whether a picture is described by nearly the words of the name: with a size more, or without an addition. */
function isAlike(descriptions: readonly string[], words: ReadonlySet<string>): boolean {
  return descriptions.some((description) => {
    const written = new Set(tellingWords(description));
    const shared = [...written].filter((word) => words.has(word)).length;
    const least = Math.max(written.size, words.size) * ALIKE.share;
    return shared >= Math.max(ALIKE.words, least);
  });
}

/** The name of a file in words, as shops make it out of the product's name: "compass-field-jacket_01.jpg". */
function wordsOfFile(address: string): readonly string[] {
  const file = address.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
  const plain = file.replace(EXTENSION, '').replaceAll(/%[\da-f]{2}|[_\d-]+/gi, ' ');
  return [...new Set(tellingWords(plain))];
}

/** The least length of a word that is the whole name of a file: "blue.jpg" may be anything. */
const LONG_WORD = 6;

/** Whether the name of a file spells the product's: two words and most of either, or one long word that is all of the file's. */
function isSpelled(address: string, words: ReadonlySet<string>): boolean {
  const written = wordsOfFile(address);
  const spelled = written.filter((word) => words.has(word));
  if (spelled.length === written.length && written.length === 1)
    return (written[0]?.length ?? 0) >= LONG_WORD;
  const least = Math.max(written.length, Math.min(words.size, 4)) / 2;
  return spelled.length >= Math.max(2, least);
}

/** Whether a picture stands in a link to a page, which is a way to other goods. */
function isLinked(before: string): boolean {
  const open = before.lastIndexOf('<a ');
  if (open < 0 || before.includes('</a', open)) return false;
  const href = /\shref=["']?([^"'\s>]*)/i.exec(before.slice(open))?.[1] ?? '';
  return !/^(?:#|javascript:|$)|\.(?:jpe?g|png|webp|gif|avif)(?:$|\?)/i.test(href);
}

/** Whether a picture, or what opens right before it, is named after the product's picture. */
function isPlace(before: string, tag: MarkupScanner): boolean {
  if (PICTURE_PLACE.test(tag.attribute('class') ?? '')) return true;
  const open = before.slice(before.lastIndexOf('</') + 1);
  return [...open.matchAll(/\s(?:class|id)=(?:"([^"]*)"|'([^']*)')/g)].some(([, double, single]) =>
    PICTURE_PLACE.test(double ?? single ?? ''),
  );
}

/** Old shops write their elements in capitals, a page in one way throughout. */
const pictureElement = (html: string, from: number): string =>
  html.includes('<img', from) ? '<img' : '<IMG';

/** The address of the picture as written; null without one. `at`: where the main heading opens. */
export function visiblePicture({ html }: HtmlPage, title: string, at: number): string | null {
  const name = bareName(title);
  if (name.length < 4) return null;
  const words = new Set(tellingWords(title));
  const end = Math.min(html.length, at + SOURCE.after);
  /** The first picture that nothing describes by the name, and that is the product's all the same. */
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
