import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, daysBefore } from '../../../src/base/clock.ts';
import { barsOf, windowsOf, type Observation } from '../../../src/rules/history/daily-bars.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';

const TODAY = '2026-03-15';

function seen(at: string, priceCents: number | null, inStock: boolean | null = true): Observation {
  return { observedAtMs: Date.parse(at), priceCents, inStock };
}

function bar(
  date: string,
  cents: number,
  observations = 1,
  more: Partial<NonNullable<ReturnType<typeof barsOf>[number]['trusted']>> = {},
) {
  const same = { openCents: cents, closeCents: cents, lowCents: cents, highCents: cents };
  const span = { ...same, observations, ...more };
  return { ...span, date, trusted: span };
}

test('a day is one bar: first, last, lowest and highest price, in order of time', () => {
  const bars = barsOf([
    seen('2026-03-14T23:59:59.999Z', 1_200),
    seen('2026-03-14T00:00:00.000Z', 1_000),
    seen('2026-03-14T12:00:00.000Z', 1_500),
    seen('2026-03-14T13:00:00.000Z', 900),
  ]);
  const rest = { openCents: 1_000, closeCents: 1_200, lowCents: 900, highCents: 1_500 };
  assert.deepEqual(bars, [bar('2026-03-14', 0, 4, rest)]);
});

test('bars are UTC days, newest first', () => {
  const bars = barsOf([
    seen('2026-03-14T23:59:59.999Z', 100),
    seen('2026-03-15T00:00:00.000Z', 200),
    seen('2026-03-15T01:00:00.000+02:00', 300),
  ]);
  assert.deepEqual(
    bars.map(({ date, openCents, closeCents }) => [date, openCents, closeCents]),
    [
      ['2026-03-15', 200, 200],
      ['2026-03-14', 300, 100],
    ],
  );
});

test('what is out of stock, has no price or price zero makes no bar (D26, D28)', () => {
  const nothing = [
    seen('2026-03-14T01:00:00Z', null, false),
    seen('2026-03-14T02:00:00Z', null, null),
    seen('2026-03-14T03:00:00Z', 0),
    seen('2026-03-14T04:00:00Z', 500, false),
  ];
  assert.deepEqual(barsOf(nothing), []);
  assert.equal(barsOf([seen('2026-03-14T05:00:00Z', 500, null)]).length, 1);
});

test('nothing observed is nothing, never made up', () => {
  assert.deepEqual(barsOf([]), []);
  assert.deepEqual(windowsOf([], TODAY), { '30d': null, '60d': null, '90d': null, '180d': null });
});

test('a window counts back from today, today included (D29)', () => {
  const edges: readonly [number, readonly string[]][] = [
    [0, ['30d', '60d', '90d', '180d']],
    [29, ['30d', '60d', '90d', '180d']],
    [30, ['60d', '90d', '180d']],
    [59, ['60d', '90d', '180d']],
    [60, ['90d', '180d']],
    [89, ['90d', '180d']],
    [90, ['180d']],
    [179, ['180d']],
    [180, []],
    [-1, []],
  ];
  for (const [daysAgo, expected] of edges) {
    const windows = windowsOf([bar(daysBefore(TODAY, daysAgo), 100)], TODAY);
    const held = Object.entries(windows).flatMap(([name, value]) => (value === null ? [] : [name]));
    assert.deepEqual(held, expected, `${daysAgo} days ago`);
  }
});

test('the average is the mean of the closes, not of the observations (D29)', () => {
  const bars = [
    bar('2026-03-15', 1_000, 9, { openCents: 5_000, highCents: 5_000 }),
    bar('2026-03-14', 1_001, 1, { lowCents: 1 }),
  ];
  assert.deepEqual(windowsOf(bars, TODAY)['30d'], {
    lowCents: 1,
    highCents: 5_000,
    averageCents: 1_001,
    daysCovered: 2,
    observationCount: 10,
    excludedCount: 0,
  });
});

test('a glitch stays in the raw low and high of its day and out of every window, which counts it', () => {
  const days = [0, 1, 2, 3, 4, 5, 6].map((ago) => daysBefore(TODAY, ago));
  const ordinary = days.map((day) => seen(`${day}T08:00:00Z`, 2_000));
  const glitches = [
    seen(`${days[3]}T14:00:00Z`, 20),
    seen(`${days[3]}T14:40:00Z`, 20),
    seen(`${days[5]}T14:00:00Z`, 200_000),
  ];
  const bars = barsOf([...ordinary, ...glitches]);
  const low = bars.find((each) => each.date === days[3]);
  assert.deepEqual([low?.lowCents, low?.openCents, low?.closeCents], [20, 2_000, 2_000]);
  assert.equal(low?.observations, 3);
  assert.equal(bars.find((each) => each.date === days[5])?.highCents, 200_000);
  assert.deepEqual(windowsOf(bars, TODAY)['30d'], {
    lowCents: 2_000,
    highCents: 2_000,
    averageCents: 2_000,
    daysCovered: 7,
    observationCount: 7,
    excludedCount: 3,
  });
});

test('any observations: low <= average <= high, windows grow, sums agree with a slow count', (t) => {
  const seed = seedOf(29);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const todayMs = Date.parse(`${TODAY}T18:00:00Z`);
  for (let round = 0; round < 300; round += 1) {
    const observations = Array.from({ length: integerBelow(random, 60) }, () => ({
      observedAtMs: todayMs - integerBelow(random, 250 * DAY_MS),
      priceCents: random() < 0.2 ? null : 1 + integerBelow(random, 100_000),
      inStock: random() < 0.1 ? null : random() < 0.9,
    }));
    const bars = barsOf(observations);
    const shuffled = observations.toSorted(() => random() - 0.5);
    assert.deepEqual(barsOf(shuffled), bars);
    const counted = observations.filter(
      (each) => each.priceCents !== null && each.inStock !== false,
    );
    assert.equal(
      bars.reduce((sum, each) => sum + each.observations, 0),
      counted.length,
    );
    assert.deepEqual(
      bars,
      bars.toSorted((a, b) => (a.date < b.date ? 1 : -1)),
    );
    const windows = windowsOf(bars, TODAY);
    let before = 0;
    for (const window of [windows['30d'], windows['60d'], windows['90d'], windows['180d']]) {
      const days = window?.daysCovered ?? 0;
      assert.ok(days >= before);
      before = days;
      if (window === null) continue;
      assert.ok(window.lowCents <= window.averageCents && window.averageCents <= window.highCents);
      assert.ok(window.observationCount >= window.daysCovered);
    }
  }
});
