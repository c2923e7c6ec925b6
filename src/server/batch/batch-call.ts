// The context shared by the lines of one batch: the parts that answer them, the caller, and the batch's share of the
// service's capacity.

import { SECOND_MS, type Clock } from '../../base/clock.ts';
import { FaultError, type Fault, OVERLOADED } from '../../base/fault.ts';
import type { Caller, Metering } from '../../data/metering/metering.ts';
import type { AnswerCache } from '../../answer/lookup/cache/answer-cache.ts';
import type { ServiceMetrics } from '../../answer/metrics/service-metrics.ts';
import type { Work } from '../listen/admission.ts';
import type { BillingParts } from '../bill.ts';
import type { ProductCallParts } from '../product-call.ts';
import type { Turns } from './turns.ts';

export type AnswerParts = ProductCallParts & {
  readonly metering: Pick<Metering, 'requireScope' | 'remaining'>;
  readonly billing: BillingParts;
  /** Null if answers are not reused. */
  readonly cache: AnswerCache | null;
  readonly metrics: Pick<ServiceMetrics, 'cachedAnswered'>;
  /** The clock for durations. */
  readonly clock: Clock;
  readonly newId: () => string;
  /** Whether the service accepts no new calls. */
  readonly isStopping: () => boolean;
};

/** The batch that a line belongs to. */
export type BatchCall = {
  /** Who sent it. */
  readonly caller: Caller;
  /**
   * Reads the caller again, with the present key and limits: they may change while a batch runs. FaultError
   * invalid_api_key.
   */
  readonly callerNow: () => Promise<Caller>;
  readonly requestId: string;
  /** The Idempotency-Key of the whole batch; null without one. */
  readonly idempotencyKey: string | null;
  /** Aborts when nobody waits for the answers any more. */
  readonly signal: AbortSignal;
  /** Requests a share of the service's concurrent work. If there is none, resolves to the seconds after which to retry. */
  readonly admit: () => Promise<Work | { readonly retryAfterSeconds: number }>;
  /** Turns of the lines that ask shops. */
  readonly fetchTurns: Turns;
};

/** How often a batch requests room from an overloaded service. */
const ATTEMPTS = 3;

/**
 * Waits until there is room for a part of the batch. FaultError overloaded if there is none for long, or the service is
 * stopping. Rejects if the batch is cancelled.
 */
export async function roomFor(
  { clock, isStopping }: Pick<AnswerParts, 'clock' | 'isStopping'>,
  { admit, signal }: Pick<BatchCall, 'admit' | 'signal'>,
): Promise<Work> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    if (isStopping()) throw new FaultError(STOPPING);
    const work = await admit();
    if ('ends' in work) return work;
    if (attempt === ATTEMPTS) throw new FaultError({ ...OVERLOADED, ...work });
    await clock.sleep(work.retryAfterSeconds * SECOND_MS, signal);
  }
}

const STOPPING: Fault = {
  code: 'overloaded',
  detail:
    'The service is shutting down. This line was not looked up and is not billed. Send it again.',
  retryAfterSeconds: 1,
};
