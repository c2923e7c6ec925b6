// Notes what an answer from the store depends on, while it is made. That is which rows were read, as subjects of revisions, and
// until when time alone changes nothing. A read without a rule here makes the answer one that is not given again.

import { AFTER_FAILURE_MS, FRESH_MS, STALE_MS } from '../../collect/freshness.ts';
import { DAY_MS, MINUTE_MS, type Clock } from '../../../base/clock.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import { BEST_PRICE_MS } from '../../../rules/product/best-price.ts';
import type { HeldBarcodeAnswer } from '../../../data/answers/barcode-answers.ts';
import { listingIdOf } from '../../../data/answers/listings.ts';
import { missSubject } from '../../../data/answers/misses.ts';
import { EVERYTHING, type Subject } from '../../../data/answers/revisions.ts';
import type { Store } from '../../../data/store.ts';

export type Dependence = {
  /** The subjects whose revisions tell whether the answer is still right; `EVERYTHING` is the first. */
  readonly subjects: readonly Subject[];
  /** The first instant at which time alone may have changed the answer, ms since 1970. */
  readonly untilMs: number;
};

export type Notes = {
  /** The store whose reads are noted. */
  readonly store: Store;
  /** Says that the answer is right until then at most. */
  readonly endsAt: (atMs: number) => void;
  /** What the answer depends on; null if something was read whose changes are not announced. */
  readonly dependence: () => Dependence | null;
};

/**
 * Ages (ms) at which something held is treated differently. In this order: a retailer that failed may be asked again; a price
 * is no longer fresh; it is no longer the best price; it is fetched before the answer.
 */
const AGES: readonly number[] = [AFTER_FAILURE_MS, FRESH_MS, BEST_PRICE_MS, STALE_MS];
/**
 * The database's clock, by which background work goes, may be this far behind. The first answer after that moment schedules the
 * work.
 */
const CLOCKS_DIFFER_MS = MINUTE_MS;

type Book = {
  readonly nowMs: number;
  readonly gtins: Set<Subject>;
  readonly ids: Set<Subject>;
  /** Listings that are tied to one of the barcodes; the barcode's revision changes with theirs. */
  readonly tied: Set<Subject>;
  readonly misses: Set<Subject>;
  untilMs: number;
  isUnknown: boolean;
};

/** Notes the reads of one answer that is made at this moment of `clock`. */
export function noteReads(store: Store, clock: Clock): Notes {
  const nowMs = clock.now();
  const book: Book = {
    nowMs,
    gtins: new Set(),
    ids: new Set(),
    tied: new Set(),
    misses: new Set(),
    // The end of the day, because fees, windows and months go by UTC days.
    untilMs: (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS,
    isUnknown: false,
  };
  // SAFETY: each method below is called with the arguments and the result of the method that it is named after.
  const rules = RULES as Readonly<Record<string, Readonly<Record<string, Rule>>>>;
  const parts = Object.entries(store).map(([name, part]: [string, unknown]) => [
    name,
    notedPart(part, rules[name] ?? {}, book),
  ]);
  return {
    // SAFETY: the same parts with the same functions, each of which also notes what it read.
    store: Object.fromEntries(parts) as Store,
    endsAt: (atMs) => noteEnd(book, atMs),
    dependence: () => {
      if (book.isUnknown) return null;
      const own = [...book.ids].filter((id) => !book.tied.has(id));
      const subjects = [EVERYTHING, ...book.gtins, ...own, ...book.misses];
      return { subjects, untilMs: book.untilMs };
    },
  };
}

type Rule = (book: Book, args: readonly unknown[], result: unknown) => void;

/** A method without a rule makes the dependence of the whole answer unknown. */
function notedPart(part: unknown, rules: Readonly<Record<string, Rule>>, book: Book): unknown {
  if (typeof part !== 'object' || part === null) return part;
  const methods = Object.entries(part).map(([name, method]: [string, unknown]) => {
    if (typeof method !== 'function') return [name, method];
    const note = rules[name];
    const read = async (...args: readonly unknown[]): Promise<unknown> => {
      if (note === undefined) book.isUnknown = true;
      const result: unknown = await Reflect.apply(method, part, args);
      note?.(book, args, result);
      return result;
    };
    return [name, read];
  });
  return Object.fromEntries(methods);
}

function noteEnd(book: Book, atMs: number): void {
  if (atMs < book.untilMs) book.untilMs = atMs;
}

/** Notes the next moment at which something is treated differently because of its age. */
function noteAge(book: Book, sinceMs: number | null): void {
  if (sinceMs === null) return;
  for (const age of AGES) {
    for (const atMs of [sinceMs + age + 1, sinceMs + age + 1 + CLOCKS_DIFFER_MS]) {
      if (atMs > book.nowMs) noteEnd(book, atMs);
    }
  }
}

/** A span that begins at a moving instant loses its observations one after the other, the oldest first. */
function noteLeaving(book: Book, fromMs: number, oldestMs: number | undefined): void {
  if (fromMs > 0 && oldestMs !== undefined) noteEnd(book, oldestMs + (book.nowMs - fromMs) + 1);
}

function ofAnswers(book: Book, gtin: Subject, answers: readonly HeldBarcodeAnswer[]): void {
  book.gtins.add(gtin);
  for (const { checkedAtMs, askedAtMs } of answers) {
    noteAge(book, checkedAtMs);
    noteAge(book, askedAtMs);
  }
}

function ofListing(book: Book, id: Subject, found: StoredListing | null): void {
  book.ids.add(id);
  noteAge(book, found?.fetchedAtMs ?? null);
  noteAge(book, found?.moved?.readAtMs ?? null);
  noteBarcode(book, found?.listing.gtin ?? null);
}

/** The history of a listing includes what was imported for the barcode that it prints. */
function noteBarcode(book: Book, gtin: string | null): void {
  if (gtin !== null) book.gtins.add(gtin);
}

/** For each method, what it notes of its arguments and its result. */
type RulesOf<Part> = {
  readonly [Name in keyof Part]?: Part[Name] extends (...args: infer Args) => Promise<infer Found>
    ? (book: Book, args: Args, found: Found) => void
    : never;
};

/** The rules by part of the store. */
const RULES: { readonly [Part in keyof Store]?: RulesOf<Store[Part]> } = {
  barcodeAnswers: {
    findAnswers: (book, [gtin], found) => ofAnswers(book, gtin, found),
    findAnswer: (book, [gtin], found) => ofAnswers(book, gtin, found === null ? [] : [found]),
  },
  listings: {
    findListing: (book, args, found) => ofListing(book, listingIdOf(...args), found),
    findListingById: (book, [id], found) => ofListing(book, id, found),
    findListingsTiedTo: (book, [gtin], found) => {
      book.gtins.add(gtin);
      for (const { id, fetchedAtMs, listing } of found) {
        book.tied.add(id);
        noteAge(book, fetchedAtMs);
        noteBarcode(book, listing.gtin);
      }
    },
    findKnownListing: (book, args, found) => {
      book.ids.add(listingIdOf(...args));
      noteBarcode(book, found?.gtin ?? null);
    },
    findKnownListingById: (book, [id], found) => {
      book.ids.add(id);
      noteBarcode(book, found?.gtin ?? null);
    },
    findKnownListingsByGtin: (book, [gtin], found) => {
      book.gtins.add(gtin);
      for (const { id } of found) book.tied.add(id);
    },
  },
  observations: {
    findSinceOf: (book, [{ id, listing }, fromMs], { observations }) => {
      book.ids.add(id);
      noteBarcode(book, listing.gtin);
      noteLeaving(book, fromMs, observations[0]?.observedAtMs);
    },
    findOfSeveral: (book, [listings, fromMs], found) => {
      for (const { id, listing } of listings) {
        book.ids.add(id);
        noteBarcode(book, listing.gtin);
      }
      const times = [...found.values()].flatMap(([oldest]) => oldest?.observedAtMs ?? []);
      noteLeaving(book, fromMs, times.length === 0 ? undefined : Math.min(...times));
    },
    findPage: (book, [{ listingIds, fromMs }], found) => {
      for (const id of listingIds) book.ids.add(id);
      // A full page ends with the oldest shown observation, which is the first to be missed when it leaves the span: older ones
      // are not shown.
      noteLeaving(book, fromMs, found.at(-1)?.observedAtMs);
    },
  },
  offers: {
    findOfferList: (book, [id], found) => {
      book.ids.add(id);
      noteAge(book, found?.fetchedAtMs ?? null);
    },
  },
  misses: {
    findMiss: (book, [name], found) => {
      book.misses.add(missSubject(name));
      // A miss ends when it is exactly a day old. Everything else ages one millisecond later.
      noteAge(book, found === null ? null : found.notedAtMs - 1);
    },
  },
  jobs: {
    findLiveJobs: (book, [gtin]) => void book.gtins.add(gtin),
  },
  shops: {
    // A domain keeps its slug until it is taken down, which revises everything.
    findShopByDomain: (book, _domain, found) => {
      if (found === null) book.isUnknown = true;
    },
  },
};
