// A watch: its subject, its interval, and the conditions for a notice (D70). Contains types, and a few facts needed by
// several files. Prices are minor units of the watch's currency.

import type { Slug } from '../../base/retailer.ts';

/** Whose price is watched: `anchor`, `best` (the lowest), `any` (each retailer separately), or one retailer's slug. */
export type WatchScope = string;

/**
 * The conditions for a notification; absent or false means that it is not a condition. If none is set, every change
 * triggers one.
 */
export type Rules = {
  /** Notified when the price is below this line. */
  readonly belowCents: number | null;
  /** Notified when the price has moved by this many percent since the last notice. */
  readonly downPercent: number | null;
  readonly upPercent: number | null;
  /** Notified when the price is lower than all prices of this many preceding days. */
  readonly newLowDays: 30 | 90 | null;
  readonly backInStock: boolean;
  readonly outOfStock: boolean;
  /** Notified when another seller has the buy box. */
  readonly buyBox: boolean;
  readonly anyChange: boolean;
  /** If a price below the line falls further by this percentage, another notification is sent. */
  readonly stepPercent: number;
  /**
   * The currency of the watched prices (D87), stored when the watch is created. Absent if no currency was requested and
   * dollars were the default at that time, and for watches from before this field existed.
   */
  readonly currency?: string;
  /** Whether it is judged only by pages that its organization hands in, and fetches nothing (D84). */
  readonly isHandedIn?: true;
};

/** Returns the currency of a watch, regardless of the installation's current currency. */
export function currencyOfRules({ currency = 'USD' }: Pick<Rules, 'currency'>): string {
  return currency;
}

/** Returns the rules that can notify: without a condition, any change does. */
export function withDefault(rules: Rules): Rules {
  const { belowCents, downPercent, upPercent, newLowDays, backInStock, outOfStock, buyBox } = rules;
  const numbers = [belowCents, downPercent, upPercent, newLowDays];
  const isSet = numbers.some((each) => each !== null) || backInStock || outOfStock || buyBox;
  return isSet ? rules : { ...rules, anyChange: true };
}

/** The result of one fetch of a listing, as far as it concerns watches. */
export type WatchObservation = {
  readonly listingId: string;
  readonly retailer: Slug;
  readonly url: string;
  /** The source with terms (D81) that stated the price; absent for a source without terms. */
  readonly source?: string;
  readonly title: string | null;
  readonly imageUrl: string | null;
  /** False if its shop does not want the title to be given to language models (D83). */
  readonly aiInput?: false;
  readonly atMs: number;
  /** The currency in which it is seen; absent for dollars. */
  readonly currency?: string;
  /** In minor units. Null if out of stock, in another currency, or not stated. */
  readonly priceCents: number | null;
  /**
   * The other currency of the price of a product that can be bought; `''` if none is stated. Null for the currency in which it
   * is seen, or without a price.
   */
  readonly otherCurrency: string | null;
  /** Why the price is not notified: it is not believed (D68), not judged, or not repeated (D89). Null if it is believed. */
  readonly suspicion: string | null;
  readonly inStock: boolean | null;
  /** The seller of the offer behind the price. */
  readonly seller: string | null;
  readonly offersCount: number | null;
  readonly gtin: string | null;
  /** Pieces in the pack; if not stated, 1, or for a watch of the best price the record's count. */
  readonly packCount: number;
  /** Whether the listing may have the best price: tied to the product, and new. */
  readonly isEligible: boolean;
  /** The lowest believed prices of the days before this observation; null if none is known. */
  readonly lows: { readonly 30: number | null; readonly 90: number | null };
};

/**
 * The last known state of a listing, for a watch and for the feed of changes. Its price is kept while it is out of stock.
 */
export type Known = Omit<WatchObservation, 'suspicion' | 'lows'>;

/** One rule that an observation triggered, and the sentence for it. */
export type FiringReason = { readonly rule: RuleName; readonly detail: string };

export const RULE_NAMES = [
  'below',
  'down_percent',
  'up_percent',
  'new_low',
  'back_in_stock',
  'out_of_stock',
  'buy_box',
  'pack',
  'currency',
  'any_change',
] as const;
type RuleName = (typeof RULE_NAMES)[number];

/**
 * The values that the rules have notified of, to determine what is new. There is one for the watch, or one per listing
 * (`any`).
 */
export type LastNotified = {
  /** The listing whose observation was judged last. */
  readonly listingId: string | null;
  /** The pack for which prices are compared; null before the first observation. */
  readonly packCount: number | null;
  /** The pack of the last observation. */
  readonly seenPack: number | null;
  /** The other currency of the last observation with a price; null if that was in the watch's. */
  readonly otherCurrency: string | null;
  /** The reference price for percentages: the price in the last notice, otherwise the first one observed. */
  readonly referenceCents: number | null;
  /** The price of the last observation that was judged, which a notice shows as the old price. */
  readonly lastCents: number | null;
  /** The lowest notified price while below the line; null while the price is not below it. */
  readonly belowToldCents: number | null;
  readonly lowToldCents: number | null;
  readonly inStock: boolean | null;
  /** Number of observations in a row that agree with `inStock`. */
  readonly stockRun: number;
  /** When the last of them was made; null before the first. */
  readonly stockAtMs: number | null;
  readonly backToldAtMs: number | null;
  readonly outToldAtMs: number | null;
  readonly seller: string | null;
};

export const NOTHING_NOTIFIED: LastNotified = Object.freeze({
  listingId: null,
  packCount: null,
  seenPack: null,
  otherCurrency: null,
  referenceCents: null,
  lastCents: null,
  belowToldCents: null,
  lowToldCents: null,
  inStock: null,
  stockRun: 0,
  stockAtMs: null,
  backToldAtMs: null,
  outToldAtMs: null,
  seller: null,
});

/** The state of a watch between observations. */
export type WatchState = {
  readonly known: Readonly<Record<string, Known>>;
  /** The notified values, per listing for `any`, otherwise under one name. */
  readonly told: Readonly<Record<string, LastNotified>>;
};

export const NEW_STATE: WatchState = Object.freeze({ known: {}, told: {} });

/** The notification triggered by an observation, before it is worded for a channel. */
export type Firing = {
  readonly reasons: readonly FiringReason[];
  /** The currency of its prices; absent for dollars. */
  readonly currency?: string;
  readonly subject: Known;
  /** The source with terms of one of its prices. */
  readonly source?: string;
  readonly oldCents: number | null;
  readonly newCents: number | null;
  readonly targetCents: number | null;
};
