// Price years with the errors of D68: slips and placeholders that last, runs of daily ones, and deep falls that are real.
// Written together with the rule, except for the kinds in HELD_OUT, which were left out and are only scored.

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { chanceOf, priceYear, type Seen } from './years.ts';

export const SLIPS = [
  'times_ten',
  'times_hundred',
  'hundredth',
  'currency',
  'falling_currency',
  'one_dollar',
  'nines',
] as const;
/** Never consulted while the rule was written. */
export const HELD_OUT = ['thousandth', 'digits_joined', 'pallet', 'eights'] as const;
export const DEEP = ['deep_once', 'deep_repeated'] as const;
export type PriceError = (typeof SLIPS | typeof HELD_OUT | typeof DEEP)[number];
/** The duration of a slip: lasting, or three consecutive days with a different error each. */
export const SHAPES = ['lasting', 'three_daily'] as const;
export type Shape = (typeof SHAPES)[number];

type ErredPrice = {
  readonly observedAtMs: number;
  readonly priceCents: number;
  readonly error: PriceError | null;
  readonly isSharpSale: boolean;
  /** An error during a sale at less than half of the price: ten times that may be the ordinary price. */
  readonly isInSale?: boolean;
};

const between = (chance: () => number, low: number, high: number): number =>
  low + (high - low) * chance();

function oneOf<T>(chance: () => number, list: readonly [T, ...T[]]): T {
  return list[Math.floor(chance() * list.length)] ?? list[0];
}

/** Units per dollar: pesos, rupees, baht, kronor, reais, yen, won. */
const RATES = [18.4, 84.1, 34.2, 10.4, 5.6, 151, 1_370] as const;
const NINES = [99_999, 999_900, 999_999, 9_999_900, 9_999_999] as const;

/** Returns a price with an error applied; `draw` is the same for one error as long as it lasts. */
function erred(cents: number, error: PriceError, draw: number): number {
  const pick = <T>(list: readonly [T, ...T[]]): T => oneOf(() => draw, list);
  switch (error) {
    case 'times_ten':
      return cents * 10;
    case 'times_hundred':
      return cents * 100;
    case 'hundredth':
      return Math.max(1, Math.round(cents / 100));
    case 'currency':
      return Math.round(cents * pick(RATES));
    case 'nines':
      // Excludes results that might be a real price: at least three times the listing's.
      return NINES.find((nines, at) => nines > cents * 3 && at >= draw * 3) ?? 99_999_999;
    case 'falling_currency':
      return Math.max(1, Math.round(cents / pick([151, 1_370, 15_800] as const)));
    case 'one_dollar':
      return cents > 10_000 ? 100 : 1;
    case 'thousandth':
      return Math.max(1, Math.round(cents / 1_000));
    case 'pallet':
      return cents * (24 + Math.floor(draw * 37));
    case 'eights':
      return cents > 150_000 ? 88_888_888 : 888_888;
    case 'digits_joined':
      return Number(`${cents}${Math.floor(draw * 90) + 10}`);
    case 'deep_once':
    case 'deep_repeated':
      // 94 to 98.5 percent off.
      return Math.max(1, Math.round(cents * (0.015 + draw * 0.045)));
  }
}

const FEW = 10;

/** Returns one year with one error of a kind and shape. */
export function erredYear(seed: number, error: PriceError, shape: Shape): readonly ErredPrice[] {
  const chance = chanceOf(seed ^ 0x5a5a5a);
  const year = priceYear(seed).filter(
    (each): each is Seen & { readonly priceCents: number } =>
      each.priceCents !== null && each.glitch === null && each.priceCents >= 500,
  );
  // With fewer than a few prices it is impossible to say which is wrong.
  if (year.length < FEW) return [];
  const at = Math.floor(between(chance, 0.1, 0.9) * year.length);
  const fromMs = year[at]?.observedAtMs ?? 0;
  const lastsMs = between(chance, 2 * DAY_MS, 25 * DAY_MS);
  const draw = chance();
  const slips = [...SLIPS].toSorted(() => chance() - 0.5);
  let wrong = 0;
  const prices = year.map(({ observedAtMs, priceCents, isSharpSale }, place): ErredPrice => {
    const plain = { observedAtMs, priceCents, error: null, isSharpSale };
    const since = observedAtMs - fromMs;
    if (place < at) return plain;
    const isWrong =
      error === 'deep_once'
        ? place === at
        : shape === 'lasting' || error === 'deep_repeated'
          ? since < lastsMs
          : since < 3 * DAY_MS;
    if (!isWrong) return plain;
    wrong += 1;
    const kind =
      shape === 'three_daily' && (SLIPS as readonly PriceError[]).includes(error)
        ? (slips[Math.floor(since / DAY_MS)] ?? error)
        : error;
    // A deal is a single price, computed from the previous price.
    const isDeal = (DEEP as readonly PriceError[]).includes(error);
    const cents = erred(isDeal ? (year[at - 1]?.priceCents ?? 0) : priceCents, kind, draw);
    return { observedAtMs, priceCents: cents, error, isSharpSale: false, isInSale: isSharpSale };
  });
  if (error !== 'deep_repeated' || wrong > 1) return prices;
  // Read again an hour later, like a watched listing.
  const [first] = prices.filter((each) => each.error !== null);
  if (first === undefined) return prices;
  const again = { ...first, observedAtMs: first.observedAtMs + HOUR_MS };
  return [...prices, again].toSorted((a, b) => a.observedAtMs - b.observedAtMs);
}
