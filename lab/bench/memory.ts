// Measures the memory that kept answers take. One service is asked for many answers, each at an address of its own, until they
// are kept; then the process is asked how large it is. Nothing collects garbage for it before.

import { loadRound, startLoad } from './children.ts';
import { CONNECTIONS, openStage } from './lookup-stage.ts';
import { figureOf, type Figure } from './measurement.ts';
import { smallPage } from './page-generator.ts';
import { openShop } from './shop.ts';

const SEED = 68;
/** What the goal allows: so many times the bytes of the answers, and so much for the process that keeps them. */
const TIMES = 1.3;
const PROCESS_BYTES = 200_000_000;
/** Asked for three times in a row, because a service forgets what was asked for once. */
const AT_A_TIME = 1_000;
const ASKED_BEFORE = 3;
const DEADLINE_MS = 600_000;

/**
 * Asked for in a process of its own before: the first one after a change strips the types of what changed, which leaves it some
 * 25 MB larger than any later one. The published package has nothing to strip.
 */
const ASKED_TO_COMPILE = 100;

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
        measured: `a process that keeps ${answers} answers of ${megabytes} MB`,
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
  const page = smallPage(SEED);
  await using shop = await openShop();
  shop.add(page);
  const env = { ...shop.env, OPENSHELF_CACHE_MB: '2000' };
  const effort = { pairs: 1, msPerRound: 0, profileDir: null };
  await using stage = await openStage({ effort, env });
  // The shop's page by addresses that differ in what leads to no other page.
  const pathOf = (number: number) =>
    `/v1/products/${encodeURIComponent(`${page.product.url}?utm_source=${number}`)}`;
  const { body } = await stage.kept(pathOf(0));
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
  if (kept < answers) throw new Error(`only ${kept} of ${answers} answers were kept`);
  return { size, bytes: answers * Buffer.byteLength(body) };
}

const KEPT = 'openshelf_prepared_answers_total';

async function metricOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
