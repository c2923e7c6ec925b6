// Histories, and the notices that they must and must not cause (D70).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import { changesBetween } from '../../../src/rules/watches/changes.ts';
import { judge, knownAfter } from '../../../src/rules/watches/judge.ts';
import {
  NEW_STATE,
  withDefault,
  type Known,
  type Rules,
  type WatchScope,
  type WatchObservation,
  type WatchState,
} from '../../../src/rules/watches/watch.ts';
import { randomFrom } from '../../support/random.ts';

const NO_RULES: Rules = {
  belowCents: null,
  downPercent: null,
  upPercent: null,
  newLowDays: null,
  backInStock: false,
  outOfStock: false,
  buyBox: false,
  anyChange: false,
  stepPercent: 5,
};

const NOTHING_BESIDE = { disputed: new Set<string>(), lowsOfOthers: { 30: null, 90: null } };

const START_MS = Date.UTC(2026, 10, 1);

/** An observation a day unless `atMs` says otherwise. */
type Seen = Partial<WatchObservation> & { readonly usd?: number | null };

function observationsOf(seen: readonly Seen[]): readonly WatchObservation[] {
  return seen.map(({ usd, ...more }, at) => ({
    listingId: 'w1',
    retailer: 'retailer_w',
    url: 'https://w.example/1',
    title: 'Lamp',
    imageUrl: null,
    atMs: START_MS + at * DAY_MS,
    priceCents: usd === undefined || usd === null ? null : Math.round(usd * 100),
    otherCurrency: null,
    suspicion: null,
    inStock: usd !== null,
    seller: null,
    offersCount: null,
    gtin: null,
    packCount: 1,
    isEligible: true,
    lows: { 30: null, 90: null },
    ...more,
  }));
}

/** Returns the rules that each observation triggered, joined; `-` for none. */
function told(
  rules: Partial<Rules>,
  seen: readonly Seen[],
  { scope = 'anchor', intervalMs = DAY_MS }: Pick<History, 'scope' | 'intervalMs'> = {},
): readonly string[] {
  let state: WatchState = NEW_STATE;
  const watching = {
    scope,
    intervalMs,
    rules: withDefault({ ...NO_RULES, ...rules }),
    ...NOTHING_BESIDE,
  };
  return observationsOf(seen).map((each) => {
    const judged = judge(watching, state, each);
    state = JSON.parse(JSON.stringify(judged.state)) as WatchState;
    const names = judged.firing?.reasons.map(({ rule }) => rule) ?? [];
    return names.length === 0 ? '-' : names.join('+');
  });
}

type History = {
  readonly name: string;
  readonly rules: Partial<Rules>;
  readonly scope?: WatchScope;
  readonly intervalMs?: number;
  readonly seen: readonly Seen[];
  readonly told: readonly string[];
};

const usd = (...prices: readonly (number | null)[]): readonly Seen[] =>
  prices.map((each) => ({ usd: each }));
const at = (retailer: string, price: number, more: Seen = {}): Seen => ({
  usd: price,
  retailer,
  listingId: retailer,
  ...more,
});

const HISTORIES: readonly History[] = [
  {
    name: 'a line is crossed once, and touching it is not crossing it',
    rules: { belowCents: 2_000 },
    seen: usd(25, 20, 19.99, 19.5, 20, 19.5),
    told: ['-', '-', 'below', '-', '-', '-'],
  },
  {
    name: 'a price that is under the line from the start is notified at once',
    rules: { belowCents: 2_000 },
    seen: usd(18, 18, 18),
    told: ['below', '-', '-'],
  },
  {
    name: 'a line is notified again after the price was above it, and after a further fall of the step',
    rules: { belowCents: 2_000, stepPercent: 10 },
    seen: usd(19, 21, 19, 17.2, 17.1, 16, 15.39),
    told: ['below', '-', 'below', '-', 'below', '-', 'below'],
  },
  {
    name: 'percentages count from the last notice, not from the last observation',
    rules: { downPercent: 10 },
    seen: usd(100, 95, 91, 90, 85, 81.5, 81, 100, 90),
    told: ['-', '-', '-', 'down_percent', '-', '-', 'down_percent', '-', '-'],
  },
  {
    name: 'rises are notified as falls are',
    rules: { upPercent: 20, downPercent: 50 },
    seen: usd(50, 59.99, 60, 71, 72, 36),
    told: ['-', '-', 'up_percent', '-', 'up_percent', 'down_percent'],
  },
  {
    name: 'a new low is notified once, again after a further fall, and again after the price has recovered',
    rules: { newLowDays: 30 },
    seen: [30, 25, 24, 23.5, 30, 24].map((price) => ({
      usd: price,
      lows: { 30: 2_600, 90: 2_000 },
    })),
    told: ['-', 'new_low', '-', 'new_low', '-', 'new_low'],
  },
  {
    name: 'without a history there is no new low',
    rules: { newLowDays: 90 },
    seen: usd(30, 20, 10),
    told: ['-', '-', '-'],
  },
  {
    name: 'a turn of the stock is notified, and the first observation is not a turn',
    rules: { backInStock: true, outOfStock: true },
    seen: usd(20, null, null, 20, 20),
    told: ['-', 'out_of_stock', '-', 'back_in_stock', '-'],
  },
  {
    name: 'a stock that flaps every hour is notified once a kind',
    rules: { backInStock: true, outOfStock: true },
    seen: [20, null, 20, null, 20, null, 20].map((price, hour) => ({
      usd: price,
      atMs: START_MS + hour * HOUR_MS,
    })),
    told: ['-', 'out_of_stock', 'back_in_stock', '-', '-', '-', '-'],
  },
  {
    name: 'a turn that was taken for a flap is notified when it has lasted, for the contrary was notified last',
    rules: { backInStock: true, outOfStock: true },
    seen: [20, null, 20, null, null, null, 20, 20].map((price, hour) => ({
      usd: price,
      atMs: START_MS + hour * HOUR_MS,
    })),
    told: ['-', 'out_of_stock', 'back_in_stock', '-', 'out_of_stock', '-', 'back_in_stock', '-'],
  },
  {
    name: 'of a best price the pages of one check are one observation: one that flaps beside sold-out ones is notified once a kind',
    rules: { backInStock: true, outOfStock: true },
    scope: 'best',
    intervalMs: HOUR_MS,
    seen: [true, false, true, false, true, false].flatMap((isThere, hour) => {
      const atMs = START_MS + hour * HOUR_MS;
      const soldOut = { priceCents: null, inStock: false };
      return [
        at('retailer_w', 20, { atMs, ...(isThere ? {} : soldOut) }),
        at('retailer_h', 20, { atMs: atMs + MINUTE_MS, ...soldOut }),
        at('retailer_t', 20, { atMs: atMs + 2 * MINUTE_MS, ...soldOut }),
      ];
    }),
    told: '- - - out_of_stock - - back_in_stock - - - - - - - - - - -'.split(' '),
  },
  {
    name: 'where one kind is notified alone, a flap that ends as it was notified is not news',
    rules: { backInStock: true },
    seen: [null, 20, null, 20, 20].map((price, hour) => ({
      usd: price,
      atMs: START_MS + hour * HOUR_MS,
    })),
    told: ['-', 'back_in_stock', '-', '-', '-'],
  },
  {
    name: 'what the page does not say about its stock turns nothing',
    rules: { backInStock: true, outOfStock: true },
    seen: [
      { usd: 20 },
      { inStock: null },
      { usd: 20 },
      { usd: null },
      { inStock: null },
      { usd: 20 },
    ],
    told: ['-', '-', '-', 'out_of_stock', '-', 'back_in_stock'],
  },
  {
    name: 'a glitch sets off nothing, and the price after it is compared with the one before it',
    rules: { belowCents: 1_000, downPercent: 10, upPercent: 10, newLowDays: 30, anyChange: true },
    seen: [
      { usd: 20 },
      { usd: 0.2, suspicion: 'unsupported', lows: { 30: 1_900, 90: 1_900 } },
      { usd: 20 },
      { usd: 2_000, suspicion: 'unsupported' },
      { usd: 20 },
    ],
    told: ['-', '-', '-', '-', '-'],
  },
  {
    name: 'a fall that a second fetch repeats is notified then',
    rules: { belowCents: 1_000 },
    seen: [{ usd: 20 }, { usd: 2, suspicion: 'unsupported' }, { usd: 2 }],
    told: ['-', '-', 'below'],
  },
  {
    name: 'a price in another currency is not a price',
    rules: { belowCents: 1_000, downPercent: 10, anyChange: true },
    seen: [{ usd: 20 }, { inStock: true }, { inStock: true }, { usd: 20 }, { usd: 18 }],
    told: ['-', '-', '-', '-', 'down_percent+any_change'],
  },
  {
    name: 'a price in another currency is notified once, from the start too, and again when dollars are back',
    rules: { belowCents: 1_000 },
    seen: [
      { otherCurrency: 'CAD', inStock: true },
      { otherCurrency: 'CAD', inStock: true },
      { usd: null },
      { otherCurrency: 'CAD', inStock: true },
      { usd: 20 },
      { usd: 9 },
      { otherCurrency: '', inStock: true },
    ],
    told: ['currency', '-', '-', '-', 'currency', 'below', 'currency'],
  },
  {
    name: 'a watch on stock alone has nothing to say about currencies',
    rules: { backInStock: true },
    seen: [{ otherCurrency: 'CAD', inStock: true }, { usd: null }, { usd: 20 }],
    told: ['-', '-', 'back_in_stock'],
  },
  {
    name: 'another pack is notified, and its prices are compared with nothing until the old one is back',
    rules: { belowCents: 1_000, downPercent: 10 },
    seen: [
      { usd: 30, packCount: 6 },
      { usd: 6, packCount: 1 },
      { usd: 5, packCount: 1 },
      { usd: 29, packCount: 6 },
      { usd: 9, packCount: 6 },
    ],
    told: ['-', 'pack', '-', 'pack', 'below+down_percent'],
  },
  {
    name: 'another anchor is not a fall of the price, and a line that was notified is not notified again for it',
    rules: { belowCents: 2_000, downPercent: 10, backInStock: true },
    seen: [
      at('retailer_w', 25),
      at('retailer_w', 19),
      at('retailer_b', 18.9, { listingId: 'b' }),
      at('retailer_b', 18.5, { listingId: 'b' }),
      at('retailer_b', 16.9, { listingId: 'b' }),
    ],
    told: ['-', 'below+down_percent', '-', '-', 'below+down_percent'],
  },
  {
    name: 'each retailer has its own crossings where any is watched',
    rules: { belowCents: 2_000 },
    scope: 'any',
    seen: [at('retailer_w', 19), at('retailer_a', 18), at('retailer_w', 19), at('retailer_a', 18)],
    told: ['below', 'below', '-', '-'],
  },
  {
    name: 'the best price is the lowest of all, and moves from one retailer to another without a notice',
    rules: { belowCents: 2_000 },
    scope: 'best',
    seen: [
      at('retailer_w', 25),
      at('retailer_a', 21),
      at('retailer_e', 19),
      at('retailer_a', 18.5),
      at('retailer_e', 30),
      at('retailer_a', 22),
      at('retailer_a', 19),
    ],
    told: ['-', '-', 'below', '-', '-', '-', 'below'],
  },
  {
    name: 'used, sold-out and suspect listings and other packs are never the best price',
    rules: { belowCents: 2_000 },
    scope: 'best',
    seen: [
      at('retailer_w', 25),
      at('retailer_e', 5, { isEligible: false }),
      at('retailer_a', 6, { packCount: 2 }),
      at('retailer_b', 7, { suspicion: 'unsupported' }),
      at('retailer_h', 8, { priceCents: null, inStock: false }),
    ],
    told: ['-', '-', '-', '-', '-'],
  },
  {
    name: 'shops that are read one after another for the first time are not changes of the best price',
    rules: { downPercent: 10, upPercent: 10, anyChange: true },
    scope: 'best',
    seen: [
      at('retailer_t', 15),
      at('retailer_w', 10),
      at('retailer_e', 5, { isEligible: false }),
      at('retailer_h', 13),
      at('retailer_w', 9.5),
      at('retailer_w', 8.5),
    ],
    told: ['-', '-', '-', '-', 'any_change', 'down_percent+any_change'],
  },
  {
    name: 'a best price that is checked once a week stands from one check to the next',
    rules: { belowCents: 1_200, upPercent: 20, anyChange: true },
    scope: 'best',
    intervalMs: 7 * DAY_MS,
    seen: [0, 7, 14].flatMap((day) =>
      ['retailer_t', 'retailer_w', 'retailer_h'].map((retailer, place) =>
        at(retailer, [15, 10, 13][place] ?? 0, {
          atMs: START_MS + day * DAY_MS + place * HOUR_MS,
        }),
      ),
    ),
    told: ['-', 'below', '-', '-', '-', '-', '-', '-', '-'],
  },
  {
    name: 'what two checks have missed has the best price no more',
    rules: { upPercent: 20 },
    scope: 'best',
    intervalMs: 7 * DAY_MS,
    seen: [
      at('retailer_w', 10),
      at('retailer_h', 15, { atMs: START_MS + 14 * DAY_MS }),
      at('retailer_h', 15, { atMs: START_MS + 21 * DAY_MS }),
    ],
    told: ['-', '-', 'up_percent'],
  },
  {
    name: 'a listing that may not have the best price does not set the pack that is compared',
    rules: { belowCents: 2_000 },
    scope: 'best',
    seen: [
      at('retailer_a', 99, { packCount: 12, isEligible: false }),
      at('retailer_h', 98, { packCount: 6, suspicion: 'above_level' }),
      at('retailer_w', 15),
      at('retailer_a', 9, { packCount: 12 }),
      at('retailer_w', 14),
    ],
    told: ['-', '-', 'below', '-', 'below'],
  },
  {
    name: 'a price that the page states no more is the best one no more',
    rules: { belowCents: 1_200 },
    scope: 'best',
    seen: [
      at('retailer_w', 10),
      at('retailer_h', 15),
      at('retailer_w', 0, { priceCents: null }),
      at('retailer_h', 14),
      at('retailer_h', 11),
    ],
    told: ['below', '-', '-', '-', 'below'],
  },
  {
    name: 'a percentage with decimals is met by the very price',
    rules: { downPercent: 9.9 },
    seen: usd(10, 9.01),
    told: ['-', 'down_percent'],
  },
  {
    name: 'another seller with the buy box is notified; none while it is sold out',
    rules: { buyBox: true },
    seen: [
      { usd: 20, seller: 'Acorn' },
      { usd: 20, seller: 'Birch' },
      { usd: 20 },
      { usd: null, seller: 'Cedar' },
      { usd: 20, seller: 'Birch' },
      { usd: 20, seller: 'Acorn' },
    ],
    told: ['-', 'buy_box', '-', '-', '-', 'buy_box'],
  },
  {
    name: 'a retailer that was blocked for days and returns with the same price causes no notice',
    rules: { belowCents: 2_000, downPercent: 10, anyChange: true },
    seen: [
      { usd: 25 },
      { usd: 25, atMs: START_MS + 9 * DAY_MS },
      { usd: 24, atMs: START_MS + 10 * DAY_MS },
    ],
    told: ['-', '-', 'any_change'],
  },
  {
    name: 'a redesigned page that is read without price, picture and seller for a while causes no notice',
    rules: { belowCents: 2_000, downPercent: 10, buyBox: true, anyChange: true },
    seen: [
      { usd: 25, seller: 'Acorn' },
      { priceCents: null, inStock: null, title: null, url: 'https://w.example/new/1' },
      { priceCents: null, inStock: null, title: 'Lamp, new look' },
      { usd: 25, seller: 'Acorn', url: 'https://w.example/new/1' },
      { usd: 19, seller: 'Acorn', url: 'https://w.example/new/1' },
    ],
    told: ['-', '-', '-', '-', 'below+down_percent+any_change'],
  },
  {
    name: 'an observation that is older than the last one, or the same, is nothing new',
    rules: { anyChange: true },
    seen: [
      { usd: 25, atMs: START_MS + MINUTE_MS },
      { usd: 20, atMs: START_MS },
      { usd: 20, atMs: START_MS + MINUTE_MS },
    ],
    told: ['-', '-', '-'],
  },
  {
    name: 'an observation whose clock was set back since does not hide those that follow',
    rules: { anyChange: true },
    seen: [
      { usd: 25, atMs: START_MS + DAY_MS },
      { usd: 20, atMs: START_MS },
    ],
    told: ['-', 'any_change'],
  },
  {
    name: 'no condition means any change',
    rules: {},
    seen: [{ usd: 25 }, { usd: 25 }, { usd: 24.99 }, { usd: null }, { usd: 24.99 }],
    told: ['-', '-', 'any_change', 'any_change', 'any_change'],
  },
];

for (const history of HISTORIES) {
  test(history.name, () => {
    assert.deepEqual(told(history.rules, history.seen, history), history.told);
  });
}

test('a percentage with decimals is met by each price that is exactly so much lower, and by none above it', () => {
  for (const percent of [0.1, 0.3, 0.7, 1.1, 2.3, 9.9, 10.1, 12.3, 33.3]) {
    for (let from = 1_000; from < 60_000; from += 1_000) {
      const exact = (from / 1_000) * (1_000 - Math.round(percent * 10));
      for (const cents of [exact, exact + 1]) {
        const rules = { downPercent: percent };
        const names = told(rules, usd(from / 100, cents / 100));
        const expected = cents === exact ? 'down_percent' : '-';
        assert.equal(names[1], expected, `${percent} % of ${from} is ${cents}`);
      }
    }
  }
});

test('a notice has the old and the new price, the line and where to buy', () => {
  let state = NEW_STATE;
  const rules = { ...NO_RULES, belowCents: 2_000 };
  const [first, second] = observationsOf(usd(25, 19.5));
  assert.ok(first && second);
  state = judge(
    { scope: 'anchor', rules, intervalMs: DAY_MS, ...NOTHING_BESIDE },
    state,
    first,
  ).state;
  const { firing } = judge(
    { scope: 'anchor', rules, intervalMs: DAY_MS, ...NOTHING_BESIDE },
    state,
    second,
  );
  assert.deepEqual(
    [firing?.oldCents, firing?.newCents, firing?.targetCents],
    [2_500, 1_950, 2_000],
  );
  assert.equal(firing?.subject.url, 'https://w.example/1');
  assert.deepEqual(firing?.reasons, [
    { rule: 'below', detail: 'The price is $19.50, below $20.00.' },
  ]);
});

test('a limit is never notified twice unless the price was above it or fell by the step (seeded)', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = randomFrom(seed);
    let state = NEW_STATE;
    let lastNotified: number | null = null;
    for (const each of observationsOf(
      Array.from({ length: 80 }, () => ({ usd: 15 + random() * 10 })),
    )) {
      const cents = each.priceCents ?? 0;
      const rules = { ...NO_RULES, belowCents: 2_000 };
      const judged = judge(
        { scope: 'anchor', rules, intervalMs: DAY_MS, ...NOTHING_BESIDE },
        state,
        each,
      );
      state = judged.state;
      if (cents > 2_000) lastNotified = null;
      const isDue: boolean =
        cents < 2_000 && (lastNotified === null || cents * 100 <= lastNotified * 95);
      assert.equal(judged.firing !== null, isDue, `seed ${seed}`);
      if (isDue) lastNotified = cents;
    }
  }
});

test('changes are each named once, and neither a glitch nor a first observation is one', () => {
  let known: Known | null = null;
  const kinds = observationsOf([
    { usd: 20, seller: 'Acorn', gtin: '1', offersCount: 3 },
    { usd: 20, seller: 'Acorn', gtin: '1', offersCount: 3 },
    { usd: 0.2, suspicion: 'unsupported' },
    { usd: 18, seller: 'Birch', offersCount: 4 },
    { usd: null },
    { usd: 18, gtin: '2', packCount: 2 },
  ]).map((seen) => {
    const after: Known = knownAfter(known, seen);
    const changes = changesBetween(known, after, seen);
    known = after;
    return changes.map(({ kind, before, after: now }) => `${kind} ${before} ${now}`);
  });
  assert.deepEqual(kinds, [
    [],
    [],
    [],
    ['price 2000 1800', 'buy_box Acorn Birch', 'offers_count 3 4'],
    ['stock true false'],
    ['identity 1 2', 'identity 1 2', 'stock false true'],
  ]);
});
