// Whether a batch waits for callers who have just been answered: they often call again at once, and then share its commit. It
// pays where the last commit was held up by something else than this process: a slow disk, or other processes that charge
// the same organization, whose balance is locked from the first statement to the commit.

import type { EventLoop } from './meter.ts';

/** A last batch that took longer than `fromMs` is reason to wait for at most this part of that time. */
type Reason = { readonly fromMs: number; readonly part: number };

/** Of any store: a commit that takes this long is not the loop's doing, unless it had the processor itself. */
const HELD_UP: Reason = { fromMs: 15, part: 4 };
/**
 * Where processes share a balance each waits for the others' commits long before that. One process alone would wait in vain: it is
 * tried whether callers come.
 */
const SHARED: Reason = { fromMs: 2, part: 2 };
/** So many batches are not waited for after one for which less than half of those answered came again. */
const BATCHES_WITHOUT = 16;

export type Gathering = {
  /** To be asked once a batch, which is long since the one before: so long it waits (ms). Null: it does not. */
  mostMs(tookMs: number): number | null;
  /** Until all who were answered have come again, or the time is over. */
  gather(line: readonly unknown[], answered: number, mostMs: number): Promise<void>;
};

/** `isShared`: other processes may charge the same organizations. */
export function createGathering(loop: EventLoop, isShared: boolean, mostCalls: number): Gathering {
  let without = 0;
  return {
    mostMs: (tookMs) => {
      if (without > 0) without -= 1;
      if (loop.hasProcessor()) return null;
      if (tookMs > HELD_UP.fromMs) return tookMs / HELD_UP.part;
      return isShared && without === 0 && tookMs > SHARED.fromMs ? tookMs / SHARED.part : null;
    },
    gather: async (line, answered, mostMs) => {
      const before = line.length;
      const untilMs = loop.nowMs() + mostMs;
      const all = Math.min(before + answered, mostCalls);
      while (line.length < all && loop.nowMs() < untilMs) await loop.pause(1);
      if (line.length - before < answered / 2) without = BATCHES_WITHOUT;
    },
  };
}
