// The problems that a proof found: counted, with the first few in words.

import type { ProofResult } from './proof.ts';

export type Problems = {
  readonly note: (problem: string) => void;
  /** Records the problem unless the condition holds. */
  readonly check: (holds: boolean, problem: string) => void;
  readonly count: () => number;
  /** The figures, followed by the problems. */
  readonly result: (figures: readonly string[]) => ProofResult;
};

const SHOWN = 5;

export function createProblems(): Problems {
  const first: string[] = [];
  let count = 0;
  const note = (problem: string): void => {
    count += 1;
    if (first.length < SHOWN) first.push(problem);
  };
  return {
    note,
    check: (holds, problem) => {
      if (!holds) note(problem);
    },
    count: () => count,
    result: (figures) => ({
      holds: count === 0,
      figures: [...figures, ...(count === 0 ? [] : [`${count} problems`]), ...first],
    }),
  };
}
