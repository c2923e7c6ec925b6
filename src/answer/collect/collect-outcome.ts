// Types for fetching and storing a listing: the dependencies and the outcomes.

import type { Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import type { IsTrusted } from '../../rules/product/barcode-rows.ts';
import type { Identity } from '../../rules/product/identity.ts';
import type { Store } from '../../data/store.ts';
import type { AskParts } from './asking/ask-retailer.ts';
import type { ExclusiveWork } from './coordination/exclusive-work.ts';
import type { GatherParts } from './asking/gather-pages.ts';
import type { MatchingLater } from '../../rules/matching/matching-later.ts';
import type { Miss } from '../../data/answers/misses.ts';
import type { SearchWeb } from './asking/search-web.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';

/** The outcome of fetching one listing. */
export type CollectOutcome =
  | {
      readonly kind: 'read';
      readonly stored: StoredListing;
      /** How the listing is tied to the barcode that was searched; null without one. */
      readonly identity: Identity | null;
    }
  /** The shop answered that there is no such listing, or that it is not a product. */
  | { readonly kind: 'miss'; readonly miss: Miss }
  /** There is no usable answer: blocked, slow, down, unreadable. */
  | {
      readonly kind: 'failed';
      readonly fault: Fault;
      /** Present if our own pacing delayed the request, so that nothing was learned about the shop. */
      readonly isPaced?: true;
      /** Present if this installation cannot ask the retailer at all: it has no source, or robots.txt forbids its pages. */
      readonly cannotAsk?: true;
    };

/** The outcome of fetching the page at an address. */
export type PageOutcome =
  | CollectOutcome
  /** The address shows another product than its stored listing (D90). */
  | {
      readonly kind: 'moved';
      /** The stored listing of the address. */
      readonly from: StoredListing;
      /** The listing of the product that the address shows now. */
      readonly stored: StoredListing;
    };

export type CollectParts = GatherParts &
  AskParts & {
    readonly store: Store;
    readonly clock: Clock;
    readonly search: SearchWeb;
    readonly matching: MatchingLater;
    readonly isTrustedShop: IsTrusted;
    /** Hosts of hosted stores that are searched for barcodes. */
    readonly barcodeShops: readonly string[];
    /** Prevents other processes from fetching the same thing at the same time. */
    readonly exclusive: ExclusiveWork;
  };
