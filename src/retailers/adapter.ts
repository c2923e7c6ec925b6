// How a retailer is asked and how its answers are read: types only. An adapter holds no state, reads no
// clock and throws nothing; what it cannot do, it does not declare.

import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Identifier } from '../identifiers/parse-identifier.ts';
import type { Page, PageRequest, PageVerdict } from '../listing/page.ts';
import type { RetailerAnswer } from '../listing/retailer-answer.ts';
import type { UnknownWords } from '../listing/unknown-words.ts';
import type { KnownSlug } from '../core/retailer.ts';

/** URL shapes of one known retailer, both ways (D3, D9). Hosts are exact labels, never suffix text. */
export type AddressBook = {
  readonly slug: KnownSlug;
  /** Without `www.` and `m.`, which every book also answers for. */
  readonly hosts: readonly string[];
  /** Hosts that only redirect to a product page (short links). */
  readonly shortLinkHosts: readonly string[];
  /** The identifier a product-page address stands for; null when it is none of this retailer's product pages. */
  readonly reduce: (url: URL) => Identifier | null;
  /** The canonical product page of an identifier of this retailer; null when it has none. */
  readonly productUrl: (identifier: Identifier) => string | null;
};

/**
 * Reads one kind of answer. Total: any bytes at all give a verdict. What it does not understand of conditions, stock and
 * dangerous goods it notes in `words`.
 */
export type ReadAnswer = (page: Page, words: UnknownWords) => PageVerdict<RetailerAnswer>;

/** What a retailer can be asked. */
export type RetailerQuestion =
  /** Its own listing, by its own identifier. */
  | { readonly kind: 'product'; readonly identifier: Identifier }
  /** Whatever it sells under a barcode. */
  | { readonly kind: 'barcode'; readonly gtin: Gtin14 }
  | { readonly kind: 'offers'; readonly identifier: Identifier }
  | { readonly kind: 'reviews'; readonly identifier: Identifier; readonly page: number }
  /** By the public number; the 32-character id has no address. */
  | { readonly kind: 'seller'; readonly catalogSellerId: string }
  /** May the operator's own seller account list it there, as new? */
  | { readonly kind: 'restriction'; readonly identifier: Identifier }
  /** Would the marketplace store and ship it for a seller? */
  | { readonly kind: 'fulfillment_eligibility'; readonly identifier: Identifier };

export type RetailerQuestionKind = RetailerQuestion['kind'];

/** What a source needs beside the question. Credentials are complete or the source is left out. */
export type Access = {
  /** `OPENSHELF_<SLUG>_<NAME>` without prefix, by NAME. */
  readonly credentials: Readonly<Record<string, string>>;
  /** A token that `Source.token` brought, still valid. */
  readonly token: string | null;
  readonly nowMs: number;
  /** A fresh random id, where an API wants one with each request. */
  readonly newId: () => string;
};

/** An access token: asked for once, kept until shortly before it ends. */
export type TokenHalves = {
  readonly request: (access: Access) => PageRequest;
  /** Null: the answer holds no token. `expiresInSeconds` from the moment of the answer. */
  readonly read: (
    page: Page,
  ) => { readonly token: string; readonly expiresInSeconds: number } | null;
  /** Whether an answer refuses the token itself, where that is not every 401 and nothing else. */
  readonly isRefused?: (page: Page) => boolean;
};

/** One way to ask a retailer: an official API, or its pages. Two pure halves. */
export type Source = {
  /** `page`, or the API's name. Unique within the retailer. */
  readonly name: string;
  /** Names of the credentials without which this source does not exist. */
  readonly needs: readonly string[];
  /** What is wrong with a complete set of credentials, said at start; null: nothing that can be seen. */
  readonly credentialProblem?: (credentials: Readonly<Record<string, string>>) => string | null;
  /** An API that the operator has an account for: robots.txt does not speak of it. */
  readonly isOfficial?: boolean;
  readonly token?: TokenHalves;
  /**
   * The kinds of question it takes. Where a token is needed to ask, none is asked for in vain, and a source that
   * fails says nothing about questions that it does not take. Absent: `request` alone tells.
   */
  readonly takes?: readonly RetailerQuestionKind[];
  /** Null: this source cannot be asked that. */
  readonly request: (question: RetailerQuestion, access: Access) => PageRequest | null;
  /**
   * Names of sources whose product reading this one completes: asked after them, it fills what they do not
   * say. Not asked on its own when one of them has answered.
   */
  readonly completes?: readonly string[];
  /** Which reader of the retailer reads the answer to such a question. */
  readonly readerOf: (kind: RetailerQuestionKind) => string;
  /**
   * Whether `not_found` of this source ends the search: the source is the catalog itself. A page search
   * that shows nothing is not.
   */
  readonly isAuthoritative: boolean;
};

/** A known retailer: where its pages are, how it is asked, how its answers are read. */
export type RetailerAdapter = {
  readonly slug: KnownSlug;
  readonly book: AddressBook;
  /**
   * By name: `product`, `offers`, `search`, `seller`, `reviews` for pages, `api:<name>` for an official or
   * public JSON endpoint.
   */
  readonly readers: Readonly<Record<string, ReadAnswer>>;
  /** In the order they are tried: official APIs first (`primary`), then pages (D54). */
  readonly sources: readonly Source[];
};
