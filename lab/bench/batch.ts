// Measures the cost of 1,000 products in one batch and in single calls, cached and computed again: processor time of the
// service, alternating.

import {
  openStage,
  untilNothingWaits,
  type LookupEffort,
  type LookupStage,
} from './lookup-stage.ts';
import {
  figureOf,
  ofProcessor,
  type Figure,
  type Goal,
  type Pair,
  type Sample,
} from './measurement.ts';
import { smallPage } from './page-generator.ts';
import { openShop } from './shop.ts';

const LINES = 1_000;
/** The concurrency of a batch. */
const CONNECTIONS = 16;
/** An answer is cached the third time it is requested from the store. */
const ROUNDS_BEFORE = 4;
const GOAL: Goal = { is: 'at most', value: 0.5, stretch: 0.5 };

/** @throws Error if an answer is wrong or not in the ledger. */
export async function benchBatch(effort: LookupEffort): Promise<readonly Figure[]> {
  const text = {
    measured: `a line of a batch of ${LINES}`,
    baseline: `a call, ${CONNECTIONS} at once`,
    ratioOf: 'processor time',
  } as const;
  const cached = await pairsOf(effort, {});
  const computed = await pairsOf(effort, { OPENSHELF_CACHE_MB: '0' });
  return [
    figureOf({ ...text, name: 'batch', goal: GOAL }, cached),
    figureOf({ ...text, name: 'batch-computed', goal: null }, computed),
  ];
}

async function pairsOf(
  effort: LookupEffort,
  more: Readonly<Record<string, string>>,
): Promise<readonly Pair[]> {
  await using shop = await openShop();
  const urls: string[] = [];
  for (let seed = 1; urls.length < LINES; seed += 1) {
    const page = smallPage(seed);
    if (shop.add(page)) urls.push(page.product.url);
  }
  const env = {
    ...shop.env,
    OPENSHELF_HOST_INTERVAL_MS: '0',
    OPENSHELF_REQUEST_LOG: 'false',
    ...more,
  };
  await using stage = await openStage({ effort, env });
  const paths = urls.map((url) => `/v1/products/${encodeURIComponent(url)}`);
  await stage.kept(paths[0] ?? '');
  const single = {
    server: stage.service,
    request: paths.map((path) => stage.call(path).request),
  };
  let batches = 0;
  const inBatch = async (): Promise<Sample> => {
    batches += 1;
    return await askInBatch(stage, urls);
  };
  const oneByOne = async (): Promise<Sample> =>
    ofProcessor(await stage.round(single, CONNECTIONS, effort.msPerRound));
  // The first round fetches, and leaves what it has no time for to the background.
  await inBatch();
  await untilNothingWaits(stage.service);
  for (let round = 0; round < ROUNDS_BEFORE; round += 1) {
    await oneByOne();
    await inBatch();
  }
  const pairs: Pair[] = [];
  for (let pair = 0; pair < effort.pairs; pair += 1) {
    pairs.push({ measured: await inBatch(), baseline: await oneByOne() });
  }
  await stage.checkBilled({ answers: batches * LINES, tokens: batches * LINES });
  return pairs;
}

/** Returns the processor time per line. */
async function askInBatch({ service, key }: LookupStage, urls: readonly string[]): Promise<Sample> {
  const before = await service.cpuUs();
  const response = await fetch(`${service.url}/v1/products/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: urls.map((id) => JSON.stringify({ id })).join('\n'),
  });
  const answers = (await response.text()).trimEnd().split('\n');
  const failed = answers.find((line) => !line.includes('"status":200'));
  if (failed !== undefined || answers.length !== urls.length)
    throw new Error(failed?.slice(0, 500) ?? `${answers.length} answers of ${urls.length}`);
  return { usPerCall: ((await service.cpuUs()) - before) / urls.length, cpuUsPerCall: null };
}
