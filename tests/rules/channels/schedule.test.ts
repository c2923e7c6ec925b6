// When a channel may send: quiet hours and digests by the clocks of a time zone, also on the days when they are changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS, isoTimestamp, MINUTE_MS } from '../../../src/base/clock.ts';
import { digestTimes, isTimeZone, quietUntilMs } from '../../../src/rules/channels/schedule.ts';

const BERLIN = { time_zone: 'Europe/Berlin', quiet_from: '22:00', quiet_until: '07:00' };
const at = (text: string) => Date.parse(text);

test('quiet hours end when the clocks of the time zone show it', () => {
  const rows = [
    ['2026-11-20T20:59:59Z', null],
    ['2026-11-20T21:00:00Z', '2026-11-21T06:00:00.000Z'],
    ['2026-11-21T05:59:30Z', '2026-11-21T06:00:00.000Z'],
    ['2026-11-21T06:00:00Z', null],
    // The clocks go forward, and back.
    ['2026-03-28T23:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['2026-10-24T22:00:00Z', '2026-10-25T06:00:00.000Z'],
  ] as const;
  for (const [now, until] of rows) {
    const untilMs = quietUntilMs(BERLIN, at(now));
    assert.equal(
      untilMs === null ? null : isoTimestamp(untilMs),
      until && isoTimestamp(at(until)),
      now,
    );
  }
});

test('quiet hours within a day are that part of it', () => {
  const noon = { time_zone: 'UTC', quiet_from: '12:00', quiet_until: '13:30' };
  assert.equal(quietUntilMs(noon, at('2026-11-20T12:10:00Z')), at('2026-11-20T13:30:00Z'));
  assert.equal(quietUntilMs(noon, at('2026-11-20T13:30:00Z')), null);
  assert.equal(quietUntilMs({ time_zone: 'UTC', digest_at: '12:00' }, 0), null);
});

test('a digest is due once a day at its time, all through a year', () => {
  for (const time_zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC']) {
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: time_zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    for (
      let nowMs = at('2026-01-01T00:07:11Z');
      nowMs < at('2027-01-01');
      nowMs += 467 * MINUTE_MS
    ) {
      const times = digestTimes({ time_zone, digest_at: '08:30' }, nowMs);
      assert.ok(
        times !== null && times.lastMs <= nowMs && times.nextMs > nowMs,
        isoTimestamp(nowMs),
      );
      assert.deepEqual(
        [clock.format(times.lastMs), clock.format(times.nextMs)],
        ['08:30', '08:30'],
      );
      assert.ok(Math.abs(times.nextMs - times.lastMs - DAY_MS) <= HOUR_MS, isoTimestamp(nowMs));
    }
  }
});

test('a time zone is one that this platform knows', () => {
  assert.deepEqual(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone), [
    true,
    true,
    false,
    false,
  ]);
});

test('on the days when the clocks are changed each time is reached once, also one that they skip or show twice', () => {
  const rows = [
    // The clocks skip it: it is reached when it would have been. They show it twice: the first time counts.
    ['Europe/Berlin', '02:30', '2026-03-28T01:30Z', '2026-03-29T01:30Z', '2026-03-30T00:30Z'],
    ['Europe/Berlin', '02:30', '2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z'],
    ['America/Santiago', '00:00', '2026-09-05T04:00Z', '2026-09-06T04:00Z', '2026-09-07T03:00Z'],
    ['Australia/Lord_Howe', '02:15', '2026-10-02T15:45Z', '2026-10-03T15:45Z', '2026-10-04T15:15Z'],
  ] as const;
  for (const [time_zone, time, ...texts] of rows) {
    const [first, second, third] = texts.map(at) as [number, number, number];
    const quiet = { time_zone, quiet_from: '20:00', quiet_until: time };
    for (let nowMs = first; nowMs < third; nowMs += 20 * MINUTE_MS) {
      const [lastMs, nextMs] = nowMs < second ? [first, second] : [second, third];
      const found = digestTimes({ time_zone, digest_at: time }, nowMs);
      assert.deepEqual(found, { lastMs, nextMs }, `${time_zone} ${isoTimestamp(nowMs)}`);
      const untilMs = quietUntilMs(quiet, nowMs);
      assert.ok(untilMs === null || untilMs === nextMs, `quiet ${isoTimestamp(nowMs)}`);
      if (nextMs - nowMs < 3 * HOUR_MS) assert.equal(untilMs, nextMs, isoTimestamp(nowMs));
    }
  }
});
