// One metered call around what a route does: what is held costs one debit, what must be fetched is reserved
// first. Knows no route.

import { describeError } from '../log.ts';
import type { Call, Caller, Charged } from '../metering/metering.ts';
import type { HttpParts } from './context.ts';

export type MeteredWork<T> = {
  readonly tokens: number;
  /** The answer from what is held; null: something must be fetched. */
  readonly held: () => Promise<T | null>;
  /** Within the deadline of a lookup (D37). */
  readonly fetched: (signal: AbortSignal) => Promise<T>;
};

/**
 * What is held costs one debit; what must be fetched is reserved first, so that a caller without tokens
 * starts no fetch, and settled or released with the outcome. The debit is durable before the answer.
 */
export async function metered<T>(
  parts: HttpParts,
  caller: Caller,
  call: Call,
  { tokens, held, fetched }: MeteredWork<T>,
): Promise<{ readonly value: T; readonly charged: Charged }> {
  const inHand = await held();
  if (inHand !== null) {
    return { value: inHand, charged: await parts.metering.charge(caller, { ...call, tokens }) };
  }
  const reservation = await parts.metering.reserve(caller, { ...call, maxTokens: tokens });
  try {
    const value = await fetched(parts.lookupDeadline());
    return { value, charged: await reservation.settle(tokens) };
  } catch (error) {
    // When even this fails, the lease gives the tokens back; the caller still learns what went wrong first.
    await reservation.release().catch((failure: unknown) => {
      parts.log.error('release of a reservation', { error: describeError(failure) });
    });
    throw error;
  }
}
