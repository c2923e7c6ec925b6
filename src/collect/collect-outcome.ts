// What collecting works with and what it comes to: shared by everything that asks retailers and files answers.

import type { Clock } from '../core/clock.ts';
import type { Fault } from '../core/fault.ts';
import type { Identity } from '../product/identity.ts';
import type { Store } from '../store/store.ts';
import type { AskParts } from './ask-retailer.ts';
import type { ExclusiveWork } from './exclusive-work.ts';
import type { GatherParts } from './gather-pages.ts';
import type { Matching } from '../matching/matcher.ts';
import type { Miss } from '../store/misses.ts';
import type { SearchWeb } from './search-web.ts';
import type { StoredListing } from '../listing/stored-listing.ts';

/** What asking one retailer came to. */
export type CollectOutcome =
  | {
      readonly kind: 'read';
      readonly stored: StoredListing;
      /** How it is tied to the barcode that was asked; null when none was. */
      readonly identity: Identity | null;
    }
  /** The shop answered, and it is not there or no product. */
  | { readonly kind: 'miss'; readonly miss: Miss }
  /** Nobody knows: blocked, slow, down, unusable. */
  | {
      readonly kind: 'failed';
      readonly fault: Fault;
      /** Our own politeness kept the request back: nothing was asked, so nothing was learnt. */
      readonly isPaced?: true;
    };

export type CollectParts = GatherParts &
  AskParts & {
    readonly store: Store;
    readonly clock: Clock;
    readonly search: SearchWeb;
    readonly matching: Matching;
    /** What keeps other processes from asking for the same at the same time. */
    readonly exclusive: ExclusiveWork;
  };
