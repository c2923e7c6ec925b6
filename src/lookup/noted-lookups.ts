// Answers from what is held, each with what it depends on, so that it may be given again while nothing of that has changed.

import type { Clock } from '../core/clock.ts';
import type { Comparison } from '../product/comparison.ts';
import type { Product } from '../product/product.ts';
import { findRevisions, type Revision, type Subject } from '../store/revisions.ts';
import type { Store } from '../store/store.ts';
import type { HistoryRequest, PriceHistory } from './lookup-history.ts';
import { noteReads, type Dependence, type Notes } from './noted-reads.ts';
import type { ParsedLookup } from './parse-lookup.ts';
import type { HeldLookups } from './replica-lookups.ts';

export type Noted<Found> = {
  readonly found: Found;
  /** Null: it must not be given again. */
  readonly dependence: Dependence | null;
};

export type NotedLookups = {
  /** As `LookupProduct.held`. */
  product(lookup: ParsedLookup): Promise<Noted<Product> | null>;
  /** As `LookupComparison.held`. */
  comparison(lookup: ParsedLookup): Promise<Noted<Comparison> | null>;
  /** As `LookupHistory`. */
  history(request: HistoryRequest): Promise<Noted<PriceHistory>>;
  /** To be read before the answer that is compared by them. */
  revisionsOf(subjects: readonly Subject[]): Promise<readonly Revision[]>;
  /** What answers are made of beside the store and the time; another text: any of them may be another. */
  circumstances(): string;
};

export type NotedLookupsParts = {
  readonly store: Store;
  readonly clock: Clock;
  /** The lookups, over a store whose reads are noted. */
  readonly over: (notes: Notes) => HeldLookups;
  readonly circumstances: () => string;
};

export function createNotedLookups(parts: NotedLookupsParts): NotedLookups {
  const { store, clock, over, circumstances } = parts;
  return {
    async product(lookup) {
      const notes = noteReads(store, clock);
      const found = await over(notes).lookupProduct.held(lookup);
      return found === null ? null : { found, dependence: notes.dependence() };
    },
    async comparison(lookup) {
      const notes = noteReads(store, clock);
      const found = await over(notes).lookupComparison.held(lookup);
      return found === null ? null : { found, dependence: notes.dependence() };
    },
    async history(request) {
      const notes = noteReads(store, clock);
      const found = await over(notes).lookupHistory(request);
      return { found, dependence: notes.dependence() };
    },
    revisionsOf: (subjects) => findRevisions(store.sql, subjects),
    circumstances,
  };
}
