// A refused call counts in its organization's throttle, like an answered one (D20): otherwise a client that repeats a mistake
// could take any share of the service. It is counted once, wherever the mistake is found.

import { FaultError, type Fault } from '../base/fault.ts';
import type { Caller, Metering } from '../data/metering/metering.ts';
import { authenticated, type Call } from './call.ts';
import { FAULT_STATUS } from './problems/fault-status.ts';

export type RefusedCallParts = {
  readonly metering: Pick<Metering, 'authenticate' | 'charge' | 'remaining'>;
};

/**
 * Checks whether a fault is about the caller's input. A wrong key is always 401 (D15), a limit that refuses consumes nothing,
 * a transient fault is to be retried, and nobody is charged for a failure of the service.
 */
function isRefusal({ code, retryAfterSeconds }: Fault): boolean {
  const status = FAULT_STATUS[code];
  return status < 500 && status !== 401 && status !== 429 && retryAfterSeconds === undefined;
}

/** Counts a caller's refused call. FaultError throttled: the throttle refuses it. */
export async function countRefused(
  { charge }: Pick<Metering, 'charge'>,
  caller: Caller,
  requestId: string,
) {
  return await charge(caller, { requestId, route: 'refused', tokens: 0 });
}

/**
 * Does the work and counts it as a refused call if it throws a fault that `isCounted`. Throws that fault, or the one of the
 * throttle.
 */
export async function countedIfRefused<T>(
  work: () => T | Promise<T>,
  count: () => Promise<unknown>,
  isCounted: (fault: Fault) => boolean = isRefusal,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FaultError && isCounted(error.fault)) await count();
    throw error;
  }
}

/** The fault to answer with, and the caller's remaining tokens; null if the caller is not known. */
type CountedFault = { readonly fault: Fault; readonly tokensRemaining: number | null };

/**
 * Counts the call if it is a refusal that was not counted yet. If the throttle refuses it, the fault is the one of the
 * throttle.
 */
export async function countedFault(
  fault: Fault,
  call: Call,
  { metering }: RefusedCallParts,
): Promise<CountedFault> {
  // This includes calls that were refused before their key was checked, because of an unknown route or their size.
  const caller = await authenticated(call, metering).catch(() => null);
  if (caller === null) return { fault, tokensRemaining: null };
  if (call.isCounted || !isRefusal(fault)) {
    return { fault, tokensRemaining: await remainingOf(metering, caller) };
  }
  call.isCounted = true;
  try {
    const { rateLimit, remaining } = await countRefused(metering, caller, call.callId);
    call.rateLimit = rateLimit;
    return { fault, tokensRemaining: remaining };
  } catch (error) {
    // If the store does not answer, the answer still says what is wrong with the call.
    const isThrottled = error instanceof FaultError && error.fault.code === 'throttled';
    const refused = isThrottled ? error.fault : fault;
    return { fault: refused, tokensRemaining: await remainingOf(metering, caller) };
  }
}

/** D16: `tokens_remaining` of an error body. Null when the store does not answer. */
async function remainingOf(
  metering: Pick<Metering, 'remaining'>,
  caller: Caller,
): Promise<number | null> {
  return await metering.remaining(caller).catch(() => null);
}
