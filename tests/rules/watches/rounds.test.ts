// When a watch is due, and the outcome of its checks (D70).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { decideRound } from '../../../src/rules/watches/rounds.ts';
import { intervalOf, intervalText, nextSlotMs } from '../../../src/rules/watches/schedule.ts';
import { integerBelow, randomFrom } from '../../support/random.ts';

const START_MS = Date.UTC(2026, 10, 1);

type RoundFacts = Parameters<typeof decideRound>[0];

const FACTS: RoundFacts = {
  nowMs: START_MS,
  intervalMs: 6 * HOUR_MS,
  lastRoundMs: null,
  readAtMs: null,
  failedRounds: 0,
  failingAfter: 3,
  trouble: null,
  costs: 1,
  remaining: 100,
};

/** Takes checks, each with whether it read something and the remaining tokens; returns what was notified at each. */
function answered(checks: readonly (readonly [reads: boolean, remaining: number])[]) {
  let facts = FACTS;
  return checks.map(([reads, remaining], at) => {
    const nowMs = START_MS + at * 6 * HOUR_MS;
    const decided = decideRound({ ...facts, nowMs, remaining });
    const { failedRounds, trouble, isMade } = decided;
    const isRead = isMade && reads;
    facts = {
      ...facts,
      lastRoundMs: isMade ? nowMs : null,
      readAtMs: isRead ? nowMs + 1_000 : facts.readAtMs,
      failedRounds: isRead ? 0 : failedRounds,
      trouble: isRead && trouble === 'failing' ? null : trouble,
    };
    return `${isMade ? 'made' : 'not made'} ${decided.tells ?? '-'}`;
  });
}

test('a retailer that is blocked for days is notified once, after three checks that read nothing', () => {
  const days = Array.from({ length: 12 }, () => [false, 100] as const);
  assert.deepEqual(
    answered([[true, 100], ...days]).map((each) => each.replace('made ', '')),
    ['-', '-', '-', '-', 'failing', ...Array.from({ length: 8 }, () => '-')],
  );
});

test('a reading from a clock that was set back since does not count, and its check did not fail', () => {
  const ahead = START_MS + 900 * DAY_MS;
  const failed = (lastRoundMs: number, readAtMs: number) =>
    decideRound({ ...FACTS, nowMs: START_MS + 6 * HOUR_MS, lastRoundMs, readAtMs }).failedRounds;
  assert.deepEqual(
    [failed(START_MS, START_MS + 1), failed(START_MS, ahead), failed(ahead, ahead)],
    [0, 1, 0],
  );
});

test('a check that fails now and then causes no notice', () => {
  const checks = [true, false, true, false, false, true, false].map(
    (reads) => [reads, 100] as const,
  );
  assert.ok(answered(checks).every((each) => each === 'made -'));
});

test('without tokens no check is made, which is notified once, and it goes on when there are some', () => {
  assert.deepEqual(
    answered([
      [true, 1],
      [true, 0],
      [true, 0],
      [true, 5],
      [true, 4],
    ]),
    ['made -', 'not made out_of_tokens', 'not made -', 'made resumed', 'made -'],
  );
});

test('slots of one product fall together for equal and for multiple intervals (seeded)', () => {
  const random = randomFrom(3);
  for (let round = 0; round < 500; round += 1) {
    const seed = integerBelow(random, 2 ** 40);
    const afterMs = START_MS + integerBelow(random, 30 * 24 * HOUR_MS);
    const intervalMs = (1 + integerBelow(random, 24)) * HOUR_MS;
    const slot = nextSlotMs(seed, intervalMs, afterMs);
    const wait = slot - afterMs;
    assert.ok(
      wait > intervalMs / 2 - 1 && wait <= intervalMs * 1.5 + 1,
      `${wait} of ${intervalMs}`,
    );
    assert.equal(nextSlotMs(seed, intervalMs, slot), slot + intervalMs, 'one slot after the other');
    const other = nextSlotMs(seed, intervalMs, afterMs + integerBelow(random, intervalMs));
    assert.equal((other - slot) % intervalMs, 0);
  }
});

test('slots of many products are spread over the interval', () => {
  const random = randomFrom(4);
  const slots = Array.from({ length: 2_400 }, () =>
    nextSlotMs(integerBelow(random, 2 ** 40), 24 * HOUR_MS, START_MS),
  );
  const hours = Map.groupBy(slots, (slot) => Math.floor(slot / HOUR_MS) % 24);
  assert.equal(hours.size, 24);
  for (const of of hours.values()) assert.ok(of.length < 200, 'no hour has twice its share');
});

test('an interval is a number with its unit, from an hour to thirty days', () => {
  assert.deepEqual(
    ['1h', '60m', '90m', '6h', '1d', '36h', '30d'].map((text) =>
      intervalText(intervalOf(text) ?? 0),
    ),
    ['1h', '1h', '90m', '6h', '1d', '36h', '30d'],
  );
  for (const text of ['', '1', '59m', '31d', '-1h', '1.5h', '6 h', '1w']) {
    assert.equal(intervalOf(text), null, text);
  }
});
