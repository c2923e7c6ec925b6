// What goes wrong, by the code that the service gives it.

import type { components } from './schema.ts';

export type Problem = components['schemas']['Problem'];
export type ProblemCode = Problem['code'];

/** An answer that is not a 2xx. */
export class OpenshelfError extends Error {
  override readonly name = 'OpenshelfError';
  readonly status: number;
  /** Null where the answer has no problem body: to `HEAD`, or from something between here and the service. */
  readonly problem: Problem | null;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, problem: Problem | null, retryAfterSeconds: number | null) {
    super(problem?.detail ?? `The service answered ${status} without saying why.`);
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Stable: branch on it. */
  get code(): ProblemCode | null {
    return this.problem?.code ?? null;
  }
}

/** Whether something that was caught is an error of one of these codes. */
export function hasCode(error: unknown, ...codes: readonly ProblemCode[]): error is OpenshelfError {
  return error instanceof OpenshelfError && error.code !== null && codes.includes(error.code);
}

/** A call was not made: the most that it can cost is more than what is left of the client's own budget. */
export class TokenBudgetSpent extends Error {
  override readonly name = 'TokenBudgetSpent';
  readonly left: number;
  readonly needed: number;

  constructor(left: number, needed: number) {
    super(
      `The call can cost ${needed} tokens, but only ${left} of the token budget are left. It was not sent.`,
    );
    this.left = left;
    this.needed = needed;
  }
}

/** The problem of a response that is not a 2xx; its body is read. */
export async function errorOf(response: Response): Promise<OpenshelfError> {
  return new OpenshelfError(response.status, await problemOf(response), retryAfterOf(response));
}

async function problemOf(response: Response): Promise<Problem | null> {
  if (!isProblem(response)) return null;
  try {
    return (await response.json()) as Problem;
  } catch {
    return null;
  }
}

/** Whether the service itself says what went wrong, and not something between here and there. */
export function isProblem({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/problem+json') === true;
}

/** Null: the header is missing, or not a number of seconds. */
export function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
