// The progress of a run on the terminal of a person: products, cells of retailers, rate, time left, tokens. Once, when enough is
// answered to say it, a line tells how long the rest takes, for every reader of stderr.

import { SECOND_MS, type Clock } from '../core/clock.ts';
import { spanText } from '../runs/plan-run.ts';
import { groupSize, type RunState } from '../runs/run-entries.ts';
import type { Io } from './command.ts';
import { createProgress } from './progress-bar.ts';

export type RunProgress = {
  readonly at: (state: RunState) => void;
  readonly end: () => void;
};

/** Groups after the first that say how long one takes. */
const MEASURED_GROUPS = 2;

export function createRunProgress(
  io: Io,
  clock: Pick<Clock, 'now'>,
  products: number,
): RunProgress {
  const bar = createProgress(io, products);
  const startMs = clock.now();
  const enough = groupSize(products);
  let groupMs = startMs;
  let isTold = products < enough * (MEASURED_GROUPS + 2);
  return {
    at({ known, answered, tokens, cells }) {
      const done = known + answered;
      const elapsedMs = clock.now() - startMs;
      const rate = answered === 0 ? 0 : answered / Math.max(1, elapsedMs);
      const leftMs = rate === 0 ? null : (products - done) / rate;
      const parts = [
        `${done} of ${products} products`,
        `${cells.done} of ${cells.all} cells`,
        ...(leftMs === null
          ? []
          : [`${(rate * SECOND_MS).toFixed(1)} a second`, `${spanText(leftMs)} left`]),
        ...(tokens === 0 ? [] : [`${tokens} tokens`]),
      ];
      bar.at(done, parts.join(', '));
      // The first group of a continued run is half done, and the retailers are still at work for the run before.
      if (answered === enough) groupMs = clock.now();
      if (isTold || answered < enough * (1 + MEASURED_GROUPS)) return;
      isTold = true;
      const perMs = (enough * MEASURED_GROUPS) / Math.max(1, clock.now() - groupMs);
      bar.note(
        `At ${(perMs * SECOND_MS).toFixed(1)} products a second the rest takes about ${spanText((products - done) / perMs)}.`,
      );
    },
    end: () => bar.end(),
  };
}
