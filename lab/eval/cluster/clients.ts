// Callers of several processes: each makes one request after another, with a key of its own, to any available process. A
// call that was cut off is repeated if it has an Idempotency-Key, otherwise recorded as cut off.

import { setTimeout as wait } from 'node:timers/promises';

import type { Body } from './bodies.ts';

export type Caller = { readonly keyId: string; readonly key: string };

export type Ask = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Its Idempotency-Key. */
  readonly once: string | null;
};

export type Answered = Ask & {
  readonly keyId: string;
  /** The start of its first attempt, and its end: the caller's key is used for nothing else in between. */
  readonly beganMs: number;
  readonly endedMs: number;
  /** Null: cut off, and not repeatable. */
  readonly status: number | null;
  readonly body: Body;
  readonly isReplayed: boolean;
  /** How often it was cut off. */
  readonly cuts: number;
  /** The process that answered. */
  readonly at: string;
};

/** The idempotency record of a dead process is abandoned after 20 s. */
const GIVEN_UP_MS = 120_000;

/** Makes a call. `urlsOf`: processes to try, best first. */
export async function perform(
  { key, keyId }: Caller,
  ask: Ask,
  urlsOf: () => readonly string[],
): Promise<Answered> {
  const beganMs = Date.now();
  const ended = (rest: Pick<Answered, 'status' | 'body' | 'isReplayed' | 'at'>, cuts: number) => ({
    ...ask,
    ...rest,
    keyId,
    beganMs,
    endedMs: Date.now(),
    cuts,
  });
  const headers = {
    authorization: `Bearer ${key}`,
    ...(ask.once === null ? {} : { 'idempotency-key': ask.once }),
  };
  for (let cuts = 0; ;) {
    const [at = ''] = urlsOf();
    try {
      const response = await fetch(`${at}${ask.path}`, { method: ask.method, headers });
      const body = (await response.json()) as Body;
      const { status } = response;
      const isRunning = status === 409 && ask.once !== null;
      if (!isRunning || Date.now() - beganMs > GIVEN_UP_MS) {
        const isReplayed = response.headers.get('idempotency-replayed') !== null;
        // This caller's next call begins in another millisecond: ledger rows are matched by millisecond.
        const result = ended({ status, body, isReplayed, at }, cuts);
        await wait(2);
        return result;
      }
      await wait(1_000);
    } catch {
      cuts += 1;
      if (ask.once === null || Date.now() - beganMs > GIVEN_UP_MS) {
        const result = ended({ status: null, body: {}, isReplayed: false, at }, cuts);
        await wait(20);
        return result;
      }
      await wait(50);
    }
  }
}
