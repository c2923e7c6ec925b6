// Which reader reads an answer. The one entry that the service, `parse` and the measuring programs share.

import type { Listing } from '../domain/listing.ts';
import type { Page, PageVerdict } from '../domain/page.ts';
import { decodeBody } from '../extract/charset.ts';
import { parseJson } from '../extract/store-script.ts';
import type { ReadProduct } from './adapter.ts';
import { parsePage, readParsedPage } from './generic.ts';
import { readStoreValue, storeProductOf } from './hosted-store.ts';
import { mediaType, readStatus } from './page-status.ts';

/** Readers of retailers with pages of their own, by slug; the others are read by the generic reader. */
const READERS: ReadonlyMap<string, ReadProduct> = new Map();

function looksLikeJson(page: Page): boolean {
  if (/json|javascript/.test(mediaType(page))) return true;
  for (const byte of page.body.subarray(0, 64)) {
    if (byte === 0x7b || byte === 0x5b) return true;
    // White space and a byte order mark may stand in front.
    if (byte > 0x20 && byte < 0x80) return false;
  }
  return false;
}

/** Reads the answer to a request for a product page. `slug` names a retailer with a reader of its own. */
export function readProductPage(page: Page, slug?: string): PageVerdict<Listing> {
  const reader = slug === undefined ? undefined : READERS.get(slug);
  if (reader !== undefined) return reader(page);
  const early = readStatus(page);
  if (early !== null) return early;
  if (looksLikeJson(page)) {
    const { text } = decodeBody(page.body, page.headers['content-type']);
    const product = storeProductOf(parseJson(text));
    if (product !== null) return readStoreValue(product, page);
  }
  return readParsedPage(parsePage(page));
}
