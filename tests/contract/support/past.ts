// A past for the price history: observations of some days ago, filed as an import files them.

import assert from 'node:assert/strict';

import { DAY_MS } from '../../../src/base/clock.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { writeChanges } from '../../../src/data/answers/answer-writes.ts';
import { barcodeKey, insertImported } from '../../../src/data/history/imported-history.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import type { Contract } from './contract-service.ts';

/** Days ago (UTC), cents or null, in stock or not; a fourth number is the hour of that day. */
export type Past = readonly [days: number, cents: number | null, inStock: boolean, hour?: number];

function instantOf(nowMs: number, [days, , , hour = 0]: Past): number {
  return (Math.floor(nowMs / DAY_MS) - days) * DAY_MS + hour * 3_600_000 + 1_000;
}

const money = (cents: number | null) => (cents === null ? null : { cents, currency: 'USD' });

/** Stores it under a barcode, as from a file that a user imports. */
export async function importPast(
  contract: Contract,
  gtin14: string,
  retailer: string,
  past: readonly Past[],
): Promise<void> {
  const gtin = gtin14 as Gtin14;
  await insertImported(
    contract.app.store.sql,
    past.map((each) => ({
      retailer,
      key: barcodeKey(gtin),
      url: '',
      gtin,
      observedAtMs: instantOf(contract.clock.now(), each),
      price: money(each[1]),
      inStock: each[2],
    })),
  );
}

/** Stores it for a stored listing. */
export async function appendPast(
  contract: Contract,
  retailer: string,
  key: string,
  past: readonly Past[],
): Promise<void> {
  const seen = past.map((each) => {
    const observation = {
      listingId: listingIdOf(retailer, key),
      observedAtMs: instantOf(contract.clock.now(), each),
      price: money(each[1]),
      inStock: each[2],
    };
    return { kind: 'observation', observation } as const;
  });
  assert.ok((await writeChanges(contract.app.store.sql, seen)).done);
}
