// Formats figures as a table for people and as a line for programs. Measures nothing.

import { availableParallelism } from 'node:os';

import type { Slower } from './against.ts';
import { isReached, type Both, type Figure } from './measurement.ts';

const HEAD = [
  'figure',
  'ratio',
  'pairs',
  'goal',
  'reached',
  'measured',
  'baseline',
  'CPU us',
  'CPU ratio',
];

/** Formats one table of all figures, followed by what was compared with what. */
export function tableLines(figures: readonly Figure[]): readonly string[] {
  const rows = [HEAD, ...figures.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', ...figures.map(explained)];
}

/** Describes the figures that got worse since an earlier run; if none did, says so. */
export function slowerLines(slower: readonly Slower[]): readonly string[] {
  if (slower.length === 0) return ['Nothing became slower by more than the noise of both runs.'];
  return slower.map(
    ({ name, before, now, times, noise }) =>
      `SLOWER ${name}: ratio ${before.toFixed(3)} before, ${now.toFixed(3)} now; ${times.toFixed(2)} times as ` +
      `slow, noise up to ${noise.toFixed(2)}`,
  );
}

function rowOf(figure: Figure): readonly string[] {
  const { goal, spread, usPerCall, cpuUsPerCall } = figure;
  const reached = isReached(figure);
  const [low, high] = spread;
  return [
    figure.name,
    figure.ratio.toFixed(2),
    `${figure.ratios.length}: ${low.toFixed(2)}-${high.toFixed(2)}`,
    goal === null ? '-' : `${goal.is} ${goal.value.toFixed(2)}`,
    reached === null ? '-' : reached ? 'yes' : 'NO',
    shown(figure, usPerCall.measured),
    shown(figure, usPerCall.baseline),
    cpuUsPerCall === null ? '-' : cpuText(cpuUsPerCall),
    cpuUsPerCall === null ? '-' : (cpuUsPerCall.measured / cpuUsPerCall.baseline).toFixed(2),
  ];
}

function cpuText({ measured, baseline }: Both): string {
  const digits = baseline < 10 ? 2 : baseline < 1_000 ? 1 : 0;
  return `${measured.toFixed(digits)} / ${baseline.toFixed(digits)}`;
}

/** Formats a rate for requests and calls, a time for waiting, a size for storage. */
function shown({ ratioOf }: Figure, us: number): string {
  if (ratioOf === 'throughput') return `${Math.round(1e6 / us).toLocaleString('en-US')}/s`;
  if (ratioOf === 'bytes') return us < 1e6 ? `${us.toFixed(1)} B` : `${(us / 1e6).toFixed(0)} MB`;
  if (us < 1_000) return `${us.toFixed(2)} us`;
  return `${(us / 1e3).toFixed(2)} ms`;
}

function explained({ name, measured, baseline, ratioOf }: Figure): string {
  return `${name}: ${ratioOf} of ${measured}, against ${baseline}`;
}

/** Formats everything on one line, for programs that compare runs. */
export function jsonLine(
  figures: readonly Figure[],
  slower: readonly Slower[] | null = null,
): string {
  return JSON.stringify({
    node: process.versions.node,
    cpus: availableParallelism(),
    figures: figures.map((figure) => ({
      name: figure.name,
      ratio_of: figure.ratioOf,
      ratio: rounded(figure.ratio),
      lowest: rounded(figure.spread[0]),
      highest: rounded(figure.spread[1]),
      pairs: figure.ratios.length,
      ratios: figure.ratios.map(rounded),
      goal: figure.goal,
      reached: isReached(figure),
      us_per_call: both(figure.usPerCall),
      cpu_us_per_call: figure.cpuUsPerCall === null ? null : both(figure.cpuUsPerCall),
    })),
    ...(slower === null ? {} : { slower }),
  });
}

function both({ measured, baseline }: Both): Both {
  return { measured: rounded(measured), baseline: rounded(baseline) };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
