// Records what one answer from the store reads, and therefore depends on: which rows were read, as subjects of revisions,
// and until when time alone changes nothing. A lookup gets a session as an argument and reads only through it, so that no
// read can go unrecorded: it either records its subjects, or makes the answer uncacheable.

import { AFTER_FAILURE_MS, FRESH_MS, STALE_MS } from '../../collect/freshness.ts';
import { DAY_MS, MINUTE_MS, type Clock } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import { BEST_PRICE_MS } from '../../../rules/product/best-price.ts';
import type { StoredBarcodeAnswer } from '../../../data/answers/barcode-answers.ts';
import { listingIdOf } from '../../../data/answers/listings.ts';
import { missSubject } from '../../../data/answers/misses.ts';
import { EVERYTHING, type Subject } from '../../../data/answers/revisions.ts';
import type { Store } from '../../../data/store.ts';

/** The reads that answers are made from. A store has them too, for work whose result is not cached. */
export type Reads = {
  readonly barcodeAnswers: Pick<Store['barcodeAnswers'], 'findAnswers'>;
  readonly listings: Pick<
    Store['listings'],
    | 'findListing'
    | 'findListingById'
    | 'findListingsTiedTo'
    | 'findKnownListing'
    | 'findKnownListingById'
    | 'findKnownListingsByGtin'
  >;
  readonly observations: Pick<Store['observations'], 'findSinceOf' | 'findOfSeveral' | 'findPage'>;
  readonly offers: Pick<Store['offers'], 'findOfferList' | 'findNewestOffers' | 'countOffers'>;
  readonly misses: Pick<Store['misses'], 'findMiss'>;
  readonly jobs: Pick<Store['jobs'], 'findLiveJobs'>;
  readonly shops: Pick<Store['shops'], 'findShopByDomain' | 'findShopBySlug'>;
};

/** The data that an answer was made from. */
export type MadeFrom = {
  /** The subjects whose revisions show whether the answer is still valid; `EVERYTHING` is the first. */
  readonly subjects: readonly Subject[];
  /** The first instant at which time alone may have changed the answer, ms since 1970. */
  readonly untilMs: number;
};

export type ReadSession = Reads & {
  /** Limits how long the answer is valid (ms since 1970); null for no limit. Called only if the answer is recorded. */
  readonly endsAt: (decide: () => number | null) => void;
  /** Returns the basis of the answer; null if it must not be reused. */
  readonly madeFrom: () => MadeFrom | null;
};

type ReadFor = {
  /** Whose call it is. */
  readonly organizationId: string | null;
  /** The organization, if it has facts of its own, which then lie over the common ones. */
  readonly own: string | null;
  /** Whether reads are to be recorded. */
  readonly isNoted: boolean;
};

export type ReadSessions = {
  /**
   * Reads the store, at the read replica if there is one. A fault may be due to data missing on the replica, so the primary
   * is then read. Without `isNoted` nothing is recorded, and the answer must not be reused.
   */
  read<T>(asked: ReadFor, work: (session: ReadSession) => Promise<T>): Promise<T>;
  /**
   * Reads the primary, for a call that fetches. From then on the organization reads the primary until the replica has the
   * fetched data.
   */
  readForFetch<T>(
    asked: Omit<ReadFor, 'isNoted'>,
    work: (session: ReadSession) => Promise<T>,
  ): Promise<T>;
};

export function createReadSessions(
  store: ReadsFor & Pick<Store, 'replica'>,
  clock: Pick<Clock, 'now'>,
): ReadSessions {
  const { replica } = store;
  const plain = plainSessions(store);
  const atPrimary = ({ own, isNoted }: ReadFor) =>
    isNoted ? openReadSession(readsOf(store, own), clock.now()) : plain(own);
  if (replica === null) {
    return {
      read: (asked, work) => work(atPrimary(asked)),
      readForFetch: ({ own }, work) => work(plain(own)),
    };
  }
  // Data read from a replica may be older than the revisions of the primary: it must not be reused.
  const lagging = plainSessions(replica.store);
  /** When this process last fetched something for an organization, until the replica has it. */
  const fetches = new Map<string | null, number>();
  const mayReadReplica = (organizationId: string | null): boolean => {
    const fetchedAtMs = fetches.get(organizationId);
    if (fetchedAtMs === undefined) return true;
    if (!replica.hasSince(fetchedAtMs)) return false;
    fetches.delete(organizationId);
    return true;
  };
  return {
    async read(asked, work) {
      if (!mayReadReplica(asked.organizationId)) return await work(atPrimary(asked));
      try {
        return await work(lagging(asked.own));
      } catch (error) {
        if (error instanceof FaultError) return await work(atPrimary(asked));
        throw error;
      }
    },
    async readForFetch({ organizationId, own }, work) {
      try {
        return await work(plain(own));
      } finally {
        fetches.set(organizationId, replica.nowMs());
      }
    },
  };
}

type ReadsFor = Reads & Pick<Store, 'readsFor'>;

function readsOf(store: ReadsFor, own: string | null): Reads {
  return own === null ? store : { ...store, ...store.readsFor(own) };
}

/** Plain sessions; the one for everybody is created once. */
function plainSessions(store: ReadsFor): (own: string | null) => ReadSession {
  const common = openPlainSession(store);
  return (own) => (own === null ? common : openPlainSession(readsOf(store, own)));
}

/** A session that records nothing, for an answer that is not reused. Recording takes a tenth of a lookup's cost. */
function openPlainSession(store: Reads): ReadSession {
  const { barcodeAnswers, listings, observations, offers, misses, jobs, shops } = store;
  const reads = { barcodeAnswers, listings, observations, offers, misses, jobs, shops };
  return { ...reads, endsAt: () => undefined, madeFrom: () => null };
}

/** Opens a session for one answer made at `nowMs`. */
function openReadSession(store: Reads, nowMs: number): ReadSession {
  const notes = createNotes(nowMs);
  return {
    barcodeAnswers: answersIn(store, notes),
    listings: listingsIn(store, notes),
    observations: observationsIn(store, notes),
    offers: offersIn(store, notes),
    misses: missesIn(store, notes),
    jobs: {
      findLiveJobs: (gtin) => {
        notes.gtins.add(gtin);
        return store.jobs.findLiveJobs(gtin);
      },
    },
    shops: shopsIn(store, notes),
    endsAt: (decide) => {
      const atMs = decide();
      if (atMs !== null) noteEnd(notes, atMs);
    },
    madeFrom: () => {
      if (notes.isUnknown) return null;
      const own = [...notes.ids].filter((id) => !notes.tied.has(id));
      const subjects = [EVERYTHING, ...notes.gtins, ...own, ...notes.misses];
      return { subjects, untilMs: notes.untilMs };
    },
  };
}

/**
 * Ages (ms) at which stored data is treated differently. In this order: a retailer that failed may be asked again; a price is
 * no longer fresh; it is no longer the best price; it is fetched before the answer.
 */
const AGES: readonly number[] = [AFTER_FAILURE_MS, FRESH_MS, BEST_PRICE_MS, STALE_MS];
/**
 * The database's clock, which background work uses, may be this far behind. The first answer after that moment schedules the
 * work.
 */
const CLOCKS_DIFFER_MS = MINUTE_MS;

type Notes = {
  readonly nowMs: number;
  readonly gtins: Set<Subject>;
  readonly ids: Set<Subject>;
  /** Listings tied to one of the barcodes; the barcode's revision changes with theirs. */
  readonly tied: Set<Subject>;
  readonly misses: Set<Subject>;
  untilMs: number;
  /** Whether something was read whose changes have no revision. */
  isUnknown: boolean;
};

function createNotes(nowMs: number): Notes {
  return {
    nowMs,
    gtins: new Set(),
    ids: new Set(),
    tied: new Set(),
    misses: new Set(),
    // The end of the day, because fees, windows and months are counted in UTC days.
    untilMs: (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS,
    isUnknown: false,
  };
}

function noteEnd(notes: Notes, atMs: number): void {
  if (atMs < notes.untilMs) notes.untilMs = atMs;
}

/** Records the next moment at which something is treated differently because of its age. */
function noteAge(notes: Notes, sinceMs: number | null): void {
  if (sinceMs === null) return;
  for (const age of AGES) {
    const atMs = sinceMs + age + 1;
    if (atMs > notes.nowMs) noteEnd(notes, atMs);
    else if (atMs + CLOCKS_DIFFER_MS > notes.nowMs) noteEnd(notes, atMs + CLOCKS_DIFFER_MS);
  }
}

/** A span that begins at a moving instant loses its observations one by one, the oldest first. */
function noteLeaving(notes: Notes, fromMs: number, oldestMs: number | undefined): void {
  if (fromMs > 0 && oldestMs !== undefined) noteEnd(notes, oldestMs + (notes.nowMs - fromMs) + 1);
}

/** The history of a listing includes observations imported for the barcode that it prints. */
function noteBarcode(notes: Notes, gtin: string | null): void {
  if (gtin !== null) notes.gtins.add(gtin);
}

function noteAnswers(notes: Notes, answers: readonly StoredBarcodeAnswer[]): void {
  for (const { checkedAtMs, askedAtMs } of answers) {
    noteAge(notes, checkedAtMs);
    noteAge(notes, askedAtMs);
  }
}

function noteListing(notes: Notes, id: Subject, found: StoredListing | null): void {
  notes.ids.add(id);
  noteAge(notes, found?.fetchedAtMs ?? null);
  noteAge(notes, found?.moved?.readAtMs ?? null);
  noteLayers(notes, found);
  noteBarcode(notes, found?.listing.gtin ?? null);
}

function noteTied(notes: Notes, found: readonly StoredListing[]): void {
  for (const each of found) {
    const { id, fetchedAtMs, listing } = each;
    notes.tied.add(id);
    noteAge(notes, fetchedAtMs);
    noteLayers(notes, each);
    noteBarcode(notes, listing.gtin);
  }
}

/** Terms withhold more of a listing at a known moment. */
function noteLayers(notes: Notes, found: StoredListing | null): void {
  const endsAtMs = found?.limits?.endsAtMs ?? null;
  if (endsAtMs !== null) noteEnd(notes, endsAtMs);
}

function answersIn({ barcodeAnswers }: Reads, notes: Notes): Reads['barcodeAnswers'] {
  return {
    async findAnswers(gtin) {
      notes.gtins.add(gtin);
      const found = await barcodeAnswers.findAnswers(gtin);
      noteAnswers(notes, found);
      return found;
    },
  };
}

function listingsIn({ listings }: Reads, notes: Notes): Reads['listings'] {
  return {
    async findListing(retailer, key) {
      const found = await listings.findListing(retailer, key);
      noteListing(notes, found?.id ?? listingIdOf(retailer, key), found);
      return found;
    },
    async findListingById(id) {
      const found = await listings.findListingById(id);
      noteListing(notes, id, found);
      return found;
    },
    async findListingsTiedTo(gtin) {
      notes.gtins.add(gtin);
      const found = await listings.findListingsTiedTo(gtin);
      noteTied(notes, found);
      return found;
    },
    async findKnownListing(retailer, key) {
      const found = await listings.findKnownListing(retailer, key);
      notes.ids.add(found?.id ?? listingIdOf(retailer, key));
      noteBarcode(notes, found?.gtin ?? null);
      return found;
    },
    async findKnownListingById(id) {
      notes.ids.add(id);
      const found = await listings.findKnownListingById(id);
      noteBarcode(notes, found?.gtin ?? null);
      return found;
    },
    async findKnownListingsByGtin(gtin) {
      notes.gtins.add(gtin);
      const found = await listings.findKnownListingsByGtin(gtin);
      for (const { id } of found) notes.tied.add(id);
      return found;
    },
  };
}

function observationsIn({ observations }: Reads, notes: Notes): Reads['observations'] {
  return {
    async findSinceOf(owner, fromMs) {
      notes.ids.add(owner.id);
      noteBarcode(notes, owner.listing.gtin);
      const found = await observations.findSinceOf(owner, fromMs);
      noteLeaving(notes, fromMs, found.observations[0]?.observedAtMs);
      return found;
    },
    async findOfSeveral(owners, fromMs) {
      for (const { id, listing } of owners) {
        notes.ids.add(id);
        noteBarcode(notes, listing.gtin);
      }
      const found = await observations.findOfSeveral(owners, fromMs);
      for (const [oldest] of found.values()) noteLeaving(notes, fromMs, oldest?.observedAtMs);
      return found;
    },
    async findPage(page) {
      for (const id of page.listingIds) notes.ids.add(id);
      const found = await observations.findPage(page);
      // A full page ends with the oldest shown observation, which is the first to drop out of the span: older ones are not
      // shown.
      noteLeaving(notes, page.fromMs, found.at(-1)?.observedAtMs);
      return found;
    },
  };
}

function offersIn({ offers }: Reads, notes: Notes): Reads['offers'] {
  return {
    async findOfferList(id) {
      notes.ids.add(id);
      const found = await offers.findOfferList(id);
      noteAge(notes, found?.fetchedAtMs ?? null);
      return found;
    },
    // The offer archive has no revisions.
    findNewestOffers: (...asked) => unknown(notes, offers.findNewestOffers(...asked)),
    countOffers: (id) => unknown(notes, offers.countOffers(id)),
  };
}

function missesIn({ misses }: Reads, notes: Notes): Reads['misses'] {
  return {
    async findMiss(name, nowMs) {
      notes.misses.add(missSubject(name));
      const found = await misses.findMiss(name, nowMs);
      // A miss ends when it is exactly a day old. Everything else ages one millisecond later.
      noteAge(notes, found === null ? null : found.notedAtMs - 1);
      return found;
    },
  };
}

function shopsIn({ shops }: Reads, notes: Notes): Reads['shops'] {
  return {
    // A domain keeps its slug until it is taken down, which revises everything. Without a slug, it may get one at any time.
    async findShopByDomain(domain) {
      const found = await shops.findShopByDomain(domain);
      if (found === null) notes.isUnknown = true;
      return found;
    },
    findShopBySlug: (slug) => unknown(notes, shops.findShopBySlug(slug)),
  };
}

/** Marks a read whose changes have no revision. */
function unknown<T>(notes: Notes, read: Promise<T>): Promise<T> {
  notes.isUnknown = true;
  return read;
}
