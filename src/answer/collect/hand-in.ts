// Stores the facts of a page that a person hands in (D84): the listing belongs to the person's organization, and the page
// is thrown away. Nothing that the page or its address names is fetched.

import { SET_BACK_MS, type Clock } from '../../base/clock.ts';
import { FaultError, OVERLOADED, URL_NOT_ALLOWED } from '../../base/fault.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import type { Identifier } from '../../base/identifiers/parse-identifier.ts';
import type { Listing, PriceReadFrom } from '../../base/listing/listing.ts';
import { originOf } from '../../base/listing/origin.ts';
import type { ChosenVariant, Page, PageVerdict, ReadNotes } from '../../base/listing/page.ts';
import type { RetailerAnswer } from '../../base/listing/retailer-answer.ts';
import type { Owner } from '../../base/listing/stored-listing.ts';
import { isKnownSlug, type Slug } from '../../base/retailer.ts';
import { holdsApiKey } from '../../base/scopes.ts';
import { rowIdOf } from '../../data/answers/listing-writes.ts';
import type { PageCandidates } from '../../read/candidates/candidates.ts';
import type { HandedInReading } from '../../read/handed-in/read-handed-in.ts';
import { withoutPersonalParameters } from '../../read/handed-in/personal-data.ts';
import { ADAPTERS } from '../../read/retailers/adapters.ts';
import { OWN_LAYOUT } from '../../read/retailers/expected-fields.ts';
import { chosenOf } from '../../read/page-data/variants/chosen-variant.ts';
import { soleListingOf } from '../../read/retailers/addresses/own-identifier.ts';
import { parsedUrl } from '../../read/retailers/addresses/shop-url.ts';
import { STALE_MS } from './freshness.ts';
import type { PageRules } from './page-rules.ts';
import { listingKeyOf, type ListingKey } from './listing-key.ts';
import { slugOf } from './slug-of.ts';
import { chosenIn } from './storing/file-reading.ts';
import { storeOwnFacts } from './storing/store-listing.ts';
import type { StoreReadParts } from './storing/store-read.ts';

type PageToHandIn = {
  /** The address that the browser showed. */
  readonly url: string;
  readonly html: Uint8Array;
  /** The content type of the bytes; null if they are UTF-8. */
  readonly contentType: string | null;
  /** When the person saw the page (ms since 1970); null means now. */
  readonly capturedAtMs: number | null;
  readonly owner: Owner;
  /** Whether the text of the page and its candidates are wanted. */
  readonly withCandidates?: boolean;
};

export type HandedIn = {
  /** The id of the row that the organization owns; `deleteOwnFacts` takes it. */
  readonly rowId: string;
  readonly retailer: Slug;
  /** The identifier of the page. */
  readonly identifier: Identifier;
  readonly url: string;
  readonly capturedAtMs: number;
  /** The listing that was read, as stored. */
  readonly listing: Listing;
  readonly notes: ReadNotes;
  /** Where the retailer's own reader reads its facts; null for any other page. */
  readonly usualPlace: PriceReadFrom | null;
  /** Null unless they were wanted; they are never stored. */
  readonly candidates: PageCandidates | null;
};

/**
 * Reads and stores a page; durable when it resolves. FaultError invalid_parameter, url_not_allowed, page_not_accepted; overloaded
 * if there was no time to read it.
 */
export type HandIn = (page: PageToHandIn, context: FetchContext) => Promise<HandedIn>;

type HandInParts = StoreReadParts & {
  readonly rules: Pick<PageRules, 'ofHandedIn'>;
  readonly clock: Clock;
  readonly isAllowedUrl: (text: string) => boolean;
  readonly readPage: (
    page: Page,
    slug: string | undefined,
    context: FetchContext,
  ) => Promise<HandedInReading>;
  readonly readCandidates: (
    page: Page,
    slug: string,
    context: FetchContext,
  ) => Promise<PageVerdict<PageCandidates>>;
};

export function createHandIn(parts: HandInParts): HandIn {
  const { store, clock, isAllowedUrl, readPage } = parts;
  return async (sent, context) => {
    const { url, html, contentType, capturedAtMs: stated, owner } = sent;
    const key = keyOf(url, isAllowedUrl);
    const capturedAtMs = capturedAt(stated, clock.now());
    const retailer = await slugOf(store, key);
    const own = store.readsFor(owner.organizationId).listings;
    const chosenBefore = chosenIn(await own.findShownAt(retailer, key.key));
    const page: Page = {
      requestedUrl: url,
      url,
      status: 200,
      headers: { 'content-type': contentType ?? 'text/html; charset=utf-8' },
      body: html,
      fetchedAtMs: capturedAtMs,
      ...(chosenBefore === null ? {} : { chosenBefore }),
    };
    const reading = await readPage(page, key.kind === 'retailer' ? retailer : undefined, context);
    if (reading.kind === 'private') throw privatePage(reading.sign);
    const { listing, notes } = productOf(reading.verdict);
    const chosen = withoutAddress(notes.chosen);
    const { canonical } = reading;
    if (canonical !== null && !isOfKey(canonical, key, listing))
      throw otherPage(key.url, canonical);
    const served = servedInstead(key, listing);
    if (served !== null) throw otherPage(key.url, `an item with the number ${served}`);
    // An organization's rules do not change what others see of a page.
    const ruler = owner.isShared ? null : owner.organizationId;
    const named = { ...page, url: key.url };
    const ruled = await parts.rules.ofHandedIn(named, listing, ruler, context);
    const facts = {
      retailer,
      key: key.key,
      url: key.url,
      foundVia: 'submitted_url',
      source: 'primary',
      origin: originOf(retailer, 'handed_in', 'handed_in'),
      owner,
      fetchedAtMs: capturedAtMs,
      listing: { ...ruled, url: key.url },
      notes: { missing: notes.missing, remarks: [], ...(chosen === null ? {} : { chosen }) },
    } as const;
    await storeOwnFacts(parts, facts, context);
    const seen =
      sent.withCandidates === true ? await parts.readCandidates(page, retailer, context) : null;
    return {
      rowId: rowIdOf(facts),
      retailer,
      identifier: identifierOf(key),
      url: key.url,
      capturedAtMs,
      listing: facts.listing,
      notes,
      usualPlace: usualPlaceOf(retailer, notes),
      candidates: seen === null ? null : candidatesIn(seen),
    };
  };
}

/** Returns the identifier in the address. A known retailer's address has to name a product. */
function keyOf(text: string, isAllowedUrl: HandInParts['isAllowedUrl']): ListingKey {
  const url = parsedUrl(text.trim());
  if (url === null || holdsApiKey(text)) {
    throw new FaultError({
      code: 'invalid_parameter',
      parameter: 'url',
      detail: 'Send the address of the page as the browser shows it, without keys or passwords.',
    });
  }
  const key = isAllowedUrl(text.trim())
    ? listingKeyOf({ kind: 'url', value: withoutPersonalParameters(url).href })
    : null;
  if (key === null) throw new FaultError({ ...URL_NOT_ALLOWED, parameter: 'url' });
  if (key.kind === 'retailer' && key.identifier === null) {
    throw notAccepted(`The address is not that of a product of ${key.retailer}.`);
  }
  return key;
}

/** An address may name its visitor; the numbers of a variant identify it as well. */
function withoutAddress({ url: _url, ...chosen }: ChosenVariant = {}): ChosenVariant | null {
  return chosenOf(chosen);
}

function usualPlaceOf(retailer: Slug, { missing }: ReadNotes): PriceReadFrom | null {
  if (!isKnownSlug(retailer) || missing.includes(OWN_LAYOUT)) return null;
  return ADAPTERS[retailer].pagePricesFrom;
}

/** Returns the candidates; none, with the reason, if there was no time to read them. */
function candidatesIn(verdict: PageVerdict<PageCandidates>): PageCandidates {
  if (verdict.kind === 'read') return verdict.value;
  const whyUnread = 'why' in verdict ? verdict.why : 'the page has no text';
  return { whyUnread, lines: [], candidates: [] };
}

function identifierOf(key: ListingKey): Identifier {
  const own = key.kind === 'retailer' ? key.identifier : null;
  return own ?? { kind: 'url', value: key.url };
}

/**
 * Returns when the page was seen. A time slightly in the future, from a clock that is ahead, counts as now. A page older
 * than the age up to which prices are shown is refused: it belongs in a history import.
 */
function capturedAt(statedMs: number | null, nowMs: number): number {
  if (statedMs === null) return nowMs;
  if (statedMs > nowMs + SET_BACK_MS) throw wrongTime('is in the future');
  if (statedMs < nowMs - STALE_MS) {
    throw wrongTime('is more than 14 days ago. Import older prices with `openshelf import`');
  }
  return Math.min(statedMs, nowMs);
}

function wrongTime(what: string): FaultError {
  return new FaultError({
    code: 'invalid_parameter',
    parameter: 'captured_at',
    detail: `The time at which the page was seen ${what}.`,
  });
}

function productOf(verdict: PageVerdict<RetailerAnswer>): {
  readonly listing: Listing;
  readonly notes: ReadNotes;
} {
  if (verdict.kind === 'read' && verdict.value.kind === 'product') {
    return { listing: verdict.value.listing, notes: verdict.notes };
  }
  if (verdict.kind === 'retry' && verdict.isUnread === true) {
    throw new FaultError({ ...OVERLOADED, retryAfterSeconds: 1 });
  }
  const why = 'why' in verdict ? `: ${verdict.why}` : '';
  throw notAccepted(
    verdict.kind === 'unreadable'
      ? `The page could not be read${why}.`
      : `The page is not a product page${why}.`,
  );
}

/** Whether the page's canonical address has the same identifier as the one that was sent, or the same shop where there is none. */
function isOfKey(canonical: string, key: ListingKey, listing: Listing): boolean {
  const other = listingKeyOf({ kind: 'url', value: canonical });
  if (other === null) return false;
  if (key.kind === 'shop') return other.kind === 'shop' && other.shop.domain === key.shop.domain;
  if (other.kind === 'shop' || other.retailer !== key.retailer) return false;
  const [sent, stated] = [key.identifier, other.identifier];
  if (sent === null || stated === null) return false;
  const numbers = [listing.asin, listing.itemId, listing.productId];
  const [one, two] = [sent, stated].map((each) => soleListingOf(each) ?? each.value);
  // A retailer may number one product in two ways.
  return one === two || [one, two].every((each) => numbers.includes(each ?? ''));
}

/** Returns the number of another product than the address names, if the page shows one. */
function servedInstead(key: ListingKey, { asin, itemId }: Listing): string | null {
  const identifier = key.kind === 'retailer' ? key.identifier : null;
  const asked = identifier === null ? null : soleListingOf(identifier);
  const served = identifier?.kind === 'asin' ? asin : itemId;
  return asked === null || served === asked ? null : served;
}

function otherPage(sent: string, stated: string): FaultError {
  return notAccepted(
    `The address is ${sent}, but the page says that it is ${stated}. Send the page with its own address.`,
  );
}

const SIGNS = {
  address: 'its address',
  title: 'its title',
  'order number': 'an order number next to an address',
} as const;

export function privatePage(sign: keyof typeof SIGNS): FaultError {
  return notAccepted(
    `Carts, checkouts, orders and accounts are not accepted, and ${SIGNS[sign]} says that this is one. Nothing of it was stored.`,
  );
}

function notAccepted(detail: string): FaultError {
  return new FaultError({ code: 'page_not_accepted', detail });
}
