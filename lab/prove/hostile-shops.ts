// Promise 2: hostile shops cannot hurt the process. Described and generated cases go through the fetcher and the reading
// threads as in the service: each has an acceptable outcome, and the serving thread is never blocked.

import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { createByteBudget } from '../../src/base/byte-budget.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import { parseOrigins } from '../../src/egress/origins.ts';
import { createReaderPool, type ReaderPool } from '../../src/read/threads/reader-pool.ts';
import { contextOf } from '../../tests/support/contexts.ts';
import {
  OUTCOMES,
  meets,
  runHostileCase,
  type HostileCase,
} from '../../tests/support/hostile-shop.ts';
import { readJsonLines } from '../../tests/support/vector-cases.ts';
import { proveHeavyShops } from './heavy-shops.ts';
import type { Proof, ProofResult } from './proof.ts';
import { stallsBeyond, watchStalls, type Stall } from './stalls.ts';

const SEED = 13;
const AT_ONCE = 8;
const MAX_STALL_MS = 100;
const MAX_EXTRA_MB = 100;
const WARM_ANSWERS = 100;

const OWN_CASES = join(import.meta.dirname, '../../tests/vectors/hostile.jsonl');

type Say = (line: string) => void;

/** Cases in the form of tests/vectors/hostile.jsonl. The short form skips the slow ones: they only wait. */
async function proveHostileCases(
  cases: readonly HostileCase[],
  { isLong, say }: { readonly isLong: boolean; readonly say: Say },
): Promise<ProofResult> {
  const readers = createReaderPool({ deadlineMs: 60_000 });
  const chosen = cases.filter((one) => isLong || one.class !== 'slow');
  let wrong = 0;
  try {
    await warm(readers);
    for (const one of chosen) {
      for (const robots of isLong ? (['absent', 'hostile'] as const) : (['absent'] as const)) {
        const run = await runHostileCase(one, readers, robots);
        if (meets(one, run)) continue;
        wrong += 1;
        say(`${one.id} (${one.why}): ${run.outcome}, not ${one.must}; ${run.cpuMs} ms, ${run.why}`);
      }
    }
  } finally {
    await readers.close();
  }
  return { holds: wrong === 0, figures: [`${chosen.length} described shops: ${wrong} wrong`] };
}

/** Answers of the grammar, eight at a time. */
async function proveGenerated(count: number, seed: number, say: Say): Promise<ProofResult> {
  const shop = await childOf('shop', seed);
  const sibling = await idleThread();
  const judge = judgeOf(await childOf('judge', seed));
  const budget = createByteBudget(32 * 1024 * 1024);
  const readers = createReaderPool({ budget });
  const { origins } = parseOrigins(
    `https://shop.example.com=http://127.0.0.1:${Number(shop.said)}`,
  );
  const fetcher = createFetcher({ clock: systemClock, version: '0', origins, budget });
  await warm(readers);
  const own = watchStalls();
  let wrong = 0;
  // Measured on a warm service: the first answers grow the reading thread's heap and compile its code.
  let before = 0;
  let highest = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      const judged = judge.of(number);
      const context = contextOf(AbortSignal.timeout(15_000), ORGANIZATION);
      const url = `https://shop.example.com/p/${number}`;
      const fetched = await fetcher({ url, accept: 'html' }, context);
      const result = fetched.ok
        ? await readers.answer(fetched.page, 'product', undefined, context)
        : fetched.failure;
      const outcome = OUTCOMES[result?.kind ?? 'unreadable'];
      const { what, must } = await judged;
      const rss = process.memoryUsage.rss();
      if (number < WARM_ANSWERS) before = Math.max(before, rss);
      highest = Math.max(highest, rss);
      if (must.includes(outcome)) continue;
      wrong += 1;
      const why = result !== null && 'detail' in result ? result.detail : '';
      say(`${number} ${what}: ${outcome} ${why}, not ${must.join(' or ')}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const stalls = stallsBeyond(own.stop(), await stallsOf(sibling), MAX_STALL_MS);
  await readers.close();
  shop.process.kill();
  judge.process.kill();
  await sibling.terminate();
  const extraMb = Math.round((highest - before) / 1_048_576);
  for (const { ms, cpuMs } of stalls) {
    say(
      `the serving thread was held up for ${Math.round(ms)} ms, ${Math.round(cpuMs)} of them working`,
    );
  }
  return {
    holds: wrong === 0 && stalls.length === 0 && extraMb <= MAX_EXTRA_MB,
    figures: [
      `${count} generated shops (seed ${seed}): ${wrong} wrong, 0 crashes, memory +${extraMb} MB`,
      `${stalls.length} stalls over ${MAX_STALL_MS} ms beyond those of an idle thread`,
    ],
  };
}

const ORGANIZATION = { kind: 'caller', organization: 'one' } as const;
type Child = { readonly process: ChildProcess; readonly said: unknown };

function childOf(role: 'shop' | 'judge', seed: number): Promise<Child> {
  const program = new URL('./hostile-shop-process.ts', import.meta.url);
  const child = fork(program, [role, String(seed)]);
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('message', (said) => resolve({ process: child, said }));
  });
}

type Judged = { readonly number: number; readonly what: string; readonly must: readonly string[] };

function judgeOf({ process: child }: Child) {
  const waiting = new Map<number, (judged: Judged) => void>();
  child.on('message', (judged: Judged) => {
    waiting.get(judged.number)?.(judged);
    waiting.delete(judged.number);
  });
  const of = (number: number): Promise<Judged> =>
    new Promise((resolve) => {
      waiting.set(number, resolve);
      child.send(number);
    });
  return { process: child, of };
}

function idleThread(): Promise<Worker> {
  const worker = new Worker(new URL('./idle-thread.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    worker.once('error', reject).once('message', () => resolve(worker));
  });
}

function stallsOf(worker: Worker): Promise<readonly Stall[]> {
  return new Promise((resolve) => {
    worker.once('message', resolve).postMessage('stop');
  });
}

/** The first page waits until the thread has loaded its readers, which is not part of a case's cost. */
async function warm(readers: ReaderPool): Promise<void> {
  const url = 'https://shop.example.com/';
  const page = { requestedUrl: url, url, status: 200, headers: {}, fetchedAtMs: 0 };
  await readers.shop({ ...page, body: new Uint8Array() });
}

/** Cases from a folder in addition to the project's own, if the runner was given one. */
function furtherCases(how: { readonly vectors: string | null }): readonly HostileCase[] {
  const folder = how.vectors;
  const file = folder === null ? null : join(folder, 'hostile-upstream.jsonl');
  return file === null || !existsSync(file) ? [] : readJsonLines<HostileCase>(file);
}

export const hostileShops: Proof = {
  name: 'hostile-shops',
  promise: 2,
  says: 'Hostile shops cannot hurt the process.',
  run: async (how) => {
    const cases = [...readJsonLines<HostileCase>(OWN_CASES), ...furtherCases(how)];
    const described = await proveHostileCases(cases, how);
    const generated = await proveGenerated(how.isLong ? 10_000 : 300, SEED, how.say);
    const heavy = await proveHeavyShops(how.isLong, how.say);
    return {
      holds: described.holds && generated.holds && heavy.holds,
      figures: [...described.figures, ...generated.figures, ...heavy.figures],
    };
  },
};
