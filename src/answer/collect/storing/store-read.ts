// Stores a reading together with the resulting watch writes: changes, notices and the token that pays for the fetch. All of
// it is in the observation's transaction, so that none of it is lost or written twice.

import { BASE_TOKENS } from '../../../base/call-cost.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import { HOUR_MS, monthOf, type Clock } from '../../../base/clock.ts';
import { once } from '../../../base/once.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { LOOK_BACK_MS, mayBeSupported, type Peers } from '../../../rules/history/daily-bars.ts';
import { instantToRecord, recordedInstant } from '../../../rules/history/recorded-instant.ts';
import type { ReadNotes } from '../../../base/listing/page.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import type { IsTrusted } from '../../../rules/product/barcode-rows.ts';
import { anchorOrder } from '../../../rules/product/source-order.ts';
import { termLimitsOf } from '../../../rules/terms/shown-layer.ts';
import { peersOf } from '../price-peers.ts';
import { lowsOfOthers } from './lows-of-others.ts';
import { rowIdOf } from '../../../data/answers/listing-writes.ts';
import { writeChanges, type AnswerChange } from '../../../data/answers/answer-writes.ts';
import { BALANCE, debit, insertBalance } from '../../../data/accounts/balances.ts';
import { insertCharge } from '../../../data/accounts/charges.ts';
import { enqueueJob } from '../../../data/turns/jobs.ts';
import { madeId } from '../../../data/made-id.ts';
import type { Statement, TransactionResult } from '../../../data/sql.ts';
import type { Store } from '../../../data/store.ts';
import {
  insertChange,
  insertWatchListing,
  updateState,
  WATCH_VERSION,
  writeWatched,
} from '../../../data/watches/watch-writes.ts';
import type { WatchOfListing } from '../../../data/watches/watches.ts';
import { insertNoticeToDeliver } from '../../../data/watches/notices-to-deliver.ts';
import { changesBetween, isOld } from '../../../rules/watches/changes.ts';
import {
  isAbout,
  isBehind,
  isOtherProduct,
  isTiedTo,
  payerOf,
  type WatchedRead,
} from '../../../rules/watches/concerned.ts';
import type { Watch } from '../../../rules/watches/stored-watch.ts';
import { feedBody } from '../../../rules/watches/feed.ts';
import { watchDoubt } from '../../../rules/watches/first-days.ts';
import { judge, knownAfter, withKnown, type WatchToJudge } from '../../../rules/watches/judge.ts';
import { firedBody, troubleBody, type NoticeKind } from '../../../rules/watches/notice.ts';
import {
  fetchedPriceOf,
  watchObservationOf,
  type WatchObservationInput,
} from '../../../rules/watches/watch-observation.ts';
import { currencyOfRules, type WatchObservation } from '../../../rules/watches/watch.ts';
import { seenIn } from '../../../rules/history/seen-in.ts';
import type { StoredObservation } from '../../../rules/history/year-state.ts';
import { readsThrough } from '../reads-through.ts';

export type StoreReadParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly matching: Pick<MatchingLater, 'agreementOf'>;
  readonly isTrustedShop: IsTrusted;
};

type ReadToStore = WatchedRead & {
  readonly changes: readonly AnswerChange[];
  readonly alongside: readonly Statement[];
  readonly withdrawnRules?: ReadNotes['withdrawnRules'];
};

/** Maximum attempts: a process that loses a race against another one reads again and decides again. */
const ATTEMPTS = 8;

/** Stores as `writeChanges` does. It fails only if a statement of the read itself is refused. */
export async function storeRead(
  parts: StoreReadParts,
  read: ReadToStore,
  context: FetchContext,
): Promise<TransactionResult> {
  const { store, clock } = parts;
  const { stored, alongside } = read;
  // Facts whose terms allow no alerts are stored, but no watch sees them (D81).
  const limits = termLimitsOf(stored, { terms: store.terms, nowMs: clock.now() });
  const changes =
    limits?.history === false
      ? read.changes.filter(({ kind }) => kind !== 'fetched')
      : read.changes;
  if (limits?.alerts === false) return writeChanges(store.sql, changes, alongside);
  const broke = new Set<string>();
  // Organizations without tokens are found one by one; that is not a race.
  for (let races = 0; races < ATTEMPTS;) {
    const watching = await watchingOf(store, read);
    if (watching.length === 0) return writeChanges(store.sql, changes, alongside);
    const given = limits === null ? stored : { ...stored, limits };
    const statements = await statementsOfAll(parts, watching, read, given);
    const watches = watching.map(({ watch }) => watch);
    const payer = context.isForWatches === true ? payerOf(watches, stored, broke) : null;
    const charged = payer === null ? [] : chargeOf(payer, stored);
    const written = await writeChanges(store.sql, changes, [
      ...alongside,
      ...statements,
      ...charged,
    ]);
    if (written.done) return written;
    if (written.refusedBy === BALANCE && payer !== null) broke.add(payer.organizationId);
    else if (written.refusedBy === WATCH_VERSION) races += 1;
    else return written;
  }
  throw new Error(`other processes kept changing the watches of listing ${stored.id}`);
}

/**
 * Notifies watches of a listing that is already stored. Another fetch read it just before their check was due, so the check
 * fetched nothing.
 */
export async function notifyOfStored(parts: StoreReadParts, read: WatchedRead): Promise<void> {
  const { stored } = read;
  if (stored.limits?.alerts === false) return;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const watching = await watchingOf(parts.store, read);
    const behind = watching.filter(({ watch }) => isBehind(watch, stored));
    if (behind.length === 0) return;
    const written = await parts.store.sql.write(await statementsAsSeen(parts, behind, stored));
    if (written.done) return;
  }
}

/** Each organization sees its own row, if it has one. */
async function statementsAsSeen(
  parts: StoreReadParts,
  watching: readonly WatchOfListing[],
  stored: StoredListing,
): Promise<readonly Statement[]> {
  if (stored.series === undefined || stored.owner !== undefined) {
    return await watchStatements(parts, watching, stored, recordedInstant);
  }
  const byOwner = Map.groupBy(watching, ({ watch }) => watch.organizationId);
  const statements = [...byOwner].map(async ([organizationId, its]) => {
    const own = await parts.store.readsFor(organizationId).listings.findListingById(stored.id);
    return await watchStatements(parts, its, own ?? stored, recordedInstant);
  });
  return (await Promise.all(statements)).flat();
}

/**
 * Most watches are judged by the common reading. Watches of an organization with rules for the page are judged by the
 * reading of its own row (D85).
 */
async function statementsOfAll(
  parts: StoreReadParts,
  watching: readonly WatchOfListing[],
  { changes, withdrawnRules = new Map() }: ReadToStore,
  stored: StoredListing,
): Promise<readonly Statement[]> {
  const own = changes.flatMap((change) => {
    if (change.kind !== 'listing' || stored.owner !== undefined) return [];
    const { listing, owner } = change.listing;
    const series = [stored.id, rowIdOf(change.listing)];
    return owner === undefined ? [] : [{ ...stored, listing, owner, series }];
  });
  const apart = new Set([
    ...own.map(({ owner }) => owner.organizationId),
    ...withdrawnRules.keys(),
  ]);
  const seenBy = (id: string): StoredListing => {
    const row = own.find(({ owner }) => owner.organizationId === id) ?? stored;
    return withdrawnRules.has(id) ? { ...row, listing: { ...row.listing, price: null } } : row;
  };
  const isOf = (id: string) => (each: WatchOfListing) => each.watch.organizationId === id;
  const others = watching.filter(({ watch }) => !apart.has(watch.organizationId));
  const statements = [
    watchStatements(parts, others, stored, instantToRecord),
    ...[...apart].map((id) =>
      watchStatements(parts, watching.filter(isOf(id)), seenBy(id), instantToRecord),
    ),
  ];
  return [
    ...withdrawnNotices(watching, withdrawnRules, stored),
    ...(await Promise.all(statements)).flat(),
  ];
}

/**
 * Notifies each organization once that its rule is withdrawn. Until the organization chooses again, its watches see no
 * price on such a page, because it would not be the chosen one.
 */
function withdrawnNotices(
  watching: readonly WatchOfListing[],
  withdrawnRules: ReadonlyMap<string, string | null>,
  { id: listingId, fetchedAtMs: atMs }: StoredListing,
): readonly Statement[] {
  const kind = 'rule_withdrawn';
  return [...withdrawnRules].flatMap(([organizationId, ruleId]) => {
    const first = watching.find(({ watch }) => watch.organizationId === organizationId)?.watch;
    if (first === undefined || ruleId === null) return [];
    const { id: watchId, channels, identifiers, state } = first;
    const body = troubleBody(kind, { identifiers, known: state.known[listingId] ?? null });
    const id = madeId('ntc', `${kind}\n${ruleId}`);
    const of = { organizationId, watchId, listingId, atMs, channels, identifiers };
    return insertNoticeToDeliver({ ...of, id, kind, body });
  });
}

async function watchingOf(store: Store, read: WatchedRead): Promise<readonly WatchOfListing[]> {
  const watching = await store.watches.findWatching(read.stored.id, read.gtin);
  const { owner } = read.stored;
  return watching.filter(
    ({ watch, isMapped }) =>
      isAbout(watch, isMapped, read) &&
      (owner === undefined || watch.organizationId === owner.organizationId),
  );
}

/** Returns the statements of all watches affected by the read, in the same order in every process. */
async function watchStatements(
  parts: StoreReadParts,
  watching: readonly WatchOfListing[],
  stored: StoredListing,
  instantOf: typeof instantToRecord,
): Promise<readonly Statement[]> {
  const { store, clock, isTrustedShop } = parts;
  const sinceMs = stored.fetchedAtMs - LOOK_BACK_MS;
  const { observations: earlier } = await historyFor(store, stored, sinceMs);
  const observedAtMs = instantOf(stored.fetchedAtMs, earlier);
  const isTrusted = isTrustedShop(stored);
  const currencies = new Set(watching.map(({ watch }) => currencyOfRules(watch.rules)));
  const views = await viewsIn(parts, [...currencies], { stored, earlier, observedAtMs });
  const observedIn = (currency: string, watch: Watch): WatchObservation | null => {
    const view = views.get(currency);
    return (isTiedTo(watch, stored, isTrusted) ? view?.tied() : view?.untied()) ?? null;
  };
  const contests = await contestsFor(parts, watching, stored);
  const statements = watching.map(async ({ watch, isMapped }) => {
    const own = observedIn(currencyOfRules(watch.rules), watch);
    if (own === null || isOtherProduct(watch, stored)) return [];
    const { disputed, packCount } = contests.get(watch.gtin) ?? NO_CONTEST;
    // A listing that states no pack is treated as having the record's pack (D77).
    const isUnsaid = watch.retailer === 'best' && stored.listing.packCount === null;
    const seen = isUnsaid ? { ...own, packCount: packCount ?? 1 } : own;
    const beside = await lowsOfOthers(parts, watch, { seen, disputed });
    return statementsFor(watch, seen, { isMapped, disputed, lowsOfOthers: beside });
  });
  const own = (await Promise.all(statements)).flat();
  const [first] = watching;
  if (first === undefined) return [];
  const feeds = await feedsOf({ store, nowMs: clock.now() }, watching, {
    stored,
    observedIn: (currency) => observedIn(currency, first.watch),
  });
  const isNew = [...views.values()].some(({ isNewlyDoubted }) => isNewlyDoubted());
  return [...own, ...feeds, ...(isNew ? secondCheck(stored, stored.fetchedAtMs) : [])];
}

type ReadListing = {
  readonly stored: StoredListing;
  /** As stored, in every currency. */
  readonly earlier: readonly StoredObservation[];
  readonly observedAtMs: number;
};

/** A reading as watches of one currency see it (D87). */
type View = {
  /** For watches to which the listing is tied, and for all others. */
  readonly tied: () => WatchObservation;
  readonly untied: () => WatchObservation;
  /** Whether a second reading could end the doubt about its price, and the price before was not in such doubt. */
  readonly isNewlyDoubted: () => boolean;
};

/** Returns the reading in each of these currencies: at most two observations in each, however many watches cover the listing. */
async function viewsIn(
  parts: StoreReadParts,
  currencies: readonly string[],
  read: ReadListing,
): Promise<ReadonlyMap<string, View>> {
  const views = currencies.map(async (currency): Promise<[string, View]> => {
    const { observedAtMs } = read;
    const seen = { ...read, currency, earlier: seenIn(read.earlier, currency) };
    const peers = await peersOfRead(parts, seen);
    const tied = once(() => watchObservationOf({ ...seen, peers, isTied: true }));
    const untied = once(() => watchObservationOf({ ...seen, peers, isTied: false }));
    const isNewlyDoubted = (): boolean => {
      const before = seen.earlier.filter((each) => each.observedAtMs < observedAtMs);
      return needsReading(tied().suspicion) && !needsReading(watchDoubt(before, peers));
    };
    return [currency, { tied, untied, isNewlyDoubted }];
  });
  return new Map(await Promise.all(views));
}

/** Whether a price is read again for this reason. Nines without a level need another day, not another hour. */
function needsReading(doubt: string | null): boolean {
  return doubt !== null && doubt !== 'not_judged';
}

/**
 * The history by which a reading is judged: for an organization's own facts that is its own history, in addition to
 * the common one.
 */
function historyFor({ observations }: Store, stored: StoredListing, sinceMs: number) {
  return stored.owner === undefined
    ? observations.findSince(stored.id, sinceMs)
    : observations.findSinceOf(stored, sinceMs);
}

type Contest = {
  /** Ids of the listings that publish the barcode and are contradicted by the others. */
  readonly disputed: ReadonlySet<string>;
  /** The pack count that the others state; null if none does. */
  readonly packCount: number | null;
};

const NO_CONTEST: Contest = { disputed: new Set(), packCount: null };

/** Loads, for each barcode whose best price is watched, what decides which listings may have it. */
async function contestsFor(
  { store, matching, isTrustedShop }: StoreReadParts,
  watching: readonly WatchOfListing[],
  stored: StoredListing,
): Promise<ReadonlyMap<Gtin14 | null, Contest>> {
  const ofBest = watching.filter(({ watch }) => watch.retailer === 'best');
  const gtins = new Set(ofBest.flatMap(({ watch }) => watch.gtin ?? []));
  const found = [...gtins].map(async (gtin) => {
    const tied = await store.listings.findListingsTiedTo(gtin);
    const storedHere = [stored, ...tied.filter(({ id }) => id !== stored.id)];
    const carriers = storedHere.filter((each) => each.listing.gtin === gtin && isTrustedShop(each));
    const { agreeing } = await matching.agreementOf(anchorOrder(carriers));
    const others = carriers.filter((each) => !agreeing.includes(each));
    const stating = agreeing.find(({ listing }) => listing.packCount !== null);
    const disputed = new Set(others.map(({ id }) => id));
    return [gtin, { disputed, packCount: stating?.listing.packCount ?? null }] as const;
  });
  return new Map(await Promise.all(found));
}

type ObservedInEach = {
  readonly stored: StoredListing;
  /** Returns the observation in a currency; null if no watch is about it. */
  readonly observedIn: (currency: string) => WatchObservation | null;
};

/** Returns the changes of an observation in the feeds of the organizations that watch the listing. */
async function feedsOf(
  { store, nowMs }: { readonly store: Store; readonly nowMs: number },
  watching: readonly WatchOfListing[],
  { stored, observedIn }: ObservedInEach,
): Promise<readonly Statement[]> {
  const { id: listingId, fetchedAtMs: atMs } = stored;
  const organizations = [...new Set(watching.map(({ watch }) => watch.organizationId))].toSorted();
  const watched = await store.watches.findWatched(listingId);
  return organizations.flatMap((organizationId) => {
    const storedHere = watched.find((each) => each.organizationId === organizationId) ?? null;
    const before = storedHere?.known ?? null;
    const own = watching.filter(({ watch }) => watch.organizationId === organizationId);
    const currencies = own.map(({ watch }) => currencyOfRules(watch.rules));
    // Watches of several currencies: the price is in one of them at most. Without a price it stays the one before.
    const has = (currency: string | undefined) => currencies.find((each) => each === currency);
    const stated = stored.listing.price?.currency ?? undefined;
    const known = before === null ? undefined : (before.currency ?? 'USD');
    const seen = observedIn(has(stated) ?? has(known) ?? currencies[0] ?? '');
    if (seen === null || (before !== null && isOld(before, seen))) return [];
    const after = knownAfter(before, seen);
    const changes = changesBetween(before, after, seen).flatMap((change) =>
      insertChange(
        organizationId,
        { change, listingId, body: feedBody(change, { known: after, knownBefore: before }, atMs) },
        nowMs,
      ),
    );
    return [writeWatched(organizationId, after, storedHere?.version ?? null), ...changes];
  });
}

/** Returns prices of the same barcode at other retailers, by which a record judges its own prices. */
async function peersOfRead(
  parts: StoreReadParts,
  seen: Omit<WatchObservationInput, 'peers' | 'isTied'>,
): Promise<Peers> {
  const { stored: own, earlier, observedAtMs, currency } = seen;
  const { listing } = own;
  const { gtin } = listing;
  if (gtin === null) return [];
  const observations = [...earlier, fetchedPriceOf(listing, observedAtMs, currency)];
  if (!mayBeSupported(observations)) return [];
  const tied = await parts.store.listings.findListingsTiedTo(gtin);
  const carriers = tied.filter((each) => each.listing.gtin === gtin);
  const fromMs = observedAtMs - LOOK_BACK_MS;
  const store = readsThrough(parts.store, currency);
  return peersOf({ ...parts, store }, { own, observations, carriers, fromMs });
}

function statementsFor(
  watch: Watch,
  seen: WatchObservation,
  {
    isMapped,
    ...beside
  }: { readonly isMapped: boolean } & Pick<WatchToJudge, 'disputed' | 'lowsOfOthers'>,
): readonly Statement[] {
  const { id: watchId, organizationId, identifiers, channels, rules, intervalMs } = watch;
  const watching = { scope: watch.retailer, rules, intervalMs, ...beside };
  // If a watch was paused during its check, the check is charged and ends. Its reading is not judged until a later
  // observation.
  const { state, firing } =
    watch.pausedAtMs === null
      ? judge(watching, watch.state, seen)
      : { state: withKnown(watch.state, seen), firing: null };
  const known = state.known[seen.listingId] ?? null;
  const named = { identifiers, known };
  const { listingId, atMs } = seen;
  const notice = { organizationId, watchId, listingId, atMs, channels, identifiers };
  // Derived from the notice's content, so that a notice exists once however often it is written.
  const id = (kind: NoticeKind) => madeId('ntc', `${kind}\n${watchId}\n${listingId}\n${atMs}`);
  return [
    updateState(watch, state, seen.atMs),
    ...(isMapped ? [] : [insertWatchListing(watchId, seen.listingId)]),
    ...(watch.trouble === 'failing'
      ? insertNoticeToDeliver({
          ...notice,
          id: id('works_again'),
          kind: 'works_again',
          body: troubleBody('works_again', named),
        })
      : []),
    ...(firing === null
      ? []
      : insertNoticeToDeliver({
          ...notice,
          id: id('fired'),
          kind: 'fired',
          body: firedBody(firing, { identifiers, known: firing.subject }),
        })),
  ];
}

/**
 * Reads a listing once more, an hour later, free of charge: one with a price in doubt (D68, D89), or at whose address another
 * product is. That second check causes no third one. Checks of the page that fall due before then are separate jobs.
 */
export function secondCheck(
  { retailer, key, url }: StoredListing,
  atMs: number,
): readonly Statement[] {
  const runAtMs = atMs + HOUR_MS;
  const subject = { kind: 'listing', retailer, key, url } as const;
  return enqueueJob(
    {
      subject,
      organizationId: null,
      priority: 0,
      runAtMs,
      sinceMs: runAtMs,
      isSecondCheck: true,
    },
    atMs,
  );
}

function chargeOf(watch: Watch, { id, fetchedAtMs: atMs }: StoredListing): readonly Statement[] {
  const { organizationId, keyId } = watch;
  const account = { organizationId, month: monthOf(atMs) };
  const requestId = `${atMs.toString(36).padStart(9, '0')}-${id}`;
  const charge = { requestId, keyId, tokens: BASE_TOKENS.watchedRead, route: 'watch', atMs };
  return [
    insertBalance(account),
    debit(account, BASE_TOKENS.watchedRead),
    ...insertCharge(account, charge),
  ];
}
