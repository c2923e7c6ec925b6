// Measures the latency of the slowest of a hundred calls at half of the service's capacity, against the durable bare server
// at the same rate.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { DURABLE } from './cached-lookup.ts';
import { cleanEnv, startDurableServer, type MeasuredServer } from './children.ts';
import { openStage, tokensOf, type LookupEffort } from './lookup-stage.ts';
import { figureOf, type Figure, type Pair, type Sample, quantile } from './measurement.ts';
import type { OpenLoopJob, OpenLoopResult } from './open-loop.ts';
import { smallPage } from './page-generator.ts';
import { openShop } from './shop.ts';

const SEED = 65;
const MAX_CONNECTIONS = 64;
const US_PER_MS = 1_000;

/** Latencies count from when a request was due, so that a stalled server is detected. */
export async function benchLatency(effort: LookupEffort): Promise<readonly Figure[]> {
  const page = smallPage(SEED);
  await using shop = await openShop();
  shop.add(page);
  await using stage = await openStage({ effort, env: shop.env });
  const path = `/v1/products/${encodeURIComponent(page.product.url)}`;
  const answer = await stage.kept(path);
  await using durable = await startDurableServer(answer, join(stage.dataDir, 'durable.db'));
  const kept = stage.call(path);
  const capacity = await stage.measure(kept, { ...kept, server: durable });
  const perSecond = Math.round(
    5e5 / Math.min(...capacity.map(({ measured }) => measured.usPerCall)),
  );
  const load = fork(new URL('./open-loop.ts', import.meta.url), { env: cleanEnv() });
  let answers = 0;
  const round = async (server: MeasuredServer): Promise<Sample> => {
    const job: OpenLoopJob = {
      port: Number(new URL(server.url).port),
      requests: [kept.request],
      perSecond,
      ms: effort.msPerRound,
      maxConnections: MAX_CONNECTIONS,
    };
    load.send(job);
    const [result] = (await once(load, 'message')) as [OpenLoopResult];
    const latencies = result.byStatus['200'] ?? [];
    if (latencies.length !== result.sent)
      throw new Error(`not all answers were 200: ${JSON.stringify(result.breaks)}`);
    if (server === stage.service) answers += latencies.length;
    return { usPerCall: quantile(latencies, 0.99) * US_PER_MS, cpuUsPerCall: null };
  };
  const pairs: Pair[] = [];
  try {
    await round(stage.service);
    await round(durable);
    for (let index = 0; index < effort.pairs; index += 1) {
      pairs.push({ measured: await round(stage.service), baseline: await round(durable) });
    }
  } finally {
    load.kill();
  }
  await stage.checkBilled({ answers, tokens: answers * tokensOf(answer) });
  const measured = `the 99th of 100 cached lookups, ${perSecond} per second, half of what was possible`;
  const goal = { is: 'at most', value: 2, stretch: 1.3 } as const;
  return [
    figureOf({ name: 'kept-p99', measured, baseline: DURABLE, ratioOf: 'time', goal }, pairs),
  ];
}
