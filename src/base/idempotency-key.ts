// The header that makes it safe to repeat a call, and for how long it does (D21).

import { DAY_MS } from './clock.ts';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** How long the same key stands for the same call. */
export const SAME_CALL_MS = DAY_MS;
