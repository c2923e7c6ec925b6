import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  budgetUs,
  consume,
  intervalUs,
  standingOf,
  waitUs,
  type ThrottlePolicy,
} from '../../../src/data/metering/throttle.ts';
import { openSqliteFile } from '../../../src/data/sqlite/connection.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { openTestStore } from '../../support/stores.ts';

const START_US = 1_800_000_000_000_000;

function policy(perMinute: number, burst: number, spared = 0): ThrottlePolicy {
  return { name: 'throttle', perMinute, burst, spared };
}

/** The statement itself, on a database of this thread. A fresh throttle for each `begin`. */
function openThrottles() {
  const connection = openSqliteFile(':memory:', { readOnly: false, busyTimeoutMs: 0 });
  connection.all(
    `create table throttles (organization_id text not null, policy text not null,
      tat_us integer not null, primary key (organization_id, policy)) strict`,
  );
  let begun = 0;
  const begin = (limits: ThrottlePolicy, given: number | null = null) => {
    begun += 1;
    const id = `org${begun}`;
    let tatUs = given;
    if (tatUs !== null) {
      connection.all('insert into throttles values ($1, $2, $3)', [id, limits.name, tatUs]);
    }
    return {
      stored: () => tatUs,
      isAdmitted(nowUs: number, requests = 1): boolean {
        const { text, params } = consume(id, limits, nowUs, { requests });
        const [row] = connection.all(text, params);
        if (row !== undefined) tatUs = Number(row['tat_us']);
        return row !== undefined;
      },
    };
  };
  return { begin, [Symbol.dispose]: () => connection.close() };
}

test('the burst is admitted at once, the next request after one interval, to the microsecond', () => {
  using throttles = openThrottles();
  const default600 = policy(600, 1_200);
  const throttle = throttles.begin(default600);
  for (let n = 0; n < 1_200; n += 1) assert.ok(throttle.isAdmitted(START_US), `request ${n}`);
  assert.equal(throttle.isAdmitted(START_US), false);
  assert.equal(waitUs(default600, throttle.stored(), START_US), 100_000);
  assert.equal(throttle.isAdmitted(START_US + 99_999), false);
  assert.equal(throttle.isAdmitted(START_US + 100_000), true);
});

test('requests that come together are admitted together or not at all', () => {
  using throttles = openThrottles();
  const limits = policy(60, 5);
  const throttle = throttles.begin(limits);
  assert.equal(throttle.isAdmitted(START_US, 3), true);
  assert.equal(throttle.isAdmitted(START_US, 3), false);
  assert.equal(waitUs(limits, throttle.stored(), START_US, 3), 1_000_000);
  assert.equal(throttle.isAdmitted(START_US, 2), true);
});

test('in every stretch of time at most the burst and what flowed back is admitted', (t) => {
  const seed = seedOf(20);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  using throttles = openThrottles();
  for (let sequence = 0; sequence < 1_000; sequence += 1) {
    const limits = policy(1 + integerBelow(random, 2_000), 1 + integerBelow(random, 40));
    const throttle = throttles.begin(limits);
    const admittedAt: number[] = [];
    let nowUs = START_US;
    for (let step = 0; step < 60; step += 1) {
      nowUs += random() < 0.6 ? 0 : integerBelow(random, 3 * intervalUs(limits));
      if (throttle.isAdmitted(nowUs)) {
        admittedAt.push(nowUs);
        continue;
      }
      const retryUs = nowUs + waitUs(limits, throttle.stored(), nowUs);
      assert.equal(throttle.isAdmitted(retryUs - 1), false);
      assert.equal(throttles.begin(limits, throttle.stored()).isAdmitted(retryUs), true);
    }
    admittedAt.forEach((from, first) => {
      admittedAt.slice(first).forEach((to, count) => {
        const allowed = limits.burst + Math.floor((to - from) / intervalUs(limits));
        assert.ok(count + 1 <= allowed, `${count + 1} of ${allowed} in ${to - from} us`);
      });
    });
  }
});

/** The same rule in another form: a bucket that leaks a microsecond each microsecond. */
class LeakyBucket {
  #levelUs = 0;
  #atUs = 0;

  /** Returns the level afterwards; null: refused. */
  pour(limits: ThrottlePolicy, nowUs: number): number | null {
    const size = budgetUs(limits);
    const leftUs = Math.max(0, this.#levelUs - (nowUs - this.#atUs));
    const isOfAnotherClock = leftUs > size + 60_000_000;
    if (!isOfAnotherClock && leftUs + intervalUs(limits) > size) return null;
    this.#levelUs = isOfAnotherClock ? size : leftUs + intervalUs(limits);
    this.#atUs = nowUs;
    return this.#levelUs;
  }
}

/** Returns throttles of several policies, with what happens next to each: clock jumps included. */
function sequencesOf(random: () => number, count: number) {
  const sequences = Array.from({ length: count }, (_, n) => ({
    id: `org${n}`,
    limits: policy(pick(random, [1, 7, 60, 600, 60_000_000]), pick(random, [1, 2, 3, 5, 1_200])),
    nowUs: START_US + integerBelow(random, 1_000_000),
    bucket: new LeakyBucket(),
  }));
  const move = (each: (typeof sequences)[number]): void => {
    const jump = random();
    if (jump < 0.05) each.nowUs -= integerBelow(random, 7_200_000_000);
    else if (jump < 0.1) each.nowUs += 3_600_000_000;
    else if (jump < 0.6) each.nowUs += integerBelow(random, 2 * intervalUs(each.limits));
  };
  return { sequences, move };
}

test('the statement is a leaky bucket in 10,000 sequences, clock jumps included', (t) => {
  const seed = seedOf(21);
  t.diagnostic(`seed ${seed}`);
  using throttles = openThrottles();
  const { sequences, move } = sequencesOf(randomFrom(seed), 10_000);
  let refused = 0;
  for (const each of sequences) {
    const { limits, bucket } = each;
    const throttle = throttles.begin(limits);
    for (let step = 0; step < 8; step += 1) {
      move(each);
      const isAdmittedNow = waitUs(limits, throttle.stored(), each.nowUs) === 0;
      const levelUs = bucket.pour(limits, each.nowUs);
      assert.equal(throttle.isAdmitted(each.nowUs), levelUs !== null);
      assert.equal(isAdmittedNow, levelUs !== null);
      if (levelUs === null) refused += 1;
      else assert.equal(throttle.stored(), each.nowUs + levelUs);
    }
  }
  assert.ok(refused > 5_000, `${refused} refused`);
});

test('it is the same bucket in a store, when a thousand throttles are asked at once', async (t) => {
  const seed = seedOf(23);
  t.diagnostic(`seed ${seed}`);
  await using store = await openTestStore();
  const { sequences, move } = sequencesOf(randomFrom(seed), 1_000);
  await Promise.all(
    sequences.map(({ id }) =>
      store.sql.write([
        {
          text: `insert into organizations (id, name, monthly_quota, throttle_per_minute,
            throttle_burst, created_at_ms) values ($1, $1, 0, 1, 1, 0)`,
          params: [id],
        },
      ]),
    ),
  );
  for (let step = 0; step < 8; step += 1) {
    await Promise.all(
      sequences.map(async (each) => {
        move(each);
        const { id, limits, nowUs, bucket } = each;
        const levelUs = bucket.pour(limits, nowUs);
        const result = await store.sql.write([consume(id, limits, nowUs)]);
        if (levelUs === null) {
          assert.deepEqual(result, { done: false, refusedBy: limits.name });
          return;
        }
        assert.ok(result.done);
        const [row] = result.rows[limits.name] ?? [];
        assert.equal(row?.['tat_us'], nowUs + levelUs);
      }),
    );
  }
});

test('a clock that was set back by an hour gives one call and no new burst', () => {
  using throttles = openThrottles();
  const limits = policy(600, 5);
  const throttle = throttles.begin(limits, START_US + budgetUs(limits));
  const nowUs = START_US - 3_600_000_000;
  assert.deepEqual(standingOf(limits, throttle.stored(), nowUs), { remaining: 1, resetSeconds: 1 });
  const admitted = [0, 1, 2, 3].filter(() => throttle.isAdmitted(nowUs));
  assert.equal(admitted.length, 1);
  assert.equal(throttle.isAdmitted(nowUs + intervalUs(limits)), true);
});

test('what remains is exactly what would be admitted now, and t when one more would be', (t) => {
  const seed = seedOf(22);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  using throttles = openThrottles();
  for (let round = 0; round < 3_000; round += 1) {
    const burst = 1 + integerBelow(random, 30);
    const limits = policy(1 + integerBelow(random, 5_000), burst, integerBelow(random, burst));
    const tatUs =
      random() < 0.1
        ? null
        : START_US + integerBelow(random, 2 * budgetUs(limits)) - budgetUs(limits);
    const standing = standingOf(limits, tatUs, START_US);
    const throttle = throttles.begin(limits, tatUs);
    let admitted = 0;
    while (throttle.isAdmitted(START_US)) admitted += 1;
    assert.equal(standing.remaining, admitted);
    const later = standingOf(limits, tatUs, START_US + standing.resetSeconds * 1_000_000);
    if (admitted < limits.burst - limits.spared) assert.ok(later.remaining > admitted);
    else assert.equal(standing.resetSeconds, 0);
  }
});
