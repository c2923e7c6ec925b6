// When a service collects garbage of its own accord, and that doing so gives memory back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { collectGarbage, collectWhenQuiet } from '../../../src/edge/wiring/quiet-collection.ts';

/** Runs the steps of 15 s, each with the processor time used in it. Returns the seconds after which it collected. */
async function collectedAt(usedMs: readonly number[]): Promise<readonly number[]> {
  const stop = new AbortController();
  const collected: number[] = [];
  let step = 0;
  let cpuMs = 1_000;
  await collectWhenQuiet(
    {
      clock: {
        sleep: async (ms) => {
          assert.equal(ms, 15_000);
          cpuMs += usedMs[step] ?? 0;
          step += 1;
          if (step === usedMs.length) stop.abort();
        },
      },
      cpuMs: () => cpuMs,
      collect: () => collected.push(step * 15),
    },
    stop.signal,
  );
  return collected;
}

test('garbage is collected once after each busy time, within a minute of quiet', async () => {
  const busy = 10_000;
  assert.deepEqual(await collectedAt([busy, 0, 0, 0, 0, 0, 0, 0]), [60]);
  assert.deepEqual(await collectedAt([0, 0, 0, 0, busy, 0, 0, busy, 1, 150, 0, 0]), [45, 165]);
  assert.deepEqual(await collectedAt([busy, 0, 0, busy, 0, 0, busy, 0, 0, busy]), []);
  assert.deepEqual(await collectedAt([151, 151, 151, 151, 151, 151]), []);
});

test('what is collected no longer belongs to the process', () => {
  const heap = () => process.memoryUsage().heapTotal;
  let garbage: unknown[] | null = Array.from({ length: 400_000 }, (_, at) => ({ at, of: [at] }));
  const [before, count] = [heap(), garbage.length];
  garbage = null;
  collectGarbage();
  assert.ok(heap() < before - count * 32, `${before} before, ${heap()} now`);
  assert.equal(globalThis.gc, undefined);
});
