// What is requested from a shop and what came back: the seam between the pure readers and the network.

import type { FetchContext } from '../fetch-context.ts';
import type { UnknownWord } from './vocabularies/unknown-words.ts';

export type Accepted = 'html' | 'json' | 'picture';

/** One request. `url` is absolute, http or https. */
export type PageRequest = {
  readonly url: string;
  readonly accept: Accepted;
  /** The method; GET when absent. */
  readonly method?: 'GET' | 'POST';
  /**
   * Headers that an official API requires, in addition to the fetcher's own. They are never sent to the target of a redirect.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a POST as text. Its content type is in `headers`. */
  readonly body?: string;
  /** An API that the operator has an account for: robots.txt, which addresses crawlers, is not asked. */
  readonly isOfficial?: boolean;
};

/** An answer of a shop with any status, its content coding removed, within all size limits. */
export type Page = {
  /** The address that was asked. */
  readonly requestedUrl: string;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names; repeated fields joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly fetchedAtMs: number;
};

/**
 * Why no page came back. Names follow the outcomes of D49: `refused`: the guard refused, and the caller never learns why (D50).
 * `unresolved`: no name server answered. `robots`: the shop's robots.txt forbids it. `busy`: our own pacing or load limit.
 * `egress`: the operator's proxy reached nobody (D65).
 */
export type FetchFailureKind =
  | 'refused'
  /** The name could not be looked up now, which says nothing about the address. */
  | 'unresolved'
  /** Nothing left this machine, which says nothing about the shop. */
  | 'unsent'
  | 'timeout'
  | 'reset'
  | 'too_large'
  | 'bad_encoding'
  | 'bad_response'
  /** No connection could be trusted, because of its certificate or its version of TLS. */
  | 'untrusted'
  | 'redirect_loop'
  | 'robots'
  | 'busy'
  | 'egress';

export type FetchFailure = {
  readonly kind: FetchFailureKind;
  /** For the operator's log. Callers never see it for `refused`. */
  readonly detail: string;
  readonly retryAfterSeconds?: number;
};

export type FetchOutcome =
  | {
      readonly ok: true;
      readonly page: Page;
      /** Notifies the pacing of what the page was found to be; absent where the page's status said it already. */
      readonly found?: PageFound;
    }
  | { readonly ok: false; readonly failure: FetchFailure };

/**
 * Reports what a reader found: an answer of the shop, or a wall behind status 200, which counts as a refusal (D54). Resolves when
 * every process can know it; never rejects.
 */
export type PageFound = (what: 'answer' | 'wall') => Promise<void>;

/** The guarded egress. Never throws for what a shop or an address does. */
export type Fetcher = (request: PageRequest, context: FetchContext) => Promise<FetchOutcome>;

/** What a reader found a page to be, with one case for each thing that the caller may do next. */
export type PageVerdict<T> =
  | { readonly kind: 'read'; readonly value: T; readonly notes: ReadNotes }
  | { readonly kind: 'follow'; readonly request: PageRequest }
  | { readonly kind: 'not_found'; readonly why: string }
  | { readonly kind: 'not_a_product'; readonly why: string }
  | { readonly kind: 'blocked'; readonly why: string; readonly retryAfterSeconds?: number }
  | {
      readonly kind: 'retry';
      readonly why: string;
      readonly retryAfterSeconds?: number;
      /** The page came, and this service had no time left to read it. */
      readonly isUnread?: true;
    }
  | { readonly kind: 'unreadable'; readonly why: string };

/** A verdict without a value, for an answer that could not be read. */
export type FailedVerdict = Exclude<PageVerdict<never>, { readonly kind: 'read' }>;

/** What a reader reports in addition to the value. Only `missing` raises alarms. */
export type ReadNotes = {
  /**
   * Fields that a page of this kind normally states and this one did not. The registry fills it in for every
   * reader.
   */
  readonly missing: readonly string[];
  /** Where facts came from, which blocks were broken, which rule decided a conflict. */
  readonly remarks: readonly string[];
  /** Words of conditions, stock and dangerous goods that no vocabulary holds; the registry fills it in. */
  readonly unknownWords?: readonly UnknownWord[];
};
