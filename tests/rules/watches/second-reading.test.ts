// The notices of a page's watch over years of prices, compared with a second implementation of docs/use/watches.md that shares
// no code with the rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { judge } from '../../../src/rules/watches/judge.ts';
import {
  NEW_STATE,
  withDefault,
  type Rules,
  type WatchObservation,
} from '../../../src/rules/watches/watch.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

type Random = () => number;

/** What the page showed, and when. */
type Shown = {
  readonly atMs: number;
  readonly cents: number;
  readonly currency: 'USD' | 'EUR' | 'CAD';
  readonly inStock: boolean | null;
  readonly seller: string | null;
  readonly isSuspect: boolean;
};

/** The same in the form the rules use. */
function watchObservationOf(
  shown: Shown,
  before: readonly Shown[],
  days: 30 | 90 | null,
): WatchObservation {
  const { atMs, cents, currency, inStock, seller, isSuspect } = shown;
  const isForeign = currency !== 'USD' && inStock !== false;
  const hasPrice = currency === 'USD' && inStock !== false;
  return {
    listingId: 'one',
    retailer: 'oneshop',
    url: 'https://shop.example/one',
    title: 'Lamp',
    imageUrl: null,
    atMs,
    priceCents: hasPrice ? cents : null,
    otherCurrency: isForeign ? currency : null,
    suspicion: hasPrice && isSuspect ? 'above_level' : null,
    inStock,
    seller,
    offersCount: null,
    gtin: null,
    packCount: 1,
    isEligible: true,
    lows: { 30: null, 90: null, ...(days === null ? {} : { [days]: lowOf(before, atMs, days) }) },
  };
}

const believed = ({ currency, inStock, isSuspect }: Shown): boolean =>
  currency === 'USD' && inStock !== false && !isSuspect;

/** Returns the low of this many UTC days, today included. */
function lowOf(before: readonly Shown[], atMs: number, days: number): number | null {
  const today = Math.floor(atMs / DAY_MS);
  const prices = before
    .filter((each) => believed(each) && Math.floor(each.atMs / DAY_MS) > today - days)
    .map(({ cents }) => cents);
  return prices.length === 0 ? null : Math.min(...prices);
}

/** Every reading uses the page alone: only what was shown and what was notified is stored. */
class SecondReading {
  readonly told: { readonly atMs: number; readonly rules: readonly string[] }[] = [];
  readonly #shown: Shown[] = [];
  /** The last notified prices: below the line, as a new low, and as the base of percentages. */
  #line: number | null = null;
  #low: number | null = null;
  #from: number | null = null;

  look(rules: Rules, now: Shown): readonly string[] {
    const told = [
      ...(believed(now) ? this.#priceRules(rules, now) : []),
      ...this.#stockRules(rules, now),
      ...this.#otherRules(rules, now),
    ];
    if (believed(now) && (told.length > 0 || this.#from === null)) this.#from = now.cents;
    if (told.length > 0) this.told.push({ atMs: now.atMs, rules: told });
    this.#shown.push(now);
    return told.toSorted();
  }

  #priceRules(rules: Rules, { cents, atMs }: Shown): readonly string[] {
    const { belowCents, downPercent, upPercent, newLowDays, stepPercent } = rules;
    const step = (from: number): number => (from * (100 - stepPercent)) / 100;
    const told: string[] = [];
    if (belowCents !== null && cents > belowCents) this.#line = null;
    if (belowCents !== null && cents < belowCents && cents <= (this.#line ?? Infinity)) {
      const isFurther = this.#line === null || cents <= step(this.#line);
      if (isFurther) {
        this.#line = cents;
        told.push('below');
      }
    }
    const from = this.#from ?? cents;
    if (downPercent !== null && cents < from && cents * 100 <= from * (100 - downPercent))
      told.push('down_percent');
    if (upPercent !== null && cents > from && cents * 100 >= from * (100 + upPercent))
      told.push('up_percent');
    const low = newLowDays === null ? null : lowOf(this.#shown, atMs, newLowDays);
    if (this.#low !== null && cents * 100 >= this.#low * (100 + stepPercent)) this.#low = null;
    const isNew = low !== null && cents < low && (this.#low === null || cents <= step(this.#low));
    if (isNew) {
      this.#low = cents;
      told.push('new_low');
    }
    return told;
  }

  #stockRules(rules: Rules, { atMs, inStock }: Shown): readonly string[] {
    const known = this.#shown.filter((each) => each.inStock !== null);
    const [before, last] = [known.at(-2), known.at(-1)];
    if (inStock === null || last === undefined) return [];
    const [own, contrary] = inStock
      ? ['back_in_stock', 'out_of_stock']
      : ['out_of_stock', 'back_in_stock'];
    if (!(inStock ? rules.backInStock : rules.outOfStock)) return [];
    const when = (rule: string): number =>
      this.told.findLast((each) => each.rules.includes(rule))?.atMs ?? -Infinity;
    const isTurn = last.inStock !== inStock;
    const wasSteady = before !== undefined && before.inStock === last.inStock;
    const isTold = isTurn
      ? atMs - when(own) >= DAY_MS || wasSteady
      : !wasSteady && when(own) > -Infinity && when(contrary) > when(own);
    return isTold ? [own] : [];
  }

  #otherRules(rules: Rules, now: Shown): readonly string[] {
    const { inStock, seller, cents, currency } = now;
    const told: string[] = [];
    const sellable = this.#shown.filter((each) => each.inStock !== false);
    const hadSeller = sellable.findLast((each) => each.seller !== null)?.seller ?? null;
    const isSold =
      inStock !== false && seller !== null && hadSeller !== null && seller !== hadSeller;
    if (rules.buyBox && isSold) told.push('buy_box');
    const numbers = [rules.belowCents, rules.downPercent, rules.upPercent, rules.newLowDays];
    const isAboutPrices = rules.anyChange || numbers.some((each) => each !== null);
    const priced = sellable.filter((each) => each.currency !== 'USD' || believed(each));
    const hadCurrency = priced.at(-1)?.currency ?? 'USD';
    const isPriced = inStock !== false && (currency !== 'USD' || believed(now));
    if (isAboutPrices && isPriced && currency !== hadCurrency) told.push('currency');
    const hadStock = this.#shown.findLast((each) => each.inStock !== null)?.inStock ?? null;
    const hadPrice = this.#shown.findLast(believed)?.cents ?? cents;
    const isChange =
      isSold ||
      (inStock !== null && hadStock !== null && inStock !== hadStock) ||
      (believed(now) && cents !== hadPrice);
    if (rules.anyChange && isChange) told.push('any_change');
    return told;
  }
}

function someRules(random: Random, level: number): Rules {
  const sometimes = <T>(share: number, value: T): T | null => (random() < share ? value : null);
  return withDefault({
    belowCents: sometimes(0.5, Math.round(level * (0.6 + random() * 0.6))),
    downPercent: sometimes(0.4, 1 + integerBelow(random, 20)),
    upPercent: sometimes(0.4, 1 + integerBelow(random, 20)),
    newLowDays: sometimes(0.4, pick(random, [30, 90] as const)),
    backInStock: random() < 0.4,
    outOfStock: random() < 0.4,
    buyBox: random() < 0.3,
    anyChange: random() < 0.2,
    stepPercent: pick(random, [1, 5, 5, 10, 25]),
  });
}

function* year(random: Random, rules: Rules, level: number): Generator<Shown> {
  const startMs = Date.UTC(2027, 8, 1) + integerBelow(random, DAY_MS);
  const intervalMs = pick(random, [6, 6, 24, 24, 72]) * HOUR_MS;
  const turns = pick(random, [0.05, 0.1, 0.4]);
  let page: Omit<Shown, 'atMs' | 'isSuspect'> = {
    cents: level,
    currency: 'USD',
    inStock: true,
    seller: 'Alpha',
  };
  let atMs = startMs;
  while (atMs < startMs + 365 * DAY_MS) {
    atMs += Math.floor(intervalMs * (0.9 + random() * 0.2));
    const moved = Math.round(page.cents * (0.8 + random() * 0.42));
    if (random() < 0.3) page = { ...page, cents: Math.min(level * 2, Math.max(100, moved)) };
    if (random() < 0.05) page = { ...page, cents: rules.belowCents ?? page.cents };
    if (random() < turns) page = { ...page, inStock: pick(random, [true, true, false, null]) };
    if (random() < 0.05) page = { ...page, seller: pick(random, ['Alpha', 'Beta', null]) };
    if (random() < 0.03) page = { ...page, currency: pick(random, ['USD', 'USD', 'EUR', 'CAD']) };
    yield { ...page, atMs, isSuspect: random() < 0.01 };
  }
}

test('over years of prices a watch sends the notices of a second implementation of its documentation', (t) => {
  const seed = seedOf(41);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  let count = 0;
  for (let at = 0; at < 15; at += 1) {
    const level = 500 + integerBelow(random, 20_000);
    const rules = someRules(random, level);
    const watching = { scope: 'any', rules, intervalMs: DAY_MS, disputed: new Set<string>() };
    const second = new SecondReading();
    const before: Shown[] = [];
    let state = NEW_STATE;
    for (const shown of year(random, rules, level)) {
      const seen = watchObservationOf(shown, before, rules.newLowDays);
      const lowsOfOthers = { 30: null, 90: null };
      const judged = judge({ ...watching, lowsOfOthers }, state, seen);
      const told = judged.firing?.reasons.map(({ rule }) => rule) ?? [];
      const where = `year ${at}, ${new Date(shown.atMs).toISOString()}, ${JSON.stringify(rules)}`;
      assert.deepEqual(told.toSorted(), second.look(rules, shown), where);
      count += told.length;
      state = judged.state;
      before.push(shown);
    }
  }
  t.diagnostic(`${count} reasons told`);
  assert.ok(count > 300);
});
