// The answer to one line of a batch, before it is combined with the line.

import type { Fault } from '../../base/fault.ts';
import type { Charged } from '../../data/metering/metering.ts';
import { presentProblem } from '../../answer/wire/present-problem.ts';
import { FAULT_STATUS } from '../problems/fault-status.ts';

export type LineAnswer = {
  readonly status: number;
  readonly isReplayed: boolean;
  readonly retryAfterSeconds: number | null;
  /** The problem as JSON text; null if there is a product. */
  readonly problem: string | null;
  /** The record without its token fields and its last brace, in UTF-8; null if there is a problem. */
  readonly product: Buffer | null;
  readonly tokensConsumed: number;
  readonly tokensRemaining: number;
};

/**
 * Builds the answer of a line with a product. `product` is the record's text without its token fields and its last brace.
 */
export function productLine(product: Buffer, charged: Charged, isReplayed: boolean): LineAnswer {
  const { consumed: tokensConsumed, remaining: tokensRemaining } = charged;
  return {
    status: 200,
    isReplayed,
    retryAfterSeconds: null,
    problem: null,
    product,
    tokensConsumed,
    tokensRemaining,
  };
}

/** Builds the answer of a line with a problem. `tokensRemaining` is null if it is not known. */
export function problemAnswer(
  fault: Fault,
  requestId: string,
  tokensRemaining: number | null,
): LineAnswer {
  const status = FAULT_STATUS[fault.code];
  const { retryAfterSeconds } = fault;
  return {
    status,
    isReplayed: false,
    retryAfterSeconds:
      retryAfterSeconds === undefined ? null : Math.max(1, Math.ceil(retryAfterSeconds)),
    problem: JSON.stringify(presentProblem(fault, { status, requestId, tokensRemaining })),
    product: null,
    tokensConsumed: 0,
    tokensRemaining: tokensRemaining ?? 0,
  };
}
