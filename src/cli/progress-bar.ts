// The bar that a person sees while something long runs, on standard error; nobody else sees anything (D52).

import type { Io } from './command.ts';

const WIDTH = 30;

export type Progress = {
  /** How much is done, and what to say beside the bar. Draws only when something changed. */
  at(done: number, told: string): void;
  /** A line of its own above the bar. */
  note(line: string): void;
  /** Wipes the bar out. */
  end(): void;
};

/** `total` in whatever unit `at` counts; 0 is all of nothing. */
export function createProgress(io: Io, total: number): Progress {
  let drawn: string | null = null;
  const draw = (line: string | null) => {
    if (line !== drawn) io.status?.(line);
    drawn = line;
  };
  return {
    at: (done, told) => draw(barText(done, total, told)),
    note(line) {
      const bar = drawn;
      draw(null);
      io.err(line);
      draw(bar);
    },
    end: () => draw(null),
  };
}

/** `[######------------------------]  20%  told` */
export function barText(done: number, total: number, told: string): string {
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const filled = Math.floor(share * WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${percent}%  ${told}`;
}
