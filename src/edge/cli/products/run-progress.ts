// A run's progress on an interactive terminal: products, cells of retailers, rate, time left, tokens. One line states how
// long the rest takes, once enough is answered to estimate it; it is printed on stderr in any case.

import { SECOND_MS, type Clock } from '../../../base/clock.ts';
import { msForCalls, type CallAllowance } from '../../runs/call-allowance.ts';
import { CALLS_A_PRODUCT, spanText } from '../../runs/plan-run.ts';
import { groupSize, type RunState } from '../../runs/run-entries.ts';
import type { Io } from '../command.ts';
import { createProgress } from '../progress-bar.ts';

type RunProgress = {
  readonly at: (state: RunState) => void;
  readonly end: () => void;
};

/** Number of groups after the first used to measure how long one takes. */
const MEASURED_GROUPS = 2;

type ProgressParts = {
  readonly io: Io;
  readonly clock: Pick<Clock, 'now'>;
  /** Maximum calls admitted; null if unlimited. */
  readonly allowance: () => CallAllowance | null;
};

export function createRunProgress(
  { io, clock, allowance }: ProgressParts,
  products: number,
): RunProgress {
  const bar = createProgress(io, products);
  const startMs = clock.now();
  const enough = groupSize(products);
  let groupMs = startMs;
  let isAnnounced = products < enough * (MEASURED_GROUPS + 2);
  return {
    at({ known, answered, tokens, cells }) {
      const done = known + answered;
      const elapsedMs = clock.now() - startMs;
      const rate = answered === 0 ? 0 : answered / Math.max(1, elapsedMs);
      const letInMs = msForCalls((products - done) * CALLS_A_PRODUCT, allowance());
      const leftMs = rate === 0 ? null : Math.max((products - done) / rate, letInMs);
      const parts = [
        `${done} of ${products} products`,
        `${cells.done} of ${cells.all} cells`,
        ...(leftMs === null
          ? []
          : [`${(rate * SECOND_MS).toFixed(1)} a second`, `${spanText(leftMs)} left`]),
        ...(tokens === 0 ? [] : [`${tokens} tokens`]),
      ];
      bar.at(done, parts.join(', '));
      // The first group is not measured: in a continued run it is half done, and the retailers are still being asked for the
      // previous run.
      if (answered === enough) groupMs = clock.now();
      if (isAnnounced || answered < enough * (1 + MEASURED_GROUPS)) return;
      isAnnounced = true;
      const perMs = (enough * MEASURED_GROUPS) / Math.max(1, clock.now() - groupMs);
      const atPaceMs = (products - done) / perMs;
      bar.note(
        letInMs > atPaceMs
          ? `At the call rate allowed for the key, the rest takes about ${spanText(letInMs)}.`
          : `At ${(perMs * SECOND_MS).toFixed(1)} products per second, the rest takes about ${spanText(atPaceMs)}.`,
      );
    },
    end: () => bar.end(),
  };
}
