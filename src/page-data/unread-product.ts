// Whether a page in whose data no product was found is a product page all the same: redesigned, or filled by a script. It
// cannot be read, which is another thing than "not a product" (D12).

import { plainTextOfHtml } from '../listing/text/text.ts';
import type { HtmlPage } from './html/html.ts';
import type { OpenGraph } from './open-graph.ts';
import { isFrontPage, isServicePage } from './page-names.ts';
import { isTaggedProduct } from './page-signs.ts';

/**
 * A button, or a link that looks like one, is labelled with these words and no others. They are the commonest of buy-words.ts,
 * looked for in the whole of a page that has no heading; all of them cost ten times as much.
 */
const BUY =
  'add (?:this )?to (?:my |your )?(?:shopping )?(?:cart|bag|basket|trolley)|buy (?:it )?now|add to order|' +
  'in den (?:waren|einkaufs)korb|jetzt kaufen|ajouter au panier|acheter(?: maintenant)?|' +
  'a(?:ñ|&ntilde;)adir (?:al carrito|a la cesta)|agregar al carrito|comprar(?: ahora| agora)?|adicionar ao carrinho|' +
  'aggiungi al carrello|acquista ora|in winkelwagen|dodaj do koszyka|köp(?: nu)?|l(?:ä|&auml;)gg i (?:varukorgen|kundvagn)';
const LABEL = `\\s{0,80}(?:${BUY})\\s{0,80}(?:<|["'])`;
const TEXT_LABEL = new RegExp(`>${LABEL}`, 'iuy');
/** By the code of a sign of ASCII: 1 where a label may begin with it. */
const OPENINGS = new Uint8Array(128);
for (const letter of 'abcdijklABCDIJKL') OPENINGS[letter.charCodeAt(0)] = 1;
const TAG_LENGTH = 400;
const INPUT_LABEL = new RegExp(`<input\\b[^<>]{0,${TAG_LENGTH}}?\\bvalue=["']${LABEL}`, 'iuy');
/** What ends where a label begins. Looked for behind a label only: from every tag on it took three times as long. */
const BUTTON_TAG = new RegExp(`<(?:button|a|span|div)\\b[^<>]{0,${TAG_LENGTH}}$`, 'iu');
/** A product page repeats its button in a bar that stays in view; a list has one for each tile. */
const MOST_BUTTONS = 2;

/** What a page may say before its script has run: "Loading", "You need to enable JavaScript to run this app." */
const SHELL_TEXT = 160;
const SHELL_LENGTH = 60_000;
const SCRIPT_SOURCE = /<script\b[^<>]{0,400}\b(?:src|type=["']module)/i;
const LINKS = /<a\b[^<>]{0,400}\bhref=/gi;
const MOST_LINKS = 3;

/** Why a page is one that shows a button to buy. */
export const UNREAD_BUTTON = 'a button to buy, and no data that can be read';

/** Why it is one, in a few words; null: nothing says so, or the page says that it is something else. */
export function unreadProduct(html: HtmlPage, tags: OpenGraph, url: URL | null): string | null {
  if (isFrontPage(url) || isServicePage(url) || tags.types.includes('article')) return null;
  if (isTaggedProduct(tags)) return 'tags that call it a product, without its facts';
  const buttons = buttonsIn(html.html);
  if (buttons > 0 && buttons <= MOST_BUTTONS) return UNREAD_BUTTON;
  return html.headings.length === 0 && isShell(html.html)
    ? 'a page that is empty until its script runs'
    : null;
}

/** Whether a script makes the page: what came has next to no text and no links to follow. */
function isShell(html: string): boolean {
  if (html.length > SHELL_LENGTH || !SCRIPT_SOURCE.test(html)) return false;
  if (countOf(html, LINKS) > MOST_LINKS) return false;
  const body = html.slice(Math.max(0, html.search(/<body\b/i)));
  return plainTextOfHtml(body, SHELL_TEXT + 1).length <= SHELL_TEXT;
}

/** Whether the label that begins at `at` is an input's, or of an element that may be a button. */
function isOnButton(html: string, at: number): boolean {
  if (html[at] !== '>') return true;
  return BUTTON_TAG.test(html.slice(Math.max(0, at - TAG_LENGTH - 10), at));
}

/** How many labels to buy there are, at most one more than `MOST_BUTTONS`: one pattern for both took twice as long. */
function buttonsIn(html: string): number {
  let count = 0;
  for (const at of labelPlaces(html)) {
    if (!isOnButton(html, at)) continue;
    count += 1;
    if (count > MOST_BUTTONS) break;
  }
  return count;
}

/** Where texts that are such labels begin, and tags of inputs whose value is one. */
function* labelPlaces(html: string): Generator<number> {
  for (let at = html.indexOf('>'); at >= 0; at = html.indexOf('>', at + 1)) {
    if (!mayOpenLabel(html, at + 1)) continue;
    TEXT_LABEL.lastIndex = at;
    if (TEXT_LABEL.test(html)) yield at;
  }
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    if ((html.charCodeAt(at + 1) | LOWER) !== LETTER_I) continue;
    INPUT_LABEL.lastIndex = at;
    if (INPUT_LABEL.test(html)) yield at;
  }
}

const LOWER = 32;
const LETTER_I = 105;
const BLANKS = 80;

function mayOpenLabel(html: string, from: number): boolean {
  let at = from;
  while (at < from + BLANKS && html.charCodeAt(at) <= 32) at += 1;
  // Blanks and letters beyond ASCII, and the end of the page, are left to the pattern.
  return OPENINGS[html.charCodeAt(at)] !== 0;
}

/** At most one more than `MOST_LINKS`. */
function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) {
    count += 1;
    if (count > MOST_LINKS) break;
  }
  return count;
}
