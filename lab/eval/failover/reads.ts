// What lab/eval/failover.ts notes while the primary is killed: reads of products through the store, writes, and how long
// the primary's log was when.

import { setTimeout as wait } from 'node:timers/promises';

import type { Store } from '../../../src/data/store.ts';
import { withClient } from '../../../tests/support/databases.ts';

export type Reading = {
  /** When each read ended that was answered; on `performance`'s clock, like every time here. */
  readonly answeredMs: readonly number[];
  readonly failures: readonly string[];
};

const READERS = 4;

/** Reads held products one after the other, in four loops, until the signal. */
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

/** When each write ended that was durable. */
export async function writeUntil(store: Store, stop: AbortSignal): Promise<readonly number[]> {
  const durableMs: number[] = [];
  while (!stop.aborted) {
    if (await store.sql.probe()) durableMs.push(performance.now());
    await wait(20);
  }
  return durableMs;
}

/** Everything acknowledged before `atMs` stands in the primary's log before `position`. */
export type LogLength = { readonly atMs: number; readonly position: bigint };

/** Asks the primary until it is gone. */
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

/** The longest time from one moment to the next, of those within a span and its ends. */
export function longestGap(moments: readonly number[], fromMs: number, toMs: number): number {
  const within = moments.filter((each) => each > fromMs && each < toMs).toSorted((a, b) => a - b);
  const all = [fromMs, ...within, toMs];
  return Math.max(...all.slice(1).map((each, index) => each - (all[index] ?? each)));
}
