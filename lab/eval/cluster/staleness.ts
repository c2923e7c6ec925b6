// Measures how old a process's answer may be: a write is acknowledged by one process, and read from the others until they have
// it.

import { setTimeout as wait } from 'node:timers/promises';

import { generateKey } from '../../../src/data/metering/api-key.ts';
import type { Store } from '../../../src/data/store.ts';

/** Milliseconds from the acknowledgement to the start of the last call that did not reflect it; 0: all did. */
export type Samples = number[];

const FREE = '/v1/usage';
const LONGEST_MS = 10_000;

/** Revokes keys that every process knows, one after another, until the signal; one sample per process. */
export async function measureRevocations(
  store: Store,
  organizationId: string,
  urls: readonly string[],
  stop: AbortSignal,
): Promise<Samples> {
  const samples: Samples = [];
  while (!stop.aborted) {
    const { id, text, secretSha256 } = generateKey();
    const key = { id, organizationId, secretSha256, scopes: ['products:read'], note: null };
    await store.accounts.insertKey({ ...key, createdAtMs: Date.now(), expiresAtMs: null });
    const known = await Promise.all(urls.map((url) => statusAt(url, text)));
    await store.accounts.revokeKey(id, Date.now());
    const acknowledgedMs = Date.now();
    const asked = urls.filter((_, index) => known[index] === 200);
    const all = await Promise.all(asked.map((url) => untilRefused(url, text, acknowledgedMs)));
    samples.push(...all.flatMap((each) => (each === null ? [] : [each])));
    await wait(50);
  }
  return samples;
}

/** Returns null if the process was killed meanwhile. */
async function untilRefused(url: string, key: string, sinceMs: number): Promise<number | null> {
  let stale = 0;
  for (;;) {
    const beganMs = Date.now();
    const status = await statusAt(url, key);
    if (status === 401) return stale;
    if (status !== 200) return null;
    stale = Math.max(1, beganMs - sinceMs);
    if (stale > LONGEST_MS) return stale;
    await wait(5);
  }
}

async function statusAt(url: string, key: string): Promise<number | null> {
  try {
    const response = await fetch(`${url}${FREE}`, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}
