// The observations of one listing and UTC year as one short text: what packing and unpacking have in common.
// docs/price-history-storage.md describes the format. Pure.

import { checksum } from './bit-text.ts';
import { DAY_MS } from '../core/clock.ts';
import type { Money } from '../listing/money.ts';
import type { Observation } from './daily-bars.ts';

/** With all that is kept of an observation: `native` is a price that is not in dollars; `priceCents` is null then. */
export type KeptObservation = Observation & { readonly native: Money | null };

/** Whose observations a text holds: part of its checksum, so that one cannot be read in another's place. */
export type PackPlace = { readonly listingId: string; readonly year: number };

/** Of what is packed, without unpacking it. */
export type PackSummary = {
  readonly observations: number;
  /** UTC days with a price in dollars. */
  readonly pricedDays: number;
  readonly firstMs: number;
  readonly lastMs: number;
};

/** The text is damaged, of another place, or of a version that this program does not know. */
export class PackError extends Error {
  override readonly name = 'PackError';
}

/** The first character of every text. */
export const VERSION = '1';
/** CRC-32, as whole characters. */
export const CHECKSUM_BITS = 36;
/** Characters before the payload. */
export const HEAD = VERSION.length + CHECKSUM_BITS / 6;
/** Cheapest lengths in bits: of the number of observations, of the days between two. */
export const COUNT_SHORT = 8;
export const GAP_SHORT = 3;

/** How a price stands. The order is part of the format. */
export const NO_PRICE = 0;
export const DOLLARS = 1;
export const NATIVE = 2;
export const NATIVE_UNKNOWN = 3;

/** Everything that the next observation is told as a difference from; the first one's is fixed by the format. */
export type State = {
  day: number;
  /** Milliseconds since the day began. */
  time: number;
  kind: number;
  /** 0: not in stock, 1: in stock, 2: unknown. */
  stock: number;
  currency: string;
  cents: number;
  /** The price before that one: sales end where they began. */
  centsBefore: number;
};

/** What the first observation of a year is told as a difference from. */
export function stateBefore(year: number): State {
  const day = firstDayOf(year) - 1;
  return { day, time: 0, kind: DOLLARS, stock: 1, currency: '', cents: 0, centsBefore: 0 };
}

/** Days since 1970 of 1 January. */
export function firstDayOf(year: number): number {
  return Date.UTC(year, 0, 1) / DAY_MS;
}

/** The UTC year of an instant. */
export function yearOf(atMs: number): number {
  return new Date(atMs).getUTCFullYear();
}

/** Over the place and the text from `from` on. */
export function checksumOf(
  { listingId, year }: PackPlace,
  version: string,
  text: string,
  from = 0,
) {
  return checksum(text, from, checksum(`${version} ${listingId} ${year} `));
}

/** The summary that is kept beside a text. At least one observation, oldest first. */
export function summaryOf(observations: readonly KeptObservation[]): PackSummary {
  let pricedDays = 0;
  let lastPriced = -1;
  for (const { observedAtMs, priceCents } of observations) {
    if (priceCents === null) continue;
    const day = Math.floor(observedAtMs / DAY_MS);
    if (day !== lastPriced) pricedDays += 1;
    lastPriced = day;
  }
  return {
    observations: observations.length,
    pricedDays,
    firstMs: observations[0]?.observedAtMs ?? 0,
    lastMs: observations.at(-1)?.observedAtMs ?? 0,
  };
}
