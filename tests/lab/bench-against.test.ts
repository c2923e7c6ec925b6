// A benchmark run reports what got slower since an earlier one, and nothing that is noise.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { earlierFigures, slowerThan } from '../../lab/bench/against.ts';
import { figureOf, type Figure } from '../../lab/bench/measurement.ts';
import { jsonLine } from '../../lab/bench/report.ts';

/** Makes a figure whose pairs have these ratios. */
function figure(name: string, ratioOf: Figure['ratioOf'], ratios: readonly number[]): Figure {
  const baseline = { usPerCall: 100, cpuUsPerCall: null };
  const pairs = ratios.map((ratio) => ({
    measured: { usPerCall: ratioOf === 'time' ? 100 * ratio : 100 / ratio, cpuUsPerCall: null },
    baseline,
  }));
  return figureOf({ name, measured: 'a', baseline: 'b', goal: null, ratioOf }, pairs);
}

const steady = [0.5, 0.51, 0.49, 0.5, 0.5];
const noisy = [0.2, 0.5, 0.9, 0.4, 0.6];

for (const [what, ratioOf, before, now, isNamed] of [
  ['half the throughput', 'throughput', steady, steady.map((ratio) => ratio / 2), true],
  ['twice the throughput', 'throughput', steady, steady.map((ratio) => ratio * 2), false],
  ['twice the time', 'time', steady, steady.map((ratio) => ratio * 2), true],
  ['half the time', 'time', steady, steady.map((ratio) => ratio / 2), false],
  ['a fifth less of a noisy figure', 'throughput', noisy, noisy.map((ratio) => ratio * 0.8), false],
  ['a fifth less of a steady figure', 'throughput', steady, steady.map((r) => r * 0.8), true],
  ['two hundredths less', 'throughput', [1, 1, 1], [0.98, 0.98, 0.98], false],
] as const) {
  test(`${what} is ${isNamed ? 'named' : 'not named'} as slower`, () => {
    const earlier = earlierFigures(jsonLine([figure('a', ratioOf, before)]));
    const slower = slowerThan(earlier, [figure('a', ratioOf, now)]);
    assert.deepEqual(
      slower.map(({ name }) => name),
      isNamed ? ['a'] : [],
    );
  });
}

test('a figure that only one of the runs has is not compared', () => {
  const earlier = earlierFigures(jsonLine([figure('gone', 'time', steady)]));
  assert.deepEqual(slowerThan(earlier, [figure('new', 'time', [9, 9, 9])]), []);
});

test('a file without figures is refused', () => {
  for (const text of ['', 'no', '{}', '{"figures":3}', '{"figures":[{"name":"a"}]}']) {
    assert.throws(() => earlierFigures(text), Error, text);
  }
});
