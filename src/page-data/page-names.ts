// Whether a product is called like the page it stands on: headings, titles and the address's words.

import { pathText } from './page-address.ts';

/** Letters and digits only: "Acme™ Mug – 12 oz" and "Acme Mug 12oz" compare equal. */
export function bareName(name: string): string {
  return name
    .replaceAll(/[®™©]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** 3 the same, 2 nearly, 1 all of its words are there, 0 not. */
export type NameMatch = 0 | 1 | 2 | 3;

/**
 * How surely a name is the page's: 3 when a heading or title is it, 2 when one holds it as its greater part
 * or the other way round, or the address spells most of its words, 1 when a heading holds all its words.
 * `names` as the page writes them.
 */
export function nameMatch(name: string, names: readonly string[], url: URL | null): NameMatch {
  const bare = bareName(name);
  if (bare.length < 2) return 0;
  const others = names.map(bareName);
  if (others.includes(bare)) return 3;
  const holds = others.some((other, index) => {
    if (other.length < 2 || (!other.includes(bare) && !bare.includes(other))) return false;
    // A category is called with one word of its goods: "Kettles" does not hold "Kettles XL".
    if (other.length < bare.length && isOneWord(names[index] ?? '')) return false;
    const shorter = Math.min(other.length, bare.length);
    return shorter / Math.max(other.length, bare.length) >= 0.5 || shorter >= 24;
  });
  if (holds || isSpelledIn(url, name)) return 2;
  const isPart = others.some((other) => other.length * 2 >= bare.length && bare.includes(other));
  if (isPart) return 1;
  return bare.length >= 5 && names.some((other) => holdsWords(other, name)) ? 1 : 0;
}

/** Scripts without blanks between words: their length tells nothing of how many there are. */
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/;

function isOneWord(text: string): boolean {
  return wordsOf(text).length === 1 && !UNSPACED.test(text);
}

/** Words and numbers of a text, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .slice(0, 1000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Whether a heading holds the name word by word: "Acme Mug 12 oz - blue" holds "mug blue". */
function holdsWords(heading: string, name: string): boolean {
  const there = new Set(wordsOf(heading));
  const words = wordsOf(name);
  return words.length > 0 && words.every((word) => there.has(word));
}

/** Whether the last part of the path is the name as a slug: most of its words, and at least two. */
function isSpelledIn(url: URL | null, name: string): boolean {
  const words = wordsOf(name);
  if (url === null || words.length < 2 || words.length > 60) return false;
  const path = new Set(wordsOf(pathText(url)));
  return words.filter((word) => path.has(word)).length >= Math.max(2, words.length * 0.7);
}

/** Whether a number of the shop stands in the page's path as a piece of its own ("/product/4667999"). */
export function isNumberIn(url: URL | null, number: string | null): boolean {
  if (url === null || number === null || number.length < 4 || !/\d/.test(number)) return false;
  const path = pathText(url);
  const at = path.indexOf(number.toLowerCase());
  if (at < 0) return false;
  const isEdge = (character: string | undefined): boolean =>
    character === undefined || !/[\p{L}\p{N}]/u.test(character);
  return isEdge(path[at - 1]) && isEdge(path[at + number.length]);
}

const FRONT_PATH =
  /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?(?:\/|$)){0,2}(?:(?:index|default)\.\w+|home(?:page)?(?:\.\w+)?\/?)?$/i;
/** Parameters that leave the front page what it is; others choose a page ("index.php?product=5"). */
const FRONT_PARAMETER =
  /^(?:utm_\w+|[a-z]*clid|ref|lang|language|locale|currency|country|region|store|___store)$/i;

/** The front page of a shop or of one of its languages. */
export function isFrontPage(url: URL | null): boolean {
  if (url === null) return true;
  if (!FRONT_PATH.test(url.pathname)) return false;
  for (const [name, value] of url.searchParams) {
    if (!FRONT_PARAMETER.test(name) && value !== 'common/home') return false;
  }
  return true;
}

/** Pages that every shop has beside its goods, as the last part of their path calls them. */
const SERVICE_PATH = new RegExp(
  '/(?:about(?:-us)?|contact(?:-us)?|kontakt|contacto|contatti|impressum|imprint|agb|terms[\\w-]*|privacy[\\w-]*|' +
    'datenschutz|faqs?|help|hilfe|aide|ayuda|shipping[\\w-]*|returns?|cart|basket|warenkorb|panier|carrito|checkout|' +
    'log-?in|sign-?in|register|account|wishlist|search|suche|recherche|blog|news|stores?|store-locator|careers?)' +
    '(?:\\.\\w+)?/?$',
  'i',
);

export function isServicePage(url: URL | null): boolean {
  return url !== null && SERVICE_PATH.test(pathText(url));
}

/** Words of three letters and more; where words are not parted, two characters stand for one. */
function piecesOf(text: string): readonly string[] {
  return wordsOf(text).flatMap((word) => {
    if (!UNSPACED.test(word)) return word.length >= 3 ? [word] : [];
    return Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2));
  });
}

/** Which part of a name's words stand in some headings or in the address: 0 none, 1 all of them. */
export function sharedWords(name: string, headings: readonly string[], url: URL | null): number {
  const texts = url === null ? headings : [...headings, pathText(url)];
  const there = new Set(texts.flatMap(piecesOf));
  const words = piecesOf(name);
  if (words.length === 0) return 0;
  return words.filter((word) => there.has(word)).length / words.length;
}
