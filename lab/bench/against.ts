// Finds what got slower since an earlier run: figures whose ratio is worse than the earlier one by more than the noise of
// both runs.

import type { Figure } from './measurement.ts';
import { median } from './measurement.ts';

/** A figure of an earlier run, as written by `--json`. */
export type EarlierFigure = Pick<Figure, 'name' | 'ratioOf' | 'ratio'> & {
  readonly ratios: readonly number[];
};

export type Slower = {
  readonly name: string;
  readonly before: number;
  readonly now: number;
  /** The slowdown: 1.2 is a fifth more time. */
  readonly times: number;
  /** The largest slowdown that would still have been noise, in the same unit. */
  readonly noise: number;
};

/** A difference of less than this is ignored. */
const LEAST_NOISE = 0.03;
/** For medians of noisy ratios: at three standard errors, one figure in 370 is reported by chance. */
const STANDARD_ERRORS = 3;
/** Standard error of a median, and the standard deviation of a normal distribution from its median deviation. */
const OF_MEDIAN = 1.253 * 1.4826;

/**
 * Returns the figures that both runs have and that got slower. Pairs of ratios are logarithms here, so that half and double
 * are equally far apart.
 */
export function slowerThan(
  earlier: readonly EarlierFigure[],
  figures: readonly Figure[],
): readonly Slower[] {
  return figures.flatMap((figure) => {
    const before = earlier.find(({ name }) => name === figure.name);
    if (before === undefined || before.ratioOf !== figure.ratioOf) return [];
    const change = Math.log(figure.ratio / before.ratio);
    const slower = figure.ratioOf === 'throughput' ? -change : change;
    const error = Math.hypot(errorOf(figure.ratios), errorOf(before.ratios));
    const noise = Math.max(LEAST_NOISE, STANDARD_ERRORS * error);
    if (slower <= noise) return [];
    return [
      {
        name: figure.name,
        before: before.ratio,
        now: figure.ratio,
        times: Math.exp(slower),
        noise: Math.exp(noise),
      },
    ];
  });
}

/** Returns the standard error of the median of the logarithms. */
function errorOf(ratios: readonly number[]): number {
  const logs = ratios.map(Math.log);
  const middle = median(logs);
  const deviation = median(logs.map((log) => Math.abs(log - middle)));
  return (OF_MEDIAN * deviation) / Math.sqrt(logs.length);
}

/** Parses the figures from a file written by `--json`; throws for any other file. */
export function earlierFigures(text: string): readonly EarlierFigure[] {
  const line = text.split('\n').find((each) => each.startsWith('{'));
  const { figures } = JSON.parse(line ?? '{}') as { readonly figures?: readonly JsonFigure[] };
  if (!Array.isArray(figures)) throw new Error('there are no figures in it');
  return (figures as readonly JsonFigure[]).map((figure) => {
    const { name, ratio, ratios } = figure;
    if (!Array.isArray(ratios)) throw new Error(`"${name}" has no ratios of its pairs`);
    return { name, ratioOf: figure.ratio_of, ratio, ratios };
  });
}

type JsonFigure = {
  readonly name: string;
  readonly ratio_of: Figure['ratioOf'];
  readonly ratio: number;
  readonly ratios: readonly number[];
};
