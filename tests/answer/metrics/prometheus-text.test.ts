import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createCounter, createHistogram } from '../../../src/answer/metrics/counting.ts';
import { fillFamilies } from '../../../src/answer/metrics/fill-metrics.ts';
import { prometheusText } from '../../../src/answer/metrics/prometheus-text.ts';

test('a label may hold any text, and a family without samples is left out', () => {
  const family = { name: 'a_total', help: 'One \\ two\nthree.', type: 'counter' } as const;
  const labels = { path: 'a"b\\c\nd' };
  assert.equal(
    prometheusText([
      { ...family, samples: [{ labels, value: 2.5 }] },
      { ...family, name: 'empty', samples: [] },
    ]),
    '# HELP a_total One \\\\ two\\nthree.\n# TYPE a_total counter\na_total{path="a\\"b\\\\c\\nd"} 2.5\n',
  );
});

test('a counter adds up by its labels', () => {
  const counter = createCounter({ name: 'a_total', help: 'A.' });
  counter.add({ route: 'x' });
  counter.add({ route: 'x' }, 4);
  counter.add({ route: 'y' });
  assert.deepEqual(
    counter.family().samples.map(({ labels, value }) => [labels['route'], value]),
    [
      ['x', 5],
      ['y', 1],
    ],
  );
});

test('buckets of a histogram hold everything up to their end, the last one everything', () => {
  const histogram = createHistogram({ name: 'a_seconds', help: 'A.' }, [1, 5]);
  for (const value of [0.5, 1, 3, 60]) histogram.observe({}, value);
  assert.equal(
    prometheusText([histogram.family()]).split('\n').slice(2, -1).join(' | '),
    'a_seconds_bucket{le="1"} 2 | a_seconds_bucket{le="5"} 3 | a_seconds_bucket{le="+Inf"} 4 | ' +
      'a_seconds_sum 64.5 | a_seconds_count 4',
  );
});

test('shops that are none of the known retailers are one in the gauges', () => {
  const place = { pageKind: 'product', field: 'price' };
  const families = fillFamilies({
    outcomes: [],
    fields: [
      { ...place, retailer: 'lamps', expected: 3, missing: 0 },
      { ...place, retailer: 'chairs', expected: 1, missing: 1 },
      { ...place, retailer: 'retailer_w', expected: 2, missing: 1 },
    ],
  });
  const ratio = families.find(({ name }) => name === 'openshelf_field_fill_ratio');
  assert.deepEqual(
    ratio?.samples.map(({ labels, value }) => [labels['retailer'], value]),
    [
      ['other', 0.75],
      ['retailer_w', 0.5],
    ],
  );
});
