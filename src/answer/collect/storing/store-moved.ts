// Decides whether a page names another product than the one stored for its address (D90), and stores that it does. A changed
// default variant, a renamed address and a corrected title are the same product. The reading is not stored under the listing: its
// price and stock remain as last read. A second reading at least an hour later with the same result ends it, and its watches notify
// of it once.

import { isSureMove, type Move, type StoredListing } from '../../../base/listing/stored-listing.ts';
import { writeChanges, type AnswerChange } from '../../../data/answers/answer-writes.ts';
import type { NotedListing } from '../../../data/answers/listings.ts';
import { madeId } from '../../../data/made-id.ts';
import type { Statement } from '../../../data/sql.ts';
import type { Store } from '../../../data/store.ts';
import { insertNoticeToDeliver } from '../../../data/watches/notices-to-deliver.ts';
import { noteMoved, WATCH_VERSION } from '../../../data/watches/watch-writes.ts';
import { isAbout } from '../../../rules/watches/concerned.ts';
import type { Watch } from '../../../rules/watches/stored-watch.ts';
import { troubleBody } from '../../../rules/watches/notice.ts';
import { goneChanges } from './store-listing.ts';
import { secondCheck } from './store-read.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import { compareCodes, printedCodesOf } from '../../../base/listing/stated-codes.ts';
import type { Matching } from '../../../rules/matching/matcher.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import { reducedShopUrl } from '../../../read/retailers/addresses/shop-url.ts';

type MovedReading = {
  /** The listing whose address shows another product. */
  readonly storedListing: NotedListing;
  /** The product that the address shows now. */
  readonly shown: StoredListing;
  readonly readAtMs: number;
};

/** Maximum attempts: a process that loses a race against another one reads the watches again. */
const ATTEMPTS = 8;

/** Stores the reading, with the resulting watch changes in the same transaction. */
export async function storeMoved(store: Store, reading: MovedReading): Promise<void> {
  const { storedListing, shown, readAtMs } = reading;
  const sinceMs = storedListing.moved?.sinceMs ?? readAtMs;
  const moved: Move = { toId: shown.id, sinceMs, readAtMs };
  const isEnd =
    isSureMove(moved) && !(storedListing.moved !== undefined && isSureMove(storedListing.moved));
  const changes = changesOf(storedListing, moved, isEnd);
  const second = storedListing.moved === undefined ? secondCheck(storedListing, readAtMs) : [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const watching = await store.watches.findWatching(storedListing.id, null);
    const watches = watching
      .filter(({ watch, isMapped }) =>
        isAbout(watch, isMapped, { stored: storedListing, gtin: null }),
      )
      .map(({ watch }) => watch);
    const statements = watches.flatMap((watch) => [
      noteMoved(watch, readAtMs, isEnd),
      ...(isEnd ? noticeOf(watch, reading, sinceMs) : []),
    ]);
    const written = await writeChanges(store.sql, changes, [...statements, ...second]);
    if (written.done || written.refusedBy !== WATCH_VERSION) return;
  }
  throw new Error(`other processes kept changing the watches of listing ${storedListing.id}`);
}

function changesOf(
  storedListing: NotedListing,
  moved: Move,
  isEnd: boolean,
): readonly AnswerChange[] {
  const ended = isEnd ? goneChanges({ ...storedListing, moved }, moved.readAtMs) : [];
  return ended.length > 0 ? ended : [{ kind: 'listing', listing: { ...storedListing, moved } }];
}

function noticeOf(
  watch: Watch,
  { storedListing, shown, readAtMs }: MovedReading,
  sinceMs: number,
): readonly Statement[] {
  const { id: watchId, organizationId, identifiers, channels, state } = watch;
  const known = state.known[storedListing.id] ?? null;
  const body = troubleBody('moved', { identifiers, known }, { nowShown: shown.listing.title });
  return insertNoticeToDeliver({
    // Derived from the time of the move, so that the notice exists once, whichever process writes it.
    id: madeId('ntc', `moved\n${watchId}\n${storedListing.id}\n${sinceMs}`),
    organizationId,
    watchId,
    listingId: storedListing.id,
    kind: 'moved',
    body,
    atMs: readAtMs,
    channels,
    identifiers,
  });
}

/**
 * Checks whether `read` is another product than `stored`. Product numbers decide if both pages print some. Numbers of different
 * kinds, such as a SKU and a barcode, neither agree nor contradict each other; the titles then decide. If a page prints no
 * number, the titles and the canonical addresses must both differ.
 */
export async function namesAnother(
  matching: Pick<MatchingLater, 'load'>,
  stored: StoredListing,
  read: Listing,
): Promise<boolean> {
  const compared = compareCodes(printedCodesOf(stored.listing), printedCodesOf(read));
  if (compared === 'shared') return false;
  if (compared === 'none_shared') return true;
  if (compared === 'missing' && !haveOtherAddresses(stored.listing, read)) return false;
  return haveOtherTitles(await matching.load(), stored, read);
}

function haveOtherAddresses(one: Listing, two: Listing): boolean {
  const addresses = [one.url, two.url].map((text) => (text === null ? null : URL.parse(text)));
  const [first, second] = addresses.map((url) => (url === null ? null : reducedShopUrl(url)));
  return first !== null && second !== null && first !== second;
}

/** Below this likelihood the matcher considers two titles to be of two products. */
const UNLIKELY = 0.1;

/**
 * The matcher knows little about short titles, and treats a corrected word as a difference. If it is not sure, titles
 * belong to one product if they share more than half of the words of the shorter one.
 */
function haveOtherTitles(matching: Matching, stored: StoredListing, read: Listing): boolean {
  const [before, now] = [wordsOf(stored.listing.title), wordsOf(read.title)];
  if (before.size === 0 || now.size === 0) return false;
  const known = [stored] as const;
  if (matching.isLikely(known, read)) return false;
  if (matching.similarity(known, read) < UNLIKELY) return true;
  return before.intersection(now).size * 2 <= Math.min(before.size, now.size);
}

function wordsOf(title: string | null): ReadonlySet<string> {
  return new Set((title ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
