// A request to a shop and its response: the seam between the pure readers and the network.

import type { FetchContext } from '../fetch-context.ts';
import type { Listing, PriceReadFrom } from './listing.ts';
import type { Signals } from './signals.ts';
import type { UnknownWord } from './vocabularies/unknown-words.ts';

export type Accepted = 'html' | 'json' | 'picture';

/** One request. `url` is absolute, http or https. */
export type PageRequest = {
  readonly url: string;
  readonly accept: Accepted;
  /** The method; GET when absent. */
  readonly method?: 'GET' | 'POST';
  /** Headers that an official API requires, in addition to the fetcher's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a POST as text. Its content type is in `headers`. */
  readonly body?: string;
  /**
   * An API for which the operator has an account: robots.txt, which addresses crawlers, is not consulted, and a redirect is not
   * followed, because it could lead the credentials to another host.
   */
  readonly isOfficial?: boolean;
  /**
   * The page of a shop in whose place an endpoint of the shop is requested. If robots.txt forbids the page, the endpoint is
   * not requested either (D82).
   */
  readonly insteadOf?: string;
  /** The operation of an official API that it uses, whose limit it waits for; null for none. */
  readonly operation?: ApiOperation | null;
  /** Its time was chosen by the limit of its operation: it does not wait for the pause between requests to its host. */
  readonly isPaced?: boolean;
  /** Counts it against the daily limit of its source when it is sent; false if that is spent, and it is not sent. */
  readonly countCall?: () => Promise<boolean>;
};

/** How often an operation may be called. Other users of the same account and operation count too. */
export type CallLimit = {
  /** Unique over all APIs, such as `retailer_a.selling_partner getItemOffers`. The space keeps it apart from hosts. */
  readonly name: string;
  /** Calls a second in the long run. */
  readonly perSecond: number;
  /** Calls that may follow each other at once after a quiet time; at least 1. */
  readonly burst: number;
};

/** The operation that answers a request. */
export type ApiOperation = {
  /** Null if the API states no limit. */
  readonly limit: CallLimit | null;
  /** How the question is asked together with others; absent if the API takes one at a time. */
  readonly together?: AskedTogether;
};

/** How questions are asked in one call. */
export type AskedTogether = {
  /** Questions of the same kind fit into one call. */
  readonly kind: string;
  /** The item that is asked about: its identifier in the API. */
  readonly item: string;
  /** Maximum items of one call. */
  readonly most: number;
  /** The limit of the operation that takes several; null if the API states none. */
  readonly limit: CallLimit | null;
  readonly request: (items: readonly string[]) => PageRequest;
  /** The request for the next page of an answer; null if it was the last. Absent if answers have one page. */
  readonly next?: (items: readonly string[], page: Page) => PageRequest | null;
  /**
   * Splits the pages of a common answer to these items, all of status 200. The result returns the page that an item's own request would have
   * brought; null if they leave open what that is: the item is then asked alone.
   */
  readonly shares: (
    pages: readonly Page[],
    items: readonly string[],
  ) => (item: string) => Page | null;
};

/** A shop's response with any status, content coding removed, within all size limits. */
export type Page = {
  /** The requested address. */
  readonly requestedUrl: string;
  /** The address that responded, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names; repeated fields joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly fetchedAtMs: number;
  /** The variant whose price counted when the address was last read; absent if none is known. */
  readonly chosenBefore?: ChosenVariant;
  /** The page of the shop in whose place this was requested. */
  readonly insteadOf?: string;
  /** The shop's signals about the use of the page; absent if there are none. */
  readonly signals?: Signals;
};

/**
 * The facts that identify one of several variants of a product: the shop's number for it, its codes, its own address, its
 * name.
 */
export type ChosenVariant = Readonly<
  Partial<Record<'id' | 'sku' | 'gtin' | 'mpn' | 'url' | 'name', string>>
>;

/**
 * Why no page was returned. Names follow the outcomes of D49: `refused`: the guard refused, and the caller never learns why
 * (D50). `unresolved`: no name server answered. `robots`: the shop's robots.txt forbids it. `license`: the shop asks for a licence that the operator is not known to have. `busy`: our own pacing or load
 * limit. `throttled`: the calls that an official API allows are taken for longer than the caller waits. `egress`: the operator's proxy could not connect to any host (D65).
 */
export type FetchFailureKind =
  | 'refused'
  /** The name could not be resolved at the moment, which says nothing about the address. */
  | 'unresolved'
  /** Nothing was sent from this machine, which says nothing about the shop. */
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
  | 'license'
  | 'busy'
  | 'throttled'
  | 'egress';

export type FetchFailure = {
  readonly kind: FetchFailureKind;
  /** For the operator's log. Never exposed to callers for `refused`. */
  readonly detail: string;
  readonly retryAfterSeconds?: number;
  /** Present for `robots` if it forbids the page in whose place an endpoint was to be requested. */
  readonly isOfPage?: true;
  /** Present for a `reset` before anything was sent: nothing listens at the address. */
  readonly isConnectionRefused?: true;
  /** The address of the licence; present for `license` if the shop states it. */
  readonly license?: string;
};

export type FetchOutcome =
  | {
      readonly ok: true;
      readonly page: Page;
      /** Notifies the pacing of the kind of page that a reader found; absent if the status already showed it. */
      readonly found?: PageFound;
    }
  | { readonly ok: false; readonly failure: FetchFailure };

/**
 * Reports the finding of a reader: a response of the shop, or a bot wall behind status 200, which counts as a refusal
 * (D54). Resolves once every process can see it; never rejects.
 */
export type PageFound = (what: 'answer' | 'wall') => Promise<void>;

/** The guarded egress. Never throws because of a shop's behaviour or an address. */
export type Fetcher = (request: PageRequest, context: FetchContext) => Promise<FetchOutcome>;

/** The verdict of a reader on a page, with one case per possible next step of the caller. */
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
      /** The page arrived, but there was no time left to read it. */
      readonly isUnread?: true;
    }
  | { readonly kind: 'unreadable'; readonly why: string };

/** A verdict without a value, for a response that could not be read. */
export type FailedVerdict = Exclude<PageVerdict<never>, { readonly kind: 'read' }>;

/** The notes of a reader in addition to the value. Only `missing` raises alarms. */
export type ReadNotes = {
  /**
   * Fields that a page of this kind normally states and this one did not. The registry fills it in for every
   * reader.
   */
  readonly missing: readonly string[];
  /** Where facts came from, which blocks were malformed, which rule resolved a conflict. */
  readonly remarks: readonly string[];
  /** The variant whose price counts, if the page lists several. It counts at the next reading too. */
  readonly chosen?: ChosenVariant;
  /** Words for conditions, stock and dangerous goods that are in no vocabulary; the registry fills it in. */
  readonly unknownWords?: readonly UnknownWord[];
  /** The shop's signals about the use of the page; absent if there are none. */
  readonly signals?: Signals;
  /** Where on the page each field was read, as far as the reader knows. Not stored. */
  readonly places?: Places;
  /** The listing as it is for organizations with rules for the page (D85). Stored in their own rows. */
  readonly own?: readonly OwnListing[];
  /** Withdrawn price rules for this page, by organization; null: there was no time to apply the rule. Not stored. */
  readonly withdrawnRules?: ReadonlyMap<string, string | null>;
};

export type OwnListing = { readonly organizationId: string; readonly listing: Listing };

export type Places = Readonly<Partial<Record<keyof Listing, PriceReadFrom>>>;
