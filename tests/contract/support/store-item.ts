// Listings that are stored as if they had been read: for combinations of facts that no simulated page shows.

import assert from 'node:assert/strict';

import type { Origin } from '../../../src/base/listing/origin.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import type { Signals } from '../../../src/base/listing/signals.ts';
import type { KnownSlug } from '../../../src/base/retailer.ts';
import { NOT_CHECKED } from '../../../src/rules/product/identity.ts';
import { writeChanges, type AnswerChange } from '../../../src/data/answers/answer-writes.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import type { Contract } from './contract-service.ts';

type HeldKey = {
  readonly retailer: KnownSlug;
  readonly key: string;
  readonly gtin?: string | null;
  /** False: its page was read, but its retailer was not queried for the printed barcode. */
  readonly isAnswer?: boolean;
  /** Absent: the common row, of a page. */
  readonly origin?: Origin;
  /** What the page said about its use. */
  readonly signals?: Signals;
};

/**
 * Stores a listing as read just now, at the address of its retailer and key; if it prints a barcode, also as its retailer's
 * answer for it.
 */
export async function hold(
  contract: Contract,
  { retailer, key, gtin = null, isAnswer = true, origin, signals }: HeldKey,
  listing: Partial<Listing>,
): Promise<void> {
  const { page } = contract.sandbox.market().origins[retailer];
  const nowMs = contract.clock.now();
  const read = {
    retailer,
    key,
    url: `${page}/ip/${key}`,
    foundVia: 'native_catalog' as const,
    fetchedAtMs: nowMs,
    listing: { ...EMPTY_LISTING, title: 'Held', gtin: gtin as Gtin14 | null, ...listing },
    notes: { missing: [], remarks: [], ...(signals === undefined ? {} : { signals }) },
    ...(origin === undefined ? {} : { origin }),
  };
  const answers =
    gtin === null || !isAnswer ? [] : [answerOf(gtin as Gtin14, retailer, key, nowMs)];
  const stored = { kind: 'listing', listing: read } as const;
  assert.ok((await writeChanges(contract.app.store.sql, [stored, ...answers])).done);
}

/** Returns the retailer's answer for a barcode: this listing of its own. */
export function answerOf(
  gtin: Gtin14,
  retailer: KnownSlug,
  key: string,
  nowMs: number,
): AnswerChange {
  const answer = {
    gtin,
    retailer,
    status: 'ok' as const,
    listingId: listingIdOf(retailer, key),
    identity: NOT_CHECKED,
    source: 'primary' as const,
    foundVia: 'native_catalog' as const,
    checkedAtMs: nowMs,
    askedAtMs: nowMs,
    judgedBy: null,
  };
  return { kind: 'barcode-answer', answer };
}

/** The same for an item of retailer_w; returns its id. */
export async function storeItem(
  contract: Contract,
  itemId: string,
  listing: Partial<Listing>,
  gtin: string | null = null,
): Promise<string> {
  await hold(contract, { retailer: 'retailer_w', key: itemId, gtin }, { itemId, ...listing });
  return itemId;
}
