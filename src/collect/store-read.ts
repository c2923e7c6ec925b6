// What was read → the store, and with it whatever watches make of it: changes, notices and the token that pays for the fetch,
// all of it in the transaction of the observation, so that none of them is lost or written twice.

import type { FetchContext } from '../core/fetch-context.ts';
import { HOUR_MS, isDoneSince, monthOf, type Clock } from '../core/clock.ts';
import {
  LOOK_BACK_MS,
  mayBeSupported,
  newestSuspicion,
  type Peers,
} from '../history/daily-bars.ts';
import { instantToRecord, recordedInstant } from '../history/recorded-instant.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import type { IsTrusted } from '../product/barcode-rows.ts';
import { shownPriceCents } from '../product/shown-price.ts';
import { tie } from '../product/identity.ts';
import { peersOf } from './price-peers.ts';
import { writeChanges, type AnswerChange } from '../store/answer-writes.ts';
import { BALANCE, debit, insertBalance, insertCharge } from '../store/balances.ts';
import { enqueueJob } from '../store/jobs.ts';
import { madeId } from '../store/made-id.ts';
import type { Statement, TransactionResult } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import {
  insertChange,
  insertWatchListing,
  updateState,
  WATCH_VERSION,
  writeWatched,
} from '../store/watch-writes.ts';
import type { Watching } from '../store/watches.ts';
import { insertToldNotice } from '../store/told-notices.ts';
import { changesBetween, isOld } from '../watches/changes.ts';
import type { Watch } from '../watches/held-watch.ts';
import { feedBody } from '../watches/feed.ts';
import { judge, knownAfter, withKnown } from '../watches/judge.ts';
import { firedBody, troubleBody } from '../watches/notice.ts';
import { sightingOf, type Read } from '../watches/sighting.ts';
import type { Sighting } from '../watches/watch.ts';

export type StoreReadParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly isTrustedShop: IsTrusted;
};

export type ReadToStore = {
  readonly stored: StoredListing;
  /** The barcode that was asked for; null: its own page or id was. */
  readonly gtin: Gtin14 | null;
  readonly changes: readonly AnswerChange[];
  readonly alongside: readonly Statement[];
};

/** Whoever loses a race against another process reads again and decides anew. */
const ATTEMPTS = 8;

/** What a check costs that reads one listing. */
export const TOKENS_OF_A_READ = 1;

/** As `writeChanges`; not done only where a statement of the read itself refused. */
export async function storeRead(
  parts: StoreReadParts,
  read: ReadToStore,
  context: FetchContext,
): Promise<TransactionResult> {
  const { store } = parts;
  const { stored, gtin, changes, alongside } = read;
  const broke = new Set<string>();
  // Organizations without tokens are found one by one, and are no races.
  for (let races = 0; races < ATTEMPTS;) {
    const watching = (await store.watches.findWatching(stored.id, gtin)).filter((each) =>
      isAbout(each, read),
    );
    if (watching.length === 0) return writeChanges(store.sql, changes, alongside);
    const told = await tellings(parts, watching, stored, instantToRecord);
    const payer = context.isForWatches === true ? payerOf(watching, stored, broke) : null;
    const charged = payer === null ? [] : chargeOf(payer, stored);
    const written = await writeChanges(store.sql, changes, [...alongside, ...told, ...charged]);
    if (written.done) return written;
    if (written.refusedBy === BALANCE && payer !== null) broke.add(payer.organizationId);
    else if (written.refusedBy === WATCH_VERSION) races += 1;
    else return written;
  }
  throw new Error(`other processes kept changing the watches of listing ${stored.id}`);
}

/**
 * What is held already, for watches that have not seen it: somebody else read it just before their check was due, so the check
 * fetched nothing.
 */
export async function tellHeld(
  parts: StoreReadParts,
  { stored, gtin }: Pick<ReadToStore, 'stored' | 'gtin'>,
): Promise<void> {
  const read = { stored, gtin, changes: [], alongside: [] };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const behind = (await parts.store.watches.findWatching(stored.id, gtin)).filter(
      (each) => isAbout(each, read) && isBehind(each.watch, stored),
    );
    if (behind.length === 0) return;
    const written = await parts.store.sql.write(
      await tellings(parts, behind, stored, recordedInstant),
    );
    if (written.done) return;
  }
}

function isBehind(watch: Watch, stored: StoredListing): boolean {
  return !hasSeen(watch, stored, stored.fetchedAtMs);
}

/** Whether it has seen the listing since, as of the time at which that was read. */
function hasSeen({ state }: Watch, { id, fetchedAtMs }: StoredListing, sinceMs: number): boolean {
  const known = state.known[id];
  return known !== undefined && isDoneSince(known.atMs, sinceMs, fetchedAtMs);
}

/** Whether a watch is about what was read: its listing, or what its retailer answered for its barcode. */
function isAbout({ watch, isMapped }: Watching, { stored, gtin }: ReadToStore): boolean {
  const { retailer, gtin: watched, pausedAtMs } = watch;
  if (pausedAtMs !== null && !isUnderWay(watch, stored)) return false;
  if (isMapped) return true;
  if (gtin === null || watched !== gtin) return false;
  if (stored.listing.gtin !== null && isOtherProduct(watch, stored)) return false;
  if (retailer === 'any' || retailer === 'best') return stored.listing.gtin === gtin;
  // Whose listing the anchor is becomes known with the first one that is read.
  if (retailer === 'anchor') return Object.keys(watch.state.known).length === 0;
  return retailer === stored.retailer;
}

/** Its last check is still missing this listing, and was due less than an interval ago. */
function isUnderWay(watch: Watch, stored: StoredListing): boolean {
  const { roundAtMs, intervalMs } = watch;
  return isMissing(watch, stored) && stored.fetchedAtMs < (roundAtMs ?? 0) + intervalMs;
}

function isMissing(watch: Watch, stored: StoredListing): boolean {
  return watch.roundAtMs !== null && !hasSeen(watch, stored, watch.roundAtMs);
}

/** The page states another barcode than the one that is watched. */
function isOtherProduct({ gtin }: Watch, stored: StoredListing): boolean {
  return gtin !== null && tie(gtin, stored, true).state === 'mismatch';
}

/** The statements of everything that watches make of the read, in an order that is the same in every process. */
async function tellings(
  { store, clock, isTrustedShop }: StoreReadParts,
  watching: readonly Watching[],
  stored: StoredListing,
  instantOf: typeof instantToRecord,
): Promise<readonly Statement[]> {
  const nowMs = clock.now();
  const sinceMs = stored.fetchedAtMs - LOOK_BACK_MS;
  const earlier = (await store.observations.findSince(stored.id, sinceMs)).observations;
  const observedAtMs = instantOf(stored.fetchedAtMs, earlier);
  const peers = await peersOfRead(store, stored, { earlier, observedAtMs });
  const read = { stored, observedAtMs, earlier, peers };
  const isTrusted = isTrustedShop(stored);
  // Made twice at most, however many watches look at the listing.
  const tied = once(() => sightingOf({ ...read, isTied: true }));
  const untied = once(() => sightingOf({ ...read, isTied: false }));
  const seenFor = (watch: Watch): Sighting =>
    isTiedTo(watch, stored, isTrusted) ? tied() : untied();
  const own = watching.flatMap(({ watch, isMapped }) =>
    isOtherProduct(watch, stored) ? [] : toldTo(watch, seenFor(watch), isMapped),
  );
  const organizations = [...new Set(watching.map(({ watch }) => watch.organizationId))].toSorted();
  const [first] = watching;
  if (first === undefined) return [];
  const seen = seenFor(first.watch);
  const held = await store.watches.findWatched(stored.id);
  const feeds = organizations.flatMap((organizationId) => {
    const before = held.find((each) => each.organizationId === organizationId) ?? null;
    if (before !== null && isOld(before.known, seen)) return [];
    const known = knownAfter(before?.known ?? null, seen);
    return [
      writeWatched(organizationId, known, before?.version ?? null),
      ...changesBetween(before?.known ?? null, known, seen).flatMap((change) =>
        insertChange(
          organizationId,
          { change, listingId: stored.id, body: feedBody(change, known, seen.atMs) },
          nowMs,
        ),
      ),
    ];
  });
  const before = earlier.filter((each) => each.observedAtMs < observedAtMs);
  const isNew = seen.suspicion !== null && newestSuspicion(before, peers) === null;
  return [...own, ...feeds, ...(isNew ? secondLook(stored, seen.atMs) : [])];
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** Prices of the same barcode at other retailers, as a record judges its own by. */
async function peersOfRead(
  store: Store,
  own: StoredListing,
  { earlier, observedAtMs }: Pick<Read, 'earlier' | 'observedAtMs'>,
): Promise<Peers> {
  const { listing } = own;
  const { gtin, inStock } = listing;
  if (gtin === null) return [];
  const priceCents = shownPriceCents(listing, listing.price);
  const observations = [...earlier, { observedAtMs, priceCents, inStock }];
  if (!mayBeSupported(observations)) return [];
  const tied = await store.listings.findListingsTiedTo(gtin);
  const others = tied.filter((each) => each.listing.gtin === gtin);
  const fromMs = observedAtMs - LOOK_BACK_MS;
  return peersOf(store, { own, observations, others, fromMs });
}

function isTiedTo({ gtin }: Watch, stored: StoredListing, isTrusted: boolean): boolean {
  return gtin === null || tie(gtin, stored, isTrusted).state === 'confirmed';
}

function toldTo(watch: Watch, seen: Sighting, isMapped: boolean): readonly Statement[] {
  const { id: watchId, organizationId, identifiers, channels, rules, intervalMs } = watch;
  const watching = { scope: watch.retailer, rules, intervalMs };
  // A check that was under way when its watch was paused is paid for and ends; what it read is judged when there is more to see.
  const { state, firing } =
    watch.pausedAtMs === null
      ? judge(watching, watch.state, seen)
      : { state: withKnown(watch.state, seen), firing: null };
  const known = state.known[seen.listingId] ?? null;
  const named = { identifiers, known };
  const { listingId, atMs } = seen;
  const notice = { organizationId, watchId, listingId, atMs, channels, identifiers };
  const id = (kind: string) => noticeIdOf(`${kind}\n${watchId}\n${seen.listingId}\n${seen.atMs}`);
  return [
    updateState(watch, state, seen.atMs),
    ...(isMapped ? [] : [insertWatchListing(watchId, seen.listingId)]),
    ...(watch.trouble === 'failing'
      ? insertToldNotice({
          ...notice,
          id: id('works_again'),
          kind: 'works_again',
          body: troubleBody('works_again', named),
        })
      : []),
    ...(firing === null
      ? []
      : insertToldNotice({
          ...notice,
          id: id('fired'),
          kind: 'fired',
          body: firedBody(firing, { identifiers, known: firing.subject }),
        })),
  ];
}

/** Made from what it tells, so that it exists once however often it is written. */
export function noticeIdOf(name: string): string {
  return madeId('ntc', name);
}

/**
 * D68: a price that is not believed is looked at once more, an hour later, for nothing: what is seen then is no reason to look
 * again. Checks of the page that fall due before then are jobs of their own.
 */
function secondLook({ retailer, key, url }: StoredListing, atMs: number): readonly Statement[] {
  const runAtMs = atMs + HOUR_MS;
  const subject = { kind: 'listing', retailer, key, url } as const;
  return enqueueJob(
    {
      subject,
      organizationId: null,
      priority: 0,
      runAtMs,
      sinceMs: runAtMs,
      isSecondLook: true,
    },
    atMs,
  );
}

/**
 * Of the watches whose check this listing was still missing for, the one that was due first; none whose product the page has no
 * more, because nothing that is read of it would end its check.
 */
function payerOf(
  watching: readonly Watching[],
  stored: StoredListing,
  broke: ReadonlySet<string>,
): Watch | null {
  const waiting = watching
    .map(({ watch }) => watch)
    .filter(
      (watch) =>
        isMissing(watch, stored) &&
        !isOtherProduct(watch, stored) &&
        !broke.has(watch.organizationId),
    );
  const due = (watch: Watch): number => watch.roundAtMs ?? 0;
  return (
    waiting.toSorted(
      (a, b) => due(a) - due(b) || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
    )[0] ?? null
  );
}

function chargeOf(watch: Watch, { id, fetchedAtMs: atMs }: StoredListing): readonly Statement[] {
  const { organizationId, keyId } = watch;
  const account = { organizationId, month: monthOf(atMs) };
  const requestId = `${atMs.toString(36).padStart(9, '0')}-${id}`;
  const charge = { requestId, keyId, tokens: TOKENS_OF_A_READ, route: 'watch', atMs };
  return [
    insertBalance(account),
    debit(account, TOKENS_OF_A_READ),
    ...insertCharge(account, charge),
  ];
}
