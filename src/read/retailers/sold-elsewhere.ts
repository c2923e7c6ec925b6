// Finds pages that only write about what others sell. Each of their buttons to buy leads to another site, and the page marks the
// link as paid for or as one that it does not vouch for.

import { decodeEntities, plainTextOfHtml } from '../../base/listing/text/text.ts';
import { absoluteUrl } from '../page-data/page-address.ts';
import { isBuyLabel } from '../page-data/visible/lines/buy-words.ts';
import { isBuyingPlace } from '../page-data/visible/lines/visible-buttons.ts';
import type { VisiblePage } from '../page-data/visible/visible-page.ts';
import type { ParsedPage } from './parsed-page.ts';
import { shopOfHost } from './addresses/shop-slug.ts';

/** Characters of source behind the heading in which such links are looked for. */
const SOURCE = 60_000;
const REFERRING =
  /<a\s[^<>]{0,800}?\srel\s*=\s*["']?[^"'<>]{0,60}\b(?:sponsored|nofollow)\b[^<>]{0,800}>/gi;
const HREF = /\shref\s*=\s*["']?([^"'\s<>]{1,2000})/i;
const CONTENT = 400;

/** The registrable domain of an address; null for none. */
export const domainOf = (address: URL | null): string | null =>
  address === null ? null : (shopOfHost(address.hostname)?.domain ?? null);

/** Whether every button to buy that a page shows is a paid or unendorsed link to another site. */
export function isSoldElsewhere(
  { html, context }: ParsedPage,
  { headingFrom, part }: VisiblePage,
): boolean {
  const buttons = part.buttons.filter(isBuyingPlace).length;
  const source = html.html.slice(headingFrom, headingFrom + SOURCE);
  const own = domainOf(context.url);
  let away = 0;
  for (const { 0: tag, index } of source.matchAll(REFERRING)) {
    const from = index + tag.length;
    const [label = ''] = source.slice(from, from + CONTENT).split('</a', 1);
    if (!isBuyLabel(plainTextOfHtml(label, 100))) continue;
    const address = absoluteUrl(decodeEntities(HREF.exec(tag)?.[1] ?? ''), context.url);
    if (address !== null && domainOf(address) !== own) away += 1;
  }
  return away > 0 && away >= buttons;
}
