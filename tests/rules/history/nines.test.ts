// Amounts of nines in a history (D89): which are prices, which stand for no price, and which cannot be judged yet.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import {
  barsOf,
  mayBeSupported,
  newestDoubt,
  suspicionsOf,
  windowOf,
  type Observation,
} from '../../../src/rules/history/daily-bars.ts';
import { decodeYear, encodeYear } from '../../../src/rules/history/encoded-year.ts';
import { judgedPrices } from '../../../src/rules/history/price-glitch.ts';
import { seenIn } from '../../../src/rules/history/seen-in.ts';
import { isNines } from '../../../src/base/listing/money/nines.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const START_MS = Date.UTC(2026, 0, 1, 9);

/** Daily observations: dollars, or null for sold out. `+` is a page that supports its price. */
function daily(...prices: readonly (number | `+${number}` | null)[]): readonly Observation[] {
  return prices.map((each, day) => ({
    observedAtMs: START_MS + day * DAY_MS,
    priceCents: each === null ? null : Math.round(Number(each) * 100),
    inStock: each !== null,
    ...(typeof each === 'string' ? { isBacked: true } : {}),
  }));
}

const times = (count: number, dollars: number | null): readonly (number | null)[] =>
  Array.from({ length: count }, () => dollars);

/** One letter per price: `.` an ordinary price, `x` marked, `?` not judged. */
function verdicts(observations: readonly Observation[], peers: readonly Observation[][] = []) {
  const marked = suspicionsOf(observations, peers);
  return observations
    .filter(({ priceCents }) => priceCents !== null)
    .map((each, at, all) =>
      marked.has(each)
        ? 'x'
        : newestDoubt(all.slice(0, at + 1), peers) === 'not_judged' && isOpenIn(all, at)
          ? '?'
          : '.',
    )
    .join('');
}

function isOpenIn(all: readonly Observation[], at: number): boolean {
  const prices = all.map((each) => ({ ...each, priceCents: each.priceCents ?? 0 }));
  return judgedPrices(prices).open.has(at);
}

const LOW = [299, 299, 299] as const;

const CASES: readonly (readonly [name: string, seen: readonly Observation[], verdicts: string])[] =
  [
    ['999 seen once', daily(999), '?'],
    ['9,999 seen once', daily(9_999), '?'],
    ['999 on two days', daily(999, 999), '..'],
    ['999 and 999.99 on two days', daily(999, 999.99), '..'],
    ['999 and 9,999 on two days', daily(999, 9_999), '??'],
    ['30 days at 999, then 299', daily(...times(30, 999), 299), '.'.repeat(31)],
    [
      '28 days at 999, then 299 for a week',
      daily(...times(28, 999), ...times(7, 299)),
      '.'.repeat(35),
    ],
    ['999 on two days, then 299 for good', daily(999, 999, ...times(9, 299)), '.'.repeat(11)],
    ['999 once, and 299 from then on', daily(999, ...LOW), 'x...'],
    ['999 once, and too few others to judge it', daily(999, 299, 299), '?..'],
    ['999 once, and 600 after it', daily(999, 600), '..'],
    ['999 again before anything is known', daily(999, 299, 999), '...'],
    ['999 at the end', daily(...LOW, 999), '...x'],
    ['999 in the middle', daily(...LOW, 999, 999, ...LOW), '...xx...'],
    ['999.9 and 999.99 at the end', daily(...LOW, 999.9, 999.99), '...xx'],
    ['twice the level is a price', daily(499.5, 499.5, 499.5, 999), '....'],
    ['more than twice the level is none', daily(499.49, 499.49, 499.49, 999), '...x'],
    ['two prices are not a level', daily(299, 299, 999), '..?'],
    ['a page that supports its price', daily(...LOW, '+999', 299), '.....'],
    ['a page that supports it from the start', daily('+999', ...LOW), '....'],
    ['a page that supports it once', daily(...LOW, '+999', 999, 999), '......'],
    ['sold out between', daily(...LOW, null, 9_999, null, null, 9_999, null, 299), '...xx.'],
    ['sold out between two days of 999', daily(999, null, null, 999, null, ...LOW), '.....'],
    [
      'six weeks of 9,999',
      daily(...times(5, 129), ...times(42, 9_999), 129),
      `.....${'x'.repeat(42)}.`,
    ],
    [
      'six weeks of 999 for what costs 129',
      daily(...times(5, 129), ...times(42, 999), 129),
      `.....${'x'.repeat(42)}.`,
    ],
    [
      'a rise to 999 that lasted 30 days',
      daily(...times(5, 299), ...times(31, 999)),
      '.'.repeat(36),
    ],
    [
      'a rise to 999 that lasted 29 days',
      daily(...times(5, 299), ...times(30, 999)),
      `.....${'x'.repeat(30)}`,
    ],
    [
      'a sale between prices of 999',
      daily(...times(9, 999), ...times(9, 299), 999),
      '.'.repeat(19),
    ],
    ['1,299.99 is not an amount of nines', daily(599, 599, 599, 1_299.99), '....'],
    ['888 for what costs 299 is a price', daily(...LOW, 888), '....'],
    ['12,345 for what costs 299 is a slip', daily(...LOW, 12_345), '...x'],
    ['99 is not an amount of nines', daily(30, 30, 30, 99), '....'],
    [
      '9,999 for two weeks, then the price',
      daily(...times(14, 9_999), 24.99, 24.99),
      '.'.repeat(16),
    ],
    ['30 days at 999 and a lost point', daily(...times(31, 999), 9.99, 999), `${'.'.repeat(31)}x.`],
    ['a fall from 999 seen once', daily(...times(5, 999), 9.99, 999), '.....x.'],
    ['999 for what costs 5,000 is no placeholder', daily(5_000, 5_000, 5_000, 999), '....'],
  ];

for (const [name, seen, expected] of CASES) {
  test(`${name}: ${expected}`, () => {
    assert.equal(verdicts(seen), expected);
    // The order in which observations arrive makes no difference.
    const random = randomFrom(7);
    const shuffledBars = barsOf(shuffled(random, seen));
    assert.deepEqual(shuffledBars, barsOf(seen));
  });
}

test('the figures of 28 days at 999 and then 299 have both', () => {
  const seen = daily(...times(28, 999), 299);
  const window = windowOf(barsOf(seen), '2026-01-29', 30);
  assert.deepEqual([window?.lowCents, window?.highCents], [29_900, 99_900]);
  assert.equal(window?.excludedCount, 0);
});

/** Daily prices of a currency as its watches and answers see them, in minor units. */
function dailyIn(currency: string, ...units: readonly number[]): readonly Observation[] {
  const stored = units.map((cents, day) => ({
    observedAtMs: START_MS + day * DAY_MS,
    priceCents: null,
    native: { cents, currency },
    inStock: true,
  }));
  return seenIn(stored, currency);
}

test('what is an amount of nines depends on the decimals of its currency', () => {
  const cases: readonly (readonly [currency: string, level: number, seen: number, is: string])[] = [
    ['EUR', 12_900, 99_900, 'x'], // 999
    ['EUR', 12_900, 999_900, 'x'], // 9,999
    ['EUR', 2_000_000, 9_999_900, 'x'], // 99,999.00
    ['EUR', 4_000, 9_999, '.'], // 99.99
    ['JPY', 300, 999, 'x'],
    ['JPY', 3_000, 9_999, 'x'],
    ['JPY', 40_000, 99_900, '.'],
    ['CLP', 40_000, 99_990, '.'], // printed as 99.990
    ['CLP', 400_000, 999_999, 'x'],
    ['KWD', 40_000, 99_990, '.'], // 99.990
    ['KWD', 300_000, 999_000, 'x'], // 999.000
    ['KWD', 300_000, 999_990, 'x'], // 999.990
    ['KWD', 400_000, 999_900, 'x'], // 999.900
    ['KWD', 4_000_000, 9_990_000, '.'], // 9,990.000
  ];
  for (const [currency, level, seen, expected] of cases) {
    const reached = dailyIn(currency, level, level, level, seen);
    assert.equal(verdicts(reached), `...${expected}`, `${seen} ${currency}`);
    const alone = newestDoubt(dailyIn(currency, seen));
    assert.equal(alone, expected === 'x' ? 'not_judged' : null, `${seen} ${currency} alone`);
  }
  assert.equal(newestDoubt(dailyIn('JPY', 999, 999)), null, 'two days');
  assert.equal(newestDoubt(dailyIn('KWD', 999_000, 999_990)), null, 'two days of one amount');
  assert.equal(newestDoubt(dailyIn('JPY', 999, 9_999)), 'not_judged', 'two amounts');
});

test('another retailer is a level, from the first look on', () => {
  const at = (dollars: number, day: number): Observation[] => [
    { observedAtMs: START_MS + day * DAY_MS, priceCents: dollars * 100, inStock: true },
  ];
  const cases: readonly (readonly [string, readonly Observation[], Observation[][], string])[] = [
    ['about as much', daily(999), [at(950, 0)], '.'],
    ['half as much', daily(999), [at(499.5, -1)], '.'],
    ['less than half as much', daily(999), [at(499.49, -1)], 'x'],
    ['less than half as much, a moment later', daily(999), [at(299, 0.001)], 'x'],
    ['twice as much', daily(999), [at(1_998, 0)], '.'],
    ['far more', daily(999), [at(5_000, 0)], '.'],
    ['one about as much, one far less', daily(999), [at(129, 0), at(950, 0)], '.'],
    ['about as much as what the own past contradicts', daily(...LOW, 999), [at(950, 3)], '....'],
    ['nines that nobody can judge either', daily(999), [at(999, 0)], '?'],
    ['less only after it was a price', daily(999, 999, 999), [at(299, 2)], '...'],
    ['far less for a long time', daily(...times(40, 9_999)), [at(129, -1)], 'x'.repeat(40)],
  ];
  for (const [name, seen, peers, expected] of cases) {
    const marked = suspicionsOf(seen, peers);
    const letters = seen.map((each) => (marked.has(each) ? 'x' : '.')).join('');
    assert.equal(letters, expected.replaceAll('?', '.'), name);
    const isOpen = newestDoubt(seen, peers) === 'not_judged';
    assert.equal(isOpen, expected.endsWith('?'), name);
    assert.ok(expected === '....' || mayBeSupported(seen), name);
  }
  assert.ok(!mayBeSupported(daily(600, 600, 600, 999)));
});

test('prices an hour apart are a level, and two hours of one day are not two days', () => {
  const hourly = (...dollars: readonly number[]): readonly Observation[] =>
    dollars.map((each, hour) => ({
      observedAtMs: START_MS + hour * HOUR_MS,
      priceCents: each * 100,
      inStock: true,
    }));
  assert.equal(newestDoubt(hourly(129, 129, 129, 9_999)), 'placeholder');
  assert.equal(newestDoubt(hourly(999, 999, 999)), 'not_judged');
  // Two UTC days.
  assert.equal(newestDoubt(hourly(...Array.from({ length: 16 }, () => 999))), null);
});

function shuffled<T>(random: () => number, list: readonly T[]): readonly T[] {
  return list
    .map((each) => [random(), each] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, each]) => each);
}

const DRAWN = [129, 299, 450, 999, 999.99, 9_999, 600, 2_500, null] as const;

function drawn(random: () => number): readonly Observation[] {
  const levels = Array.from({ length: 1 + integerBelow(random, 5) }, () => pick(random, DRAWN));
  let observedAtMs = START_MS;
  return levels.flatMap((dollars) =>
    Array.from({ length: 1 + integerBelow(random, 12) }, () => {
      observedAtMs += 1_000 * (1 + integerBelow(random, (2 * DAY_MS) / 1_000));
      const isBacked = dollars !== null && isNines(dollars * 100) && random() < 0.1;
      const seen = { observedAtMs, priceCents: dollars === null ? null : dollars * 100 };
      return { ...seen, inStock: dollars !== null, ...(isBacked ? { isBacked } : {}) };
    }),
  );
}

test('a price of nines that was believed stays one when lower prices come, and the order of arrival says nothing', (t) => {
  const seed = seedOf(89);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  let believed = 0;
  for (let round = 0; round < 600; round += 1) {
    const seen = drawn(random);
    const bars = barsOf(seen);
    assert.deepEqual(barsOf(shuffled(random, seen)), bars, `round ${round}`);
    const marked = suspicionsOf(seen);
    const last = seen.at(-1);
    const isNinesNow = last?.priceCents !== null && isNines(last?.priceCents ?? 0);
    if (last === undefined || !isNinesNow || newestDoubt(seen) !== null) continue;
    believed += 1;
    const lower = Array.from({ length: 1 + integerBelow(random, 60) }, (_, day) => ({
      observedAtMs: last.observedAtMs + (day + 1) * DAY_MS,
      priceCents: Math.ceil((last.priceCents ?? 0) * (0.02 + random() * 0.9)),
      inStock: true,
    })).filter(({ priceCents }) => !isNines(priceCents));
    const later = suspicionsOf([...seen, ...lower]);
    assert.ok(!later.has(last), `round ${round}: the newest`);
    for (const each of seen) {
      const isOfNines = isNines(each.priceCents ?? 0);
      if (isOfNines && !marked.has(each) && wasBelieved(seen, each)) {
        assert.ok(
          !later.has(each),
          `round ${round}: at ${new Date(each.observedAtMs).toISOString()}`,
        );
      }
    }
  }
  assert.ok(believed > 50, `${believed} believed`);
});

function wasBelieved(seen: readonly Observation[], one: Observation): boolean {
  const until = seen.slice(0, seen.indexOf(one) + 1);
  return newestDoubt(until) === null;
}

test('a year that is encoded is judged as the rows that it was made of', (t) => {
  const seed = seedOf(90);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const key = { listingId: 'listing', year: 2026 };
  for (let round = 0; round < 300; round += 1) {
    const seen = drawn(random).map((each) => ({ ...each, native: null }));
    const kept = seen.map((each) =>
      each.inStock === false ? { ...each, priceCents: null } : each,
    );
    const read = decodeYear(key, encodeYear(key, kept));
    assert.deepEqual(read, kept);
    assert.deepEqual(barsOf(read), barsOf(kept));
    const reasons = (all: readonly Observation[]) => [...suspicionsOf(all).values()];
    assert.deepEqual(reasons(read), reasons(kept));
  }
});
