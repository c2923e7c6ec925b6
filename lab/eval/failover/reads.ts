// What lab/eval/failover.ts records while the primary is killed: reads of products through the store, writes, and the
// length of the primary's log over time.

import { setTimeout as wait } from 'node:timers/promises';

import type { Store } from '../../../src/data/store.ts';
import { withClient } from '../../../tests/support/databases.ts';

type Reading = {
  /** When each answered read ended; on `performance`'s clock, like every time here. */
  readonly answeredMs: readonly number[];
  readonly failures: readonly string[];
};

const READERS = 4;

/** Reads stored products one after another, in four loops, until the signal. */
export async function readUntil(store: Store, stop: AbortSignal): Promise<Reading> {
  const [answeredMs, failures] = [[] as number[], [] as string[]];
  const read = async (): Promise<void> => {
    let after = '';
    while (!stop.aborted) {
      try {
        const listings = await store.listings.findSample(after, 5);
        after = listings.at(-1)?.id ?? '';
        answeredMs.push(performance.now());
      } catch (error) {
        failures.push(String(error));
      }
      await wait(2);
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  return { answeredMs, failures };
}

/** Records when each durable write ended. */
export async function writeUntil(store: Store, stop: AbortSignal): Promise<readonly number[]> {
  const durableMs: number[] = [];
  while (!stop.aborted) {
    if (await store.sql.probe()) durableMs.push(performance.now());
    await wait(20);
  }
  return durableMs;
}

/** Everything acknowledged before `atMs` is in the primary's log before `position`. */
type LogLength = { readonly atMs: number; readonly position: bigint };

/** Queries the primary until it is gone. */
export async function logUntilGone(url: string): Promise<readonly LogLength[]> {
  const lengths: LogLength[] = [];
  try {
    await withClient(url, async (client) => {
      client.on('error', () => undefined);
      for (;;) {
        const atMs = performance.now();
        const text = "select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text as at";
        const { rows } = await client.query<{ at: string }>(text);
        lengths.push({ atMs, position: BigInt(rows[0]?.at ?? '0') });
        await wait(1);
      }
    });
  } catch {
    return lengths;
  }
  return lengths;
}

/** Returns the longest interval between consecutive moments within a span, including its ends. */
export function longestGap(moments: readonly number[], fromMs: number, toMs: number): number {
  const within = moments.filter((each) => each > fromMs && each < toMs).toSorted((a, b) => a - b);
  const all = [fromMs, ...within, toMs];
  return Math.max(...all.slice(1).map((each, index) => each - (all[index] ?? each)));
}
