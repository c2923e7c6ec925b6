// Makes answers from what is held, each with what it depends on. An answer may be given again while nothing of that has
// changed.

import type { Clock } from '../../../base/clock.ts';
import type { Comparison } from '../../../rules/product/comparison.ts';
import type { Product } from '../../../rules/product/product.ts';
import { findRevisions, type Revision, type Subject } from '../../../data/answers/revisions.ts';
import type { Store } from '../../../data/store.ts';
import type { HistoryRequest, PriceHistory } from '../history/lookup-history.ts';
import { noteReads, type Dependence, type Notes } from './noted-reads.ts';
import type { ParsedLookup } from '../steps/parse-lookup.ts';
import type { HeldLookups } from './replica-lookups.ts';

export type Noted<Found> = {
  readonly found: Found;
  /** Null if the answer must not be given again. */
  readonly dependence: Dependence | null;
};

export type NotedLookups = {
  /** A product as `LookupProduct.held` makes it. */
  product(lookup: ParsedLookup): Promise<Noted<Product> | null>;
  /** A comparison as `LookupComparison.held` makes it. */
  comparison(lookup: ParsedLookup): Promise<Noted<Comparison> | null>;
  /** A history as `LookupHistory` makes it. */
  history(request: HistoryRequest): Promise<Noted<PriceHistory>>;
  /** Reads revisions, to be done before the answer is made that is compared by them. */
  revisionsOf(subjects: readonly Subject[]): Promise<readonly Revision[]>;
  /** What answers depend on beside the store and the time. If the text changes, any of them may change. */
  circumstances(): string;
};

export type NotedLookupsParts = {
  readonly store: Store;
  readonly clock: Clock;
  /** Makes the lookups over a store whose reads are noted. */
  readonly over: (notes: Notes) => HeldLookups;
  readonly circumstances: () => string;
};

export function createNotedLookups(parts: NotedLookupsParts): NotedLookups {
  const { store, clock, over, circumstances } = parts;

  async function noted<Found>(
    ask: (lookups: HeldLookups) => Promise<Found>,
  ): Promise<Noted<Found>> {
    const notes = noteReads(store, clock);
    const found = await ask(over(notes));
    return { found, dependence: notes.dependence() };
  }

  return {
    product: async (lookup) =>
      held(await noted(({ lookupProduct }) => lookupProduct.fromStore(lookup))),
    comparison: async (lookup) =>
      held(await noted(({ lookupComparison }) => lookupComparison.fromStore(lookup))),
    history: (request) => noted(({ lookupHistory }) => lookupHistory(request)),
    revisionsOf: (subjects) => findRevisions(store.sql, subjects),
    circumstances,
  };
}

/** Null if nothing is held: an answer that must be fetched first depends on nothing yet. */
function held<Found>({ found, dependence }: Noted<Found | null>): Noted<Found> | null {
  return found === null ? null : { found, dependence };
}
