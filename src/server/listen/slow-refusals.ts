// Slows down the refusals of keys (401) that one address causes faster than people and programs do by mistake: trying keys then
// takes time, and costs the others little. A refusal only comes later; none becomes another answer (D15).

import { SECOND_MS } from '../../base/clock.ts';

/** Refusals of one address that are sent at once: as many at a time, and as many a second. */
const PER_SECOND = 20;
/** No refusal waits longer: each holds a connection. */
const LONGEST_MS = 5_000;
/** Addresses that are counted. Beyond them all others together are counted as one. */
const MOST_ADDRESSES = 10_000;
const ALL_OTHERS = 'others';

const EVERY_MS = SECOND_MS / PER_SECOND;

type SlowRefusalsParts = {
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
};

/**
 * Returns the function that counts a refusal of an address (as `addressGroup` returns it), and resolves when it may be sent. This
 * machine is never slowed down, nor is an address that is not known.
 */
export function createSlowRefusals({ nowMs, sleep }: SlowRefusalsParts) {
  /** When the next refusal of an address would be due if each took its share of a second. */
  const dueMs = new Map<string, number>();
  return async (address: string | null): Promise<void> => {
    if (address === null || isLoopback(address)) return;
    const now = nowMs();
    const counted = dueMs.has(address) || hasRoom(dueMs, now) ? address : ALL_OTHERS;
    const due = Math.max(now, dueMs.get(counted) ?? 0);
    dueMs.set(counted, Math.min(due + EVERY_MS, now + LONGEST_MS + SECOND_MS));
    const waitMs = due + EVERY_MS - SECOND_MS - now;
    if (waitMs > 0) await sleep(Math.min(waitMs, LONGEST_MS));
  };
}

function hasRoom(dueMs: Map<string, number>, now: number): boolean {
  if (dueMs.size < MOST_ADDRESSES) return true;
  for (const [address, due] of dueMs) if (due <= now) dueMs.delete(address);
  return dueMs.size < MOST_ADDRESSES;
}

/** Checks an address, or the network of an IPv6 address. */
function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '0:0:0:0';
}
