import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Row } from '../../src/store/sql.ts';
import {
  FORCE_REFRESH_POLICY,
  admissionOf,
  budgetUs,
  consume,
  intervalUs,
  standingOf,
  type ThrottlePolicy,
} from '../../src/metering/throttle.ts';
import { openTestStore } from '../support/stores.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';

const START_US = 1_800_000_000_000_000;

function policy(perMinute: number, burst: number): ThrottlePolicy {
  return { name: 'throttle', perMinute, burst };
}

test('the burst is admitted at once, the next request after one interval, to the microsecond', () => {
  const default600 = policy(600, 1_200);
  let tatUs: number | null = null;
  for (let n = 0; n < 1_200; n += 1) {
    const admission = admissionOf(default600, tatUs, START_US);
    assert.ok(admission.admitted, `request ${n}`);
    tatUs = admission.tatUs;
  }
  const refused = { admitted: false, retryAfterUs: 100_000 };
  assert.deepEqual(admissionOf(default600, tatUs, START_US), refused);
  assert.equal(admissionOf(default600, tatUs, START_US + 99_999).admitted, false);
  assert.equal(admissionOf(default600, tatUs, START_US + 100_000).admitted, true);
});

test('a hundred forced refreshes, not one more', () => {
  let tatUs: number | null = null;
  let admitted = 0;
  for (let n = 0; n < 150; n += 1) {
    const admission = admissionOf(FORCE_REFRESH_POLICY, tatUs, START_US + n);
    if (!admission.admitted) continue;
    admitted += 1;
    tatUs = admission.tatUs;
  }
  assert.equal(admitted, 100);
});

test('in every stretch of time at most the burst and what flowed back is admitted', (t) => {
  const seed = seedOf(20);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let sequence = 0; sequence < 2_000; sequence += 1) {
    const limits = policy(1 + integerBelow(random, 2_000), 1 + integerBelow(random, 40));
    const admittedAt: number[] = [];
    let tatUs: number | null = null;
    let nowUs = START_US;
    for (let step = 0; step < 60; step += 1) {
      nowUs += random() < 0.6 ? 0 : integerBelow(random, 3 * intervalUs(limits));
      const admission = admissionOf(limits, tatUs, nowUs);
      if (!admission.admitted) {
        assert.equal(
          admissionOf(limits, tatUs, nowUs + admission.retryAfterUs - 1).admitted,
          false,
        );
        assert.equal(admissionOf(limits, tatUs, nowUs + admission.retryAfterUs).admitted, true);
        continue;
      }
      tatUs = admission.tatUs;
      admittedAt.push(nowUs);
    }
    admittedAt.forEach((from, first) => {
      admittedAt.slice(first).forEach((to, count) => {
        const allowed = limits.burst + Math.floor((to - from) / intervalUs(limits));
        assert.ok(count + 1 <= allowed, `${count + 1} of ${allowed} in ${to - from} us`);
      });
    });
  }
});

test('the SQL statement and the arithmetic agree on 10,000 sequences, clock jumps included', async (t) => {
  const seed = seedOf(21);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using store = await openTestStore();
  const sequences = Array.from({ length: 10_000 }, (_, n) => ({
    id: `org${n}`,
    limits: policy(pick(random, [1, 7, 60, 600, 60_000_000]), pick(random, [1, 2, 3, 5, 1_200])),
    nowUs: START_US + integerBelow(random, 1_000_000),
    tatUs: null as number | null,
  }));
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
  let refused = 0;
  for (let step = 0; step < 8; step += 1) {
    await Promise.all(
      sequences.map(async (each) => {
        const jump = random();
        if (jump < 0.05) each.nowUs -= integerBelow(random, 7_200_000_000);
        else if (jump < 0.1) each.nowUs += 3_600_000_000;
        else if (jump < 0.6) each.nowUs += integerBelow(random, 2 * intervalUs(each.limits));
        const expected = admissionOf(each.limits, each.tatUs, each.nowUs);
        const result = await store.sql.write([consume(each.id, each.limits, each.nowUs)]);
        assert.equal(result.done, expected.admitted);
        if (!result.done || !expected.admitted) {
          refused += 1;
          return;
        }
        const [row]: readonly (Row | undefined)[] = result.rows[each.limits.name] ?? [];
        assert.equal(row?.['tat_us'], expected.tatUs);
        each.tatUs = expected.tatUs;
      }),
    );
  }
  assert.ok(refused > 5_000, `${refused} refused`);
});

test('a clock that was set back by an hour gives one call and no new burst', () => {
  const limits = policy(600, 5);
  let tatUs = START_US + budgetUs(limits);
  const nowUs = START_US - 3_600_000_000;
  const admitted = [0, 1, 2, 3].filter(() => {
    const admission = admissionOf(limits, tatUs, nowUs);
    if (admission.admitted) tatUs = admission.tatUs;
    return admission.admitted;
  });
  assert.equal(admitted.length, 1);
  assert.equal(admissionOf(limits, tatUs, nowUs + intervalUs(limits)).admitted, true);
});

test('what remains is exactly what would be admitted now, and t when one more would be', (t) => {
  const seed = seedOf(22);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 3_000; round += 1) {
    const limits = policy(1 + integerBelow(random, 5_000), 1 + integerBelow(random, 30));
    const tatUs =
      random() < 0.1
        ? null
        : START_US + integerBelow(random, 2 * budgetUs(limits)) - budgetUs(limits);
    const standing = standingOf(limits, tatUs, START_US);
    let admitted = 0;
    let simulated = tatUs;
    for (;;) {
      const admission = admissionOf(limits, simulated, START_US);
      if (!admission.admitted) break;
      simulated = admission.tatUs;
      admitted += 1;
    }
    assert.equal(standing.remaining, admitted);
    const later = standingOf(limits, tatUs, START_US + standing.resetSeconds * 1_000_000);
    if (admitted < limits.burst) assert.ok(later.remaining > admitted);
    else assert.equal(standing.resetSeconds, 0);
  }
});
