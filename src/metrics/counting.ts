// Counters and histograms of this process: they start at 0 with it, and whoever reads them takes differences.

import type { Family, Labels, Sample } from './prometheus-text.ts';

type About = { readonly name: string; readonly help: string };

export type Counter = {
  add(labels: Labels, amount?: number): void;
  family(): Family;
};

/** The number of label sets is the caller's to bound: nothing that a caller or a shop chooses may be a label. */
export function createCounter({ name, help }: About): Counter {
  const samples = new Map<string, Sample>();
  return {
    add(labels, amount = 1) {
      const key = keyOf(labels);
      samples.set(key, { labels, value: (samples.get(key)?.value ?? 0) + amount });
    },
    family: () => ({ name, help, type: 'counter', samples: [...samples.values()] }),
  };
}

export type Histogram = {
  observe(labels: Labels, value: number): void;
  family(): Family;
};

type Seen = { readonly labels: Labels; readonly counts: number[]; sum: number; count: number };

/** `bounds`: the upper ends of the buckets, ascending; one without an end is added. */
export function createHistogram({ name, help }: About, bounds: readonly number[]): Histogram {
  const seen = new Map<string, Seen>();
  return {
    observe(labels, value) {
      const key = keyOf(labels);
      const one = seen.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
      seen.set(key, one);
      one.sum += value;
      one.count += 1;
      // Buckets are cumulative: a value counts in every bucket that reaches up to it.
      bounds.forEach((bound, index) => {
        if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1;
      });
    },
    family: () => ({
      name,
      help,
      type: 'histogram',
      samples: [...seen.values()].flatMap((one) => samplesOf(one, bounds)),
    }),
  };
}

function samplesOf({ labels, counts, sum, count }: Seen, bounds: readonly number[]) {
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
  return Object.values(labels).join('\n');
}
