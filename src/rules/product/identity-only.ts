// Creates the product for a barcode that no retailer has. It contains only the facts from a barcode database (D86). Pure.

import type { Day } from '../../base/clock.ts';
import { licenceOf, type IdentityFacts } from '../../base/identity-facts.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../base/listing/listing.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import { composeProduct } from './compose.ts';
import type { IdentityFrom, Product } from './product.ts';

type Identified = {
  readonly gtin: Gtin14;
  readonly facts: IdentityFacts;
  /** When the database was asked, ms since 1970. */
  readonly askedAtMs: number;
  readonly currency: string;
  readonly today: Day;
  /** Retailers that gave no answer. */
  readonly silent: IdentityFrom['silent'];
};

/** Returns the facts in the form of a listing. It belongs to no retailer and is never stored as a listing. */
export function asListing({ gtin, facts, askedAtMs }: Identified): StoredListing {
  const { source, url, title, brand, imageUrl, categories, specs, packCount } = facts;
  const stated = { gtin, title, brand, imageUrl, categories, specs, packCount };
  return {
    id: '',
    retailer: source,
    key: url,
    url,
    foundVia: 'native_catalog',
    fetchedAtMs: askedAtMs,
    listing: { ...EMPTY_LISTING, ...stated },
  };
}

export function identityOnly(identified: Identified): Product {
  const { gtin, facts, currency, today, silent } = identified;
  const { source, url } = facts;
  const product = composeProduct({
    anchor: asListing(identified),
    isTrusted: () => false,
    others: [],
    disputed: [],
    agreement: { disagreements: [], score: null },
    guesses: [],
    apart: [],
    gtin,
    history: { observations: [], span: { firstDay: null, lastDay: null, daysCovered: 0 } },
    peers: [],
    fees: null,
    currency,
    today,
    isOnlyRetailer: true,
    withLinks: false,
    voters: [],
    askedAsin: null,
    asinMatch: null,
    resolvedByRetailerB: false,
  });
  return {
    ...product,
    // No retailer supplies anything.
    sources: { title: null, brand: null, weightLbs: null, dimensions: null, price: null },
    listings: [],
    retailerLinks: [],
    bestPrice: null,
    identityFrom: { source, licence: licenceOf(source), url, silent },
  };
}
