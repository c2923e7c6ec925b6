// Finds the category path that a page shows but its data does not state: the links of an element named after breadcrumbs.

import { plainTextOfHtml } from '../../../base/listing/text/text.ts';
import type { PageContext } from '../facts.ts';
import { indexOfWord, wordToFind } from '../html/find-word.ts';
import type { HtmlPage } from '../html/html.ts';
import { MarkupScanner } from '../html/markup.ts';
import { absoluteUrl, addressMatch } from '../page-address.ts';
import { isFrontPage } from '../page-names.ts';
import { HOME } from '../schema-org/breadcrumbs.ts';
import { VOID } from './lines/visible-text.ts';

/** A part of every such element name, regardless of the case of the first letters. */
const IN_NAME = wordToFind('rumb');
const NAMED =
  /\s(?:class|id|aria-label|data-testid)\s*=\s*["']?[^"'<>]*(?:bread-?crumb|(?<![a-z])crumbs?(?![a-z]))/i;
/** Elements that contain much more than the path. */
const WHOLE_PAGE = /^<(?:html|body|main|header|script|style|link|meta|svg|use|template)\b/i;
/**
 * Number of source characters before the first main heading and after the last one in which a path may be: menus before it and
 * goods after it are long, and searching the whole page took up to a tenth of reading it.
 */
const BEFORE_HEADING = 60_000;
const AFTER_HEADING = 40_000;
/** Maximum number of occurrences examined: style sheets contain the names too. */
const MOST_PLACES = 100;
const TAG_LENGTH = 600;
/** Maximum number of source characters of a path; anything longer is a menu. */
const SOURCE = 12_000;
const MOST_LINKS = 10;
const NAME_LENGTH = 80;

type Link = { readonly text: string; readonly address: URL | null };

/** Returns the links in the element opening at `start`; null when it is not closed, or has too many. */
function linksIn(html: string, start: number, base: URL | null): readonly Link[] | null {
  const tag = new MarkupScanner(html, start, Math.min(html.length, start + SOURCE));
  if (!tag.next() || VOID.has(tag.name)) return null;
  const { name } = tag;
  const links: Link[] = [];
  let depth = 1;
  let opened: { readonly from: number; readonly address: URL | null } | null = null;
  while (tag.next()) {
    const isOpening = tag.kind === 'open';
    if (tag.name === name) depth += isOpening ? 1 : -1;
    if (depth === 0) return links;
    if (tag.name !== 'a') continue;
    if (opened !== null) {
      const text = plainTextOfHtml(html.slice(opened.from, tag.start), NAME_LENGTH + 1);
      links.push({ text, address: opened.address });
    }
    const address = isOpening ? absoluteUrl(tag.attribute('href'), base) : null;
    opened = isOpening ? { from: tag.end, address } : null;
    if (links.length > MOST_LINKS) return null;
  }
  return null;
}

/** The end of the path: the product. */
type Trail = { readonly title: string | null; readonly context: PageContext };

function isCategory({ text, address }: Link, { title, context }: Trail): boolean {
  const name = text.toLowerCase();
  if (address === null || !/\p{L}{2}/u.test(name) || name.length > NAME_LENGTH) return false;
  if (address.hostname !== context.url?.hostname) return false;
  // Some shops distinguish their pages only by a parameter: a different one is then another page.
  const isOwn = [context.url, context.canonical].some((own) => addressMatch(address, own) === 2);
  return !isOwn && name !== title?.toLowerCase();
}

/** Whether a link leads to the front page: links before it lead back to where the visitor came from. */
const isHome = ({ text, address }: Link): boolean =>
  address !== null && (HOME.test(text) || isFrontPage(address));

/** Returns the category names among the links of a path. */
function categoriesOf(links: readonly Link[], trail: Trail): readonly string[] {
  const after = links.slice(links.findLastIndex(isHome) + 1);
  return after.filter((link) => isCategory(link, trail)).map(({ text }) => text);
}

/** Returns the start of the tag with the name at `at`; -1 when no tag has it, or one that contains much else. */
function openingOf({ html, scripts }: HtmlPage, at: number): number {
  // A script of a megabyte may have no `<`.
  const before = html.slice(Math.max(0, at - TAG_LENGTH), at).lastIndexOf('<');
  if (before < 0) return -1;
  const start = Math.max(0, at - TAG_LENGTH) + before;
  const near = html.slice(start, start + 2 * TAG_LENGTH);
  const tag = near.slice(0, near.indexOf('>', at - start) + 1);
  if (!/^<[a-z]/i.test(tag) || !NAMED.test(tag) || WHOLE_PAGE.test(tag)) return -1;
  return scripts.some(({ from, to }) => from <= start && start < to) ? -1 : start;
}

/** Returns category names, broadest first, without the front page and the product itself. */
export function visibleTrail(page: HtmlPage, trail: Trail): readonly string[] {
  const { html } = page;
  const base = absoluteUrl(page.base, trail.context.url) ?? trail.context.url;
  const near = html.slice(0, (page.headingStarts.at(-1) ?? html.length) + AFTER_HEADING);
  let at = indexOfWord(near, IN_NAME, Math.max(0, (page.headingStarts[0] ?? 0) - BEFORE_HEADING));
  for (let count = 0; at >= 0 && count < MOST_PLACES; count += 1) {
    const start = openingOf(page, at);
    const links = start < 0 ? null : linksIn(html, start, base);
    const names = categoriesOf(links ?? [], trail);
    if (names.length > 0 && new Set(names).size === names.length) return names;
    at = indexOfWord(near, IN_NAME, at + 1);
  }
  return [];
}
