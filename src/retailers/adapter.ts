// How a shop is asked and how its answers are read: types only. An adapter holds no state, reads no
// clock and throws nothing; what it cannot do, it does not declare.

import type { Candidate } from '../domain/identifier.ts';
import type { Listing } from '../domain/listing.ts';
import type { Page, PageVerdict } from '../domain/page.ts';
import type { KnownSlug } from '../domain/retailer.ts';

/** URL shapes of one known retailer, both ways (D3, D9). Hosts are exact labels, never suffix text. */
export type AddressBook = {
  readonly slug: KnownSlug;
  /** Without `www.` and `m.`, which every book also answers for. */
  readonly hosts: readonly string[];
  /** Hosts that only redirect to a product page (short links). */
  readonly shortLinkHosts: readonly string[];
  /** The identifier a product-page address stands for; null when it is none of this retailer's product pages. */
  readonly reduce: (url: URL) => Candidate | null;
  /** The canonical product page of an identifier of this retailer; null when it has none. */
  readonly productUrl: (candidate: Candidate) => string | null;
};

/** Reads one kind of answer. Total: any bytes at all give a verdict. */
export type ReadProduct = (page: Page) => PageVerdict<Listing>;
