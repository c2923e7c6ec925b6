// The port that agents' tools query, wherever the answer is made: in this process over the data itself, or at a service
// over HTTP.

import type { ComparisonBody } from '../wire/compare.ts';
import type { HistoryBody } from '../wire/history/history.ts';
import type { ProductRecord } from '../wire/record/product-record.ts';
import type {
  NewWatchBody,
  WatchList,
  WatchOnWire,
  WatchPatchBody,
} from '../wire/watches/watches.ts';

/** What a call was charged, and the key's remaining tokens this month; null if nothing is charged there. */
type TokenFields = {
  readonly tokens_consumed?: number;
  readonly tokens_remaining?: number;
};

export type ShelfRefusal = {
  readonly code: string;
  readonly detail: string;
  readonly parameter?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly tokensRemaining?: number | undefined;
};

export type Reply<Body> =
  | { readonly ok: true; readonly body: Body & TokenFields }
  | { readonly ok: false; readonly refusal: ShelfRefusal };

type Facts<Body> = Omit<Body, 'tokens_consumed' | 'tokens_remaining'>;

type ProductAsk = {
  readonly identifier: string;
  readonly retailer?: string | undefined;
  readonly currency?: string | undefined;
  /** Include the retailer's live offers, for 5 more tokens. */
  readonly withOffers: boolean;
};

type CompareAsk = {
  readonly identifier: string;
  readonly currency?: string | undefined;
  /** In the currency of the answer, as in the route's query. */
  readonly costs: Readonly<
    Partial<Record<'cost' | 'shipping' | 'prep' | 'roi', number | undefined>>
  > & { readonly cost_per?: ComparisonBody['cost_per'] };
};

type HistoryAsk = {
  readonly identifier: string;
  readonly timeframe?: string | undefined;
  readonly retailer?: string | undefined;
  readonly currency?: string | undefined;
};

type Conditions = 'retailer' | 'below' | 'down_percent' | 'new_low' | 'back_in_stock';

/** As on the wire; the interval as text. */
type WatchAsk = Pick<NewWatchBody, 'identifier' | 'currency' | 'source' | Conditions> & {
  readonly interval?: string | undefined;
};

type WatchPatch = Pick<WatchPatchBody, 'paused' | Conditions> & {
  readonly interval?: string | undefined;
};

type WatchesAsk = { readonly limit: number; readonly cursor?: string | undefined };

/** A page returned by a search engine; it proves nothing until it is looked up. */
export type Candidate = {
  readonly retailer: string;
  readonly url: string;
  readonly title: string | null;
};

export type Candidates = { readonly candidates: readonly Candidate[] };

export type Shelf = {
  product(ask: ProductAsk): Promise<Reply<Facts<ProductRecord>>>;
  comparison(ask: CompareAsk): Promise<Reply<Facts<ComparisonBody>>>;
  history(ask: HistoryAsk): Promise<Reply<Facts<HistoryBody>>>;
  watch(ask: WatchAsk): Promise<Reply<{ readonly watch: WatchOnWire }>>;
  watches(ask: WatchesAsk): Promise<Reply<Facts<WatchList>>>;
  changeWatch(id: string, patch: WatchPatch): Promise<Reply<{ readonly watch: WatchOnWire }>>;
  removeWatch(id: string): Promise<Reply<{ readonly id: string }>>;
  find(words: string): Promise<Reply<Candidates>>;
  rateCards(): Promise<Reply<object>>;
};
