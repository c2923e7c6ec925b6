// Invented price histories for lab/bench/series.ts: every listing has a price that stays, is on sale or moves every day,
// and is observed at the times that its kind defines. The same seed gives the same bars.

import { DAY_MS } from '../../src/base/clock.ts';
import { wholeSecond } from '../../src/rules/history/recorded-instant.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';

export const SEED = 25;
export const LAST_DAY = Date.parse('2026-03-14T00:00:00Z') / DAY_MS;
/** All of it is older than the three days that are never packed. */
export const NOW = (LAST_DAY + 3 + 1) * DAY_MS;

export const idOf = (listing: number): string => listingIdOf('retailer_w', String(listing));

/** The program's storage before it packed years: the baseline. */
export const PLAIN_TABLE = `create table observations (
  listing_id text not null,
  observed_at_ms integer not null,
  price_cents integer,
  native_cents integer,
  native_currency text,
  in_stock integer,
  primary key (listing_id, observed_at_ms)
) strict, without rowid`;

/** When a listing is observed: at the start of each day, as in files; once a day by a fetch; four times a day. */
export const KINDS = ['days', 'fetched', 'busy'] as const;
export type Kind = (typeof KINDS)[number];

export type Seen = {
  readonly listing: number;
  readonly observedAtMs: number;
  readonly priceCents: number | null;
  readonly inStock: boolean;
};

export type Shape = {
  readonly kind: Kind;
  readonly listings: number;
  readonly days: number;
  /** Days since 1970. */
  readonly firstDay: number;
};

/** Returns the same numbers in [0, 1) for a seed on every machine. */
export function chanceFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Market = {
  readonly regular: Float64Array;
  readonly current: Float64Array;
  readonly saleDays: Uint8Array;
  readonly awayDays: Uint8Array;
};

/** Yields the observations, day by day, and within a day listing by listing: the order in which they would be appended. */
export function* seenDays(shape: Shape, seed: number): Generator<readonly Seen[]> {
  const { kind, listings, days, firstDay } = shape;
  const chance = chanceFrom(seed);
  const market: Market = {
    regular: Float64Array.from({ length: listings }, () => 300 + Math.floor(20_000 * chance())),
    current: new Float64Array(listings),
    saleDays: new Uint8Array(listings),
    awayDays: new Uint8Array(listings),
  };
  for (let day = firstDay; day < firstDay + days; day += 1) {
    const seen: Seen[] = [];
    for (let listing = 0; listing < listings; listing += 1) {
      const priceCents = priceOf(market, listing, chance);
      const inStock = priceCents !== null;
      for (const time of timesOf(kind, listing, chance)) {
        const observedAtMs = wholeSecond(day * DAY_MS + time);
        seen.push({ listing, observedAtMs, priceCents, inStock });
      }
    }
    yield seen;
  }
}

/** One in ten changes daily; the others change twice a year, are on sale for some days a month, and sell out at times. */
function priceOf(market: Market, listing: number, chance: () => number): number | null {
  const { regular, current, saleDays, awayDays } = market;
  const usual = regular[listing] ?? 0;
  const away = awayDays[listing] ?? 0;
  if (away > 0) {
    awayDays[listing] = away - 1;
    return null;
  }
  if (chance() < 1 / 200) awayDays[listing] = 1 + Math.floor(chance() * 10);
  if (listing % 10 === 0) return Math.max(1, Math.round(usual * (0.9 + 0.2 * chance())));
  if (chance() < 2 / 365) regular[listing] = Math.round(usual * (0.9 + 0.2 * chance()));
  const left = saleDays[listing] ?? 0;
  if (left > 0) {
    saleDays[listing] = left - 1;
    return current[listing] ?? usual;
  }
  if (chance() < 1 / 30) {
    saleDays[listing] = 2 + Math.floor(chance() * 5);
    current[listing] = Math.round(usual * (0.7 + 0.2 * chance()));
  }
  return usual;
}

function timesOf(kind: Kind, listing: number, chance: () => number): readonly number[] {
  if (kind === 'days') return [0];
  // A worker returns at about the same time of day: within ten minutes.
  if (kind === 'fetched')
    return [((listing * 7_919) % 80_000_000) + Math.floor(chance() * 600_000)];
  return Array.from({ length: 4 }, (_, at) => Math.floor((at + chance()) * (DAY_MS / 4)));
}
