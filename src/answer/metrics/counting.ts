// This process's counters and histograms. They start at 0 with the process; Prometheus computes differences.

import type { Family, Labels, Sample } from './prometheus-text.ts';

type MetricName = { readonly name: string; readonly help: string };

export type Counter = {
  add(labels: Labels, amount?: number): void;
  /** Returns a function that adds under the same labels each time, so that they are looked up once. */
  adder(labels: Labels): (amount: number) => void;
  family(): Family;
};

/** Label sets are never dropped, so no value chosen by a caller or a shop may be a label. */
export function createCounter({ name, help }: MetricName): Counter {
  const samples = new Map<string, { readonly labels: Labels; value: number }>();
  const sampleOf = (labels: Labels) => {
    const key = keyOf(labels);
    const one = samples.get(key) ?? { labels, value: 0 };
    samples.set(key, one);
    return one;
  };
  return {
    add: (labels, amount = 1) => void (sampleOf(labels).value += amount),
    adder: (labels) => {
      const one = sampleOf(labels);
      return (amount) => void (one.value += amount);
    },
    family: () => ({
      name,
      help,
      type: 'counter',
      samples: [...samples.values()].map((one) => ({ ...one })),
    }),
  };
}

type Histogram = {
  observe(labels: Labels, value: number): void;
  /** Returns a function that observes under the same labels each time, so that they are looked up once. */
  observer(labels: Labels): (value: number) => void;
  family(): Family;
};

type Buckets = { readonly labels: Labels; readonly counts: number[]; sum: number; count: number };

/** `bounds` are the buckets' inclusive upper bounds, ascending; a bucket without a bound is added. */
export function createHistogram({ name, help }: MetricName, bounds: readonly number[]): Histogram {
  const seen = new Map<string, Buckets>();
  const bucketsOf = (labels: Labels): Buckets => {
    const key = keyOf(labels);
    const one = seen.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
    seen.set(key, one);
    return one;
  };
  const observe = (one: Buckets, value: number): void => {
    one.sum += value;
    one.count += 1;
    // Buckets are cumulative: a value counts in every bucket whose bound it does not exceed.
    for (let at = bounds.length - 1; at >= 0 && value <= (bounds[at] ?? 0); at -= 1) {
      one.counts[at] = (one.counts[at] ?? 0) + 1;
    }
  };
  return {
    observe: (labels, value) => observe(bucketsOf(labels), value),
    observer: (labels) => {
      const one = bucketsOf(labels);
      return (value) => observe(one, value);
    },
    family: () => ({
      name,
      help,
      type: 'histogram',
      samples: [...seen.values()].flatMap((one) => samplesOf(one, bounds)),
    }),
  };
}

function samplesOf({ labels, counts, sum, count }: Buckets, bounds: readonly number[]) {
  const bucket = (le: string, value: number): Sample => ({
    suffix: '_bucket',
    labels: { ...labels, le },
    value,
  });
  return [
    ...bounds.map((bound, index) => bucket(String(bound), counts[index] ?? 0)),
    bucket('+Inf', count),
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}

function keyOf(labels: Labels): string {
  let key = '';
  for (const name in labels) key += `${labels[name]}\n`;
  return key;
}
