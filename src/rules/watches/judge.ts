// (watch, state, observation) → (state, notifications). Each rule notifies once per crossing, and again after a further
// drop or after the price was above the line. Apparent changes due to a glitch, a different pack size or another currency
// are not notified (D70). Pure.

import { DAY_MS } from '../../base/clock.ts';
import { moneyText } from '../../base/money-text.ts';
import { isOld } from './changes.ts';
import { stockRules, type StockSeen } from './stock-rules.ts';
import {
  currencyOfRules,
  NOTHING_NOTIFIED,
  type Firing,
  type Known,
  type FiringReason,
  type Rules,
  type WatchScope,
  type WatchObservation,
  type LastNotified,
  type WatchState,
} from './watch.ts';

type Judged = {
  readonly state: WatchState;
  /** The notification; null if there is none. */
  readonly firing: Firing | null;
};

export type WatchToJudge = {
  readonly scope: WatchScope;
  readonly rules: Rules;
  readonly intervalMs: number;
  /** Ids of listings that other listings of the product contradict: none of them has the best price (D59, D60). */
  readonly disputed: ReadonlySet<string>;
  /** For scope `best`: the lowest prices of the days before at the other listings that may have the best price. */
  readonly lowsOfOthers: WatchObservation['lows'];
};

/**
 * A listing that this many consecutive checks have missed, and that was not read for as many days, no longer has the best
 * price.
 */
const BEST_MISSES = 2;

/** Returns the watch's state after an observation, and the notification about it. */
export function judge(watching: WatchToJudge, state: WatchState, seen: WatchObservation): Judged {
  const { scope, rules } = watching;
  const before = state.known[seen.listingId];
  if (before !== undefined && isOld(before, seen)) {
    return { state, firing: null };
  }
  const { known } = withKnown(state, seen);
  const name = scope === 'any' ? seen.listingId : 'watch';
  const told = state.told[name] ?? NOTHING_NOTIFIED;
  const isBest = scope === 'best';
  const subject = isBest ? bestOf(known, watching, { told, seen }) : subjectOf(known, seen);
  if (subject === null) return { state: { ...state, known }, firing: null };
  // For `best`, the listings' pages are read one after another: together they are one observation of the stock.
  const restMs = isBest ? Math.floor(watching.intervalMs / 2) : 0;
  const isFirst = isBest && before === undefined && subject.known.listingId === seen.listingId;
  const since = isFirst && subject.cents !== null ? unpriced(told) : told;
  const next = judgeSubject(rules, since, { ...subject, isBest, atMs: seen.atMs, restMs });
  const firing =
    next.reasons.length === 0
      ? null
      : firingOf(rules, next, since, { subject, knownBefore: state.known });
  return { state: { known, told: { ...state.told, [name]: next.told } }, firing };
}

/**
 * Clears the earlier prices if the best price has moved to a listing that was never read before: its price did not change
 * but became known, so there is no previous price.
 */
function unpriced(told: LastNotified): LastNotified {
  return { ...told, referenceCents: null, lastCents: null };
}

/** Returns the state after an observation without a notification. */
export function withKnown({ known, told }: WatchState, seen: WatchObservation): WatchState {
  const after = knownAfter(known[seen.listingId] ?? null, seen);
  return { known: { ...known, [seen.listingId]: after }, told };
}

/** Returns the state after an observation. If its price is not accepted, or not stated, the previous price remains. */
export function knownAfter(before: Known | null, seen: WatchObservation): Known {
  const { listingId, retailer, url, title, imageUrl, atMs, gtin, packCount, isEligible } = seen;
  const isBelieved = seen.priceCents !== null && seen.suspicion === null;
  const { currency } = seen;
  const priceBefore = before?.currency === currency ? (before?.priceCents ?? null) : null;
  const source = seen.source ?? (isBelieved ? undefined : before?.source);
  return {
    listingId,
    retailer,
    url,
    atMs,
    packCount,
    ...(currency === undefined ? {} : { currency }),
    ...(source === undefined ? {} : { source }),
    ...(seen.aiInput === undefined ? {} : { aiInput: seen.aiInput }),
    otherCurrency: seen.otherCurrency,
    // A price that is kept because none is stated is only used to detect changes: the product cannot be bought at it.
    isEligible: isEligible && seen.priceCents !== null,
    title: title ?? before?.title ?? null,
    imageUrl: imageUrl ?? before?.imageUrl ?? null,
    gtin: gtin ?? before?.gtin ?? null,
    priceCents: isBelieved ? seen.priceCents : priceBefore,
    inStock: seen.inStock ?? before?.inStock ?? null,
    seller: seen.seller ?? before?.seller ?? null,
    offersCount: seen.offersCount ?? before?.offersCount ?? null,
  };
}

/** The subject of the rules: a listing, or the cheapest of several as if it were one listing. */
type Subject = {
  readonly known: Known;
  /** The price observed now, if it is believed; null if there is none. */
  readonly cents: number | null;
  readonly inStock: boolean | null;
  readonly seller: string | null;
  readonly lows: WatchObservation['lows'];
};

function subjectOf(known: WatchState['known'], seen: WatchObservation): Subject | null {
  const own = known[seen.listingId];
  if (own === undefined) return null;
  const cents = seen.suspicion === null && seen.inStock !== false ? seen.priceCents : null;
  const { inStock, seller, lows } = seen;
  return { known: own, cents, inStock, seller, lows };
}

/**
 * Returns the cheapest listing; null if no listing may have the best price now: nothing is then known, and nothing is
 * notified.
 */
function bestOf(
  known: WatchState['known'],
  { intervalMs, disputed, lowsOfOthers }: WatchToJudge,
  { told, seen }: { readonly told: LastNotified; readonly seen: WatchObservation },
): Subject | null {
  const fromMs = seen.atMs - BEST_MISSES * Math.max(DAY_MS, intervalMs);
  const all = Object.values(known).filter(
    ({ atMs, listingId }) => atMs >= fromMs && !disputed.has(listingId),
  );
  const pack = told.packCount ?? seen.packCount;
  const buyable = all.filter(
    (each) =>
      each.isEligible &&
      each.inStock !== false &&
      each.priceCents !== null &&
      each.packCount === pack,
  );
  const [best] = buyable.toSorted((a, b) => (a.priceCents ?? 0) - (b.priceCents ?? 0));
  const stocks = all.map(({ inStock }) => inStock);
  const inStock = stocks.includes(true) ? true : stocks.includes(null) ? null : false;
  const subject = best ?? all.find(({ listingId }) => listingId === seen.listingId);
  if (subject === undefined) return null;
  const isSeen = best?.listingId === seen.listingId;
  return {
    known: subject,
    cents: best?.priceCents ?? null,
    inStock,
    seller: null,
    // If a listing other than the observed one is cheapest, its history is not available here.
    lows: isSeen ? lowestOf(seen.lows, lowsOfOthers) : { 30: null, 90: null },
  };
}

/** A listing without history of its own has no new low, regardless of the other listings' prices. */
function lowestOf(
  own: WatchObservation['lows'],
  beside: WatchObservation['lows'],
): WatchObservation['lows'] {
  const lowest = (days: 30 | 90): number | null => {
    const low = own[days];
    return low === null ? null : Math.min(low, beside[days] ?? low);
  };
  return { 30: lowest(30), 90: lowest(90) };
}

type JudgedSubject = Subject & StockSeen & { readonly isBest: boolean };

type Outcome = { readonly told: LastNotified; readonly reasons: readonly FiringReason[] };

function judgeSubject(rules: Rules, told: LastNotified, subject: JudgedSubject): Outcome {
  const { known } = subject;
  const isOther = told.listingId !== null && told.listingId !== known.listingId && !subject.isBest;
  const pack = told.packCount ?? known.packCount;
  // A price for another number of pieces is neither higher nor lower than the earlier ones.
  const cents = known.packCount === pack ? subject.cents : null;
  // If another retailer's listing has become the anchor, its next prices are compared with its own history.
  const since = isOther ? rebased(told, cents) : told;
  const price = priceRules(rules, since, cents, subject.lows);
  const stock = stockRules(rules, since, subject);
  const seller = sellerRule(rules, since, subject);
  const packs = subject.isBest ? [] : packRule(told, known);
  const currency = subject.isBest ? NO_NEWS : currencyRule(rules, told, subject);
  const any = anyRule(rules, told, { isOther, cents, subject });
  const reasons = [
    ...price.reasons,
    ...stock.reasons,
    ...seller,
    ...packs,
    ...currency.reasons,
    ...any,
  ];
  const hasNotified = reasons.length > 0;
  return {
    reasons,
    told: {
      ...since,
      ...price.told,
      ...stock.told,
      ...currency.told,
      listingId: known.listingId,
      // For a best price, the pack size comes from the first listing that may have it.
      packCount: subject.isBest && cents === null ? told.packCount : pack,
      seenPack: known.packCount,
      referenceCents:
        cents !== null && (hasNotified || since.referenceCents === null)
          ? cents
          : since.referenceCents,
      lastCents: cents ?? since.lastCents,
      seller: subject.inStock === false ? since.seller : (subject.seller ?? since.seller),
    },
  };
}

function rebased(told: LastNotified, cents: number | null): LastNotified {
  return { ...told, referenceCents: cents, lastCents: cents, lowToldCents: null, seller: null };
}

/** Applies the price rules. Returns their notified state from now on, and the reasons to notify now. */
function priceRules(
  rules: Rules,
  told: LastNotified,
  cents: number | null,
  lows: WatchObservation['lows'],
) {
  if (cents === null) return { told: {}, reasons: [] };
  const below = belowRule(rules, told.belowToldCents, cents);
  const low = newLowRule(rules, told.lowToldCents, { cents, lows });
  return {
    told: { belowToldCents: below.notifiedCents, lowToldCents: low.notifiedCents },
    reasons: [...below.reasons, ...changeRules(rules, told.referenceCents, cents), ...low.reasons],
  };
}

type NotifiedPrice = {
  /**
   * The price of the last notification. Null if there was none, or if the price has been on the other side of the line
   * since.
   */
  readonly notifiedCents: number | null;
  readonly reasons: readonly FiringReason[];
};

/** Notifies when the price falls below the line, and again after each further step. */
function belowRule(rules: Rules, notifiedCents: number | null, cents: number): NotifiedPrice {
  const { belowCents, stepPercent } = rules;
  if (belowCents === null || cents === belowCents) return { notifiedCents, reasons: [] };
  if (cents > belowCents) return { notifiedCents: null, reasons: [] };
  if (notifiedCents !== null && !isDownBy(stepPercent, notifiedCents, cents)) {
    return { notifiedCents, reasons: [] };
  }
  const again =
    notifiedCents === null
      ? ''
      : `, ${percentText(notifiedCents, cents)} lower than at the last notification`;
  const detail = `The price is ${textOf(rules, cents)}, below ${textOf(rules, belowCents)}${again}.`;
  return { notifiedCents: cents, reasons: [{ rule: 'below', detail }] };
}

/** Compares with the reference: the price of the last notice, or the first observed price. */
function changeRules(rules: Rules, from: number | null, cents: number): readonly FiringReason[] {
  const { downPercent, upPercent } = rules;
  if (from === null || cents === from) return [];
  const change = `by ${percentText(from, cents)}, from ${textOf(rules, from)} to ${textOf(rules, cents)}.`;
  if (cents < from) {
    const isTold = downPercent !== null && isDownBy(downPercent, from, cents);
    return isTold ? [{ rule: 'down_percent', detail: `The price fell ${change}` }] : [];
  }
  const isTold = upPercent !== null && isUpBy(upPercent, from, cents);
  return isTold ? [{ rule: 'up_percent', detail: `The price rose ${change}` }] : [];
}

/** Formats a price of a watch. */
function textOf(rules: Pick<Rules, 'currency'>, cents: number): string {
  return moneyText(cents, currencyOfRules(rules));
}

/** Formats how far a price moved, as `12.5%`, in either direction. */
function percentText(from: number, to: number): string {
  if (from === 0) return '0%';
  return `${Math.round((Math.abs(to - from) / from) * 1_000) / 10}%`;
}

/** Notifies of a new low, and of a lower one after a further step, until the price has risen by a step. */
function newLowRule(
  rules: Rules,
  notifiedCents: number | null,
  { cents, lows }: { readonly cents: number; readonly lows: WatchObservation['lows'] },
): NotifiedPrice {
  const { newLowDays, stepPercent } = rules;
  const isOver = notifiedCents !== null && isUpBy(stepPercent, notifiedCents, cents);
  const before = isOver ? null : notifiedCents;
  const low = newLowDays === null ? null : lows[newLowDays];
  const isFurther = before === null || isDownBy(stepPercent, before, cents);
  if (low === null || cents >= low || !isFurther) return { notifiedCents: before, reasons: [] };
  const detail = `${textOf(rules, cents)} is the lowest price of ${newLowDays} days; it was ${textOf(rules, low)}.`;
  return { notifiedCents: cents, reasons: [{ rule: 'new_low', detail }] };
}

/**
 * Percentages are compared as whole ten-thousandths of a percent, because products of decimals miss exact values due to
 * rounding.
 */
const PARTS = 10_000;
const WHOLE = 100 * PARTS;

function isDownBy(percent: number, from: number, cents: number): boolean {
  return cents * WHOLE <= from * (WHOLE - Math.round(percent * PARTS));
}

function isUpBy(percent: number, from: number, cents: number): boolean {
  return cents * WHOLE >= from * (WHOLE + Math.round(percent * PARTS));
}

function sellerRule(
  { buyBox }: Rules,
  told: LastNotified,
  subject: Subject,
): readonly FiringReason[] {
  const { seller } = subject;
  if (!buyBox || seller === null || told.seller === null || subject.inStock === false) return [];
  if (seller === told.seller) return [];
  return [
    { rule: 'buy_box', detail: `${seller} now has the buy box; before it was ${told.seller}.` },
  ];
}

/**
 * Notifies of a pack change, regardless of the rules: prices of different pack sizes cannot be compared, and a watch must
 * not go silent without an explanation.
 */
function packRule(told: LastNotified, known: Known): readonly FiringReason[] {
  const { seenPack, packCount } = told;
  if (seenPack === null || packCount === null || known.packCount === seenPack) return [];
  const detail =
    known.packCount === packCount
      ? `The page sells ${packText(packCount)} again, the pack whose prices are watched.`
      : `The page now sells ${packText(known.packCount)}; the watch compares only prices of ` +
        `${packText(packCount)}. Create a new watch for this one.`;
  return [{ rule: 'pack', detail }];
}

const NO_NEWS = { told: {}, reasons: [] };

/** Notifies of a currency change for the same reason: a price in another currency cannot be compared either. */
function currencyRule(rules: Rules, told: LastNotified, { known, cents }: Subject) {
  const { otherCurrency } = known;
  if (otherCurrency === told.otherCurrency || (otherCurrency === null && cents === null))
    return NO_NEWS;
  const { belowCents, downPercent, upPercent, newLowDays, anyChange } = rules;
  const isDollars = currencyOfRules(rules) === 'USD';
  const watched = isDollars ? 'US dollars' : currencyOfRules(rules);
  const isAboutPrices =
    anyChange || [belowCents, downPercent, upPercent, newLowDays].some((wanted) => wanted !== null);
  const detail =
    otherCurrency === null
      ? `The price is in ${watched} again, which ${isDollars ? 'are' : 'is'} watched.`
      : 'The page states its price in ' +
        `${otherCurrency === '' ? 'a currency that it does not name' : otherCurrency}; the watch compares ` +
        `${watched} and ignores other prices. Watch a page that shows ${isDollars ? 'dollars' : watched}, or the stock.`;
  return {
    told: { otherCurrency },
    reasons: isAboutPrices ? [{ rule: 'currency', detail } as const] : [],
  };
}

const packText = (count: number): string => (count === 1 ? 'a single piece' : `a pack of ${count}`);

type Compared = {
  readonly isOther: boolean;
  readonly cents: number | null;
  readonly subject: Subject;
};

/** Notifies of every named change since the last observation. */
function anyRule(rules: Rules, told: LastNotified, compared: Compared): readonly FiringReason[] {
  const { isOther, cents, subject } = compared;
  if (!rules.anyChange || told.listingId === null) return [];
  const { known, inStock, seller } = subject;
  const say = (detail: string): readonly FiringReason[] => [{ rule: 'any_change', detail }];
  if (isOther) return say(`The product is now read at ${known.retailer}.`);
  if (inStock !== null && told.inStock !== null && inStock !== told.inStock) {
    return say(inStock ? 'It is in stock again.' : 'It is out of stock.');
  }
  if (cents !== null && told.lastCents !== null && cents !== told.lastCents) {
    return say(
      `The price changed from ${textOf(rules, told.lastCents)} to ${textOf(rules, cents)}.`,
    );
  }
  if (seller !== null && told.seller !== null && seller !== told.seller && inStock !== false) {
    return say(`${seller} now sells it; before it was ${told.seller}.`);
  }
  return [];
}

function firingOf(
  rules: Rules,
  { reasons }: Outcome,
  told: LastNotified,
  {
    subject,
    knownBefore,
  }: { readonly subject: Subject; readonly knownBefore: WatchState['known'] },
): Firing {
  const source = subject.known.source ?? knownBefore[told.listingId ?? '']?.source;
  return {
    reasons,
    ...(rules.currency === undefined ? {} : { currency: rules.currency }),
    subject: subject.known,
    ...(source === undefined ? {} : { source }),
    oldCents: told.lastCents,
    newCents: subject.inStock === false ? null : subject.cents,
    targetCents: rules.belowCents,
  };
}
