// What 1,000 held identifiers cost in one batch and in single calls: processor time of the service, in pairs. Run with
// npm run eval:batch; --pairs 9, --lines 1000, --made for answers that are made anew for each call.

import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import {
  loadRound,
  runCommand,
  startLoad,
  startService,
  type Load,
  type MeasuredServer,
} from '../bench/children.ts';
import { median } from '../bench/measurement.ts';
import { smallPage } from '../bench/page-generator.ts';
import { openShop } from '../bench/shop.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '9' },
    lines: { type: 'string', default: '1000' },
    made: { type: 'boolean', default: false },
  },
});

/** As many as a batch works on at once. */
const CONNECTIONS = 16;
/** The third time that it is asked from the store an answer is kept. */
const ROUNDS_BEFORE = 4;
const GOAL = 0.5;
const LOOK_MS = 500;

type Place = {
  readonly service: MeasuredServer;
  readonly key: string;
  readonly urls: readonly string[];
};

using folder = temporaryFolder();
const dataDir = folder.path;
await measure(Number(values.lines), Number(values.pairs));

async function measure(lines: number, pairs: number): Promise<void> {
  const limits = ['--quota', '1000000000', '--throttle', '60000000'];
  const made = await runCommand([
    'keys',
    'create',
    '--org',
    'eval',
    ...limits,
    '--data',
    dataDir,
    '--json',
  ]);
  await using shop = await openShop();
  const urls: string[] = [];
  for (let seed = 1; urls.length < lines; seed += 1) {
    const page = smallPage(seed);
    if (shop.add(page)) urls.push(page.product.url);
  }
  const prepared = values.made ? { OPENSHELF_CACHE_MB: '0' } : {};
  const env = {
    ...shop.env,
    OPENSHELF_HOST_INTERVAL_MS: '0',
    OPENSHELF_REQUEST_LOG: 'false',
    ...prepared,
  };
  await using service = await startService({ dataDir, env, profileDir: null });
  await using load = startLoad();
  const place = { service, key: String(made['key']), urls };
  // The first round fetches, and leaves to the background what it found no time for.
  await askInBatch(place);
  await untilNothingWaits(service);
  for (let round = 0; round < ROUNDS_BEFORE; round += 1) {
    await askOneByOne(place, load);
    await askInBatch(place);
  }
  const found: { readonly batch: number; readonly single: number }[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    found.push({ batch: await askInBatch(place), single: await askOneByOne(place, load) });
  }
  tell(found);
  const usage = await runCommand(['usage', '--org', 'eval', '--data', dataDir, '--json']);
  const asked = lines * (1 + 2 * (ROUNDS_BEFORE + pairs));
  if (usage['tokens_used'] !== asked)
    throw new Error(`${asked} were asked: ${JSON.stringify(usage)}`);
}

/** Work behind the answers would be counted with theirs. */
async function untilNothingWaits({ url }: MeasuredServer): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const jobs = [...text.matchAll(/^openshelf_jobs\{state="(?:waiting|running)"\} (\d+)/gm)];
    if (jobs.length > 0 && jobs.every(([, count]) => count === '0')) return;
    await wait(LOOK_MS);
  }
}

/** Microseconds of processor time a line. */
async function askInBatch({ service, key, urls }: Place): Promise<number> {
  const before = await service.cpuUs();
  const response = await fetch(`${service.url}/v1/products/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: urls.map((id) => JSON.stringify({ id })).join('\n'),
  });
  const answers = (await response.text()).trimEnd().split('\n');
  const failed = answers.find((line) => !line.includes('"status":200'));
  if (failed !== undefined || answers.length !== urls.length)
    throw new Error(failed?.slice(0, 500));
  return ((await service.cpuUs()) - before) / urls.length;
}

async function askOneByOne({ service, key, urls }: Place, load: Load): Promise<number> {
  const { cpuUsPerCall, answers } = await loadRound(load, service, {
    request: urls.map(
      (url) =>
        `GET /v1/products/${encodeURIComponent(url)} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    ),
    connections: CONNECTIONS,
    maxRequests: urls.length,
    maxMs: 60_000,
  });
  if (answers !== urls.length) throw new Error(`${answers} answers of ${urls.length}`);
  return cpuUsPerCall ?? Number.NaN;
}

function tell(pairs: readonly { readonly batch: number; readonly single: number }[]): void {
  const ratios = pairs.map(({ batch, single }) => batch / single).toSorted((a, b) => a - b);
  const ratio = median(ratios);
  const figure = (each: number | undefined) => Number((each ?? Number.NaN).toFixed(3));
  console.log(
    JSON.stringify({
      answers: values.made ? 'made anew' : 'kept',
      ratio: figure(ratio),
      spread: [figure(ratios[0]), figure(ratios.at(-1))],
      goal: values.made ? null : `at most ${GOAL}`,
      reached: values.made ? null : ratio <= GOAL,
      cpu_us_per_line: {
        batch: figure(median(pairs.map(({ batch }) => batch))),
        single: figure(median(pairs.map(({ single }) => single))),
      },
      pairs: pairs.length,
    }),
  );
  if (!values.made && ratio > GOAL) process.exitCode = 1;
}
