// Estimates the requests and the cost of a run before anything is requested.

import { ADD_ON_TOKENS, BASE_TOKENS } from '../../base/call-cost.ts';
import { SECOND_MS } from '../../base/clock.ts';
import type { Journal } from './journal.ts';
import type { ReadEntry } from './read-entries.ts';

export type RunPlan = {
  readonly rows: number;
  /** Products to look up, each once. */
  readonly wanted: number;
  /** Rows whose product is also named in an earlier or later row. */
  readonly repeated: number;
  readonly repaired: number;
  /** Rows that name nothing that can be looked up. */
  readonly invalid: number;
  readonly unread: number;
  /** Rows whose cost is not used, and the first of them in words. */
  readonly withoutCost: number;
  readonly costProblems: readonly string[];
  /** Products already answered by an earlier run of the same command. */
  readonly answered: number;
};

/**
 * The first call makes the service ask the retailers, the second one gets their answers. Two calls cost less than
 * requesting everything twice, and always the same.
 */
export const FIRST_CALL_TOKENS = BASE_TOKENS.product;
export const SECOND_CALL_TOKENS = BASE_TOKENS.product + ADD_ON_TOKENS.includeCrossRetailer;
/** Calls for each product if a service is used. */
export const CALLS_A_PRODUCT = 2;
/** Returns the maximum second calls of a run that may be made before every retailer was asked, and are then repeated. */
export function mostEarlyCalls({ wanted }: Pick<RunPlan, 'wanted'>): number {
  return Math.max(20, Math.ceil(wanted / 10));
}

/** Rows that are named one by one. */
const MOST_NAMED = 5;

/** Counts the work of a run, without doing it. */
export async function planRun(
  entries: AsyncIterable<ReadEntry>,
  journal: Pick<Journal, 'stateOf'> | null,
): Promise<RunPlan> {
  const seen = new Set<string>();
  const costProblems: string[] = [];
  const plan = {
    rows: 0,
    wanted: 0,
    repeated: 0,
    repaired: 0,
    invalid: 0,
    unread: 0,
    withoutCost: 0,
    answered: 0,
  };
  for await (const { line, wanted, note, problem, costProblem } of entries) {
    plan.rows += 1;
    if (costProblem !== null) {
      plan.withoutCost += 1;
      if (costProblems.length < MOST_NAMED) costProblems.push(`line ${line}: ${costProblem}`);
    }
    if (problem !== null) plan[problem.status] += 1;
    if (wanted === null) continue;
    if (note !== null) plan.repaired += 1;
    if (seen.has(wanted)) plan.repeated += 1;
    else {
      seen.add(wanted);
      plan.wanted += 1;
      if (journal?.stateOf(wanted) === 'answered') plan.answered += 1;
    }
  }
  return { ...plan, costProblems };
}

/** Returns the tokens if every product is found; a product that is not found costs nothing. */
export function tokensOfRun({ wanted }: Pick<RunPlan, 'wanted'>): number {
  return wanted * (FIRST_CALL_TOKENS + SECOND_CALL_TOKENS);
}

/** Requests that one product causes at one retailer: a search for its barcode, and the page that it finds. */
const REQUESTS_PER_RETAILER = 2;

/** Returns the milliseconds at each retailer's pace, with all of them working in parallel; 0 without pacing. */
export function paceMs(
  { wanted, answered }: Pick<RunPlan, 'wanted' | 'answered'>,
  intervalMs: number,
): number {
  return (wanted - answered) * REQUESTS_PER_RETAILER * intervalMs;
}

/** `45 s`, `12 min`, `3 h 20 min`. */
export function spanText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / SECOND_MS));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
