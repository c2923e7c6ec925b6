// A progress bar on an interactive terminal. If standard error is not a terminal, nothing is drawn (D52).

import type { Io } from './command.ts';

const WIDTH = 30;

type Progress = {
  /** Shows the progress, and a text next to the bar. Draws only if something changed. */
  at(done: number, text: string): void;
  /** Writes a separate line above the bar. */
  note(line: string): void;
  /** Removes the bar. */
  end(): void;
};

/** `total` is in the same unit as in `at`; a total of 0 is complete. */
export function createProgress(io: Io, total: number): Progress {
  let drawn: string | null = null;
  const draw = (line: string | null) => {
    if (line !== drawn) io.status?.(line);
    drawn = line;
  };
  return {
    at: (done, text) => draw(barText(done, total, text)),
    note(line) {
      const bar = drawn;
      draw(null);
      io.err(line);
      draw(bar);
    },
    end: () => draw(null),
  };
}

/** `[######------------------------]  20%  text` */
export function barText(done: number, total: number, text: string): string {
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const filled = Math.floor(share * WIDTH);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${percent}%  ${text}`;
}
