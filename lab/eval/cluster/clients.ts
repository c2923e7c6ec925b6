// Callers of several processes: each asks one thing after the other, with a key of its own, any process that comes to
// hand. A call that was cut is repeated when it has an Idempotency-Key, and noted as cut when it has none.

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
  /** Of its first attempt and of its end: nothing else is done with the caller's key meanwhile. */
  readonly beganMs: number;
  readonly endedMs: number;
  /** Null: cut, and not to be repeated. */
  readonly status: number | null;
  readonly body: Body;
  readonly isReplayed: boolean;
  /** How often it was cut. */
  readonly cuts: number;
  /** The process that answered. */
  readonly at: string;
};

/** The idempotency record of a process that died is given up after 20 s. */
const GIVEN_UP_MS = 120_000;

/** `urlsOf`: processes to try, best first. */
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
        // The next call of this caller begins in another millisecond: the ledger is read by them.
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
