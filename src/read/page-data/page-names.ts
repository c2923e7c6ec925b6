// Compares a product's name with the page it is on: headings, titles and the words of the address.

import { oneOf } from '../../base/listing/words/all-languages.ts';
import { pathText } from './page-address.ts';

/** Cached bare forms of recent names, because the names of a page are compared with one another many times. */
const known = new Map<string, string>();
/** When the cache reaches this many names, it is cleared. Longer names are not cached. */
const MOST_KNOWN = 64;
const KNOWN_LENGTH = 300;

/** Reduces a name to letters and digits, so that "Acme™ Mug – 12 oz" equals "Acme Mug 12oz". */
export function bareName(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const bare = name
    .replaceAll(/[®™©]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
  if (name.length > KNOWN_LENGTH) return bare;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, bare);
  return bare;
}

/** 3: same, 2: nearly the same, 1: all of its words occur, 0: different. */
export type NameMatch = 0 | 1 | 2 | 3;

/**
 * Rates how likely a name is the name of the page. 3: a heading or title equals it. 2: one makes up most of the other, or
 * the address has most of its words. 1: a heading has all its words. `names` are the headings and titles as written.
 */
export function nameMatch(name: string, names: readonly string[], url: URL | null): NameMatch {
  const bare = bareName(name);
  if (bare.length < 2) return 0;
  const others = names.map(bareName);
  if (others.includes(bare)) return 3;
  const holds = others.some((other, index) => {
    if (other.length < 2 || (!other.includes(bare) && !bare.includes(other))) return false;
    // A category's name is a single word that its products contain: "Kettles" is not "Kettles XL".
    if (other.length < bare.length && isOneWord(names[index] ?? '')) return false;
    const shorter = Math.min(other.length, bare.length);
    return shorter / Math.max(other.length, bare.length) >= 0.5 || shorter >= 24;
  });
  if (holds || isSpelledIn(url, name)) return 2;
  const isPart = others.some((other) => other.length * 2 >= bare.length && bare.includes(other));
  if (isPart) return 1;
  return bare.length >= 5 && names.some((other) => holdsWords(other, name)) ? 1 : 0;
}

/** Scripts without spaces, where words cannot be counted. */
const UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/;

function isOneWord(text: string): boolean {
  return lowerWords(text).length === 1 && !UNSPACED.test(text);
}

/** Returns the words and numbers of a text in lower case. */
export function lowerWords(text: string): readonly string[] {
  return (
    text
      .slice(0, 1000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Maximum length of a heading whose spaces are looked up in a title. */
const SPACED_LENGTH = 300;

/**
 * Returns the heading with the spaces that a title has between the same letters. In some headings only styling separates the
 * parts ("CrudoNerello").
 */
export function spacedAs(heading: string, titles: readonly string[]): string {
  if (heading.length > SPACED_LENGTH || !/\p{Ll}\p{Lu}/u.test(heading)) return heading;
  const letters = Array.from(heading.replaceAll(/\s+/g, ''), (letter) => RegExp.escape(letter));
  const spelled = new RegExp(letters.join('\\s*'), 'iu');
  const blanks = (text: string): number => text.split(/\s/).length;
  const found = titles.map((title) => spelled.exec(title.slice(0, 1000))?.[0] ?? '');
  return found.find((text) => blanks(text) > blanks(heading)) ?? heading;
}

/** Whether a heading contains every word of the name: "Acme Mug 12 oz - blue" has those of "mug blue". */
function holdsWords(heading: string, name: string): boolean {
  const there = new Set(lowerWords(heading));
  const words = lowerWords(name);
  return words.length > 0 && words.every((word) => there.has(word));
}

/** Whether the last path segment contains most words of the name, and at least two. */
function isSpelledIn(url: URL | null, name: string): boolean {
  const words = lowerWords(name);
  if (url === null || words.length < 2 || words.length > 60) return false;
  const path = new Set(lowerWords(pathText(url)));
  return words.filter((word) => path.has(word)).length >= Math.max(2, words.length * 0.7);
}

/** Whether a product number is a separate part of the path ("/product/4667999"). */
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
/** Parameters that do not select a page; others may ("index.php?product=5"). */
const FRONT_PARAMETER =
  /^(?:utm_\w+|[a-z]*clid|ref|lang|language|locale|currency|country|region|store|___store)$/i;

/** Whether the address is the front page of a shop or of one of its languages. */
export function isFrontPage(url: URL | null): boolean {
  if (url === null) return true;
  if (!FRONT_PATH.test(url.pathname)) return false;
  for (const [name, value] of url.searchParams) {
    if (!FRONT_PARAMETER.test(name) && value !== 'common/home') return false;
  }
  return true;
}

/** Service pages of shops, by the last path segment. */
const SERVICE_PATH = new RegExp(`/${oneOf('servicePath')}(?:\\.\\w+)?/?$`, 'i');

/** Whether an address is a cart, an account, a search or an article rather than a product page. */
export function isServicePage(url: URL | null): boolean {
  return url !== null && SERVICE_PATH.test(pathText(url));
}

/** Paths of articles about goods and of reviews. */
const TEXT_PATH = new RegExp(`/(?:${oneOf('textFolder')}/.+|${oneOf('reviewPath')})/?$`);

/** Whether the address is an article or a review page. */
export function isTextPath(url: URL | null): boolean {
  return url !== null && TEXT_PATH.test(pathText(url));
}

/** Ticket sales addresses: a path folder or host with a name that ticket offices use. */
const TICKETS = oneOf('ticketPath');
const TICKET_PATH = new RegExp(`/${TICKETS}/.+`);
const TICKET_HOST = new RegExp(`^(?:www\\.)?${TICKETS}\\.[^.]+\\.`);

/** Whether the address belongs to a ticket office. */
export function isTicketAddress(url: URL | null): boolean {
  return url !== null && (TICKET_PATH.test(pathText(url)) || TICKET_HOST.test(url.hostname));
}

const SEARCH_PATH = new RegExp(`/${oneOf('searchPath')}(?:/(?:results?|index))?(?:\\.\\w+)?/?$`);
const SEARCH_PARAMETERS = ['s', 'q', 'query', 'search', 'keyword', 'keywords'];

/** Whether the address is a search results page. */
export function isSearchPage(url: URL | null): boolean {
  if (url === null) return false;
  if (SEARCH_PATH.test(pathText(url))) return true;
  return (
    FRONT_PATH.test(url.pathname) && SEARCH_PARAMETERS.some((name) => url.searchParams.has(name))
  );
}

/** Paths of categories, brands and the like: a folder with such a name and one page in it. */
const LIST_PATH = new RegExp(`/${oneOf('listPath')}/[^/]+/?$`);

/** Whether the address is a list page. */
export function isListPath(url: URL | null): boolean {
  return url !== null && (LIST_PATH.test(pathText(url)) || isSearchPage(url));
}

/** Returns words of three or more letters; in scripts without spaces, pairs of characters instead. */
function piecesOf(text: string): readonly string[] {
  return lowerWords(text).flatMap((word) => {
    if (!UNSPACED.test(word)) return word.length >= 3 ? [word] : [];
    return Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2));
  });
}

/** Returns the share of a name's words that occur in headings or the address, 0 to 1. */
export function sharedWords(name: string, headings: readonly string[], url: URL | null): number {
  const texts = url === null ? headings : [...headings, pathText(url)];
  const there = new Set(texts.flatMap(piecesOf));
  const words = piecesOf(name);
  if (words.length === 0) return 0;
  return words.filter((word) => there.has(word)).length / words.length;
}
