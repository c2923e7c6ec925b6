// The rows of a comparison from stored product data (D69). They are found and fetched as in a lookup, and composed without
// what only a record needs. Only reads.

import { FRESH_MS } from '../collect/freshness.ts';
import { dayOf, type Clock } from '../../base/clock.ts';
import { currencyThrough } from '../../base/listing/lens.ts';
import type { MatchingLater } from '../../rules/matching/matching-later.ts';
import { isApart, isUnsearched } from '../../base/listing/stored-listing.ts';
import { strictest } from '../../base/listing/signals.ts';
import { cellsOf, type Cell } from '../../rules/product/cell.ts';
import { comparedListing, type Comparison } from '../../rules/product/comparison.ts';
import type { Reads } from './cache/read-session.ts';
import type { Assemble } from './steps/assemble-product.ts';
import { otherThanAnchor, clusterOfAnchor, publishingOf } from './stored/other-than-anchor.ts';
import { readsThrough } from '../collect/reads-through.ts';
import { disputesOf } from './stored/cross-retailer.ts';
import type { StoredForBarcode } from './stored/stored-for-barcode.ts';
import type { Lookup } from './lookup-product.ts';
import { suspectListings } from './stored/suspect-listings.ts';

/** A lookup whose result is a comparison: from the store, or after asking the retailers. */
export type LookupComparison = Lookup<Comparison>;

export type CompareParts = {
  readonly clock: Clock;
  readonly matching: MatchingLater;
};

export function createAssembleComparison(parts: CompareParts): Assemble<Comparison> {
  const { clock, matching } = parts;
  return async (reads, { lookup, identifier, anchor: answering, forBarcode }) => {
    const { stored: anchor, identity } = answering;
    const currency = currencyThrough(lookup.lens, anchor.listing.price);
    const store = readsThrough(reads, currency);
    const nowMs = clock.now();
    const { gtin, rows } = forBarcode;
    const beside = otherThanAnchor(forBarcode, identifier, anchor);
    const { carriers } = beside;
    const { agreement, confirmed } = await clusterOfAnchor(matching, answering, beside);
    const sources = [anchor, ...confirmed];
    const all = cellsOf({
      gtin,
      anchor,
      isOwn: identity === null,
      rows,
      disputes: disputesOf(agreement.disagreements),
      awaited: await awaitedIn(store, forBarcode),
      nowMs,
      freshMs: FRESH_MS,
    });
    // A caller who asks for a page of such a shop gets it, but not in comparison with others (D83).
    const cells = all.filter(({ stored }) => stored === null || !isUnsearched(stored));
    const publishing = publishingOf(gtin, [anchor, ...carriers]);
    const suspect = await suspectListings(
      { store, matching },
      { cells, carriers: publishing, currency, nowMs },
    );
    const day = dayOf(nowMs);
    const rowsOf = (some: readonly Cell[]) =>
      some.map((cell) =>
        comparedListing(
          { cell, isSuspect: cell.stored !== null && suspect.has(cell.stored.id) },
          { packCount, day, currency },
        ),
      );
    const packCount =
      sources.find(({ listing }) => listing.packCount !== null)?.listing.packCount ?? null;
    return {
      gtin,
      title: sources.find(({ listing }) => listing.title !== null)?.listing.title ?? null,
      anchor: anchor.retailer,
      currency,
      packCount,
      day,
      listings: rowsOf(cells.filter((each) => !isAlone(each))),
      apart: rowsOf(cells.filter(isAlone)),
      signals: strictest(sources.map(({ signals }) => signals)),
    };
  };
}

/** Checks whether the terms of its source keep a row apart from the others. */
function isAlone({ stored }: Cell): boolean {
  return stored !== null && isApart(stored);
}

/** Reads the queue only if a retailer has not answered: otherwise the queue changes nothing. */
async function awaitedIn({ jobs }: Reads, { gtin, rows }: StoredForBarcode) {
  const isOpen = rows.some(
    ({ answer, stored, isAsked }) =>
      (stored === null || !isAsked) && (answer === null || answer.status === 'ok'),
  );
  return gtin === null || !isOpen ? new Set<string>() : await jobs.findLiveJobs(gtin);
}
