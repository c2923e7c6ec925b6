// Finds the reader for an answer and runs it. Used by the service, `parse` and the measuring programs.

import { withHazmat } from '../../base/listing/vocabularies/hazmat.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { instalmentTotalOf } from '../../base/listing/money/instalments.ts';
import { isMoneyOfNines } from '../../base/listing/money/nines.ts';
import { withPackCount } from '../titles/pack-count.ts';
import { withTitleCondition } from '../titles/title-condition.ts';
import type { Page, PageVerdict } from '../../base/listing/page.ts';
import { decodeBody } from '../page-data/html/charset.ts';
import { isKnownSlug } from '../../base/retailer.ts';
import type { KnownSlug } from '../../base/retailer.ts';
import { namesOfHost } from './addresses/product-path.ts';
import type { RetailerAnswer } from '../../base/listing/retailer-answer.ts';
import { UnknownWords } from '../../base/listing/vocabularies/unknown-words.ts';
import type { AnswerReader, Readers } from './adapter.ts';
import { ADAPTERS } from './adapters.ts';
import { asProductAnswer, missedFields, OWN_LAYOUT } from './expected-fields.ts';
import { readGenericPage } from './generic/read-page.ts';
import { looksLikeJson } from './page-status.ts';
import { HOSTS_ABROAD as HOSTS_OF_A, otherCountryCurrency } from './retailer-a/other-countries.ts';
import { HOSTS_ABROAD as HOSTS_OF_E, isItemAbroad } from './retailer-e/other-countries.ts';
import { HOSTS_ABROAD as HOSTS_OF_W, itemCurrencyAbroad } from './retailer-w/other-countries.ts';
import { retailerAReaders } from './retailer-a/readers.ts';
import { retailerBReaders } from './retailer-b/readers.ts';
import { retailerEReaders } from './retailer-e/readers.ts';
import { retailerHReaders } from './retailer-h/readers.ts';
import { retailerLReaders } from './retailer-l/readers.ts';
import { retailerTReaders } from './retailer-t/readers.ts';
import { retailerWReaders } from './retailer-w/readers.ts';

/**
 * The readers of the known retailers. Only worker threads load them; the service only loads the adapters at startup, which are
 * kept separate for that reason.
 */
export const READERS: Readonly<Record<KnownSlug, Readers>> = {
  retailer_w: retailerWReaders,
  retailer_a: retailerAReaders,
  retailer_e: retailerEReaders,
  retailer_l: retailerLReaders,
  retailer_t: retailerTReaders,
  retailer_b: retailerBReaders,
  retailer_h: retailerHReaders,
};

/** Returns a known retailer's reader by name (`product`, `search`, `api:<name>` ...); null when there is none. */
function readerOf(slug: string | undefined, name: string): AnswerReader | null {
  if (slug === undefined || !isKnownSlug(slug)) return null;
  return READERS[slug][name] ?? null;
}

/**
 * Maximum number of specification characters stored per listing; the largest recorded ones have 2,400. Every barcode lookup
 * reads everything stored for its listings. Third-party pages that show the barcode and have 450 KB each made an answer take
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

/** Returns how prices are read when a reader does not state it: from an API, or as stated on the retailer's pages. */
function priceOriginOf({ page, name, known }: Answered): Listing['priceReadFrom'] {
  if (name.startsWith('api:') || looksLikeJson(page)) return 'api';
  return known === undefined || !isKnownSlug(known) ? null : ADAPTERS[known].pagePricesFrom;
}

/**
 * Adds the facts that only the title or the specifications state, and how the price was read, if the reader did not record it.
 */
function completed(listing: Listing, answered: Answered): Listing {
  const whole = withHazmat(
    withTitleCondition(withPackCount(withBoundedSpecs(listing))),
    answered.words,
  );
  const priceReadFrom =
    whole.price === null ? null : (whole.priceReadFrom ?? priceOriginOf(answered));
  return { ...whole, priceReadFrom };
}

/** Adds the total of the instalments on a product page. Only a price of nines needs it, so other pages cost nothing. */
function withInstalments(listing: Listing, { body, headers }: Page): Listing {
  const { price } = listing;
  if (price === null || !isMoneyOfNines(price)) return listing;
  const { text } = decodeBody(body, headers['content-type']);
  return { ...listing, instalmentTotal: instalmentTotalOf(text, price) };
}

/** Returns the answer with these facts added to each listing. */
function completedAnswer(value: RetailerAnswer, answered: Answered): RetailerAnswer {
  if (value.kind === 'search')
    return { ...value, hits: value.hits.map((hit) => completed(hit, answered)) };
  if (value.kind !== 'product') return value;
  return { ...value, listing: withInstalments(completed(value.listing, answered), answered.page) };
}

type Answered = {
  readonly page: Page;
  /** The name of the reader. */
  readonly name: string;
  /** The retailer whose readers read the page. */
  readonly known: string | undefined;
  readonly words: UnknownWords;
};

/** D63: a host of these retailers in another country is a separate shop with the same pages. */
const ABROAD: ReadonlySet<string> = new Set([...HOSTS_OF_A, ...HOSTS_OF_W, ...HOSTS_OF_E]);

/** Returns the retailer whose readers read a page at this address; the slug itself for every other shop. */
function readerSlug(slug: string | undefined, address: string): string | undefined {
  if (slug !== undefined && isKnownSlug(slug)) return slug;
  const host = URL.parse(address)?.hostname ?? '';
  if (!namesOfHost(host).some((name) => ABROAD.has(name))) return slug;
  if (otherCountryCurrency(address) !== null) return 'retailer_a';
  if (itemCurrencyAbroad(address) !== null) return 'retailer_w';
  return isItemAbroad(address) ? 'retailer_e' : slug;
}

/**
 * Reads any kind of answer, and records the missing expected fields. The generic reader handles product pages of shops without
 * their own reader, and those not recognized by the retailer's own reader. Null when there is no reader with that name.
 */
export function readAnswer(
  page: Page,
  name: string,
  slug?: string,
): PageVerdict<RetailerAnswer> | null {
  const known = readerSlug(slug, page.url);
  const own = readerOf(known, name);
  if (own === null && name !== 'product') return null;
  const words = new UnknownWords();
  const ofOwn = own?.(page, words) ?? null;
  const isGeneric = ofOwn === null || (name === 'product' && ofOwn.kind === 'unreadable');
  const verdict = isGeneric ? asProductAnswer(readGenericPage(page, words, own === null)) : ofOwn;
  if (verdict.kind !== 'read') return verdict;
  const value = completedAnswer(verdict.value, { page, name, known, words });
  // A retailer's own reader records this itself when it falls back to structured data.
  const isOtherLayout = isGeneric ? own !== null : verdict.notes.missing.includes(OWN_LAYOUT);
  const missed = missedFields(value, slug ?? null, name);
  const missing = isOtherLayout ? [OWN_LAYOUT, ...missed] : missed;
  const unknownWords = words.list();
  const { signals } = page;
  const notes = { ...verdict.notes, missing, ...(signals === undefined ? {} : { signals }) };
  return {
    ...verdict,
    value,
    notes: unknownWords.length === 0 ? notes : { ...notes, unknownWords },
  };
}

/** Reads a product page. `slug` identifies a retailer with its own reader. */
export function readProductPage(page: Page, slug?: string): PageVerdict<Listing> {
  const verdict = readAnswer(page, 'product', slug);
  if (verdict === null || verdict.kind !== 'read') {
    return verdict ?? { kind: 'unreadable', why: 'no reader' };
  }
  const { value, notes } = verdict;
  if (value.kind !== 'product') return { kind: 'not_a_product', why: `the page is ${value.kind}` };
  return { kind: 'read', value: value.listing, notes };
}
