// Simulated years of prices with known glitches: the test data of the rule that marks them. Written before that rule and
// independent of it; the same seed gives the same years.

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import type { Observation } from '../../../src/rules/history/daily-bars.ts';

export const GLITCHES = ['times_ten', 'hundredth', 'one_cent', 'cents_as_dollars'] as const;
export type Glitch = (typeof GLITCHES)[number];

export type Seen = Observation & {
  /** The glitch applied to the price; null: it is the shop's own price. */
  readonly glitch: Glitch | null;
  /** During a sale at less than half of the price. */
  readonly isSharpSale: boolean;
};

/** Creates a small random generator with values in [0, 1) and a period far above the number of draws. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Chance = () => number;

const between = (chance: Chance, low: number, high: number): number =>
  low + (high - low) * chance();

function pick<T>(chance: Chance, list: readonly [T, ...T[]]): T {
  return list[Math.floor(chance() * list.length)] ?? list[0];
}

/** How often a price is fetched: hourly for a watched product, mostly once a day, for many only occasionally. */
const PAUSES_MS = [HOUR_MS, 4 * HOUR_MS, DAY_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS] as const;

const YEAR_DAYS = 365;
const START_MS = Date.UTC(2025, 0, 1);

type Sale = { readonly fromMs: number; readonly toMs: number; readonly factor: number };

/** Draws sales of some hours to three weeks, up to nine tenths off. */
function salesOf(chance: Chance): readonly Sale[] {
  return Array.from({ length: Math.floor(between(chance, 0, 9)) }, () => {
    const fromMs = START_MS + chance() * YEAR_DAYS * DAY_MS;
    const lasts =
      chance() < 0.3 ? between(chance, 2, 12) * HOUR_MS : between(chance, 1, 21) * DAY_MS;
    return { fromMs, toMs: fromMs + lasts, factor: 1 - between(chance, 0.1, 0.9) };
  });
}

/** Returns the ordinary price of each day: steps of a few percent, occasionally a lasting jump. */
function levelsOf(chance: Chance): readonly number[] {
  let level = Math.exp(between(chance, Math.log(300), Math.log(200_000)));
  return Array.from({ length: YEAR_DAYS + 1 }, () => {
    if (chance() < 0.08) level *= between(chance, 0.94, 1.07);
    if (chance() < 0.006) level *= between(chance, 0.5, 2.2);
    return level;
  });
}

/** Draws spikes: a seller without competitors asks up to four times the price for some days. */
function spikesOf(chance: Chance): readonly Sale[] {
  return Array.from({ length: chance() < 0.3 ? 1 : 0 }, () => {
    const fromMs = START_MS + chance() * YEAR_DAYS * DAY_MS;
    return {
      fromMs,
      toMs: fromMs + between(chance, 0.2, 6) * DAY_MS,
      factor: between(chance, 1.5, 4),
    };
  });
}

function charm(cents: number): number {
  return Math.max(1, cents > 500 ? Math.round(cents / 100) * 100 - 1 : Math.round(cents));
}

function spoilt(cents: number, glitch: Glitch): number {
  switch (glitch) {
    case 'times_ten':
      return cents * 10;
    case 'hundredth':
      return Math.max(1, Math.round(cents / 100));
    case 'one_cent':
      return 1;
    case 'cents_as_dollars':
      return cents * 100;
  }
}

/** Returns one year of one listing: its observations, oldest first. */
export function priceYear(seed: number): readonly Seen[] {
  const chance = chanceOf(seed);
  const pauseMs = pick(chance, PAUSES_MS);
  const changes = [...salesOf(chance), ...spikesOf(chance)];
  const levels = levelsOf(chance);
  const times: number[] = [];
  for (let at = START_MS; at < START_MS + YEAR_DAYS * DAY_MS;) {
    times.push(Math.floor(at));
    at += pauseMs * between(chance, 0.5, 1.5);
  }
  const glitches = Array.from({ length: Math.floor(between(chance, 1, 5)) }, () => ({
    // The hour begins with an observation.
    fromMs: times[Math.floor(chance() * times.length)] ?? START_MS,
    kind: pick(chance, GLITCHES),
  }));
  return times.map((observedAtMs): Seen => {
    const day = Math.floor((observedAtMs - START_MS) / DAY_MS);
    const now = changes.filter(({ fromMs, toMs }) => observedAtMs >= fromMs && observedAtMs < toMs);
    const factor = now.reduce((product, each) => product * each.factor, 1);
    const kept = Math.max(factor, 0.1);
    const cents = charm((levels[day] ?? 1_000) * kept);
    const glitch = glitches.find(
      ({ fromMs }) => observedAtMs >= fromMs && observedAtMs < fromMs + HOUR_MS,
    );
    if (chance() < 0.03) {
      return { observedAtMs, priceCents: null, inStock: false, glitch: null, isSharpSale: false };
    }
    const priceCents = glitch === undefined ? cents : spoilt(cents, glitch.kind);
    // A price of a few cents that reads as one cent is not a glitch that a reader could notice.
    const isSpoilt = glitch !== undefined && priceCents !== cents;
    return {
      observedAtMs,
      priceCents,
      inStock: true,
      glitch: isSpoilt ? glitch.kind : null,
      isSharpSale: !isSpoilt && kept < 0.5,
    };
  });
}
