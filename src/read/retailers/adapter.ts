// The types of an adapter: how a retailer is queried and how its answers are read. An adapter is pure: it has no state,
// reads no clock and never throws. It only declares what it supports.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Identifier } from '../../base/identifiers/parse-identifier.ts';
import type { PriceReadFrom } from '../../base/listing/listing.ts';
import type { ApiOperation, Page, PageRequest, PageVerdict } from '../../base/listing/page.ts';
import type { RetailerAnswer } from '../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../base/listing/vocabularies/unknown-words.ts';
import { originOf, type Origin } from '../../base/listing/origin.ts';
import type { KnownSlug } from '../../base/retailer.ts';

/** The URL shapes of one known retailer, in both directions (D3, D9). Hosts are compared in full, never by suffix. */
export type AddressBook = {
  readonly slug: KnownSlug;
  /** Host names without `www.` and `m.`; these prefixes are also accepted for each. */
  readonly hosts: readonly string[];
  /** Hosts that never appear in an answer: short links, partner links, and alternative hosts of the same catalog. */
  readonly shortLinkHosts: readonly string[];
  /** Returns the identifier of a product-page address; null when it is not a product page of this retailer. */
  readonly reduce: (url: URL) => Identifier | null;
  /**
   * Returns the target of a page that only forwards to another address, as given in its parameter; null for every other
   * page. Absent when the retailer has no such pages.
   */
  readonly carried?: (url: URL) => string | null;
  /** Returns the canonical product page of an identifier of this retailer; null when it has none. */
  readonly productUrl: (identifier: Identifier) => string | null;
};

/**
 * Reads one kind of answer. Never throws: any bytes produce a verdict. Adds unknown terms for condition, stock and
 * dangerous goods to `words`.
 */
export type AnswerReader = (page: Page, words: UnknownWords) => PageVerdict<RetailerAnswer>;

/** A request type for a retailer. */
export type RetailerQuestion =
  /** The retailer's listing for its own identifier. */
  | { readonly kind: 'product'; readonly identifier: Identifier }
  /** The retailer's listings for a barcode. */
  | { readonly kind: 'barcode'; readonly gtin: Gtin14 }
  | { readonly kind: 'offers'; readonly identifier: Identifier }
  | { readonly kind: 'reviews'; readonly identifier: Identifier; readonly page: number }
  /** The profile of a seller, by its public number: there is no address for the 32-character id. */
  | { readonly kind: 'seller'; readonly catalogSellerId: string }
  /** Whether the operator's own seller account may list the product there as new. */
  | { readonly kind: 'restriction'; readonly identifier: Identifier }
  /** Whether the marketplace would store and ship the product for a seller. */
  | { readonly kind: 'fulfillment_eligibility'; readonly identifier: Identifier };

export type RetailerQuestionKind = RetailerQuestion['kind'];

/** A source's inputs besides the question. Sources without complete credentials are not used. */
export type Access = {
  /** The values of the settings `OPENSHELF_<SLUG>_<NAME>`, by NAME. */
  readonly credentials: Readonly<Record<string, string>>;
  /** A valid token from `Source.token`. */
  readonly token: string | null;
  readonly nowMs: number;
  /** Returns a new random id, for APIs that require one with each request. */
  readonly newId: () => string;
};

/** How an access token is requested and parsed. The caller caches it until shortly before it expires. */
export type TokenExchange = {
  readonly request: (access: Access) => PageRequest;
  /** Null when the answer has no token. `expiresInSeconds` is relative to the time of the answer. */
  readonly read: (
    page: Page,
  ) => { readonly token: string; readonly expiresInSeconds: number } | null;
  /** Whether an answer rejects the token. If absent, exactly those with status 401 do. */
  readonly isRefused?: (page: Page) => boolean;
};

/**
 * A source of answers: an official API of the retailer, or its pages. It builds requests and states which reader handles
 * the answers; both are pure.
 */
export type Source = {
  /** `page` or the name of the API; unique within the retailer. */
  readonly name: string;
  /** Names of the required credentials. */
  readonly needs: readonly string[];
  /** Names of settings that it uses if they are set. */
  readonly options?: readonly string[];
  /**
   * Returns a sentence describing an obvious problem with complete credentials and options, which the service reports at
   * startup; null when there is none.
   */
  readonly credentialProblem?: (credentials: Readonly<Record<string, string>>) => string | null;
  /** An API for which the operator has an account: robots.txt does not apply. */
  readonly isOfficial?: boolean;
  /** How it is reached, if it is neither an official API nor a page. */
  readonly door?: 'product_json';
  /** Name of the retailer's source whose key, and therefore limit and state, this one shares. */
  readonly account?: string;
  readonly token?: TokenExchange;
  /**
   * The supported question kinds; if absent, `request` alone decides. Avoids requesting a token unnecessarily; a source's
   * failure does not count for unsupported kinds.
   */
  readonly takes?: readonly RetailerQuestionKind[];
  /** Returns null when this source does not support the question. */
  readonly request: (question: RetailerQuestion, access: Access) => PageRequest | null;
  /** Its answers about a product state neither price nor stock: the featured offer of its list of offers does. */
  readonly pricesByOffers?: boolean;
  /** Its search hits state few facts: the item of a hit is asked for as well. */
  readonly hasBriefHits?: boolean;
  /**
   * Returns the operation of the API that a request of this source uses; null, or absent, if nothing is known of its limits.
   */
  readonly operationOf?: (request: PageRequest) => ApiOperation | null;
  /** Returns the name of the reader for answers to this kind of question. */
  readonly readerOf: (kind: RetailerQuestionKind) => string;
  /**
   * Whether a `not_found` from this source is final because the source is the catalog itself. An empty page search is not
   * final.
   */
  readonly isAuthoritative: boolean;
};

/** Where the answers of a retailer's source come from. */
export function originOfSource(slug: KnownSlug, { name, isOfficial, door }: Source): Origin {
  return originOf(slug, name, isOfficial === true ? 'official_api' : (door ?? 'page'));
}

/**
 * The readers of a known retailer by name: `product`, `offers`, `search`, `seller`, `reviews` for pages, `api:<name>` for an
 * official or public JSON endpoint.
 */
export type Readers = Readonly<Record<string, AnswerReader>>;

/** A known retailer: its addresses and its sources. */
export type RetailerAdapter = {
  readonly slug: KnownSlug;
  readonly book: AddressBook;
  /** How its pages state prices, used where a reader does not say it. */
  readonly pagePricesFrom: PriceReadFrom;
  /** The sources in the order they are tried: official APIs first (`primary`), then pages (D54). */
  readonly sources: readonly Source[];
};
