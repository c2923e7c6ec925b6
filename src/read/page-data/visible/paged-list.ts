// Recognizes a page of a list that goes on: it links to the next or the previous page of the same list.

import { decodeEntities, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import type { PageContext } from '../facts.ts';
import { absoluteUrl, pathText } from '../page-address.ts';

const LINK = /<(?:a|link)\s[^<>]{0,800}>/gi;
const HREF = /\shref\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^\s"'>]{1,2000}))/i;
const NEIGHBOUR = /\srel\s*=\s*["']?[^"'<>]{0,60}\b(?:next|prev|previous)\b/i;
const MOST_LINKS = 3000;
const LABEL = 200;

/** Names of parameters with the number of a page or of its first entry. Those of reviews are below a product. */
const PAGE_PARAMETER =
  /^(?!.*(?:review|comment|rating|question|bewert|avis|opini))(?:pg?|start|offset|from|.*(?:pag[ei]|seite|strona|stran|sivu|sida|oldal).*)$/i;
/** The end of a path with the number of a page: `/page/2`, `/p2`, `/seite-3`. */
const PAGE_PATH =
  /[-_/](?:page|paged?|pagina|p|pg|seite|strona|strana|stranka|sivu|sida|oldal)[-_/=]?\d{1,4}(?=\/?$|\.html?$)/i;

/** Returns a path without its page number and its last slash. */
const listPath = (path: string): string => path.replace(PAGE_PATH, '').replace(/\/$/, '');

/** Whether two addresses are of the same list, at two of its pages. */
function areOfOneList(one: URL, other: URL): boolean {
  const [path, otherPath] = [pathText(one), pathText(other)];
  if (one.host !== other.host || listPath(path) !== listPath(otherPath)) return false;
  const names = new Set([...one.searchParams.keys(), ...other.searchParams.keys()]);
  const changed = [...names].filter(
    (name) => one.searchParams.get(name) !== other.searchParams.get(name),
  );
  const isNumber = (name: string): boolean =>
    [one, other].every(({ searchParams }) => /^\d{0,6}$/.test(searchParams.get(name) ?? ''));
  const isPaged = changed.every((name) => PAGE_PARAMETER.test(name) && isNumber(name));
  return isPaged && (changed.length > 0 || path !== otherPath);
}

/** Whether a page links to another page of its list, as its neighbour or by a number. */
export function isPaged(html: string, { url }: PageContext): boolean {
  if (url === null) return false;
  let left = MOST_LINKS;
  for (const { 0: tag, index } of html.matchAll(LINK)) {
    left -= 1;
    if (left < 0) return false;
    const [, double, single, bare] = HREF.exec(tag) ?? [];
    const other = absoluteUrl(decodeEntities(double ?? single ?? bare ?? ''), url);
    if (other === null || !areOfOneList(url, other)) continue;
    if (NEIGHBOUR.test(tag)) return true;
    const from = index + tag.length;
    const [label = ''] = html.slice(from, from + LABEL).split('</a', 1);
    if (/^\d{1,4}$/.test(plainTextOfHtml(label, 20).trim())) return true;
  }
  return false;
}
