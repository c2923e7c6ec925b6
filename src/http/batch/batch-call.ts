// What the lines of one batch share: what answers them, whose they are, and their part of the service's room.

import { SECOND_MS, type Clock } from '../../core/clock.ts';
import { FaultError, type Fault } from '../../core/fault.ts';
import type { Caller, Metering } from '../../metering/metering.ts';
import type { ServiceMetrics } from '../../metrics/service-metrics.ts';
import type { Work } from '../admission/admission.ts';
import type { BillingParts } from '../bill.ts';
import type { PreparedAnswers } from '../short/prepared-answers.ts';
import type { ProductCallParts } from '../product-call.ts';
import { OVERLOADED } from '../refusal.ts';
import type { Turns } from './turns.ts';

export type AnswerParts = ProductCallParts & {
  readonly metering: Pick<Metering, 'requireScope' | 'remaining'>;
  readonly billing: BillingParts;
  /** Null: no answer is given again. */
  readonly prepared: PreparedAnswers | null;
  readonly preparedAnswered: ServiceMetrics['preparedAnswered'];
  /** For spans of time. */
  readonly clock: Clock;
  readonly newId: () => string;
  /** The service takes no new calls. */
  readonly isStopping: () => boolean;
};

/** The batch that a line belongs to. */
export type BatchCall = {
  /** Who sent it. */
  readonly caller: Caller;
  /**
   * The same as the key and the limits stand at the moment: a batch takes longer than they may change. FaultError
   * invalid_api_key.
   */
  readonly callerNow: () => Promise<Caller>;
  readonly requestId: string;
  /** The caller's key for the whole batch; null: none. */
  readonly idempotencyKey: string | null;
  /** Aborts when nobody waits for the answers any more. */
  readonly signal: AbortSignal;
  /** A share of what the service works on at once; else the seconds after which to ask again. */
  readonly admit: () => Promise<Work | { readonly retryAfterSeconds: number }>;
  /** Of the lines that ask shops. */
  readonly fetchTurns: Turns;
};

/** Times that a batch asks an overloaded service for room. */
const ATTEMPTS = 3;

/**
 * Room for a part of the batch, once there is some. FaultError overloaded when there is none for long, or the service is being
 * stopped. Rejects when the batch is given up.
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
    'The service is being stopped. This line was not looked up and is not billed. Send it again.',
  retryAfterSeconds: 1,
};
