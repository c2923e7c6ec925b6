// Recognizes lists with a single product. Such a category or search has one price and one button, like a product page. The
// difference is that a tile links to its product page.

import { compile } from '../../../base/listing/words/all-languages.ts';
import { decodeEntities, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import type { PageContext } from '../facts.ts';
import { indexOfWord, wordToFind } from '../html/find-word.ts';
import type { HtmlPage } from '../html/html.ts';
import { absoluteUrl, isOtherPage, pathText } from '../page-address.ts';
import { bareName, isListPath, lowerWords } from '../page-names.ts';
import type { VisibleLine, VisiblePart } from './lines/visible-lines.ts';
import { MARK } from './lines/visible-marks.ts';

/** Number of source characters after the heading searched for a tile's links. */
const SOURCE = 30_000;
const LINK = /<a\s[^<>]{0,800}>/gi;
const HREF = /\shref\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^\s"'>]{1,2000}))/i;
const LINKS = 300;
const CONTENT = 1500;
/** Maximum number of occurrences of a product name checked. */
const PLACES = 40;

type Link = { readonly url: URL; readonly text: string };

function addressIn(tag: string, { url }: PageContext): URL | null {
  const [, double, single, bare] = HREF.exec(tag) ?? [];
  const href = double ?? single ?? bare;
  return href === undefined ? null : absoluteUrl(decodeEntities(href), url);
}

/** Returns a source range's links to other pages of the shop, with the text of each. */
function linksIn(source: string, context: PageContext): readonly Link[] {
  const found: Link[] = [];
  for (const tag of source.matchAll(LINK)) {
    if (found.length >= LINKS) break;
    const url = addressIn(tag[0], context);
    if (url === null || !isOtherPage(url, context)) continue;
    const from = tag.index + tag[0].length;
    const content = source.slice(from, from + CONTENT);
    const close = content.indexOf('</a');
    found.push({ url, text: close < 0 ? '' : plainTextOfHtml(content.slice(0, close), 300) });
  }
  return found;
}

/** Returns the texts with digits of links to other pages of the shop after the heading: tiles that are one link, price included. */
export function linkedTexts(
  { html }: HtmlPage,
  headingFrom: number,
  context: PageContext,
): readonly string[] {
  return linksIn(html.slice(headingFrom, headingFrom + SOURCE), context)
    .map(({ text }) => text)
    .filter((text) => /\d/.test(text));
}

/**
 * The share of a name's words that its page's address must contain; the smaller one is sufficient when a picture links there
 * too.
 */
const SPELLED = 0.7;
const SPELLED_BESIDE_PICTURE = 0.5;

/** Whether a path contains that share of the words. */
function isSpelledBy(url: URL, words: readonly string[], share = SPELLED): boolean {
  const path = new Set(lowerWords(pathText(url)));
  return words.length > 0 && words.filter((word) => path.has(word)).length >= words.length * share;
}

/** Whether a path is a sibling of this page, in the same folder. */
function isSibling(path: string, own: string): boolean {
  const folder = own.slice(0, own.replace(/\/$/, '').lastIndexOf('/') + 1);
  return (
    folder.length > 1 && path.startsWith(folder) && !path.slice(folder.length, -1).includes('/')
  );
}

/** Links to makers and authors also appear above the price. */
const MAKER_PATH =
  /\/(?:brands?|designers?|vendors?|authors?|artists?|creators?|series|publishers?|collections?|categor(?:y|ies)|c|shop|stores?|sellers?|marken?|hersteller|marques?|marcas?|auteurs?|autor(?:es)?|kategorie|tags?)\/[^/]*\/?$/;

/**
 * Whether a line above the price is the name of a tile: formatted as a heading, next to a picture with the same link, or on one
 * line with the price, it links to a product that neither the titles nor the address of this page name.
 */
function isTileName(
  line: VisibleLine,
  links: readonly Link[],
  page: TiledPage & { readonly priceAt: number },
): boolean {
  const shown = line.text.trim();
  const isPriced = page.priceAt < line.at + line.text.length;
  const own = page.context.url === null ? '' : pathText(page.context.url);
  const isInList = isListPath(page.context.url);
  return links.some(({ url, text }) => {
    const words = lowerWords(text);
    if (words.length < 2 || !shown.startsWith(text)) return false;
    if (page.names.some((name) => bareName(name).includes(bareName(text)))) return false;
    const path = pathText(url);
    if (own.startsWith(`${path.replace(/\/$/, '')}/`) || MAKER_PATH.test(path)) return false;
    const isRepeated = links.filter((link) => link.url.href === url.href).length > 1;
    // The name and the amount are on one line, and the linked page is a sibling of this one.
    const isBeside = isPriced && isSibling(path, own);
    const isSpelled = isSpelledBy(url, words, isRepeated ? SPELLED_BESIDE_PICTURE : SPELLED);
    if (!isSpelled && !isBeside) return false;
    if (isInList) return true;
    // A variant of the product also has its own page.
    if (isSpelledBy(url, lowerWords(page.heading))) return false;
    return isBeside || (line.marks & MARK.strong) !== 0 || isRepeated;
  });
}

/** A visible page, the start of its heading in the source, and its headings and titles. */
type TiledPage = {
  readonly heading: string;
  readonly headingFrom: number;
  readonly part: VisiblePart;
  readonly names: readonly string[];
  readonly context: PageContext;
};

/** Lines in which a list states its number of products. */
const COUNT_LINE = compile(
  'countNoun',
  (nouns) =>
    '^(?:showing )?(?:(?:all |the )?(?:single result|1 (?:results?|products?|items?|hits?|matches|match)(?: found| shown)?)|' +
    `1[-–]1 (?:of|von|de|di|van) 1(?: \\p{L}+)?|1 ${nouns}(?: gefunden)?)\\.?$`,
);
/** Maximum distance of such a line from the heading. */
const COUNT_NEAR = 400;

/** Whether the visible page is a list: it counts its products, or the name above the price links to a product page. */
export function isSingleTile(html: HtmlPage, page: TiledPage, priceAt: number): boolean {
  const above = page.part.lines.filter(({ at }) => at > 0 && at < priceAt);
  if (above.some(({ at, text }) => at < COUNT_NEAR && COUNT_LINE.test(text.trim()))) return true;
  const names = above.filter(({ marks }) => (marks & MARK.link) !== 0 && (marks & NOT_NAMES) === 0);
  if (names.length === 0) return false;
  const source = html.html.slice(page.headingFrom, page.headingFrom + SOURCE);
  const links = linksIn(source, page.context);
  return names.some((line) => isTileName(line, links, { ...page, priceAt }));
}

const NOT_NAMES = MARK.aside | MARK.option;

/**
 * Whether exactly the name of a product in the data links to another page of the shop: then this page is a list. If the page
 * has nearly the product's name, this only counts when its address is that of a list.
 */
export function isLinkedElsewhere(
  html: HtmlPage,
  context: PageContext,
  { title, isAlike }: { readonly title: string; readonly isAlike: boolean },
): boolean {
  if (title.length < 4 || (isAlike && !isListPath(context.url))) return false;
  const source = html.html;
  // The engine's own search for a long text takes seconds on a page full of near matches, and cannot be interrupted.
  const wanted = wordToFind(title);
  let at = indexOfWord(source, wanted);
  for (let count = 0; at >= 0 && count < PLACES; count += 1) {
    const isWhole = /^\s*</.test(source.slice(at + title.length, at + title.length + 40));
    const before = source.slice(Math.max(0, at - 1200), at);
    const open = before.lastIndexOf('<a ');
    const inside = open < 0 ? '' : before.slice(open);
    const tag = /^<a\s[^<>]{0,800}>/i.exec(inside)?.[0] ?? '';
    const isLink = tag !== '' && !inside.includes('</a') && />\s*$/.test(inside);
    const url = isWhole && isLink ? addressIn(tag, context) : null;
    if (url !== null && isOtherPage(url, context)) return true;
    at = indexOfWord(source, wanted, at + title.length);
  }
  return false;
}
