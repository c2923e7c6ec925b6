// Reads a page that a person handed in (D84): what it is, which address it calls its own, and whether it is about its visitor.
// Pure; runs in a reading thread, within its time limit.

import type { Page, PageVerdict } from '../../base/listing/page.ts';
import type { RetailerAnswer } from '../../base/listing/retailer-answer.ts';
import { decodeBody } from '../page-data/html/charset.ts';
import { readHtml } from '../page-data/html/html.ts';
import { absoluteUrl } from '../page-data/page-address.ts';
import { readAnswer } from '../retailers/registry.ts';
import { withoutPersonalData } from './personal-data.ts';
import { privateSignOf, type PrivateSign } from './private-page.ts';

export type HandedInReading =
  /** A page about its visitor. Nothing of it was read. */
  | { readonly kind: 'private'; readonly sign: PrivateSign }
  | {
      readonly kind: 'page';
      /** The canonical address that the page states, absolute; null if it states none. */
      readonly canonical: string | null;
      readonly verdict: PageVerdict<RetailerAnswer>;
    };

/** Reads the page as one of the retailer `slug`, without data that may be about its visitor. Never throws. */
export function readHandedIn(page: Page, slug: string | undefined): HandedInReading {
  const url = absoluteUrl(page.url, null);
  const html = readHtml(decodeBody(page.body, page.headers['content-type']).text);
  const sign = url === null ? null : privateSignOf(url, html);
  if (sign !== null) return { kind: 'private', sign };
  const base = absoluteUrl(html.base, url) ?? url;
  return {
    kind: 'page',
    canonical: absoluteUrl(html.canonical, base)?.href ?? null,
    verdict: withoutPerson(
      readAnswer(page, 'product', slug) ?? { kind: 'unreadable', why: 'no reader' },
    ),
  };
}

function withoutPerson(verdict: PageVerdict<RetailerAnswer>): PageVerdict<RetailerAnswer> {
  if (verdict.kind !== 'read' || verdict.value.kind !== 'product') return verdict;
  const { value } = verdict;
  return { ...verdict, value: { ...value, listing: withoutPersonalData(value.listing) } };
}
