// Decides whether a page without a product in its data is a product page nevertheless: it may be redesigned, or rendered by
// a script. Such a page cannot be read, which is not the same as "not a product" (D12).

import { decodeEntities, plainTextOfHtml } from '../../base/listing/text/text.ts';
import type { HtmlPage } from './html/html.ts';
import type { OpenGraph } from './open-graph.ts';
import { isFrontPage, isServicePage } from './page-names.ts';
import { isTaggedProduct } from './page-signs.ts';
import { isButtonClass, isBuyClass, isBuyLabel } from './visible/lines/visible-buttons.ts';

/** The tags right before a label, possibly including those of an icon. */
const OPENED = /(?:<\/?[a-z][^<>]*>\s*){1,4}$/i;
const OPENED_LENGTH = 600;
/** Elements that may be a button or contain its label, and elements that look like a button regardless of their content. */
const MAY_BE_BUTTON = /<(?:button|a|span|div)\b/i;
const BUTTON = /<button\b|\srole\s*=\s*["']?button/i;
const CLASS = /\sclass\s*=\s*["']?([^"'<>]{1,300})/gi;
/**
 * For each first letter, whether a tag starting with it may be one of these elements. Checked before the words of the label,
 * which costs more.
 */
const MAY_HOLD: Readonly<Record<number, boolean>> = Object.fromEntries(
  Array.from('abdsABDS', (letter) => [letter.charCodeAt(0), true]),
);
/** Maximum length of a label, without and with surrounding whitespace. */
const LONGEST_LABEL = 60;
const LABEL_LENGTH = 160;
const INPUT_LENGTH = 600;
const INPUT_LABEL = /\svalue\s*=\s*(?:"([^"<>]{1,80})"|'([^'<>]{1,80})')/i;
/** A product page repeats its button in a sticky bar; a list has one per tile. */
const MOST_BUTTONS = 2;

/** Texts of a page whose script has not run yet: "Loading", "You need to enable JavaScript to run this app." */
const SHELL_TEXT = 160;
const SHELL_LENGTH = 60_000;
const SCRIPT_SOURCE = /<script\b[^<>]{0,400}\b(?:src|type=["']module)/i;
const LINKS = /<a\b[^<>]{0,400}\bhref=/gi;
const MOST_LINKS = 3;

/** The reason for a page that shows a buy button. */
export const UNREAD_BUTTON = 'a button to buy, and no data that can be read';

/**
 * Returns why the page is a product page, in a few words; null when there is no sign, or when the page says it is something
 * else.
 */
export function unreadProduct(html: HtmlPage, tags: OpenGraph, url: URL | null): string | null {
  if (isFrontPage(url) || isServicePage(url) || tags.types.includes('article')) return null;
  if (isTaggedProduct(tags)) return 'tags that call it a product, without its facts';
  const buttons = buttonsIn(html.html);
  if (buttons > 0 && buttons <= MOST_BUTTONS) return UNREAD_BUTTON;
  return html.headings.length === 0 && isShell(html.html)
    ? 'a page that is empty until its script runs'
    : null;
}

/** Whether the page is rendered by a script: its source has almost no text and no links to follow. */
function isShell(html: string): boolean {
  if (html.length > SHELL_LENGTH || !SCRIPT_SOURCE.test(html)) return false;
  if (countOf(html, LINKS) > MOST_LINKS) return false;
  const body = html.slice(Math.max(0, html.search(/<body\b/i)));
  return plainTextOfHtml(body, SHELL_TEXT + 1).length <= SHELL_TEXT;
}

/** Counts the buy labels, up to one more than `MOST_BUTTONS`. */
function buttonsIn(html: string): number {
  let count = 0;
  for (const isOne of [isTextButton, isInputButton]) {
    const opening = isOne === isTextButton ? '</' : '<input';
    let at = html.indexOf(opening);
    while (at >= 0 && count <= MOST_BUTTONS) {
      if (isOne(html, at)) count += 1;
      at = html.indexOf(opening, at + opening.length);
    }
  }
  return count;
}

/** Whether the text before the closing tag at `at` is a button label. A single word may be a menu item: "Kaufen". */
function isTextButton(html: string, at: number): boolean {
  let end = at;
  while (html.charCodeAt(end - 1) <= BLANK) end -= 1;
  if (html.charCodeAt(end - 1) === CLOSE) return false;
  let from = end - 1;
  const least = Math.max(0, at - LABEL_LENGTH);
  while (from > least && html.charCodeAt(from) !== CLOSE) from -= 1;
  if (html.charCodeAt(from) !== CLOSE) return false;
  const open = html.lastIndexOf('<', from);
  if (end - from > LONGEST_LABEL || open < 0 || !MAY_HOLD[html.charCodeAt(open + 1)]) return false;
  const label = decodeEntities(html.slice(from + 1, end)).trim();
  if (!isBuyLabel(label)) return false;
  const tags = OPENED.exec(html.slice(Math.max(0, from + 1 - OPENED_LENGTH), from + 1))?.[0] ?? '';
  return label.includes(' ') ? MAY_BE_BUTTON.test(tags) : looksLikeButton(tags);
}

function looksLikeButton(tags: string): boolean {
  if (BUTTON.test(tags)) return true;
  return [...tags.matchAll(CLASS)].some(
    ([, names = '']) => isButtonClass(names) || isBuyClass(names),
  );
}

/** Whether the input opening at `at` is a button. */
function isInputButton(html: string, at: number): boolean {
  const source = html.slice(at, at + INPUT_LENGTH);
  const end = source.indexOf('>');
  const [, double, single] = INPUT_LABEL.exec(end < 0 ? source : source.slice(0, end)) ?? [];
  return isBuyLabel(decodeEntities(double ?? single ?? ''));
}

const BLANK = 32;
const CLOSE = 62;

/** Returns the number of matches, counted up to one more than `MOST_LINKS`. */
function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) {
    count += 1;
    if (count > MOST_LINKS) break;
  }
  return count;
}
