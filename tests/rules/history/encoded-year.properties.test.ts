// A year of observations as one text: nothing is lost, and nothing is ever read from a damaged one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/base/clock.ts';
import {
  encodeYear,
  EncodedYearError,
  summaryOf,
  decodeYear,
} from '../../../src/rules/history/encoded-year.ts';
import { firstDayOf, type StoredObservation } from '../../../src/rules/history/year-state.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const SEED = seedOf(25_112_026);
const PLACE = { listingId: 'AbCdEfGhIjKlMnOpQrStUv', year: 2024 };
const START = firstDayOf(PLACE.year) * DAY_MS;

const CURRENCIES = ['EUR', 'GBP', 'x', '', 'Ærø ¤', null];
/** Counted in other units than hundredths. */
const OTHERS = ['JPY', 'KWD', 'CLF'];

/** Returns a year of any shape: daily or by the minute, calm or volatile, with every kind of price and stock. */
function randomYear(random: () => number): readonly StoredObservation[] {
  const end = firstDayOf(PLACE.year + 1) * DAY_MS;
  const step = pick(random, [DAY_MS, DAY_MS / 4, 3_600_000, 1, 40 * DAY_MS]);
  const isEven = random() < 0.5;
  // As fetches are stored; files have milliseconds too.
  const unit = pick(random, [1, 1_000]);
  const isWandering = step === DAY_MS && !isEven && random() < 0.5;
  const usual = unit * integerBelow(random, 80_000_000 / unit);
  const hasOthers = random() < 0.3;
  const calm = random();
  const most = 10 ** pick(random, [1, 3, 5, 15]);
  const list: StoredObservation[] = [];
  let cents = 1 + integerBelow(random, most);
  let at = START + (random() < 0.3 ? 0 : unit * integerBelow(random, (30 * DAY_MS) / unit));
  while (at < end && list.length < 400) {
    if (random() > calm) cents = 1 + integerBelow(random, most);
    if (random() < 0.01) cents = Number.MAX_SAFE_INTEGER - integerBelow(random, 3);
    const kind = random();
    const currency = pick(random, hasOthers ? OTHERS : CURRENCIES);
    list.push({
      observedAtMs: at,
      priceCents: kind < 0.8 ? cents : null,
      inStock: random() < calm ? true : pick(random, [true, false, null]),
      native: kind > 0.9 ? { cents, currency } : null,
    });
    if (isWandering) {
      const nextDay = (Math.floor(at / DAY_MS) + 1) * DAY_MS;
      at = nextDay + usual + unit * integerBelow(random, 600_000 / unit);
    } else at += unit * Math.ceil((isEven ? step : 1 + integerBelow(random, 2 * step)) / unit);
  }
  if (list.length === 0 || random() < 0.2) {
    const observedAtMs = end - 1;
    list.push({ observedAtMs, priceCents: cents, inStock: null, native: null });
  }
  return list;
}

test(`every year comes back as it was (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  for (let round = 0; round < 2_000; round += 1) {
    const year = randomYear(random);
    const text = encodeYear(PLACE, year);
    const isOther = year.some(({ native }) => OTHERS.includes(native?.currency ?? ''));
    assert.equal(text[0], isOther ? '3' : '2');
    assert.match(text, /^[^\P{ASCII}\p{Cc}\s"'\\]+$/u);
    assert.deepEqual(decodeYear(PLACE, text), year, `round ${round}`);
  }
});

test(`a damaged text is an error, never another price (seed ${SEED})`, () => {
  const random = randomFrom(SEED + 1);
  const letters = [
    ...Array.from({ length: 96 }, (_, at) => String.fromCharCode(32 + at)),
    '\0',
    'é',
    '\u{1f600}',
  ];
  for (let round = 0; round < 3_000; round += 1) {
    const text = encodeYear(PLACE, randomYear(random));
    const at = integerBelow(random, text.length);
    const damaged = pick(random, [
      text.slice(0, at) + pick(random, letters) + text.slice(at + 1),
      text.slice(0, at),
      text.slice(0, at) + text.slice(at + 1),
      text + pick(random, letters),
      text.slice(at),
      Array.from({ length: at }, () => pick(random, letters)).join(''),
    ]);
    if (damaged === text) continue;
    assert.throws(() => decodeYear(PLACE, damaged), EncodedYearError, JSON.stringify(damaged));
  }
});

test('every single character matters', () => {
  const year = randomYear(randomFrom(7)).slice(0, 30);
  const text = encodeYear(PLACE, year);
  for (let at = 0; at < text.length; at += 1) {
    for (const letter of 'Aa_12') {
      if (text[at] === letter) continue;
      const damaged = text.slice(0, at) + letter + text.slice(at + 1);
      assert.throws(() => decodeYear(PLACE, damaged), EncodedYearError);
    }
  }
});

test('a text is not read in the place of another listing or year', () => {
  const text = encodeYear(PLACE, randomYear(randomFrom(1)));
  for (const other of [
    { ...PLACE, year: 2025 },
    { ...PLACE, listingId: 'ZbCdEfGhIjKlMnOpQrStUv' },
  ]) {
    assert.throws(() => decodeYear(other, text), /damaged/);
  }
  for (const version of '14') {
    const other = version + text.slice(1);
    assert.throws(() => decodeYear(PLACE, other), RegExp(`version "${version}" is not known`));
  }
  assert.throws(() => decodeYear(PLACE, (text[0] === '2' ? '3' : '2') + text.slice(1)), /damaged/);
  assert.throws(() => decodeYear(PLACE, ''), EncodedYearError);
});

const OLDER = { listingId: 'AbCdEfGhIjKlMnOpQrStUv', year: 2025 };

/** An observation of March 2025, at nine on its day. */
const onDay = (day: number, cents: number | null, currency: string | null): StoredObservation => ({
  observedAtMs: Date.UTC(2025, 2, 1 + day, 9),
  priceCents: currency === 'USD' ? cents : null,
  inStock: cents !== null,
  native: cents === null || currency === 'USD' ? null : { cents, currency },
});

test('a text from before amounts were in minor units is read in minor units (D87)', () => {
  const text = '2M2-WzQvm*9Q)1L){b:ctuCA61ka{Ia|>@OImK8(o=AyPzI@W[61PbR>p_+5v*#iTsp_(BEz)ZT4';
  const nothing = { ...onDay(5, null, null), inStock: true };
  const year = [
    onDay(0, 1980, 'JPY'),
    onDay(1, 1980, 'JPY'),
    onDay(2, 4570, 'KWD'),
    onDay(3, 1251, 'JPY'),
    onDay(4, 1999, 'USD'),
    // Thirty hundredths of a yen.
    nothing,
    onDay(6, null, null),
    onDay(7, 2599, 'EUR'),
    onDay(8, 2599, null),
    onDay(9, 123_456_700, 'CLF'),
  ];
  assert.deepEqual(decodeYear(OLDER, text), year);
  const again = encodeYear(OLDER, year);
  assert.equal(again[0], '3');
  assert.deepEqual(decodeYear(OLDER, again), year);
});

test('a year of currencies with two decimals has the same bytes as before', () => {
  const year = [
    onDay(0, 1999, 'USD'),
    onDay(1, 1899, 'USD'),
    onDay(2, 2599, 'EUR'),
    onDay(3, 2599, null),
    onDay(4, null, null),
    onDay(9, 1999, 'USD'),
  ];
  assert.equal(encodeYear(OLDER, year), '2YhC13Q5m*9Q%BKxNwkvGSCo^7f(`q2zn,');
});

const priced = (observedAtMs: number, priceCents: number | null = 100): StoredObservation => ({
  observedAtMs,
  priceCents,
  inStock: true,
  native: null,
});

test('what could not be read back is refused before it is packed', () => {
  const bad: readonly (readonly StoredObservation[])[] = [
    [],
    [priced(START - 1)],
    [priced(firstDayOf(2025) * DAY_MS)],
    [priced(START + 5), priced(START + 5)],
    [priced(START + DAY_MS), priced(START)],
    [priced(START + 0.5)],
    [priced(START, 0)],
    [priced(START, 1.5)],
    [{ ...priced(START), native: { cents: 1, currency: 'EUR' } }],
  ];
  for (const each of bad) assert.throws(() => encodeYear(PLACE, each), RangeError);
});

test('a price that stays costs a bit a day, and a sale that ends costs no number', () => {
  const days = (priceOf: (day: number) => number) =>
    Array.from({ length: 366 }, (_, day) => priced(START + day * DAY_MS, priceOf(day)));
  const still = encodeYear(
    PLACE,
    days(() => 1_999),
  );
  assert.ok(still.length <= 366 / 6 + 20, `${still.length} characters`);
  const sale = encodeYear(
    PLACE,
    days((day) => (day % 14 < 4 ? 1_499 : 1_999)),
  );
  assert.ok(sale.length <= 366 / 6 + 20 + (52 * 6) / 6, `${sale.length} characters`);
});

test('a year that is fetched once a day costs two bytes a day, and four fetches a day three each', () => {
  const random = randomFrom(3);
  const fetched = (times: number, wander: number) =>
    Array.from({ length: 366 * times }, (_, at) => {
      const [day, time] = [Math.floor(at / times), ((at % times) * DAY_MS) / times];
      return priced(START + day * DAY_MS + time + 1_000 * integerBelow(random, wander), 1_999);
    });
  const daily = encodeYear(PLACE, fetched(1, 600));
  assert.ok(daily.length <= 366 * 2, `${daily.length} characters`);
  const busy = encodeYear(PLACE, fetched(4, 21_600));
  assert.ok(busy.length <= 4 * 366 * 3, `${busy.length} characters`);
});

test('a time that moves by an hour a week is encoded relative to the previous one', () => {
  const random = randomFrom(4);
  const year = Array.from({ length: 300 }, (_, day) =>
    priced(START + day * (DAY_MS + 500_000) + 1_000 * integerBelow(random, 60)),
  );
  assert.ok(encodeYear(PLACE, year).length <= 300 * 2.2);
});

test('the summary is of what is packed', () => {
  const year = [
    priced(START + 1),
    priced(START + 2, null),
    priced(START + DAY_MS, null),
    priced(START + 2 * DAY_MS),
    priced(START + 2 * DAY_MS + 1),
  ];
  assert.deepEqual(summaryOf(year), {
    observations: 5,
    pricedDays: 2,
    firstMs: START + 1,
    lastMs: START + 2 * DAY_MS + 1,
  });
});
