// What one reading of an identifier asks for: a page to read, or a barcode to ask for. An identifier of one retailer
// under another one's name is followed to its product's barcode (D18).

import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Identifier } from '../identifiers/parse-identifier.ts';
import type { Clock } from '../core/clock.ts';
import type { Store } from '../store/store.ts';
import type { Collect } from '../collect/collect.ts';
import type { CollectOutcome } from '../collect/collect-outcome.ts';
import { FRESH_MS, STALE_MS } from '../collect/freshness.ts';
import { listingKeyOf, type RetailerListingKey, type ListingKey } from '../collect/listing-key.ts';

export type Subject = {
  readonly identifier: Identifier;
  /** The page that is read; null: the barcode is asked for. */
  readonly target: ListingKey | null;
  /** The barcode searched; null: it is the one of the listing that will be read (D34). */
  readonly gtin: Gtin14 | null;
};

/** An identifier, not an address, of another retailer than the one named. */
function isForeign(
  target: ListingKey,
  identifier: Identifier,
  retailer: string | null,
): target is RetailerListingKey {
  if (retailer === null || target.kind !== 'retailer' || identifier.kind === 'url') return false;
  return target.retailer !== retailer;
}

type Parts = { readonly store: Store; readonly collect: Collect; readonly clock: Clock };

/** The subject as far as it needs nobody to be asked; null: its listing has to be read first. */
export async function heldSubject(
  parts: Parts,
  identifier: Identifier,
  retailer: string | null,
): Promise<Subject | null> {
  if ('gtin14' in identifier) return { identifier, target: null, gtin: identifier.gtin14 };
  const target = listingKeyOf(identifier);
  if (target === null) throw new Error(`${identifier.kind} has no address`);
  if (!isForeign(target, identifier, retailer)) return { identifier, target, gtin: null };
  const stored = await parts.store.listings.findListing(target.retailer, target.key);
  if (stored === null || parts.clock.now() - stored.fetchedAtMs > STALE_MS) return null;
  const { gtin } = stored.listing;
  return gtin === null ? null : { identifier, target: null, gtin };
}

export type FoundSubject =
  | { readonly kind: 'subject'; readonly subject: Subject }
  | Exclude<CollectOutcome, { kind: 'read' }>;

/** The subject, found by asking where its listing is not held. */
export async function findSubject(
  parts: Parts,
  identifier: Identifier,
  retailer: string | null,
  signal: AbortSignal,
): Promise<FoundSubject> {
  const held = await heldSubject(parts, identifier, retailer);
  if (held !== null) return { kind: 'subject', subject: held };
  const target = foreignTarget(identifier);
  const known = await parts.collect.knownMiss(target);
  if (known !== null) return { kind: 'miss', miss: known };
  const collected = await parts.collect.collect(target, parts.clock.now() - FRESH_MS, signal);
  if (collected.kind !== 'read') return collected;
  const { gtin } = collected.stored.listing;
  if (gtin !== null) return { kind: 'subject', subject: { identifier, target: null, gtin } };
  const detail =
    `${target.retailer} states no barcode for ${target.key}, so no other retailer can be searched for it. Leave ` +
    `out retailer=.`;
  return { kind: 'miss', miss: { detail, upstream: null } };
}

function foreignTarget(identifier: Identifier): RetailerListingKey {
  const target = listingKeyOf(identifier);
  if (target?.kind !== 'retailer') throw new Error(`${identifier.kind} names no listing`);
  return target;
}
