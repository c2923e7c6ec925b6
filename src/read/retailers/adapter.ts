// The types of an adapter: how a retailer is asked and how its answers are read. An adapter is pure: it holds no state,
// reads no clock and throws nothing. It declares only what it can do.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Identifier } from '../../base/identifiers/parse-identifier.ts';
import type { PriceReadFrom } from '../../base/listing/listing.ts';
import type { Page, PageRequest, PageVerdict } from '../../base/listing/page.ts';
import type { RetailerAnswer } from '../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../base/listing/vocabularies/unknown-words.ts';
import type { KnownSlug } from '../../base/retailer.ts';

/** The URL shapes of one known retailer, in both directions (D3, D9). Hosts are compared whole, never by their end. */
export type AddressBook = {
  readonly slug: KnownSlug;
  /** Host names without `www.` and `m.`; the book knows each of them with these prefixes too. */
  readonly hosts: readonly string[];
  /** Hosts that never appear in an answer: short links, links of partners, and the same catalog under another name. */
  readonly shortLinkHosts: readonly string[];
  /** The identifier of a product-page address; null when it is not a product page of this retailer. */
  readonly reduce: (url: URL) => Identifier | null;
  /**
   * For a page that only forwards to another address: that address, as its parameter carries it; null for every other page.
   * Absent when the retailer has no such pages.
   */
  readonly carried?: (url: URL) => string | null;
  /** The canonical product page of an identifier of this retailer; null when it has none. */
  readonly productUrl: (identifier: Identifier) => string | null;
};

/**
 * Reads one kind of answer. Never throws: any bytes give a verdict. Adds to `words` what it does not understand of
 * condition, stock and dangerous goods.
 */
export type AnswerReader = (page: Page, words: UnknownWords) => PageVerdict<RetailerAnswer>;

/** A question that a retailer can be asked. */
export type RetailerQuestion =
  /** Its listing of its own identifier. */
  | { readonly kind: 'product'; readonly identifier: Identifier }
  /** Its listings of a barcode. */
  | { readonly kind: 'barcode'; readonly gtin: Gtin14 }
  | { readonly kind: 'offers'; readonly identifier: Identifier }
  | { readonly kind: 'reviews'; readonly identifier: Identifier; readonly page: number }
  /** The profile of a seller, by the public number: the 32-character id has no address. */
  | { readonly kind: 'seller'; readonly catalogSellerId: string }
  /** Whether the operator's own seller account may list the product there as new. */
  | { readonly kind: 'restriction'; readonly identifier: Identifier }
  /** Whether the marketplace would store and ship the product for a seller. */
  | { readonly kind: 'fulfillment_eligibility'; readonly identifier: Identifier };

export type RetailerQuestionKind = RetailerQuestion['kind'];

/** What a source needs besides the question. Sources without complete credentials are not used. */
export type Access = {
  /** The values of the settings `OPENSHELF_<SLUG>_<NAME>`, by NAME. */
  readonly credentials: Readonly<Record<string, string>>;
  /** A valid token from `Source.token`. */
  readonly token: string | null;
  readonly nowMs: number;
  /** A new random id, for APIs that require one with each request. */
  readonly newId: () => string;
};

/** How an access token is requested and read. The caller keeps it until shortly before it expires. */
export type TokenExchange = {
  readonly request: (access: Access) => PageRequest;
  /** Null when the answer has no token. `expiresInSeconds` counts from the time of the answer. */
  readonly read: (
    page: Page,
  ) => { readonly token: string; readonly expiresInSeconds: number } | null;
  /** Whether an answer refuses the token. Absent: exactly those with status 401 do. */
  readonly isRefused?: (page: Page) => boolean;
};

/**
 * A source of answers: an official API of the retailer, or its pages. It builds requests and names the reader of the
 * answers; both are pure.
 */
export type Source = {
  /** `page` or the name of the API; unique within the retailer. */
  readonly name: string;
  /** Names of the credentials that it requires. */
  readonly needs: readonly string[];
  /**
   * A sentence about what is visibly wrong with complete credentials, which the service reports at its start; null when nothing
   * is.
   */
  readonly credentialProblem?: (credentials: Readonly<Record<string, string>>) => string | null;
  /** An API for which the operator has an account: robots.txt does not apply. */
  readonly isOfficial?: boolean;
  readonly token?: TokenExchange;
  /**
   * The kinds of question that it takes; absent when `request` alone decides. Avoids requesting a token in vain, and
   * the failure of a source does not count for questions that it does not take.
   */
  readonly takes?: readonly RetailerQuestionKind[];
  /** Null when this source cannot be asked the question. */
  readonly request: (question: RetailerQuestion, access: Access) => PageRequest | null;
  /**
   * Names of sources whose product answers this one completes: it is asked after them and fills the fields that they do
   * not state. When one of them has answered it is not asked as a source of its own.
   */
  readonly completes?: readonly string[];
  /** The name of the reader for answers to such a question. */
  readonly readerOf: (kind: RetailerQuestionKind) => string;
  /**
   * Whether `not_found` of this source is final, because the source is the catalog itself. An empty page search is not.
   */
  readonly isAuthoritative: boolean;
};

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
  /** The sources in the order in which they are tried: official APIs first (`primary`), then pages (D54). */
  readonly sources: readonly Source[];
};
