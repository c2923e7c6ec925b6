// Finds the reader of an answer and runs it. The service, `parse` and the measuring programs all use this.

import { withHazmat } from '../../base/listing/vocabularies/hazmat.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { instalmentTotalOf } from '../../base/listing/money/instalments.ts';
import { isNines } from '../../base/listing/money/nines.ts';
import { withPackCount } from '../titles/pack-count.ts';
import { withTitleCondition } from '../titles/title-condition.ts';
import type { Page, PageVerdict } from '../../base/listing/page.ts';
import { decodeBody } from '../page-data/html/charset.ts';
import { parseJson } from '../page-data/json/bounded-json.ts';
import { isKnownSlug } from '../../base/retailer.ts';
import type { RetailerAnswer } from '../../base/listing/retailer-answer.ts';
import { UnknownWords } from '../../base/listing/vocabularies/unknown-words.ts';
import type { AnswerReader } from './adapter.ts';
import { ADAPTERS } from './adapters.ts';
import { inOtherLayout, missedFields, OWN_LAYOUT, asProductAnswer } from './expected-fields.ts';
import { readParsedPage } from './generic.ts';
import { parsePage } from './parsed-page.ts';
import { READERS } from './readers.ts';
import { readStoreValue, storeProductOf } from './hosted-store.ts';
import { mediaType, readStatus } from './page-status.ts';
import { otherCountryCurrency } from './retailer-a/other-countries.ts';
import { isItemAbroad } from './retailer-e/other-countries.ts';
import { itemCurrencyAbroad } from './retailer-w/other-countries.ts';

/** A reader of a known retailer by name (`product`, `search`, `api:<name>` ...); null when there is none. */
export function readerOf(slug: string | undefined, name: string): AnswerReader | null {
  if (slug === undefined || !isKnownSlug(slug)) return null;
  return READERS[slug][name] ?? null;
}

/**
 * Characters of the specifications that are kept of a listing; the largest recorded ones have 2,400. Every lookup of a barcode
 * reads all that is kept of its listings. A stranger's pages that print the barcode and have 450 KB each made an answer cost
 * seconds.
 */
const SPECS_LENGTH = 16_384;

function withBoundedSpecs(listing: Listing): Listing {
  let left = SPECS_LENGTH;
  const end = listing.specs.findIndex(
    ({ name, value }) => (left -= name.length + value.length) < 0,
  );
  return end === -1 ? listing : { ...listing, specs: listing.specs.slice(0, end) };
}

/** Adds the facts that only the title or the specifications state. */
const withStatedFacts = (listing: Listing, words: UnknownWords): Listing =>
  withHazmat(withTitleCondition(withPackCount(withBoundedSpecs(listing))), words);

/** How prices are read where a reader does not say it: from an API, or as pages of the retailer state them. */
function priceOriginOf({ page, name, slug }: AnswerToRead): Listing['priceReadFrom'] {
  if (name.startsWith('api:') || looksLikeJson(page)) return 'api';
  const known = readerSlug(slug, page);
  return known !== undefined && isKnownSlug(known) ? ADAPTERS[known].pagePricesFrom : null;
}

/** Notes how the price was read, where the reader did not. */
function withPriceOrigin(listing: Listing, origin: Listing['priceReadFrom']): Listing {
  const { price, priceReadFrom } = listing;
  if (price === null) return priceReadFrom === null ? listing : { ...listing, priceReadFrom: null };
  return priceReadFrom === null ? { ...listing, priceReadFrom: origin } : listing;
}

/** Adds what the instalments of a product's page add up to. Only a price of nines needs them, so that other pages cost nothing. */
function withInstalments(listing: Listing, { body, headers }: Page): Listing {
  const { price } = listing;
  if (price === null || !isNines(price.cents)) return listing;
  const { text } = decodeBody(body, headers['content-type']);
  return { ...listing, instalmentTotal: instalmentTotalOf(text, price) };
}

/** The verdict with these facts in each listing. */
function completed(
  verdict: PageVerdict<RetailerAnswer>,
  asked: AnswerToRead,
): PageVerdict<RetailerAnswer> {
  if (verdict.kind !== 'read') return verdict;
  const { value } = verdict;
  const origin = priceOriginOf(asked);
  const whole = (listing: Listing): Listing =>
    withPriceOrigin(withStatedFacts(listing, asked.words), origin);
  switch (value.kind) {
    case 'product':
      return {
        ...verdict,
        value: { ...value, listing: withInstalments(whole(value.listing), asked.page) },
      };
    case 'search': {
      const hits = value.hits.map(whole);
      return { ...verdict, value: { ...value, hits } };
    }
    case 'offers':
    case 'seller':
    case 'reviews':
    case 'restriction':
    case 'fulfillment_eligibility':
      return verdict;
  }
}

/**
 * Reads any kind of answer. The generic reader reads product pages of shops without a reader of their own, and those
 * that the retailer's own reader does not recognize. Null when there is no reader of that name.
 */
export function readAnswer(
  page: Page,
  name: string,
  slug?: string,
): PageVerdict<RetailerAnswer> | null {
  const words = new UnknownWords();
  const verdict = readWith({ page, name, slug: slug ?? null, words });
  const unknownWords = words.list();
  if (verdict?.kind !== 'read' || unknownWords.length === 0) return verdict;
  return { ...verdict, notes: { ...verdict.notes, unknownWords } };
}

type AnswerToRead = {
  readonly page: Page;
  /** The name of the reader. */
  readonly name: string;
  readonly slug: string | null;
  readonly words: UnknownWords;
};

/** D63: another country's host of these retailers is a shop of its own with their pages. */
function readerSlug(slug: string | null, page: Page): string | undefined {
  if (slug !== null && isKnownSlug(slug)) return slug;
  if (otherCountryCurrency(page.url) !== null) return 'retailer_a';
  if (itemCurrencyAbroad(page.url) !== null) return 'retailer_w';
  return isItemAbroad(page.url) ? 'retailer_e' : (slug ?? undefined);
}

function readWith(asked: AnswerToRead): PageVerdict<RetailerAnswer> | null {
  const { page, name, slug, words } = asked;
  const own = readerOf(readerSlug(slug, page), name);
  if (own === null && name !== 'product') return null;
  const verdict = own?.(page, words) ?? null;
  if (verdict !== null && (name !== 'product' || verdict.kind !== 'unreadable')) {
    return withMissing(completed(verdict, asked), slug, name);
  }
  const read = completed(asProductAnswer(readAnyProductPage(page, words, own === null)), asked);
  const noted = withMissing(read, slug, name);
  return own === null ? noted : inOtherLayout(noted);
}

/** Notes the expected fields that are missing, for every reader in one place. */
function withMissing(
  verdict: PageVerdict<RetailerAnswer>,
  slug: string | null,
  name: string,
): PageVerdict<RetailerAnswer> {
  if (verdict.kind !== 'read') return verdict;
  const missing = missedFields(verdict.value, slug, name);
  const noted = { ...verdict, notes: { ...verdict.notes, missing } };
  // A retailer's own reader notes this itself when it fell back on structured data.
  return verdict.notes.missing.includes(OWN_LAYOUT) ? inOtherLayout(noted) : noted;
}

/** Reads a product page. `slug` names a retailer with a reader of its own. */
export function readProductPage(page: Page, slug?: string): PageVerdict<Listing> {
  const verdict = readAnswer(page, 'product', slug);
  if (verdict === null || verdict.kind !== 'read') {
    return verdict ?? { kind: 'unreadable', why: 'no reader' };
  }
  const { value, notes } = verdict;
  if (value.kind !== 'product') return { kind: 'not_a_product', why: `the page is ${value.kind}` };
  return { kind: 'read', value: value.listing, notes };
}

function looksLikeJson(page: Page): boolean {
  if (/json|javascript/.test(mediaType(page))) return true;
  for (const byte of page.body.subarray(0, 64)) {
    if (byte === 0x7b || byte === 0x5b) return true;
    // White space and a byte order mark may come first.
    if (byte > 0x20 && byte < 0x80) return false;
  }
  return false;
}

/**
 * The reader for any shop. It reads the product JSON of a hosted store, or else the data of a page and, on unknown shops, what
 * the page shows.
 */
function readAnyProductPage(
  page: Page,
  words: UnknownWords,
  isUnknownShop: boolean,
): PageVerdict<Listing> {
  const early = readStatus(page);
  if (early !== null) return early;
  if (looksLikeJson(page)) {
    const { text } = decodeBody(page.body, page.headers['content-type']);
    const product = storeProductOf(parseJson(text));
    if (product !== null) return readStoreValue(product, page);
  }
  return readParsedPage(parsePage(page, words), isUnknownShop);
}
