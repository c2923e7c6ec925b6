// Decides whether a batch waits for callers who have just been answered: they often call again at once, and then share its
// commit. Waiting pays off if the last commit was slowed down by something outside this process: a slow disk, or other
// processes that charge the same organization, whose balance is locked from the first statement to the commit.

import type { EventLoop } from './meter.ts';

/** If the last batch took longer than `fromMs`, the next one waits at most that time divided by `part`. */
type Reason = { readonly fromMs: number; readonly part: number };

/**
 * For any store: a commit that takes this long was not slowed down by the event loop, unless the loop had the processor itself.
 */
const HELD_UP: Reason = { fromMs: 15, part: 4 };
/**
 * For processes that share a balance: they wait for each other's commits much earlier than that. If this process is the
 * only one, waiting gains nothing, so a batch tries it and checks whether callers come.
 */
const SHARED: Reason = { fromMs: 2, part: 2 };
/** After a wait in which less than half of those answered came again, this many batches do not wait. */
const BATCHES_WITHOUT = 16;

type Gathering = {
  /**
   * Returns the milliseconds that the next batch waits; null if it does not. Call it once per batch. `tookMs` is the
   * duration of the previous batch.
   */
  mostMs(tookMs: number): number | null;
  /** Waits until all answered callers have called again, or the time is over. */
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
