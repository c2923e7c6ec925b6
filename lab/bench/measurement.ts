// Defines a figure and how two things are compared: measured, baseline, measured, baseline, and the median of the ratios of
// the pairs, because a machine that slows down between two rounds slows both of a pair. Knows nothing about what is
// measured.

/** One round of one side: time and CPU per call (request, page, start). */
export type Sample = {
  readonly usPerCall: number;
  /** User and system time of all threads of the process; null if it cannot be determined. */
  readonly cpuUsPerCall: number | null;
};

export type Pair = { readonly measured: Sample; readonly baseline: Sample };

/** `ratioOf` determines the direction of the ratio: throughput (higher is better), or times or bytes (lower is better). */
export type Goal = {
  readonly is: 'at least' | 'at most';
  readonly value: number;
  readonly stretch: number;
};

export type Figure = {
  readonly name: string;
  readonly measured: string;
  readonly baseline: string;
  /** Null: informative, no goal. */
  readonly goal: Goal | null;
  /** Throughput of measured / baseline, or time, processor time or bytes of measured / baseline. */
  readonly ratioOf: 'throughput' | 'time' | 'processor time' | 'bytes';
  readonly ratio: number;
  /** Lowest and highest pair: how reliable the figure is. */
  readonly spread: readonly [number, number];
  /** Of each pair. */
  readonly ratios: readonly number[];
  /** Medians per call in microseconds; in bytes if bytes are compared. */
  readonly usPerCall: Both;
  readonly cpuUsPerCall: Both | null;
};

export type Both = { readonly measured: number; readonly baseline: number };

type FigureText = Pick<Figure, 'name' | 'measured' | 'baseline' | 'goal' | 'ratioOf'>;

/** Returns the middle value, or the mean of the two in the middle; throws on an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('a median of nothing');
  return (upper + lower) / 2;
}

/** Returns the value that `share` of all values do not exceed; 0 if there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Reduces a round to its processor time. Throws if the server does not report it. */
export function ofProcessor({ cpuUsPerCall }: Sample): Sample {
  if (cpuUsPerCall === null) throw new Error('the service did not report its processor time');
  return { usPerCall: cpuUsPerCall, cpuUsPerCall: null };
}

/** Computes the figure from the measured pairs. */
export function figureOf(text: FigureText, pairs: readonly Pair[]): Figure {
  const ratios = pairs.map(({ measured, baseline }) =>
    text.ratioOf === 'throughput'
      ? baseline.usPerCall / measured.usPerCall
      : measured.usPerCall / baseline.usPerCall,
  );
  return {
    ...text,
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    ratios,
    usPerCall: {
      measured: median(pairs.map(({ measured }) => measured.usPerCall)),
      baseline: median(pairs.map(({ baseline }) => baseline.usPerCall)),
    },
    cpuUsPerCall: cpuOf(pairs),
  };
}

function cpuOf(pairs: readonly Pair[]): Both | null {
  const known = pairs.flatMap(({ measured, baseline }) =>
    measured.cpuUsPerCall === null || baseline.cpuUsPerCall === null
      ? []
      : [{ measured: measured.cpuUsPerCall, baseline: baseline.cpuUsPerCall }],
  );
  if (known.length === 0) return null;
  return {
    measured: median(known.map(({ measured }) => measured)),
    baseline: median(known.map(({ baseline }) => baseline)),
  };
}

/** Returns whether the goal is reached; null without one. */
export function isReached({ goal, ratio }: Pick<Figure, 'goal' | 'ratio'>): boolean | null {
  if (goal === null) return null;
  return goal.is === 'at least' ? ratio >= goal.value : ratio <= goal.value;
}

export type Effort = { readonly pairs: number; readonly msPerRound: number };

/**
 * Compares two functions of this process. Each side runs until it is compiled; the number of calls per round is then chosen
 * so that a round takes about `msPerRound`.
 */
export function pairedCalls(
  measured: () => unknown,
  baseline: () => unknown,
  { pairs, msPerRound }: Effort,
): readonly Pair[] {
  const counts = [measured, baseline].map((call) => callsWithin(call, msPerRound));
  return Array.from({ length: pairs }, () => ({
    measured: timed(measured, counts[0] ?? 1),
    baseline: timed(baseline, counts[1] ?? 1),
  }));
}

/** Warms up for two rounds and returns how many calls fit into one. */
function callsWithin(call: () => unknown, msPerRound: number): number {
  let calls = 1;
  for (;;) {
    const ms = timed(call, calls).usPerCall * calls * 1e-3;
    if (ms >= msPerRound) return Math.max(1, Math.round((calls * msPerRound) / ms));
    calls *= 2;
  }
}

/** Keeps results alive, so that the compiler cannot eliminate a call. */
export const sink: { last: unknown } = { last: null };

function timed(call: () => unknown, calls: number): Sample {
  const cpuFrom = process.cpuUsage();
  const from = process.hrtime.bigint();
  for (let index = 0; index < calls; index += 1) sink.last = call();
  const us = Number(process.hrtime.bigint() - from) / 1e3;
  const { user, system } = process.cpuUsage(cpuFrom);
  return { usPerCall: us / calls, cpuUsPerCall: (user + system) / calls };
}
