// Measures the memory that cached answers take. One service is asked for many products of a filled store until their answers
// are cached; then the size of the process is measured, without forcing garbage collection first.

import { join } from 'node:path';

import { HOUR_MS } from '../../src/base/clock.ts';
import { loadRound, startLoad } from './children.ts';
import { CONNECTIONS, openStage } from './lookup-stage.ts';
import { figureOf, type Figure } from './measurement.ts';
import { barcodeOf } from './size-data.ts';
import { fill } from './size-load.ts';

const SEED = 68;
/** The goal's limit: this multiple of the answers' bytes, plus this much for the process that caches them. */
const TIMES = 1.3;
const PROCESS_BYTES = 200_000_000;
/** Requested three times in a row, because a service does not cache what was requested once. */
const AT_A_TIME = 1_000;
const ASKED_BEFORE = 3;
const DEADLINE_MS = 600_000;

/**
 * Requested in a separate process beforehand: the first process after a change strips the types of the changed files, which
 * leaves it some 25 MB larger than any later one. The published package has nothing to strip.
 */
const ASKED_TO_COMPILE = 100;
/** The number of answers used for the mean length. */
const SAMPLE = 20;

export async function benchMemory({
  answers,
}: {
  readonly answers: number;
}): Promise<readonly Figure[]> {
  await sizeWith(ASKED_TO_COMPILE);
  const { size, bytes } = await sizeWith(answers);
  const megabytes = Math.round(bytes / 1e6);
  return [
    figureOf(
      {
        name: 'memory',
        measured: `a process that caches ${answers} answers of ${megabytes} MB`,
        baseline: `${TIMES} times their bytes and ${PROCESS_BYTES / 1e6} MB`,
        ratioOf: 'bytes',
        goal: { is: 'at most', value: 1, stretch: 1 },
      },
      [
        {
          measured: { usPerCall: size, cpuUsPerCall: null },
          baseline: { usPerCall: TIMES * bytes + PROCESS_BYTES, cpuUsPerCall: null },
        },
      ],
    ),
  ];
}

type Size = {
  /** Of the process, in bytes. */
  readonly size: number;
  /** Of all bodies together. */
  readonly bytes: number;
};

async function sizeWith(answers: number): Promise<Size> {
  const env = { OPENSHELF_CACHE_MB: '2000' };
  const effort = { pairs: 1, msPerRound: 0, profileDir: null };
  // No price is of an age at which an answer expires during the measurement.
  const world = { seed: SEED, listings: 1, nowMs: Date.now() - 2 * HOUR_MS };
  const prepare = async (dataDir: string) => {
    const place = { kind: 'sqlite', path: join(dataDir, 'openshelf.db') } as const;
    await fill(place, { world, products: answers, bars: 0, onProgress: () => undefined });
  };
  await using stage = await openStage({ effort, env, prepare });
  const pathOf = (product: number) => `/v1/products/${barcodeOf(product)}`;
  let ofSample = 0;
  for (let product = 0; product < SAMPLE; product += 1) {
    ofSample += Buffer.byteLength((await stage.kept(pathOf(product))).body);
  }
  await using load = startLoad();
  const ask = async (from: number, count: number, times: number) => {
    const request = Array.from({ length: count }, (_, at) => stage.call(pathOf(from + at)).request);
    const job = { request, connections: CONNECTIONS, maxMs: DEADLINE_MS };
    const round = { ...job, maxRequests: times * count };
    const given = await loadRound(load, stage.service, round);
    if (given.answers < times * count) throw new Error(`only ${given.answers} answers in time`);
  };
  for (let from = 0; from < answers; from += AT_A_TIME)
    await ask(from, Math.min(AT_A_TIME, answers - from), ASKED_BEFORE);
  const size = await metricOf(stage.service.url, 'process_resident_memory_bytes');
  const before = await metricOf(stage.service.url, KEPT);
  for (let from = 0; from < answers; from += AT_A_TIME)
    await ask(from, Math.min(AT_A_TIME, answers - from), 1);
  const kept = (await metricOf(stage.service.url, KEPT)) - before;
  if (kept < answers) throw new Error(`only ${kept} of ${answers} answers were cached`);
  return { size, bytes: Math.round((answers * ofSample) / SAMPLE) };
}

const KEPT = 'openshelf_prepared_answers_total';

async function metricOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
